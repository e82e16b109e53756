#!/bin/sh
# Labels: slow
# Sweeps: what is refused, what a killed or interrupted one leaves, and that going on gives the same files.
# Argument: the build folder.
# shellcheck disable=SC2094 # /dev/null is not out
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# Succeeds as soon as the command does; gives up after 60 s.
wait_until() {
    tries=1200
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

# How many points of a sweep are there.
n_points() { find "$1/points" -mindepth 1 -maxdepth 1 -name '[0-9]*[0-9]' 2>/dev/null | wc -l; }
has_points() { [ "$(n_points "$1")" -ge "$2" ]; }

# Everything but what belongs to the machine, as one text.
content() {
    (cd "$1" && find . -type f ! -name lock ! -name '*.log' | sort | while read -r file; do
        echo "== $file"
        case $file in
        */summary.json) sed '/^  "machine": {/,/^  }/d' "$file" ;;
        *) cat "$file" ;;
        esac
    done)
}

# same A B: two folders hold the same.
same() {
    content "$1" >content.a
    content "$2" >content.b
    cmp -s content.a content.b || fail "$1 and $2 differ: $(diff -a content.a content.b | head -n 5)"
}

# Finished points as lines that change when a file is written anew.
finished() { find "$1/points" -path '*/points/[0-9]*/*' -type f ! -path '*.partial-*' -printf '%p %i %T@\n' 2>/dev/null | sort; }

# Starts a sweep, kills it with SIGKILL once it has $2 points; leaves what was finished in `before`.
kill_at() {
    out=$1
    count=$2
    shift 2
    "$program" sweep "$@" --quiet --resume --out "$out" >out 2>err </dev/null &
    sweep=$!
    wait_until has_points "$out" "$count" || fail "has not come to $count points"
    kill -9 "$sweep" 2>/dev/null || fail "ended before it could be killed"
    wait "$sweep" 2>/dev/null
    sleep 0.2
    finished "$out" >before
}

# Nothing that was in `before` was run again.
untouched() {
    finished "$1" >after
    comm -23 before after >lost
    [ ! -s lost ] || fail "were run again: $(head -n 3 lost)"
}

leftovers() {
    found=$({ find "$1" -name '*partial*' -o -name '*.replaced-*'
        find "$1" -name '*.log' -exec grep -L 'ASan is ignoring' {} +; } | tr '\n' ' ')
    [ -z "$found" ] || fail "left $found"
}

