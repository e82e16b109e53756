#!/bin/sh
# What simulates nothing works without SimGrid; what does says in one line that it is not there, and writes nothing.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
rounds = { count = 3; cohort = 5; };
TEXT
expect 0 run s.cfg --out whole

# What the program was built with, by name: a file of that name which is no library is found before it.
name=$(strings -a "$program" | grep -E '(^|/)libsimgrid\.so[.0-9]*$' | head -n 1)
case $name in
/*) echo "SKIPPED without_simgrid: the program knows the folder of SimGrid, which no other can stand in for" && exit ;;
esac
mkdir lib
: >"lib/$name"
LD_LIBRARY_PATH=$PWD/lib
export LD_LIBRARY_PATH
for command in 'list' 'explain rounds.cohort' 'report whole --out page.html' 'compare whole whole' '--help'; do
    # shellcheck disable=SC2086 # words
    expect 0 $command
done
for command in 'check s.cfg' 'run s.cfg --out none' 'sweep s.cfg --vary rounds.count=3,4 --out none'; do
    # shellcheck disable=SC2086 # words
    expect 1 $command
    says err 'SimGrid, which simulates runs, cannot be loaded: '
    [ ! -e none ] || fail "something was written"
done
[ "$failures" -eq 0 ]
