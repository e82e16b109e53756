#!/bin/sh
# Labels: long
# The Debian package of what is built: the same bytes twice, what it needs is named, it works where it is unpacked, and lintian has
# nothing to say. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
unset FEDRECSIM_SCENARIOS
for tool in dpkg-deb dpkg-shlibdeps cpack; do
    command -v "$tool" >/dev/null || { echo "SKIPPED package: there is no $tool" && exit; }
done

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
# package FOLDER UMASK: packed there, so that the build folder is left alone.
package() {
    what="cpack in $1"
    mkdir "$1"
    (umask "$2" && cmake -DSOURCE="$FRS_SOURCE_DIR" -DBUILD="$build" -DOUT="$folder/$1" -P "$FRS_SOURCE_DIR/packaging/deb.cmake") >out 2>err ||
        fail "exit code"
}
build=${program%/*}
package one 022
sleep 1
package two 077
set -- one/*.deb
cmp one/*.deb two/*.deb || fail "other bytes the second time"

what="the package"
dpkg-deb --info "$1" >out
cat out >>info
says info 'Depends: '
library=$(strings -a "$program" | grep -E '(^|/)libsimgrid\.so[.0-9]*$' | head -n 1)
says info " libsimgrid${library##*libsimgrid.so.}"
for needed in libc6 libopenblas liblapacke libconfig9 libexpat1 libjansson4 libsodium23 libsqlite3-0 libssl3 zlib1g libzstd1 liblzma5; do
    says info "$needed"
done
dpkg-deb --contents "$1" >contents
awk '$2 != "root/root" { print }' contents >foreign
silent foreign
awk '/\.\/usr\// && $1 ~ /^d/ && $1 != "drwxr-xr-x" { print }' contents >modes
silent modes
dpkg-deb --extract "$1" root
! grep -rlF "$FRS_SOURCE_DIR" root/usr/share >names || fail "names the folder of the build: $(cat names)"

program=$PWD/root/usr/bin/fedrecsim
expect 0 run quickstart --set rounds.count=2 --set output.what_if=none --quiet
[ -s results/quickstart-seed1/report.html ] || fail "no page"

if command -v lintian >/dev/null; then
    what=lintian
    lintian --fail-on error,warning "$1" >out 2>err || fail "it complains"
else
    echo "SKIPPED package of lintian: it is not installed"
fi

[ "$failures" -eq 0 ]
