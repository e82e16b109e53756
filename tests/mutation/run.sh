#!/bin/sh
# Puts each deliberate fault of tests/mutation/areas into a copy of the tree, builds it and runs the tests that should notice:
# first those of its area, then, for faults that these did not catch, all fast tests. tests/mutation/README.md has the rest.
#
#   tests/mutation/run.sh [--narrow] [--short] [--jobs N] [--work DIR] [--areas REGEX] [--only REGEX] [--summary]
#
#   --narrow        runs the tests of the area only
#   --short         as --narrow, and of the area only tests of less than two seconds; what these do not catch stays untried
#   --jobs N        faults tried at once, each in a copy and a build folder of its own (default: one per processor)
#   --work DIR      copies, build folders and results (default build/mutation); what is there is used again
#   --areas REGEX   only areas whose names match (extended regular expression)
#   --only REGEX    only faults whose names match
#   --summary       tries nothing: prints the table of what is known
#   --page          tries nothing: writes this table into README.md
#
# Exit 0: no fault that was tried survived; 1: some did; 2: wrong usage, or the tree fails its tests without any fault.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../.." && pwd -P)
work=$root/build/mutation
jobs=$(getconf _NPROCESSORS_ONLN)
areas=.
only=.
narrow=0
short_only=0
action=try

die() {
    echo "${0##*/}: $1" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --narrow) narrow=1 ;;
    --short) narrow=1 short_only=1 ;;
    --summary) action=summary ;;
    --page) action=page ;;
    --jobs | --work | --areas | --only)
        [ $# -gt 1 ] || die "$1 needs a value"
        case $1 in
        --jobs) jobs=$2 ;;
        --work) work=$2 ;;
        --areas) areas=$2 ;;
        --only) only=$2 ;;
        esac
        shift
        ;;
    *)
        sed -n '/^#   tests/,/^$/ { s/^#   //p; }' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
case $jobs in '' | 0 | *[!0-9]*) die "--jobs takes a number from 1, not \"$jobs\"" ;; esac
mkdir -p "$work/results"
work=$(CDPATH='' cd -- "$work" && pwd -P)
results=$work/results
# A second run there would build in the same folders; what a run that was killed has left running holds the lock, too.
exec 9>"$work/lock"
! command -v flock >/dev/null || [ "$action" != try ] || flock -n 9 || die "another run works in $work"

# A fault may loop, or ask for memory without end.
area_limit_s=${FRS_MUTATION_AREA_S:-300}
all_limit_s=${FRS_MUTATION_ALL_S:-1500}
most_memory_kb=16000000

# about ACTION [FAULT]: the tables of faults, as faults.awk answers.
about() {
    awk -v act="$1" -v name="${2-}" -v root="$root" -f "$here/faults.awk" "$here"/areas/*.faults
}

# tests_of AREA: the regular expression of its tests.
tests_of() {
    about tests | awk -F '\t' -v area="$1" '$1 == area { print $2 }'
}

digest() {
    sha256sum | cut -c 1-20
}

# key FAULT FILE AREA: of the fault, the file it is in and the sources of the area's tests. A result is used again while this stays.
key() {
    {
        about block "$1"
        cat "$root/$2"
        find "$root/tests" -name 'test_*.[cs]*' | sort | while read -r source; do
            name=${source##*/}
            printf '%s\t%s\n' "${name%.*}" "$source"
        done | grep -E -- "$(tests_of "$3" | sed 's/\$/	/')" | cut -f 2 | xargs cat
    } | digest
}

# --- the copy of a worker ---------------------------------------------------------------------------------------------------

# sums FOLDER: a line for each file there, but for what was built: digest and name.
sums() (
    cd "$1" && find . -path './build*' -prune -o -path ./.git -prune -o -path ./results -prune -o -type f -print |
        tr '\n' '\0' | xargs -0 -r sha256sum | sort
)

# copy N: brings the tree of worker N up to date. Files that differ get the time of now, so that what is compiled from them is newer
# in any case, and others keep theirs, so that nothing else is compiled.
copy() {
    tree=$work/$1/tree
    mkdir -p "$tree"
    sums "$root" >"$work/$1/files"
    sums "$tree" >"$work/$1/had"
    comm -13 "$work/$1/files" "$work/$1/had" | cut -c 67- | (cd "$tree" && tr '\n' '\0' | xargs -0 -r rm -f)
    comm -23 "$work/$1/files" "$work/$1/had" | cut -c 67- >"$work/$1/changed"
    (cd "$root" && tar -cf - -T "$work/$1/changed") | (cd "$tree" && tar -xmpf -)
    for modules in browser seal; do
        if [ -d "$root/build/$modules" ] && [ ! -e "$tree/build/$modules" ]; then
            mkdir -p "$tree/build"
            ln -s "$root/build/$modules" "$tree/build/$modules"
        fi
    done
}

# configure N: the build folder of worker N.
configure() {
    generator=
    ! command -v ninja >/dev/null || generator='-G Ninja'
    launcher=
    ! command -v ccache >/dev/null || launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
    # shellcheck disable=SC2086 # one word each, or none
    (cd "$work/$1/tree" && cmake $generator --preset release $launcher) >"$work/$1/configure.log" 2>&1 ||
        die "cmake failed: $work/$1/configure.log"
}

