#!/bin/sh
# Runs with plug-ins again: killed and resumed, replayed, swept, as a point of a plan by itself, as a job array; each with the plug-ins
# that were there, whose files may not have changed. And a plug-in that crashes. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
# shellcheck source=tests/sim/plugins/build.sh
. "$FRS_SOURCE_DIR/tests/sim/plugins/build.sh"

cp "$FRS_SOURCE_DIR/tests/sim/plugins/kills.c" .
compile kills

# killed ARGUMENT...: a run that ends in round 3; the shell says so on a stream of its own.
killed() {
    what="fedrecsim run $* (killed)"
    sh -c 'FRS_KILL=1 "$0" run "$@" --quiet >out 2>err' "$program" "$@" 2>/dev/null && fail "not killed"
}

# again NAME KIND FILE [OPTION...]: killed in round 3 and resumed, it is the run that was not killed; and so are a replay and a sweep.
again() {
    name=$1 kind=$2 file=$3
    shift 3
    case $kind in
    selection) build "$name" 's/^    size_t left/    if (request->round == 2 \&\& getenv("FRS_KILL"))\n        abort();\n&/' ;;
    *) build "$name" && set -- "$@" --plugin kills.so --set rounds.selection=kills ;;
    esac
    set -- "$file" --plugin "$name.so" "$@" --set output.checkpoint_rounds=1
    expect 0 run "$@" --quiet --out "$name-whole"
    killed "$@" --out "$name"
    [ -f "$name.checkpoint" ] || fail "no checkpoint"
    [ ! -e "$name" ] || fail "not killed"
    expect 0 run "$@" --quiet --out "$name" --resume
    cmp "$name/rounds.csv" "$name-whole/rounds.csv" || fail "other rounds"
    cmp "$name/clients.csv" "$name-whole/clients.csv" || fail "other clients"
    expect 0 sweep "$@" --replicates 2 --quiet --out "$name-sweep"
    cmp "$name/rounds.csv" "$name-sweep/points/0000/rounds.csv" || fail "another result of the point"
    expect 0 replay "$name" --allow-commands
    says out 'manifest.json: identical'
}
every_example again

# ---- what was there has changed ----

build halves
set -- plain.cfg --plugin halves.so --plugin kills.so --set codec.uplink=halves --set rounds.selection=kills --set output.checkpoint_rounds=1
expect 0 run "$@" --quiet --out whole
killed "$@" --out killed
expect 0 sweep "$@" --vary 'rounds.cohort = 4, 5' --quiet --out swept
expect 0 sweep "$@" --vary 'rounds.cohort = 4, 5' --launcher slurm --dry-run --quiet --out planned
says planned/tasks/run.sh "--plugin '$folder/halves.so'"
says planned/tasks/run.sh "--plugin '$folder/kills.so'"
expect 2 point planned/plan.json --index 0
error "fedrecsim: planned/plan.json: loads the code of \"$folder/halves.so\", which needs consent; allowed: with --allow-commands, or with FEDRECSIM_ALLOW_COMMANDS=1 in the environment, or --plugin $folder/halves.so"
expect 0 point planned/plan.json --index 0 --plugin halves.so --plugin kills.so
expect 2 point planned/plan.json --index 1 --plugin kills.so --plugin halves.so
error "fedrecsim: planned/plan.json: was not made with the plug-in $folder/kills.so in this place; allowed: those that it was made with, in their order"
expect 2 replay whole
error "fedrecsim: whole: loads the code of \"$folder/halves.so\", which needs consent; allowed: with --allow-commands, or with FEDRECSIM_ALLOW_COMMANDS=1 in the environment, or --plugin $folder/halves.so"

# Runs that are repeated to see whether a ranking stays are repeated with them, too.
expect 0 compare whole swept:rounds.cohort=5 --fidelity
says out "whole is left out under exact: loads the code of \"$folder/halves.so\", which needs consent"

