#!/bin/bash
# packages.sh: Debian's packages of /percuss, with what debian/control says that they need; into /
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends dpkg-dev fakeroot lintian
cd /percuss
apt-get build-dep -y -q --no-install-recommends ./
DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b
# whoever uploads it says who they are and where they are reached
lintian --allow-root --fail-on error,warning \
  --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs ../*.changes