# build N [REGEX]: what the tests need whose names match, or everything.
build() {
    targets=
    if [ $# -gt 1 ]; then
        targets=--target
        for needed in $(ctest --test-dir "$work/$1/tree/build" -N -R "$2" | sed -n 's/^ *Test *#[0-9]*: //p'); do
            if [ -n "$(find "$root/tests" -name "$needed.c")" ]; then
                targets="$targets $needed"
            else
                targets="$targets fedrecsim replay budgets"
            fi
        done
    fi
    # shellcheck disable=SC2086 # one word per target
    cmake --build "$work/$1/tree/build" --parallel "${FRS_MUTATION_BUILD_JOBS:-1}" $targets >"$work/$1/build.log" 2>&1 </dev/null
}

limit_memory() {
    # shellcheck disable=SC3045 # dash and bash have it; without it there is no limit
    ulimit -v "$most_memory_kb" 2>/dev/null || :
}

# tested N SECONDS ARGUMENT...: runs ctest; 0 when all pass, 124 beyond the time, else the first that failed is left in $failed.
tested() {
    worker=$1
    seconds=$2
    shift 2
    code=0
    (
        limit_memory
        timeout -k 10 "$seconds" ctest --test-dir "$work/$worker/tree/build" --no-tests=error --stop-on-failure "$@"
    ) >"$work/$worker/ctest.log" 2>&1 </dev/null || code=$?
    failed=$(sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$work/$worker/ctest.log" | head -n 1)
    [ "$code" -ne 137 ] || code=124
    return "$code"
}

# tested_shortest_first N SECONDS REGEX: as tested; first those tests that took less than two seconds when they were run last, and
# with --short only those.
tested_shortest_first() {
    took=$work/$1/tree/build/Testing/Temporary/CTestCostData.txt
    short=$(ctest --test-dir "$work/$1/tree/build" -N -R "$3" | sed -n 's/^ *Test *#[0-9]*: //p' |
        awk -v took="$took" 'BEGIN { while ((getline < took) > 0) if (NF == 3) s[$1] = $3 }
            $1 in s && s[$1] < 2 { printf "%s%s", n++ ? "|" : "", $1 }')
    if [ -n "$short" ]; then
        code=0
        tested "$1" "$2" -R "^($short)\$" || code=$?
        [ "$code" = 0 ] && [ "$short_only" = 0 ] || return "$code"
        tested "$1" "$2" --no-tests=ignore -R "$3" -E "^($short)\$"
    else
        tested "$1" "$2" -R "$3"
    fi
}

# sound N AREA REGEX: whether the area's tests pass without a fault. Remembered by what they are made of.
sound() {
    mark=$work/$1/sound-$2
    [ "$short_only" = 0 ] || mark=$mark-short
    now=$({
        echo "$3"
        cat "$root"/*/*.c "$root"/*/*/*.[ch]* "$root"/*/*/*/*.[ch]* "$root"/*/*/*/*/*.[ch]*
    } | digest)
    [ "$(cat "$mark" 2>/dev/null)" != "$now" ] || return 0
    build "$1" "$3" || return 1
    tested_shortest_first "$1" "$area_limit_s" "$3" || return 1
    echo "$now" >"$mark"
}

# --- one fault --------------------------------------------------------------------------------------------------------------

# note FAULT KEY OUTCOME TEST
note() {
    printf '%s\t%s\t%s\n' "$2" "$3" "$4" >"$results/$1.new"
    mv "$results/$1.new" "$results/$1"
    echo "$1: $3${4:+ ($4)}"
}

# attempt N STAGE AREA FAULT FILE REGEX: applies the fault, builds, tests, puts the file back.
attempt() {
    mutated=$work/$1/tree/$5
    about apply "$4" >"$work/$1/mutated"
    cat "$work/$1/mutated" >"$mutated"
    found=survived
    test=
    now=$(key "$4" "$5" "$3")
    if [ "$2" = area ]; then
        if ! build "$1" "$6"; then
            found='does not build'
            test=
        else
            code=0
            tested_shortest_first "$1" "$area_limit_s" "$6" || code=$?
            test=$failed
        fi
    else
        build "$1" || die "$4: what was built for its area does not build as a whole: $work/$1/build.log"
        code=0
        tested "$1" "$all_limit_s" -LE '^(long|cluster)$' -E "$(left_out)" || code=$?
        test=$failed
        [ "$code" -ne 0 ] || test='all fast tests passed'
    fi
    if [ "$found" = survived ]; then
        case $code in
        0) ;;
        124) found=caught test='beyond the time' ;;
        *) found=caught ;;
        esac
    fi
    cat "$root/$5" >"$mutated"
    if [ "$short_only$found" = 1survived ]; then
        echo "$4: not caught by the short tests"
        return
    fi
    note "$4" "$now" "$found" "$test"
}

# left_out: a regular expression of the fast tests that fail on this machine without any fault.
left_out() {
    cat "$work/left_out" 2>/dev/null || echo '^test_mutation'
}

