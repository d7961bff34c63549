#!/bin/bash
# use.sh DOCUMENTS: what a user does with an installed percuss, far from its source and without rights. Each line has to succeed.
set -e
documents=$1
if [ "$(id -u)" -eq 0 ]; then
  id percuss-user >/dev/null 2>&1 || useradd --create-home percuss-user
  command -v man >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends man-db >/dev/null
  cp "$0" /home/percuss-user/use.sh
  exec su - percuss-user -s /bin/bash -c "bash -x ./use.sh '$documents'"
fi
percuss --version | grep "by VTK"
percuss cases | head -n 1 | grep -v '\.\.'
percuss check sliding-block
percuss run sliding-block --set time.end=0.1 --quiet
percuss run sliding-cube --set time.end=0.1 --quiet
percuss plot results/sliding-block --format png
percuss snapshot results/sliding-block --time 0.05 --field velocity -o velocity.png
percuss report results/sliding-block
percuss report results/sliding-cube
percuss init mine.yaml
percuss check mine.yaml
percuss help case contacts | grep friction
test -s results/sliding-block/report.html && test -s results/sliding-block/energy.png && test -s velocity.png
test "$(man percuss | grep -c .)" -gt 100
/usr/bin/python3 -c '
import percuss
run = percuss.Run("sliding-cube")
assert run.step(3) == 3
assert percuss.load("results/sliding-block").energy["kinetic"].size > 900'
cp "$documents"/examples/*.c .
for name in bounce chain own_law own_mesh; do
  # shellcheck disable=SC2046
  cc -std=c17 "$name.c" $(pkg-config --cflags --libs percuss) -lm -o "$name"
  ./"$name"
done
