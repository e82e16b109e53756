#!/bin/sh
# The study of docs/what-if/remedies.md: its command runs each correction once, goes on where it was, and writes the page; its tables
# by hand. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
study=${FRS_SOURCE_DIR:-.}/docs/what-if

# --- Tables by hand ----------------------------------------------------------------------------------------------------------

# points SEED CORRECTION HR AT A LOSS, HR OF THE RAREST TASTES, HOURS
points() {
    mkdir -p "$1"
    {
        echo "loss,status,evaluated,hr@10,groups.taste_quartile.1.hr@10,simulated_s,bytes.sent,rounds_to_target,time_to_target_s,sent_bytes_to_target"
        echo "none,complete,943,0.6,0.6,3600,1e9,10,600,1e8"
        echo "90 % stationary taste,complete,943,$3,$4,$5,1e9,20,$(($5 / 2)),2e8"
        echo "90 % stationary alike,complete,943,0.5,0.5,3600,1e9,inf,inf,inf"
    } >"$1/$2.csv"
}
points 1 none 0.30 0.10 3600
points 2 none 0.32 0.12 3600
points 3 none 0.28 0.11 3600
points 1 fedau 0.31 0.20 3600
points 2 fedau 0.34 0.22 3600
points 3 fedau 0.31 0.21 7200

set --
for seed in 1 2 3; do
    for correction in none fedau; do set -- "$@" seed=$seed method=fedmf correction=$correction $seed/$correction.csv; done
done
awk -v planned=5 -f "$study/statistics.awk" -f "$study/remedies.awk" "$@" >out || fail "awk fails"
what="tables by hand"
says out '3 seeds of 5; means over seeds'
# .01, .02, .03: t(2) at 2.5 % is 4.303, and 4.303 · .01/√3 = .025. In the mean over both environments half of it.
says out '| 90 %, stationary, rare tastes most | 0.300 ± 0.050 | +0.020 ± 0.025 |'
says out '| FedMF | FedAU | 2 | – | – | – | – | – | – | +0.010 ± 0.012 | – | **+0.050 ± 0.003** |'
says out 'has an HR@10 of 0.600 without loss, and of 0.300 where 90 % of the answers are lost, of clients with rare tastes most; FedAU, which does best there, changes that by +0.020 ± 0.025, 7 % of what is lost. The same losses of all clients alike leave 0.500.'
# Of two differences that of the rarest tastes alone, .1 each time.
says out 'by Holm'"'"'s method 1 is beyond chance among all of them, 1 of them better, most FedAU under FedMF at 90 %, rarest tastes: +0.050 ± 0.003.'
# Half of the runs reach the target, in 1800 s: twice as long in one of three seeds.
says out '| FedMF | 90 % | FedAU | 3 of 6 | 3 | +0 ± 0 % | +33 ± 143 % | +0 ± 0 % |'
says out 'It changes the hours of a whole run by 100.0 % at most (FedAU under FedMF), and its bytes by 0.0 %.'

set -- seed=1 method=fedmf correction=none 1/none.csv seed=1 method=fedmf correction=fedau 1/fedau.csv
awk -v planned=5 -f "$study/statistics.awk" -f "$study/remedies.awk" "$@" >out || fail "awk fails with one seed"
says out '1 seed of 5; means over seeds, without intervals: nothing here is a finding yet.'
says out '| 90 %, stationary, rare tastes most | 0.300 | +0.010 |'

# --- The command -------------------------------------------------------------------------------------------------------------

printf 'before\n<!-- sentences of remedies -->\nold\n<!-- end of sentences -->\nbetween\n<!-- tables of remedies -->\nold\n<!-- end of tables -->\nafter\n' >page.md
run() {
    FEDRECSIM="$program" SEEDS=1 METHODS=colr LOSSES='30 % interleaved (alike|taste)' PAGE=page.md "$study/remedies.sh" study --jobs 2 \
        --set data.synthetic=small --set rounds.count=2 --set evaluation.every=2 >out 2>err
}
what="the command"
run || fail "it fails: $(cat err)"
says page.md '| 30 %, interleaved, rare tastes most |'
says page.md '| CoLR | inverse probability | 1 |'
grep -q '^old$' page.md && fail "the old tables are still there"
[ "$(grep -e before -e '^1 seed' -e '^between' -e 'end of tables' -e '^after' page.md | cut -c1-7 | tr '\n' ' ')" = "before 1 seed  between <!-- en after " ] || fail "parts of the page are not where they belong"

# A correction that was stopped is run again, and no other.
what="going on"
cp page.md first.md
touch -d '1 hour ago' study/seed1/colr-none/points.csv study/seed1/colr-fedau/points.csv
rm study/seed1/colr-fedau.finished
run || fail "it does not go on: $(cat err)"
cmp -s page.md first.md || fail "the page differs"
[ -n "$(find study/seed1/colr-fedau/points.csv -mmin -30)" ] || fail "what was not finished is not run again"
[ -z "$(find study/seed1/colr-none/points.csv -mmin -30)" ] || fail "what is finished is run again"

[ "$failures" -eq 0 ]