# Without training a point takes a tenth of a second.
cat >timing.cfg <<'END'
data = { synthetic = "custom"; users = 12; items = 60; interactions = 140; };
training = { enabled = false; };
network = { uplink = { distribution = "lognormal"; median = "1 Mbit/s"; sigma = 1.0; }; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { count = 400; cohort = 5; };
evaluation = { negatives = 20; };
output = { events = false; };
sweep = {
    vary = [ "method.name = fedmf, colr", "loss | none | some: failures.up=0.1 & failures.compute=0.1" ];
    replicates = 4;
    metrics = [ "simulated_s", "bytes.up" ];
};
END
cat >training.cfg <<'END'
data = { synthetic = "small"; };
method = { dim = 4; epochs = 1; };
network = { preset = "mixed-mobile"; };
devices = { preset = "fieldguide"; };
rounds = { count = 40; cohort = 20; };
sweep = { vary = [ "rounds.cohort = 10, 20" ]; replicates = 3; };
END

# --- what is refused ---
cp timing.cfg bad.cfg
expect 2 sweep timing.cfg --vary 'method.nam = fedmf'
error 'fedrecsim: axis method.nam, level "fedmf": method.nam: unknown key; did you mean "name"?'
expect 2 sweep timing.cfg --vary 'rounds.count = 3, three'
error 'fedrecsim: axis rounds.count, level "three": rounds.count: "three" is not a number; allowed: an integer from 1 to 1000000000'
expect 2 sweep timing.cfg --vary 'net | a | b: devices.slowdown=2'
error 'fedrecsim: axis net, level "b": devices.slowdown: has no effect here'
expect 2 sweep timing.cfg --vary 'cohort | a | b: rounds.cohort=13'
error 'fedrecsim: axis cohort, level "b": rounds.cohort: 13 clients are more than the data has; allowed: at most 12'
expect 2 sweep timing.cfg --vary 'rounds.count'
says err '--vary: "rounds.count": is not an axis; allowed: KEY = V, V'
expect 2 sweep timing.cfg --vary 'seed = 1, 2'
error 'fedrecsim: --vary: "seed = 1, 2": the seed is not an axis: replicates differ in it (sweep.replicates)'
expect 2 sweep timing.cfg --vary 'failures.up = 0, 0.5'
error 'fedrecsim: --vary: "failures.up = 0, 0.5": failures.up is also set by the axis loss'
expect 2 sweep timing.cfg --vary 'loss | none | some: failures.up=0.1 & rounds.cohort=2'
error 'fedrecsim: --vary: "loss | none | some: failures.up=0.1 & rounds.cohort=2": sets design factors (rounds.cohort) and environment factors (failures.up); say which of them it is with "design: " or "environment: " in front'
sed 's/"loss | none | some: failures.up=0.1 /"loss | none | some: rounds.cohort=2 /' timing.cfg >mixed.cfg
for command in check sweep; do
    expect 2 $command mixed.cfg
    says err 'fedrecsim: mixed.cfg:9: sweep.vary: "loss | none | some: rounds.cohort=2 & failures.compute=0.1": sets design factors (rounds.cohort)'
    [ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
done
sed -i 's/"loss | none/"environment: loss | none/' mixed.cfg
expect 0 check mixed.cfg
expect 2 sweep timing.cfg --set method.name=colr
error 'fedrecsim: --set method.name=colr: has no effect here: the axis method.name sets it; replace the axis with --vary'
expect 2 sweep timing.cfg --set sweep.baseline=loss=all
error 'fedrecsim: --set sweep.baseline=loss=all: sweep.baseline: "all" names no level of loss; allowed: none | some'
expect 2 sweep timing.cfg --set sweep.stop_width=1
error 'fedrecsim: --set sweep.stop_width=1: sweep.stop_width: has no effect without sweep.stop_metric'
expect 2 sweep timing.cfg --set 'sweep.target=hr@10 > 1'
says err 'sweep.target: '
# What some levels alone take: in the scenario without its axes, and in a cell.
levels="; what belongs to some levels alone stands in them: --vary 'NAME | LABEL: KEY=V & KEY=V | LABEL: KEY=V'"
expect 2 sweep timing.cfg --set codec.uplink.k=3 --vary 'codec.uplink = dense, topk'
error "fedrecsim: --set codec.uplink.k=3: codec.uplink.k: is a key of topk, but codec.uplink.name is \"dense\" in the scenario without its axes$levels"
expect 2 sweep timing.cfg --set method.up=1MB --set method.down=1MB --vary 'method.name = declared, fedmf'
says err "fedrecsim: --set method.up=1MB: method.up.value: has no effect here (method.name = "
says err "$levels"
expect 2 sweep timing.cfg --vary 'rounds.count = 1' --vary 'rounds.count = 2'
error 'fedrecsim: --vary: "rounds.count = 2": there are two axes of this name'
sed 's/"method.name = fedmf, colr"/"method.name = fedmf, colr, fedfm"/' timing.cfg >bad.cfg
for command in check sweep; do
    expect 2 $command bad.cfg
    says err 'fedrecsim: axis method.name, level "fedfm": method.name: "fedfm" is not allowed'
    [ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
done
for number in 0 x 10001; do
    expect 2 sweep timing.cfg --replicates $number
    says err "--replicates $number: allowed: an integer from 1 to 10000"
done
[ ! -e results ] || fail "something was written"
mkdir full
echo text >full/text
expect 2 sweep timing.cfg --out full
error 'fedrecsim: full exists and holds no sweep; choose another place with --out DIR'

# --- other commands take the scenario as it stands ---
expect 0 check timing.cfg
says out '16 points: 4 cells, 4 replicates'
expect 0 run timing.cfg --quiet --out plain --set rounds.count=2

# --- undisturbed ---
expect 0 sweep timing.cfg --out whole
says out '16 of 16 points are finished; results in whole, the page is whole/report.html'
says err '16/16 points done'
[ "$(n_points whole)" -eq 16 ] || fail "$(n_points whole) points"
leftovers whole
expect 2 sweep timing.cfg --out whole
error 'fedrecsim: whole holds a sweep already; go on with it with --resume, add to it with --extend or choose another place with --out DIR'
expect 2 sweep timing.cfg --out whole --resume --set rounds.cohort=4
error 'fedrecsim: whole/plan.json: is of another sweep: rounds.cohort was "5" and is "4"; choose another place with --out DIR'
expect 2 sweep timing.cfg --out whole --resume --replicates 5
error 'fedrecsim: whole/plan.json: is of another sweep: its number of replicates is another; choose another place with --out DIR'
finished whole >before
rm whole/points.csv
expect 0 sweep timing.cfg --out whole --resume --quiet
untouched whole
[ -e whole/points.csv ] || fail "was not collected again"

# A point is the run that its settings describe, also in what the file says beside the axes.
what="a point and a run"
"$program" run timing.cfg --quiet --out alone --seed 3 --set method.name=colr --set failures.up=0.1 \
    --set failures.compute=0.1 || fail "does not run"
for file in rounds.csv clients.csv; do
    cmp -s alone/$file whole/points/0014/$file || fail "$file differs"
done
[ "$(grep scenario_hash alone/manifest.json)" = "$(grep scenario_hash whole/points/0014/manifest.json)" ] || fail "hash"

# --- killed twice, and gone on with ---
what="killed and resumed"
for count in 2 6; do
    kill_at killed "$count" timing.cfg
done
expect 0 sweep timing.cfg --out killed --resume --quiet
untouched killed
leftovers killed
same whole killed

# A point can also be killed after its directory was put in place, while it puts the rest away. What a process that is
# there is writing stays.
what="killed at the end of a point"
sh -c 'true & echo $!; exec sleep 60' >zombie & # nobody asks how it ended
holder=$!
wait_until test -s zombie
gone=$(cat zombie)
mkdir -p killed/cache "killed/points/0001.partial-$gone" "killed/points/0001.replaced-$gone"
for file in "cache/0-0.journal.partial-$gone" "cache/0-0.journal.partial-1" "cache/0-0.journal.partial-$$" points/0000.log points/0001.checkpoint \
    "points/0001.checkpoint.partial-$gone" "points/0001.partial-$gone/rounds.csv"; do
    : >"killed/$file"
done
exec 9<"killed/cache/0-0.journal.partial-$$" # who writes a journal holds a lock on it
flock -n 9 || fail "cannot be locked"
finished killed >before
echo "a word" >killed/points/0002.log
expect 0 sweep timing.cfg --out killed --resume --quiet
untouched killed
[ "$(cat killed/points/0002.log)" = "a word" ] || fail "what a point has said is lost"
rm killed/points/0002.log
rm "killed/cache/0-0.journal.partial-$$" || fail "took a journal from who is writing it"
exec 9<&-
[ -z "$(find killed -name '*.checkpoint*')" ] || fail "left a checkpoint"
leftovers killed
same whole killed
kill "$holder"

what="killed and resumed, with training"
expect 0 sweep training.cfg --out taught --quiet --no-reuse
kill_at relearnt 2 training.cfg
expect 0 sweep training.cfg --out relearnt --resume --quiet --jobs 1 --threads 2
untouched relearnt
leftovers relearnt
rm -rf relearnt/cache
same taught relearnt

# --- interrupted ---
for signal in INT TERM; do
    what="SIG$signal"
    "$program" sweep timing.cfg --out $signal >out 2>err </dev/null &
    sweep=$!
    wait_until has_points $signal 2 || fail "did not start"
    kill -s $signal $sweep
    wait $sweep
    code=$?
    [ "$code" -eq 130 ] || fail "exit code $code"
    tail -n 1 err | grep -q '^fedrecsim: interrupted: [0-9]* of 16 points are finished; the same command with --resume goes on$' ||
        fail "says something else"
    leftovers $signal
    finished $signal >before
    expect 0 sweep timing.cfg --out $signal --resume --quiet
    untouched $signal
    same whole $signal
done

# --- two at once ---
what="two at once"
"$program" sweep timing.cfg --set rounds.count=20000 --out two --quiet >out 2>err </dev/null &
sweep=$!
has_begun() { [ -n "$(find two/points -name '*.partial-*' 2>/dev/null)" ]; }
wait_until has_begun || fail "did not start"
expect 2 sweep timing.cfg --set rounds.count=20000 --out two --resume
sed -i 's/ since [0-9TZ:-]*)$/ since T)/' err
error "fedrecsim: two: another sweep is running in this folder (process $sweep on $(uname -n) since T)"
kill -s TERM $sweep
wait $sweep

# --- points that fail ---
sed 's/^sweep.*/sweep = { vary = [ "method.learning_rate = 1, 1e6" ]; };/' training.cfg >diverges.cfg
expect 1 sweep diverges.cfg --out some --set method.optimiser=sgd
says err 'fedrecsim: point 1 failed (method.learning_rate = 1e6, replicate 1): round '
says err ': training has diverged'
[ "$(tail -n 1 err)" = 'fedrecsim: 1 of 2 points failed; --resume runs them again' ] || fail "last line"
[ -s some/points/0001.log ] || fail "no log"
[ "$(n_points some)" -eq 1 ] || fail "$(n_points some) points"
finished some >before
expect 1 sweep diverges.cfg --out some --set method.optimiser=sgd --resume
untouched some

# --- early stop: whatever the order, the same points ---
stop='--set sweep.stop_metric=simulated_s --set sweep.stop_width=30 --set sweep.stop_min_replicates=2 --replicates 12'
# shellcheck disable=SC2086
{
    expect 0 sweep timing.cfg $stop --set rounds.count=300 --out stop1 --jobs 1
    n=$(n_points stop1)
    says out "points are finished, the others are not needed"
    { [ "$n" -ge 8 ] && [ "$n" -lt 48 ]; } || fail "$n points of 48"
    expect 0 sweep timing.cfg $stop --set rounds.count=300 --out stop4 --jobs 4 --quiet
    same stop1 stop4
    kill_at stop3 6 timing.cfg $stop --set rounds.count=300 --jobs 3
    expect 0 sweep timing.cfg $stop --set rounds.count=300 --out stop3 --jobs 3 --quiet --resume
    untouched stop3
    same stop1 stop3
    expect 2 sweep timing.cfg $stop --set rounds.count=300 --out stop1 --resume --set sweep.stop_width=31
    error 'fedrecsim: stop1/plan.json: is of another sweep: its replicates stop early in another way; choose another place with --out DIR'
}

# --- one point ---
finished whole >before
expect 0 point whole/plan.json --index 3
untouched whole
expect 2 point whole/plan.json --index 16
error 'fedrecsim: --index 16: whole/plan.json has points 0 to 15'
expect 2 point whole/plan.json
says err 'needs a plan.json and --index LIST'
expect 2 point nowhere/plan.json --index 0
error 'fedrecsim: nowhere/plan.json: cannot be read: No such file or directory'
expect 2 point alone/manifest.json --index 0
error 'fedrecsim: alone/manifest.json: is not a plan of the format fedrecsim-plan-2'
what="point, interrupted"
mkdir one
sed 's/"rounds.count": "400"/"rounds.count": "100000000"/' whole/plan.json >one/plan.json
"$program" point one/plan.json --index 0 >out 2>err </dev/null &
point=$!
begun() { [ -n "$(find one -name '0000.partial-*')" ]; }
wait_until begun || fail "did not start"
sleep 0.3
kill -s INT $point
wait $point
code=$?
[ "$code" -eq 130 ] || fail "exit code $code"
[ -z "$(ls one/points)" ] || fail "left $(ls one/points)"

# --- replay ---
expect 0 replay whole/points/0014
[ "$(grep -c ': identical$' out)" -eq 5 ] || fail "not five files"
expect 0 replay taught/points/0001 --threads 1
cp -r taught/points/0001 changed
sed -i '5s/,1/,2/' changed/rounds.csv
sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' changed/manifest.json
expect 1 replay changed
says out 'rounds.csv: differs at line 5: "'
says out 'manifest.json: identical'
says out ', was 0.0.1'
expect 0 sweep --help
says out 'Threads of each point (default: the cores divided'
expect 2 replay nowhere
error 'fedrecsim: nowhere: is no run directory: manifest.json cannot be read'

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
