#!/bin/sh
# The commands of docs/planning.md, one after the other: each ends well on few rounds, and its answer has what the page says of it.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

page=$FRS_SOURCE_DIR/docs/planning.md
awk '$0 == "```" { inside = 0 } inside { print } $0 == "```sh" { inside = 1 }' "$page" >commands
[ "$(grep -c '^fedrecsim ' commands)" -eq "$(wc -l <commands)" ] || fail "the page has other commands than fedrecsim's"
[ "$(wc -l <commands)" -ge 10 ] || fail "the page has only $(wc -l <commands) commands"

# A log of rounds, and a scenario that includes what is made of it.
awk 'BEGIN { srand(2); print "client,round,duration_s"
    for (round = 1; round <= 60; round++) for (c = 0; c < 4; c++) printf "d%d,%d,%.4g\n", c, round, (2 + c) * exp(0.2 * (rand() - 0.5)) }' >rounds.csv
cat >plan.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 4; };
training = { enabled = false; };
rounds = { count = 60; };
@include "measured.cfg"
TEXT

# Of a week few rounds do: what a command adds is the last of its options.
few() {
    case $1 in
    check) set -- "$@" --patience '200 ms' ;;
    run | solve | sweep) case $2 in what-if/*) set -- "$@" --set rounds.count=16 --quiet ;; *) set -- "$@" --quiet ;; esac ;;
    esac
    expect 0 "$@"
}

n=0
while read -r line; do
    n=$((n + 1))
    eval "few ${line#fedrecsim }"
    cp out "out.$n"
done <commands

what="what the page says of the answers"
for text in '  a round ' '  the run ' '  opens ' '  paced ' '  load ' '  energy ' '  costs ' '  by the clock '; do
    says out.1 "$text"
done
says plan/summary.json '"mean_eligible"'
says plan/summary.json '"not_charged"'
[ -s plan/hours.csv ] || fail "there is no hours.csv"
grep -q 'coverage' "out.$n" || fail "the last command says nothing of the coverage"
says measured.cfg 'cohort = 4'

[ "$failures" -eq 0 ]