# known FAULT FILE AREA STAGE: whether there is a result of this stage that still holds.
known() {
    [ -f "$results/$1" ] || return 1
    IFS='	' read -r had outcome test <"$results/$1" || :
    [ "$had" = "$(key "$1" "$2" "$3")" ] || return 1
    [ "$4" = area ] || [ "$outcome" != survived ] || [ -n "$test" ]
}

# work_on N STAGE: every job-th fault of the list of this stage.
work_on() {
    awk -v n="$1" -v jobs="$jobs" 'NR % jobs == n % jobs' "$work/list" >"$work/$1/list"
    unsound=
    checked=
    while IFS='	' read -r area fault file argued <&3; do
        regex=$(tests_of "$area")
        if [ "$2" = area ] && [ "$area" != "$checked" ]; then
            checked=$area
            if ! sound "$1" "$area" "$regex"; then
                echo "$area: its tests fail without any fault, and its faults are not tried: $work/$1/ctest.log, build.log" >&2
                unsound=$area
            fi
        fi
        [ "$area" = "$unsound" ] || attempt "$1" "$2" "$area" "$fault" "$file" "$regex"
    done 3<"$work/$1/list"
    [ -z "$unsound" ] || exit 2
}

# stage NAME: tries what is not known, in all workers.
stage() {
    about list | awk -F '\t' -v areas="$areas" -v only="$only" '$1 ~ areas && $2 ~ only && $4 != "argued"' |
        while IFS='	' read -r area fault file argued; do
            if [ "$1" = all ]; then
                grep -q '	survived	' "$results/$fault" 2>/dev/null || continue
            fi
            known "$fault" "$file" "$area" "$1" || printf '%s\t%s\t%s\t%s\n' "$area" "$fault" "$file" "$argued"
        done >"$work/list"
    echo "$(wc -l <"$work/list") faults to try on the tests of $1"
    [ -s "$work/list" ] || return 0
    status=0
    pids=
    n=1
    while [ "$n" -le "$jobs" ]; do
        mkdir -p "$work/$n"
        (copy "$n" && configure "$n" && work_on "$n" "$1") &
        pids="$pids $!"
        n=$((n + 1))
    done
    for pid in $pids; do
        wait "$pid" || status=2
    done
    return "$status"
}

# Which fast tests fail on this machine without a fault, as in a container without a browser, or by the limit of memory.
find_left_out() {
    copy 1
    configure 1
    build 1 || die "the tree does not build: $work/1/build.log"
    (
        limit_memory
        ctest --test-dir "$work/1/tree/build" -LE '^(long|cluster)$' -j "$jobs"
    ) >"$work/1/ctest.log" 2>&1 </dev/null || :
    sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$work/1/ctest.log" | grep -v '^test_mutation' |
        awk 'BEGIN { printf "^(test_mutation.*" } { printf "|" $0 } END { print ")$" }' >"$work/left_out"
}

# --- what is known ----------------------------------------------------------------------------------------------------------

# table: Markdown, one line per area, then the faults that survived.
table() {
    about list | while IFS='	' read -r area fault _ argued; do
        outcome=untried
        if [ "$argued" = argued ]; then
            outcome=argued
        elif [ -f "$results/$fault" ]; then
            outcome=$(cut -f 2 "$results/$fault")
        fi
        printf '%s\t%s\t%s\n' "$area" "$fault" "$outcome"
    done >"$work/known"
    awk -F '\t' '
        { n[$1, $3]++; total[$3]++; if (!($1 in seen)) order[++areas] = $1; seen[$1]++; all++ }
        function line(name, count, a, b, c, d, e) { printf "| %s | %d | %d | %d | %d | %d | %d |\n", name, count, a, b, c, d, e }
        END {
            print "| area | faults | caught | argued | survived | does not build | untried |"
            print "|---|---|---|---|---|---|---|"
            for (i = 1; i <= areas; i++) {
                a = order[i]
                line(a, seen[a], n[a, "caught"], n[a, "argued"], n[a, "survived"], n[a, "does not build"], n[a, "untried"])
            }
            line("all", all, total["caught"], total["argued"], total["survived"], total["does not build"], total["untried"])
        }' "$work/known"
    awk -F '\t' '$3 == "survived" { print $1 "\t" $2 }' "$work/known" | while IFS='	' read -r area fault; do
        # shellcheck disable=SC2016 # Markdown
        printf '\n- `%s` (%s): %s' "$fault" "$area" "$(about means "$fault")"
    done
    echo
}

if [ "$action" = page ]; then
    {
        sed '/^<!-- counts -->$/q' "$here/README.md"
        table
    } >"$work/page"
    cat "$work/page" >"$here/README.md"
    exit 0
fi
if [ "$action" = try ]; then
    about check || exit 2
    code=0
    stage area || code=$?
    if [ "$narrow" = 0 ] && [ "$code" = 0 ]; then
        if grep -q '	survived	$' "$results"/* 2>/dev/null; then
            find_left_out
        fi
        stage all || exit 2
    fi
fi
table
[ "${code:-0}" = 0 ] || exit 2
! grep -q '	survived$' "$work/known"
