#!/bin/sh
# An external method: FedMF in C over the bare protocol has every byte, every time and every outcome of the built-in one, whatever the
# network does to it; its keys are checked as all keys are; nothing is started without consent.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/same_rounds.sh
. "${FRS_SOURCE_DIR:-.}/tests/same_rounds.sh"
build=$(dirname "$program")

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 60; u++) for (k = 0; k < 8 + u % 9; k++) print u "," (u * 7 + k * 13) % 110 ",1," k }' >data.csv
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
    echo "method = { name = \"external\"; command = \"$build/tests/external_fedmf\"; rate = 0.5; };"
    cat rest
} >external.cfg

# ---- consent, and keys ---------------------------------------------------------------------------

unset FEDRECSIM_ALLOW_COMMANDS
for command in run check; do
    expect 2 $command external.cfg
    error "fedrecsim: external.cfg:1: method.command: runs \"$build/tests/external_fedmf\", which needs consent; allowed: with --allow-commands, or with FEDRECSIM_ALLOW_COMMANDS=1 in the environment"
done
expect 0 check external.cfg --allow-commands
grep '^  the run ' out >forecast
expect 0 check native.cfg
what='a forecast, whose rounds are trained beforehand'
grep '^  the run ' out | cmp -s - forecast || fail "$(cat forecast)"
export FEDRECSIM_ALLOW_COMMANDS=1
expect 2 check external.cfg --set method.rate=-1
says err '--set method.rate=-1: method.rate: "-1" is out of range; allowed: a number from 0 to 1000000'
expect 2 check external.cfg --set method.rat=1
says err 'unknown key; did you mean'
expect 2 check external.cfg --set method.command=
says err 'names no program'
expect 2 check external.cfg --set 'method.command=/nowhere/program'
says err 'ended with code 127; it printed last: cannot be started: No such file or directory'
expect 2 check external.cfg --set "method.command='unfinished"
says err 'has a quote that does not end'
expect 2 check external.cfg --set method.command=/bin/true
says err 'ended with code 0'
expect 2 check external.cfg --set 'method.command=/bin/sh -c "echo hello >&4; echo end >&4; read goodbye <&3"'
says err 'answered "hello": expected "external 2"'

# ---- the contract of a learner -------------------------------------------------------------------

expect 0 selftest learner external --set "command=$build/tests/external_fedmf" --set rate=0.5
grep -q '^learner  *external  *ok, [5-9][0-9] clauses, [0-9]* checks$' out || fail "$(cat out)"
expect 0 selftest learner external
says out 'checks (its slots alone: with --set command=PROGRAM and --allow-commands a program is checked)'
expect 2 selftest learner external --set "command=$build/tests/external_fedmf" --set rat=0.5
error 'fedrecsim: selftest: --set: external has no key "rat"'
(
    unset FEDRECSIM_ALLOW_COMMANDS
    expect 2 selftest learner external --set "command=$build/tests/external_fedmf"
    error "fedrecsim: selftest: --set command: runs \"$build/tests/external_fedmf\", which needs consent; allowed: with --allow-commands, or with FEDRECSIM_ALLOW_COMMANDS=1 in the environment"
    [ "$failures" -eq 0 ]
) || failures=1

# ---- the same as the built-in method -------------------------------------------------------------

same() {
    name=$1
    shift
    same_rounds "$name" native external "$@"
    echo "$(quality "native-$name") $(quality "external-$name")" | awk '{ exit !($1 - $2 < 0.05 && $2 - $1 < 0.05) }' ||
        fail "hr@10: $(quality "native-$name") and $(quality "external-$name")"
}
same plain
same losses --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
same deadline --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' --set rounds.policy.late=accept \
    --set rounds.stragglers=run_on --set devices.jitter=0.5
same partial --set rounds.policy.name=partial_work --set 'rounds.policy.after=0.06 s' --set 'rounds.policy.grace=0.01 s' --set devices.jitter=0.5

# ---- threads, replay, what is kept ---------------------------------------------------------------

for threads in 1 2; do
    expect 0 run external.cfg --out "threads-$threads" --quiet --threads $threads
    what="$threads threads"
    for file in rounds.csv clients.csv events.ndjson; do
        cmp -s "threads-$threads/$file" "external-plain/$file" || fail "another $file"
    done
done
expect 0 replay external-plain
what='manifest'
says external-plain/manifest.json '"method.command.0"'
says external-plain/manifest.json '"method.rate": "0.5"'
expect 0 run external.cfg --out external-plain --resume
says out 'is complete already'

# ---- a job array ---------------------------------------------------------------------------------

# The scripts give the consent that the sweep was given, and a path stays relative to the folder in which it was submitted.
cp "$build/tests/external_fedmf" program
unset FEDRECSIM_ALLOW_COMMANDS
sed "s,$build/tests/external_fedmf,./program," external.cfg >relative.cfg
expect 0 sweep relative.cfg --vary 'failures.up = 0, 0.2' --out far --launcher slurm --dry-run --allow-commands
what='a job array'
for task in 0 1; do
    (cd far && SLURM_ARRAY_TASK_ID=$task ./slurm/array.sh 0) >out 2>err || fail "task $task: exit code $?"
done
cmp -s far/points/0000/rounds.csv external-plain/rounds.csv || fail 'another rounds.csv'
export FEDRECSIM_ALLOW_COMMANDS=1

# ---- no process is left --------------------------------------------------------------------------

what='processes'
left=$(pgrep -P $$ external_fedmf || true)
[ -z "$left" ] || fail "processes are left: $left"
[ "$failures" -eq 0 ]