mv halves.so before.so
build halves 's/16 bits/sixteen bits/'
expect 2 run "$@" --quiet --out killed --resume
says err "fedrecsim: killed.checkpoint: is of another training: plug-in $folder/halves.so was of digest "
expect 2 run "$@" --quiet --out whole --resume
says err "whole holds a finished run of this scenario, but what its files held has changed: what $folder/halves.so (plugins.1) held was of digest "
expect 2 sweep "$@" --vary 'rounds.cohort = 4, 5' --quiet --out swept --resume
error "fedrecsim: swept/plan.json: is of another sweep: the plug-in $folder/halves.so has changed; choose another place with --out DIR"
expect 2 point planned/plan.json --index 1 --allow-commands
error "fedrecsim: planned/plan.json: was made with the plug-in $folder/halves.so, which has changed since; allowed: the file as it was, here or with --plugin"
expect 2 replay whole --allow-commands
error "fedrecsim: whole: was made with the plug-in $folder/halves.so, which has changed since; allowed: the file as it was, here or with --plugin"

# A copy of it elsewhere is the same plug-in.
expect 0 replay whole --plugin before.so --plugin kills.so
expect 0 point planned/plan.json --index 1 --plugin before.so --plugin kills.so
rm halves.so
expect 2 replay whole --allow-commands
error "fedrecsim: whole: was made with the plug-in $folder/halves.so, which cannot be read: No such file or directory; allowed: with --plugin and a copy of it"

# ---- crashes ----

# crashed TEXT MESSAGE: the learner, whose training begins with this in its second round, ends the run so.
crashed() {
    build biases "s/^    const struct frs_client_data \*data = training->data;/    if (training->round == 1)\n        $1\n&/;s/^#include <.*/&/"
    for threads in 1 3; do
        rm -rf crash
        expect 1 run ratings.cfg --plugin biases.so --quiet --threads $threads --out crash
        error "fedrecsim: plug-in biases.so has crashed in \`train\` of learner \"biases\" ($2): the run ends here and leaves no results"
        [ ! -e crash ] || fail "results are there"
    done
}
crashed '*(volatile int *)8 = 1;' 'segmentation fault'
crashed '__builtin_trap();' 'illegal instruction'
crashed '__builtin_abort();' aborted

# A stack that has run out, and a crash before there is a table.
build biases 's/^static void train/static int deep(volatile int *n) {\
    volatile int room[1000] = {*n};\
    return *n < 0 ? 0 : deep(room) + room[1];\
}\
&/;s/^    const struct frs_client_data \*data = training->data;/    if (training->round == 1)\n        (void)deep(\&(volatile int){1});\
&/'
expect 1 run ratings.cfg --plugin biases.so --quiet --threads 1 --out crash
error 'fedrecsim: plug-in biases.so has crashed (segmentation fault): the run ends here and leaves no results'
echo '__attribute__((constructor)) static void begin(void) { __builtin_trap(); }' | cc -shared -fPIC -x c - -o begins.so
expect 1 list --plugin begins.so
error 'fedrecsim: plug-in begins.so has crashed while it was loaded (illegal instruction)'

# A codec that does not take back what it has encoded is named, with the table and the value.
refused() {
    build halves "$1"
    expect 1 run plain.cfg --plugin halves.so --set codec.uplink=halves --quiet --out refused
    says err "$2"
    says err ': the run ends here and leaves no results'
    [ ! -e refused ] || fail "results are there"
}
refused 's/^    return !in->failed;/    return false;/' 'in round 1: codec "halves" refuses the '
refused 's/^    return touched.n \* rows->dim \* 2;/    frs_buffer_put_u8(out, 0);\n&/' 'in round 1: codec "halves" leaves 1 of '
refused 's/^    \*out = (struct/    values[1] = NAN;\n&/' 'in round 1: codec "halves" decodes value 1 of row '

# In a sweep only its points fail.
expect 1 sweep ratings.cfg --plugin biases.so --vary 'rounds.count = 1, 3' --quiet --out crashes
says crashes/points/0001.log "plug-in biases.so has crashed"
[ -f crashes/points/0000/summary.json ] || fail "the other point is missing"

[ "$failures" -eq 0 ]
