#!/bin/sh
# Ways to ask for help: every spelling that a person tries first. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# same ARGUMENT... -- ARGUMENT...: both command lines print the same, and succeed.
same() {
    first=
    while [ "$1" != -- ]; do
        first="$first $1"
        shift
    done
    shift
    expect 0 "$@"
    cp out other
    # shellcheck disable=SC2086
    expect 0 $first
    cmp -s out other || fail "is not what fedrecsim $* prints"
    [ -s out ] || fail "prints nothing"
    silent err
}

# --- help COMMAND, -h ---
same help -- --help
same -h -- --help
sed -n 's/^COMMAND(\(.*\))$/\1/p' "$FRS_SOURCE_DIR/sim/cli/commands.def" >commands
[ -s commands ] || fail "no commands in commands.def"
while read -r command; do
    same help "$command" -- "$command" --help
    same "$command" -h -- "$command" --help
done <commands
expect 2 help rnu
says err 'fedrecsim: there is no command "rnu"; did you mean "run"?; commands: run, '
expect 2 help run check
error 'fedrecsim: help: one command at a time, found run and check'
same help help -- --help
expect 2 run nowhere.cfg --out -h # a folder, not a question
says err 'nowhere.cfg: cannot be read'

# --- kinds, in the singular, in the plural and by the section that chooses ---
same list method -- list learner
same list methods -- list learner
same list learners -- list learner
same list codecs -- list codec
same list policies -- list policy
same list device -- list devices
same list availabilities -- list availability
same list rounds.selection -- list selection
expect 2 list frobnicate
says err 'there is no kind "frobnicate"'

# --- what stands inside of a section ---
expect 0 explain rounds.cohort
[ "$(head -n 1 out)" = 'rounds.cohort: a count (integer of at least 1) or a share such as "60 %"; default: "10 %"' ] || fail "first line"
[ "$(wc -l <out)" -eq 2 ] || fail "more than the key"
expect 0 explain seed
says out 'seed: an integer from 0 to 9007199254740992; default: 1'
expect 0 explain rounds.policy.name
says out 'rounds.policy.name: '
expect 0 explain method.preset
says out 'method.preset: '
expect 0 explain method.colr
says out '  learner "colr": '
says out '    rank '
! grep -q 'learner "fedmf"' out || fail "shows other learners"
expect 0 explain method.colr_table1
says out '  preset "colr_table1": '
says out '    sets '
expect 0 explain method.colr.rank
says out 'method.colr.rank: '
[ "$(wc -l <out)" -eq 2 ] || fail "more than the key"
expect 0 explain method.rank # of several plug-ins
says out 'method.colr.rank: '
says out 'method.scolr.rank'
expect 2 explain rounds.cohrt
error 'fedrecsim: explain: rounds has no "cohrt"; did you mean "cohort"?'
expect 2 explain method.colrr
says err 'fedrecsim: explain: method has no "colrr"; did you mean "colr"?'
expect 2 explain method.colr.frobnicate
error 'fedrecsim: explain: method.colr has no "frobnicate"'
expect 2 explain method.
says err 'fedrecsim: explain: method has no ""'
expect 2 explain rounds.policy.frobnicate.frobnicate
says err 'fedrecsim: explain: rounds.policy has no "frobnicate.frobnicate"'

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
