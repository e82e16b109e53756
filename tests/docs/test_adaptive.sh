#!/bin/sh
# The study of docs/what-if/adaptive.md: its command runs each sweep once, goes on where it was, and writes the page; its tables by hand.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
study=${FRS_SOURCE_DIR:-.}/docs/what-if

# --- Tables by hand ----------------------------------------------------------------------------------------------------------

# points SEED SECONDS OF PROPORTIONAL, HR OF DEADLINE
points() {
    mkdir -p "$1"
    {
        echo "size,case,hr@10,time_to_target_s,sent_bytes_to_target,round_s,bytes.up,adaptation.mean,adaptation.largest_possible,adaptation.uplink_quartile.1.mean,adaptation.in_time_share"
        echo "largest,over_select,0.5,600,4e9,3,2e9,32,32,32,0.7"
        echo "proportional,over_select,0.5,$2,4e9,2,1e9,24,32,9,0.7"
        echo "deadline,over_select,$3,inf,inf,2,1e9,1$1,32,4,0.7"
    } >"$1/points.csv"
}
points 1 300 0.49
points 2 330 0.48
points 3 270 0.47

what="tables by hand"
awk -v planned=5 -f "$study/statistics.awk" -f "$study/adaptive.awk" seed=1 method=scolr 1/points.csv seed=2 method=scolr 2/points.csv \
    seed=3 method=scolr 3/points.csv >out || fail "awk fails"
says out '3 seeds of 5; means over seeds'
# −50, −45 and −55 %: t(2) at 2.5 % is 4.303, and 4.303 · 5/√3 = 12.4; p = .0033, the only one beyond chance of four.
says out "the largest size for all, at best by: SCoLR's rank −50 ± 12 % (\`proportional\`, beyond chance)."
says out '| over-selection | largest | 10.0 ± 0.0 | 4.0 ± 0.0 | 0.500 ± 0.000 | 3.0 | 2.00 | 0.70 |'
says out '| over-selection | proportional | 5.0, **−50 ± 12 %** | 4.0, +0 ± 0 % | 0.500, +0.000 ± 0.000 | 2.0 | 1.00 | 0.70 |'
# −.01, −.02, −.03: 4.303 · .01/√3 = .025; no seed reaches the target.
says out '| over-selection | deadline | 0 of 3 | 0 of 3 | 0.480, −0.020 ± 0.025 | 2.0 | 1.00 | 0.70 |'
# 11, 12 and 13: 4.303 · 1/√3.
says out '| SCoLR, columns | 32 | over-selection | deadline | 12.0 ± 2.5 | 4.0 | – | – | – |'

# --- The command -------------------------------------------------------------------------------------------------------------

printf 'before\n<!-- sentences of adaptive -->\nold\n<!-- end of sentences -->\nbetween\n<!-- tables of adaptive -->\nold\n<!-- end of tables -->\nafter\n' >page.md
run() {
    FEDRECSIM="$program" SEEDS=1 METHODS=topk PAGE=page.md "$study/adaptive.sh" study --jobs 2 --set data.synthetic=small \
        --set rounds.count=2 >out 2>err
}
what="the command"
run || fail "it fails: $(cat err)"
says page.md '| 4.5 MB a client | cap |'
says page.md '| over-selection | quarter |'
grep -q '^old$' page.md && fail "the old tables are still there"

# A sweep that was stopped is run again, and no other.
what="going on"
cp page.md first.md
touch -d '1 hour ago' study/seed1/topk-open/points.csv study/seed1/topk-capped/points.csv
rm study/seed1/topk-capped.finished
run || fail "it does not go on: $(cat err)"
cmp -s page.md first.md || fail "the page differs"
[ -n "$(find study/seed1/topk-capped/points.csv -mmin -30)" ] || fail "what was not finished is not run again"
[ -z "$(find study/seed1/topk-open/points.csv -mmin -30)" ] || fail "what is finished is run again"

[ "$failures" -eq 0 ]
