#!/bin/sh
# Two methods in Python beside the built-in ones: FedMF in NumPy and FedNCF in PyTorch have every byte, time and outcome of `fedmf` and `fedncf`
# under losses, deadlines, partial work, late and compressed uploads; with two threads, resumed after kill -9, in a sweep of 12 points,
# in the same sweep as a job array of SLURM, and in an emulation; and their quality over five seeds is within the spread of the built-in one.
# Labels: long
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/same_rounds.sh
. "${FRS_SOURCE_DIR:-.}/tests/same_rounds.sh"
# shellcheck source=tests/sim/cluster/slurm.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/cluster/slurm.sh"
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED test_external_python_long: no NumPy for /usr/bin/python3"
    exit 77
fi
export FEDRECSIM_ALLOW_COMMANDS=1
modules=$folder/programs # of this test alone, so that it finds what it has left
cp -r "$(dirname "$program")/python" "$modules"

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 60; u++) for (k = 0; k < 8 + u % 9; k++) print u "," (u * 7 + k * 13) % 110 "," 1 + (u + k) % 5 "," k }' >data.csv
cat >small <<'END'
data = { format = "csv"; path = "data.csv"; min_interactions = 3; };
devices = { preset = "phones"; };
rounds = { count = 4; cohort = 20; };
evaluation = { candidates = "full"; };
output = { what_if = "none"; report = false; };
END
cat >of_seeds <<'END'
data = { synthetic = "ml-100k"; };
network = { preset = "4g"; };
devices = { preset = "phones"; };
rounds = { count = 40; cohort = "20 %"; };
evaluation = { every = 40; };
output = { what_if = "none"; report = false; events = false; };
END

# scenarios METHOD: in the default settings of the program, which the built-in one is given. All samples of a client are one batch: batches are
# drawn from other sources, and their operations follow from what is in them.
scenarios() {
    keys='init_sd = 0.1; user_init_sd = 0.1; batch = 1000000;'
    for rest in small of_seeds; do
        { echo "method = { name = \"$1\"; $keys };" && cat $rest; } >"native_${1}_$rest.cfg"
        { echo "method = { name = \"external\"; command = \"/usr/bin/python3 '$modules/$1.py'\"; batch = 1000000; };" && cat $rest; } >"external_${1}_$rest.cfg"
    done
}

no_program_left() {
    for _ in $(seq 100); do
        left=$(pgrep -f "$modules/$1.py" || true)
        [ -n "$left" ] || return 0
        sleep 0.05
    done
    fail "processes are left: $left"
}

step() { echo "$(date +%H:%M:%S) $*, $failures failures"; }

# ---- rounds --------------------------------------------------------------------------------------

rounds_of() {
    native=native_${1}_small external=external_${1}_small
    same_rounds plain "$native" "$external"
    same_rounds losses "$native" "$external" --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
    same_rounds deadline "$native" "$external" --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' \
        --set rounds.policy.late=accept --set rounds.stragglers=run_on --set devices.jitter=0.5
    same_rounds partial "$native" "$external" --set rounds.policy.name=partial_work --set 'rounds.policy.after=0.06 s' \
        --set 'rounds.policy.grace=0.01 s' --set devices.jitter=0.5
    same_rounds asynchronous "$native" "$external" --set rounds.policy=buffered_async --set network.preset=4g
    same_rounds compressed "$native" "$external" --set codec.uplink.name=quantise --set privacy.1.name=clip --set privacy.1.bound=1
    step "$1: rounds"
}

# ---- threads, and kill -9 ------------------------------------------------------------------------

# What is interrupted has to take some seconds.
threads_and_kill_of() {
    cfg=external_${1}_small.cfg
    set -- "$1" --quiet --set method.batch=8 --set rounds.count=40 --set output.checkpoint_rounds=1 --set failures.up=0.2
    method=$1
    shift
    expect 0 run "$cfg" --out "$method-whole" "$@" --threads 1
    expect 0 run "$cfg" --out "$method-two" "$@" --threads 2
    what="$method, two threads"
    for file in rounds.csv clients.csv events.ndjson; do
        cmp -s "$method-whole/$file" "$method-two/$file" || fail "another $file"
    done
    what="$method, kill -9"
    "$program" run "$cfg" --out "$method-killed" --threads 2 "$@" >out 2>err &
    process=$!
    for _ in $(seq 1200); do
        [ ! -s "$method-killed.checkpoint" ] || break
        sleep 0.05
    done
    kill -9 "$process" && wait "$process" 2>/dev/null
    [ -s "$method-killed.checkpoint" ] || fail 'there is no checkpoint'
    no_program_left "$method"
    expect 0 run "$cfg" --out "$method-killed" --resume "$@"
    what="$method, what goes on after kill -9"
    for file in rounds.csv clients.csv; do
        cmp -s "$method-whole/$file" "$method-killed/$file" || fail "another $file"
    done
    step "$method: two threads, kill -9"
}

# ---- 12 points, on this machine and as a job array ------------------------------------------------

