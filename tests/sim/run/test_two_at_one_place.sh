#!/bin/sh
# Two processes at one place, each the first one (number 1) of a name space of its own, as in two containers that share a
# folder: the second is told at its start, neither loses anything, and who was killed locks nobody out.
#   test_two_at_one_place.sh BUILD_FOLDER [RACES]     default: 2
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
if ! unshare -rpf --mount-proc true 2>/dev/null; then
    echo "SKIPPED test_two_at_one_place: there are no name spaces of processes here"
    exit 0
fi
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/places.sh
. "$tests/sim/run/places.sh"
races=${2:-2}

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
network = { preset = "mixed-mobile"; };
rounds = { count = 120; cohort = "30 %"; };
evaluation = { every = 5; };
output = { checkpoint_rounds = 1; what_if = "none"; };
CFG
expect 0 run s.cfg --out undisturbed --threads 1 --quiet
sed 's/"30 %"/"100 %"/; s/{ name/{ epochs = 100000; batch = 1; name/' s.cfg >hours.cfg
make_foreign

# contained LOG COMMAND...: the program as the first process of a new name space.
contained() {
    log=$1
    shift
    exec unshare -rpf --mount-proc --kill-child "$program" "$@" >/dev/null 2>"$log" </dev/null
}
# What is being written: the files of live temporary folders, by their inodes.
written() { find . -path './place.partial-1/*' -o -path './place.partial-1-*/*' | sort | xargs -r ls -i; }
is_writing() { [ -e "$(find . -path './place.partial-1*/events.ndjson' | head -n 1)" ]; }
told() { grep -q "^fedrecsim: place: another run is writing there (process 1 of another container on $(uname -n) since [0-9TZ:-]*)$" "$1" && [ "$(wc -l <"$1")" -eq 1 ]; }

what="the second run at one place"
(contained first run hours.cfg --threads 1 --out place --quiet) &
first=$!
wait_until is_writing || fail "the first one does not start"
written >before
for how in '' --resume --force '--resume --force'; do
    what="the second run at one place $how"
    # shellcheck disable=SC2086
    (contained err run s.cfg --out place $how)
    code=$?
    [ "$code" -eq 2 ] || fail "exit code $code"
    told err || fail "does not say who is there"
    written | cmp -s - before || fail "what the first one is writing was touched"
    [ -e place.lock ] || fail "the lock is gone"
done
(contained err run hours.cfg --threads 1 --out place/ --resume)
told err || fail "does not say who is there, for a name with a slash"
foreign_is_safe

what="a first process that was killed"
kill -s KILL "$first"
wait "$first" 2>/dev/null
wait_until sh -c '! ls -d place.partial-1/events.ndjson >/dev/null 2>&1 || flock -n place.lock true'
[ -e place.lock ] || fail "it was not killed"
(contained err run s.cfg --out place --threads 1 --quiet --resume) || fail "exit code $?: its place is locked for ever"
same undisturbed place
left './place '
foreign_is_safe
rm -rf place

# The first process of a name space is not ended by signals that it does not catch.
what="two signals for the first process of a container"
(contained err run hours.cfg --threads 1 --out place) &
first=$!
wait_until is_writing || fail "does not start"
read -r child _ <"/proc/$first/task/$first/children"
kill -s TERM "$child"
sleep 1.3
kill -s INT "$child"
wait "$first"
code=$?
[ "$code" -eq 130 ] || fail "exit code $code instead of 130"

# Both begin at one moment, again and again; one of them is killed, now and then. At the end there is one result.
what="races"
refused=0 killed=0
for race in $(seq 1 "$races"); do
    (contained err.1 run s.cfg --out place --threads 1 --quiet --resume) &
    one=$!
    (contained err.2 run s.cfg --out place --threads 1 --quiet --resume) &
    two=$!
    if [ $((race % 2)) -eq 0 ]; then
        sleep 0.$((race * 37 % 90 + 10))
        kill -s KILL $one 2>/dev/null && killed=$((killed + 1))
    fi
    wait $one 2>/dev/null
    first=$?
    wait $two 2>/dev/null
    second=$?
    for end in "$first err.1" "$second err.2"; do
        case $end in
        0\ * | 137\ *) ;;
        2\ *) refused=$((refused + 1)) && { told "${end#* }" || fail "is refused without a reason: $(cat "${end#* }")"; } ;;
        *) fail "exit code $end: $(cat "${end#* }")" ;;
        esac
    done
    foreign_is_safe
    (contained err run s.cfg --out place --threads 1 --quiet --resume) || fail "cannot be resumed"
    same undisturbed place
    left './place '
    rm -rf place
done

# Tasks of a job array on several machines: two have been given the same point.
what="one point, twice"
expect 0 sweep s.cfg --vary 'rounds.count = 120, 60' --out place.sweep --quiet --jobs 1 --threads 1
cp -r place.sweep/points/0000 first-point
rm -rf place.sweep/points/0000 place.sweep/cache
echo "somebody's" >place.sweep/points/0000.notes
(contained err.1 point place.sweep/plan.json --index 0 --threads 1) &
one=$!
wait_until test -e place.sweep/points/0000.lock || fail "does not start"
(contained err.2 point place.sweep/plan.json --index 0 --threads 1)
second=$?
wait $one || fail "the first one: exit code $?: $(cat err.1)"
[ "$second" -eq 0 ] || [ "$(grep -c 'another run is writing there (process 1 of another container' err.2)" -eq 1 ] ||
    fail "the second one: exit code $second: $(cat err.2)"
same first-point place.sweep/points/0000
rm -f place.sweep/points/*.log # sanitizers warn on stderr
[ "$(ls place.sweep/points)" = "$(printf '0000\n0000.notes\n0001')" ] || fail "left $(ls place.sweep/points)"
echo "two at one place: 5 second runs told, $races races ($refused refused, $killed killed), one point twice; all results identical, foreign files untouched"
[ "$failures" -eq 0 ]
