#!/bin/sh
# inside.sh ROOT COMMAND...: in a Debian in a folder, in a mount namespace of its own (unshare --mount --propagation private): /proc
# and shared memory; devices are those that debootstrap made.
root=$1
shift
mount -t proc proc "$root/proc" && mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm" || exit 99
exec env -i HOME=/root TERM=dumb LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"
