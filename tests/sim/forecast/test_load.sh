#!/bin/sh
# Labels: slow
# What check foretells follows from the scenario alone: on a processor that it has to share with another process (with three,
# in test_load_long.sh) it says the same, of a run that is too long to be played, of rounds with many clients, and of a sweep. Real time,
# and memory to a hundredth, excepted.
#   test_load.sh BUILD_FOLDER [OTHERS]     default: 1, and of the first of these alone
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >long.cfg <<'TEXT'
data = { synthetic = "small"; };
network = { preset = "mixed-mobile"; };
failures = { up = 0.1; };
rounds = { count = 20000; cohort = 20; };
TEXT
cat >wide.cfg <<'TEXT'
data = { synthetic = "custom"; users = 20000; items = 500; interactions = 400000; };
network = { preset = "mixed-mobile"; };
engine = { backend = "simgrid"; };
rounds = { count = 20; cohort = "50 %"; };
TEXT
said() { sed '/^  memory   /d; /^  wall time /d; s/wall time .*//; s/of wall time.*//; /^  all tasks /d' out; }
memory() { sed -n 's/^  memory  *about \([0-9.]*\) \(.*\)/\1 \2/p' out | head -n 1; }
look() {
    expect 0 check long.cfg --threads 1 --patience '200 ms'
    said >"$1.long"
    memory >"$1.memory"
    [ "$parts" != long ] || return
    expect 0 check wide.cfg --threads 1 --patience '200 ms'
    said >"$1.wide"
    expect 0 check long.cfg --threads 1 --patience '200 ms' --set 'sweep.vary=rounds.cohort=10,20'
    said >"$1.sweep"
}

# The first of the three says most; the others take three times as long.
parts=long
[ "${2:-1}" -eq 1 ] || parts='long wide sweep'
processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
taskset -cp "$processor" $$ >/dev/null
look idle
hogs=
for _ in $(seq 1 "${2:-1}"); do
    timeout 300 yes >/dev/null &
    hogs="$hogs $!"
done
look busy
# shellcheck disable=SC2086 # a list
kill $hogs 2>/dev/null
for part in $parts; do
    what="check, $part"
    cmp -s "idle.$part" "busy.$part" || fail "says something else on a busy processor: $(diff "idle.$part" "busy.$part" | tr '\n' ' ')"
done
paste -d ' ' idle.memory busy.memory | awk '{ exit !($2 == $4 && $1 <= 1.02 * $3 && $3 <= 1.02 * $1) }' ||
    fail "memory: $(cat idle.memory) and $(cat busy.memory)"

[ "$failures" -eq 0 ]