same_points() {
    for point in "$1"/points/*/; do
        before_quality "$point" >one.rounds
        before_quality "$2/points/$(basename "$point")" >other.rounds
        cmp -s one.rounds other.rounds || fail "point $(basename "$point") differs: $(diff one.rounds other.rounds | head -2 | cut -c1-200)"
    done
    found=$(find "$2/points" -name rounds.csv | wc -l)
    [ "$found" -eq 12 ] || fail "$found points instead of 12"
}

sweep_of() {
    set -- "$1" --vary 'failures.up = 0, 0.2, 0.4' --vary 'network.preset = 4g, wifi' --replicates 2 --quiet
    method=$1
    shift
    expect 0 sweep "native_${method}_small.cfg" --out "$method-native" --jobs 2 "$@"
    expect 0 sweep "external_${method}_small.cfg" --out "$method-points" --jobs 2 "$@"
    what="$method, a sweep of 12 points"
    same_points "$method-native" "$method-points"
    no_program_left "$method"
    missing=$(cluster_missing | tr '\n' ' ')
    if [ -n "$missing" ]; then
        echo "SKIPPED test_external_python_long: a job array: there is no ${missing% }"
    else
        expect 0 sweep "external_${method}_small.cfg" --out "$method-array" --launcher slurm --wait "$@"
        what="$method, a job array"
        same_points "$method-points" "$method-array"
        for file in points.csv cells.csv; do
            cmp -s "$method-points/$file" "$method-array/$file" || fail "another $file"
        done
        no_program_left "$method"
    fi
    step "$method: 12 points"
}

# ---- an emulation --------------------------------------------------------------------------------

emulation_of() {
    cfg=external_${1}_small.cfg
    "$program" emulate "$cfg" --out "$1-emulated" --quiet --set rounds.cohort=4 >out 2>err
    code=$?
    if [ "$code" -eq 2 ] && grep -q 'rights of root' err; then
        echo "SKIPPED test_external_python_long: an emulation: $(cat err)"
        return
    fi
    what="$1, an emulation"
    [ "$code" -eq 0 ] || fail "exit code $code"
    for which in native external; do
        expect 0 run "${which}_${1}_small.cfg" --out "$1-$which-simulated" --quiet --set rounds.cohort=4
        what="$1, an emulation beside $which"
        for folder in emulated "$which-simulated"; do columns "$1-$folder/rounds.csv" down_bytes up_bytes flop delivered >"$folder.columns"; done
        cmp -s emulated.columns "$which-simulated.columns" || fail "$(diff emulated.columns "$which-simulated.columns" | head -4)"
    done
    step "$1: an emulation"
}

# ---- quality over five seeds ---------------------------------------------------------------------

# The mean of the external ones is within the extremes of the native ones; their bytes and times are the same.
seeds_of() {
    for which in native external; do
        for seed in 1 2 3 4 5; do
            expect 0 run "${which}_${1}_of_seeds.cfg" --out "$1-$which-$seed" --quiet --seed $seed
            quality "$1-$which-$seed"
        done | sort -g | tr '\n' ' '
        echo
    done >qualities
    what="$1, hr@10 of five seeds"
    sed "s/^/$1: /" qualities
    [ "$(wc -w <qualities)" -eq 10 ] || fail 'there are not ten runs'
    for seed in 1 2 3 4 5; do
        before_quality "$1-native-$seed" >one.rounds
        before_quality "$1-external-$seed" >other.rounds
        cmp -s one.rounds other.rounds || fail "seed $seed: $(diff one.rounds other.rounds | head -2 | cut -c1-200)"
    done
    awk 'NR == 1 { low = $1; high = $5 } NR == 2 { mean = ($1 + $2 + $3 + $4 + $5) / 5 } END { exit !(mean >= low && mean <= high) }' qualities ||
        fail "native and external: $(tr '\n' ';' <qualities)"
    step "$1: five seeds"
}

if [ -z "$(cluster_missing)" ]; then
    cluster_folder=$(mktemp -d "${TMPDIR:-/tmp}/frs-cluster-XXXXXX") || exit 1
    trap 'cluster_stop; rm -rf "$folder" "$cluster_folder"' EXIT
    trap 'exit 130' INT TERM HUP
    what='a cluster of two nodes'
    cluster_start "$cluster_folder/c" || fail 'it does not start'
fi
methods=fedmf
# The program in PyTorch that the page shows, which keeps to the rules of a learner and learns.
page_in_pytorch() {
    awk '/^```python$/ { k++; on = k == 2; next } /^```$/ { on = 0 } on' "$FRS_SOURCE_DIR/docs/external.md" >personal.py
    { echo 'method = { name = "external"; command = "/usr/bin/python3 personal.py"; };' && cat of_seeds; } >page.cfg
    expect 0 selftest learner external --set 'command=/usr/bin/python3 personal.py' --set hidden=4
    expect 0 run page.cfg --out page --quiet
    quality page | awk '{ print "the program of the page in PyTorch: hr@10", $1; exit !($1 > 0.25) }' || fail 'it does not learn'
    step 'the page in PyTorch'
}

if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    methods='fedmf fedncf'
    page_in_pytorch
else
    echo 'SKIPPED test_external_python_long: FedNCF: no PyTorch for /usr/bin/python3 (python3-torch)'
fi
for each in $methods; do
    scenarios "$each"
    rounds_of "$each"
    threads_and_kill_of "$each"
    sweep_of "$each"
    emulation_of "$each"
    seeds_of "$each"
done
[ "$failures" -eq 0 ]
