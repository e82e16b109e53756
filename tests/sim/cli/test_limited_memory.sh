#!/bin/sh
# Under any limit of address space (ulimit -v) the program does what it is asked to, or says in one line that memory ran
# out and ends with 1. Below what its libraries need to be loaded the system's loader speaks instead, with 127.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# AddressSanitizer takes terabytes of it.
# shellcheck disable=SC3045 # every sh this runs under has ulimit -v
(ulimit -v 2000000 && "$program" list >out 2>err) || exit 0

limited() {
    kilobytes=$1
    shift
    what="ulimit -v $kilobytes; fedrecsim $*"
    # timeout: OpenBLAS by itself asks for memory for ever
    # shellcheck disable=SC3045
    (ulimit -v "$kilobytes" && exec timeout 60 "$program" "$@" >out 2>err </dev/null)
    code=$?
    case $code in
    0) ended=yes ;;
    1)
        # a sweep says it of every point, and how many there were
        grep -q '^fedrecsim: .*out of memory' err || fail "no reason"
        grep -v -e '^fedrecsim: .*out of memory' -e 'points failed' err >rest
        [ ! -s rest ] || fail "more than a line"
        ;;
    127)
        [ "$kilobytes" -lt 128000 ] || fail "exit code 127"
        grep -q 'error while loading shared libraries' err || fail "no reason"
        ;;
    *) fail "exit code $code" ;;
    esac
}

# One whose uploads go through LAPACK, and one under SimGrid's solver, with a stack for every client
scenario() {
    printf '%s\n' 'data = { synthetic = "small"; };' 'network = { preset = "4g"; };' \
        'rounds = { count = 2; cohort = 100; };' "$1"
}
scenario 'codec = { uplink = { name = "svd"; }; };' >svd.cfg
scenario 'engine = { backend = "simgrid"; };' >simgrid.cfg

for megabytes in 50 100 128 140 160 200 300 400 1000 2000; do
    kilobytes=$((megabytes * 1024))
    limited "$kilobytes" run svd.cfg --out svd --force --quiet
    limited "$kilobytes" run simgrid.cfg --out simgrid --force --quiet --threads 8
    limited "$kilobytes" check svd.cfg
    limited "$kilobytes" list
    limited "$kilobytes" explain codec
    ended=no
    rm -rf sweep
    limited "$kilobytes" sweep svd.cfg --replicates 2 --out sweep --quiet
done
[ "$ended" = yes ] || fail "2 GB are not enough"

[ "$failures" -eq 0 ]
