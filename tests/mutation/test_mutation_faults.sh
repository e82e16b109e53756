#!/bin/sh
# Every deliberate fault of tests/mutation/areas still applies: its text stands in its file exactly once, and the tests of its area exist.
# Builds nothing; tests/mutation/run.sh tries whether tests notice the faults.
#   test_mutation_faults.sh BUILD_FOLDER   checks the tables, then broken ones of which it has to complain
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
here=$source/tests/mutation
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# about ACTION NAME ROOT TABLE...
about() (
    act=$1 name=$2 root=$3
    shift 3
    awk -v act="$act" -v name="$name" -v root="$root" -f "$here/faults.awk" "$@"
)

# ---- this test can fail ---------------------------------------------------------------------------------------------

mkdir "$scratch/areas"
printf '%s\n' 'int twice(int x) {' '    x += x;' '    return x;' '}' 'int once(int x) {' '    return x;' '}' >"$scratch/a.c"
cat >"$scratch/areas/good.faults" <<'END'
tests ^test_pool$

fault two_lines
file a.c
old     x += x;
old     return x;
new     x -= x; /* & \1 */
new     return x;
means nothing is twice as much
END
about check '' "$scratch" "$scratch/areas/good.faults" || fail 'a good table is refused'
about apply two_lines "$scratch" "$scratch/areas/good.faults" >"$scratch/b.c"
printf '%s\n' 'int twice(int x) {' '    x -= x; /* & \1 */' '    return x;' '}' 'int once(int x) {' '    return x;' '}' | cmp -s - "$scratch/b.c" ||
    fail 'the fault is applied otherwise'
[ "$(about list '' "$scratch" "$scratch/areas/good.faults")" = 'good	two_lines	a.c	open' ] || fail 'the list is another one'

# broken WHAT WORD REPLACEMENT: the good table with a word of its fault replaced is refused for this.
broken() {
    sed "s|$2|$3|" "$scratch/areas/good.faults" >"$scratch/areas/bad.faults"
    ! about check '' "$scratch" "$scratch/areas/bad.faults" >"$scratch/said" || fail "not refused: $1"
    grep -q "$1" "$scratch/said" || fail "refused, but not because \"$1\": $(cat "$scratch/said")"
}
broken 'more than once' '^old     x += x;$' '# left out'
broken 'does not occur' 'x += x' 'x *= x'
broken 'there is no' 'a\.c' 'c.c'
broken 'needs the lines' '^means .*' ''
broken 'neither empty nor' '^means ' 'meaning '
broken 'are the same' 'x -= x;.*' 'x += x;'
cat "$scratch/areas/good.faults" "$scratch/areas/good.faults" >"$scratch/areas/bad.faults"
! about check '' "$scratch" "$scratch/areas/bad.faults" >"$scratch/said" || fail 'two faults of one name are accepted'

# ---- the tables -----------------------------------------------------------------------------------------------------

about check '' "$source" "$here"/areas/*.faults || fail 'these faults say nothing any more: see tests/mutation/README.md'
n=$(about list '' "$source" "$here"/areas/*.faults | wc -l)
[ "$n" -ge 120 ] || fail "there are $n faults; expected 120 or more"
find "$source/tests" -name 'test_*.[cs]*' | sed 's|.*/||; s|\.[a-z]*$||' | sort >"$scratch/tests"
about tests '' "$source" "$here"/areas/*.faults | while IFS='	' read -r area regex; do
    for test in $(printf '%s\n' "$regex" | sed 's/^^test_//; s/[()$]//g; s/|/ /g'); do
        grep -qx "test_$test" "$scratch/tests" || fail "areas/$area.faults names test_$test, which does not exist"
    done
done
