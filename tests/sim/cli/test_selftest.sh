#!/bin/sh
# fedrecsim selftest: a line for each plug-in, exit codes, and what is refused. Argument: the build folder. What the checks find is
# in tests/sim/selftest and tests/contract.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

# One kind: as many lines as `list` has entries, each of which is ok.
expect 0 selftest adaptation
silent err
[ "$(grep -c '^adaptation  *[a-z_]* *ok, [0-9]* clauses, [0-9]* checks$' out)" -eq "$(wc -l <out)" ] || fail "not every line is ok"
cut -c 1-30 out | awk '{ print $2 }' >names
expect 0 list adaptation
sed -n 's/^  \([a-z_]*\)  .*/\1/p' out | sort >listed
sort names | cmp -s - listed || fail "other entries than those of list"

# One entry, with settings of its own.
expect 0 selftest codec topk --set k=3 --set scope=table
[ "$(wc -l <out)" -eq 1 ] || fail "more than one line"
says out 'codec         topk            ok, '

# What is refused: nothing is checked.
expect 2 selftest codek
error 'fedrecsim: selftest: there is no kind "codek"; did you mean "codec"?'
expect 2 selftest codec tpok
error 'fedrecsim: selftest: there is no codec "tpok"; did you mean "topk"?'
expect 2 selftest codec topk more
says err 'one KIND and one NAME at most, found more'
silent out
expect 2 selftest codec --set k=3
says err '--set needs KIND and NAME'
expect 2 selftest codec topk --set k
says err '--set: "k" is no KEY=VALUE'
expect 2 selftest codec topk --set k=many
error 'fedrecsim: selftest: --set k: "many" is not a number; allowed: an integer from 1 to 4096'
expect 2 selftest codec topk --set rank=3
error 'fedrecsim: selftest: --set: topk has no key "rank"'

[ "$failures" -eq 0 ]
