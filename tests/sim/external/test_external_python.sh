#!/bin/sh
# A method in Python: FedMF in NumPy has every byte, time and outcome of the built-in one, under losses and deadlines, with updates and
# with ratings; with two threads, after kill -9, and in a sweep. FRS_ALL=1 (test_external_python_long.sh): also the quality
# over five seeds, an emulation, and FedNCF in PyTorch.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED test_external_python: no NumPy for /usr/bin/python3"
    exit 77
fi
export FEDRECSIM_ALLOW_COMMANDS=1
modules=$(dirname "$program")/python

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 60; u++) for (k = 0; k < 8 + u % 9; k++) print u "," (u * 7 + k * 13) % 110 "," 1 + (u + k) % 5 "," k }' >data.csv
cat >rest <<'END'
data = { format = "csv"; path = "data.csv"; min_interactions = 3; };
devices = { preset = "phones"; };
rounds = { count = 4; cohort = 20; };
evaluation = { candidates = "full"; };
output = { what_if = "none"; report = false; };
END
{
    echo 'method = { name = "fedmf"; batch = 1000000; init_sd = 0.1; user_init_sd = 0.1; learning_rate = 0.5; };'
    cat rest
} >native.cfg
{
    echo "method = { name = \"external\"; command = \"/usr/bin/python3 '$modules/fedmf.py'\"; batch = 1000000; };"
    cat rest
} >external.cfg

# ---- the same as the built-in method -------------------------------------------------------------

# All columns in front of the quality of recommendations, which differs in the last bits.
books() { awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } { for (i = 1; i <= n; i++) printf "%s,", $i; print "" }' "$1/rounds.csv"; }

same() {
    name=$1
    shift
    expect 0 run native.cfg --out "native-$name" --quiet "$@"
    expect 0 run external.cfg --out "external-$name" --quiet "$@"
    what="external as native, $name"
    books "native-$name" >native
    books "external-$name" >external
    cmp -s native external || fail "$(diff native external | head -4 | cut -c1-200)"
    cmp -s "native-$name/events.ndjson" "external-$name/events.ndjson" || fail 'other events'
}
same losses --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
same deadline --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' --set rounds.policy.late=accept \
    --set rounds.stragglers=run_on --set devices.jitter=0.5
if [ "${FRS_ALL:-}" = 1 ]; then
    same plain
    same partial --set rounds.policy.name=partial_work --set 'rounds.policy.after=0.06 s' --set 'rounds.policy.grace=0.01 s' \
        --set devices.jitter=0.5
    same asynchronous --set rounds.policy=buffered_async --set network.preset=4g
    same compressed --set codec.uplink.name=quantise --set privacy.1.name=clip --set privacy.1.bound=1
fi

# ---- threads, and kill -9 ------------------------------------------------------------------------

# Many batches, and what is drawn from the seed of a task.
set -- --set method.batch=8 --set rounds.count=40 --set output.checkpoint_rounds=1
expect 0 run external.cfg --out whole --quiet --threads 1 "$@"
expect 0 run external.cfg --out two --quiet --threads 2 "$@"
what='two threads'
cmp -s whole/rounds.csv two/rounds.csv || fail 'another rounds.csv'
cmp -s whole/clients.csv two/clients.csv || fail 'another clients.csv'

what='kill -9'
"$program" run external.cfg --out killed --quiet --threads 2 "$@" >out 2>err &
process=$!
for _ in $(seq 600); do
    [ ! -s killed.checkpoint ] || break
    sleep 0.05
done
kill -9 "$process" && wait "$process" 2>/dev/null
[ -s killed.checkpoint ] || fail 'there is no checkpoint'
for _ in $(seq 100); do
    left=$(pgrep -f "$modules/fedmf.py" || true)
    [ -n "$left" ] || break
    sleep 0.05
done
[ -z "$left" ] || fail "processes are left: $left"
expect 0 run external.cfg --out killed --quiet --resume "$@"
what='what goes on after kill -9'
cmp -s whole/rounds.csv killed/rounds.csv || fail 'another rounds.csv'
cmp -s whole/clients.csv killed/clients.csv || fail 'another clients.csv'

# ---- a sweep -------------------------------------------------------------------------------------

if [ "${FRS_ALL:-}" = 1 ]; then
    points=12
    set -- --vary 'method.rate = 0.1, 0.5, 1' --vary 'failures.up = 0, 0.3'
else
    points=4
    set -- --vary 'method.rate = 0.5, 1'
fi
expect 0 sweep external.cfg --out sweep --quiet --jobs 2 "$@" --replicates 2
what='sweep'
found=$(find sweep/points -name rounds.csv | wc -l)
[ "$found" -eq $points ] || fail "$found points instead of $points"
says sweep/plan.json 'method.rate'
left=$(pgrep -f "$modules/fedmf.py" || true)
[ -z "$left" ] || fail "processes are left: $left"

# A method that is not chosen keeps its keys in the file.
expect 0 sweep external.cfg --out methods --quiet --vary 'method.name = external, fedmf'
[ "$failures" -eq 0 ]
