#!/bin/sh
# Fuzzing with clang's libFuzzer: builds the targets in build-fuzz, lets each work for so long at the lowest priority, and prints what
# came of it. Exit code 1 where there is a finding.
#   tests/fuzz/run.sh [--readme] MINUTES [TARGET...]     default: all targets; 0 minutes: the inputs of the corpora alone
#   --readme     writes the rows of these targets into the table of tests/fuzz/README.md
# Inputs that reach new code are in build-fuzz/found/TARGET and begin the next run; an input under which a target fails is in
# build-fuzz/findings/TARGET. JOBS=N: so many targets at once (default 1).
set -eu

fuzz=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$fuzz/../.." && pwd)
build=$root/build-fuzz
writes=
[ "${1-}" != --readme ] || { writes=yes && shift; }
case ${1-} in
'' | *[!0-9.]*)
    echo "usage: tests/fuzz/run.sh [--readme] MINUTES [TARGET...]" >&2
    exit 2
    ;;
esac
minutes=$1
seconds=$(awk -v m="$minutes" 'BEGIN { printf "%d", m * 60 }')
shift
[ $# -gt 0 ] || for source in "$fuzz"/fuzz_*.c; do
    name=${source##*/fuzz_}
    set -- "$@" "${name%.c}"
done
for target in "$@"; do
    [ -f "$fuzz/fuzz_$target.c" ] || { echo "run.sh: there is no target $target" >&2 && exit 2; }
done

command -v clang >/dev/null || { echo "run.sh: clang is not installed (clang-14 and libclang-rt-14-dev)" >&2 && exit 2; }
programs=
for target in "$@"; do
    programs="$programs fuzz_$target"
done
mkdir -p "$build/rows"
# shellcheck disable=SC2086 # one word per target
{ (cd "$root" && cmake --preset fuzz) && nice -n 19 cmake --build "$build" -j "${JOBS:-1}" --target $programs; } \
    >"$build/build.log" 2>&1 || { tail -n 20 "$build/build.log" >&2 && exit 2; }

# What libconfig's lexer leaves on malformed input (one block, inside the library) is no finding.
ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0
LSAN_OPTIONS=suppressions=$fuzz/leaks.txt:print_suppressions=0
UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# fuzz_one TARGET: leaves its row of the table in rows/TARGET.
fuzz_one() {
    found=$build/found/$1 findings=$build/findings/$1 log=$build/findings/$1.log
    mkdir -p "$found" "$findings"
    words=
    [ ! -f "$fuzz/dictionaries/$1.dict" ] || words="-dict=$fuzz/dictionaries/$1.dict"
    limit=-max_total_time=$seconds
    [ "$seconds" -gt 0 ] || limit=-runs=0
    # shellcheck disable=SC2086 # no word, or one
    nice -n 19 "$build/tests/fuzz_$1" $limit $words -timeout=20 -rss_limit_mb=2500 -malloc_limit_mb=2000 -max_len=8192 \
        -print_final_stats=1 -artifact_prefix="$findings/" "$found" "$fuzz/corpus/$1" >"$log" 2>&1 </dev/null || true
    awk -v target="$1" -v n="$(find "$findings" -type f | wc -l)" -v corpus="$(find "$fuzz/corpus/$1" -type f | wc -l)" -v s="$seconds" '
        match($0, /cov: [0-9]+/) { covered = substr($0, RSTART + 5, RLENGTH - 5) }
        /^stat::number_of_executed_units:/ { executions = $2 }
        /^#[0-9]+/ && !executions { executions_so_far = substr($1, 2) }
        END { printf "| %s | %d | %.1f | %s | %s | %d |\n", target, corpus, s / 60, executions ? executions : executions_so_far, covered, n }' \
        "$log" >"$build/rows/$1"
}

waiting=0
for target in "$@"; do
    fuzz_one "$target" &
    waiting=$((waiting + 1))
    [ $((waiting % ${JOBS:-1})) -ne 0 ] || wait
done
wait
echo '| target | corpus | minutes | executions | edges | findings |'
echo '|---|---:|---:|---:|---:|---:|'
for target in "$@"; do
    cat "$build/rows/$target"
done
if [ -n "$writes" ]; then
    awk -v rows="$build/rows" '
        /^\| [a-z_]+ \| [0-9]/ { file = rows "/" $2; if ((getline row < file) > 0) $0 = row }
        { print }' "$fuzz/README.md" >"$build/README.md"
    cat "$build/README.md" >"$fuzz/README.md"
fi
status=0
for target in "$@"; do
    for finding in "$build/findings/$target"/*; do
        [ -f "$finding" ] || continue
        echo "finding: $finding"
        status=1
    done
done
exit "$status"
