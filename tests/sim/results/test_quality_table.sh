#!/bin/sh
# The figures that were asked for: a run's closing table and compare show every cut-off and every figure of lists, as they
# stand in summary.json; with one cut-off and one held-out item a user, HR and NDCG alone.
#   test_quality_table.sh BUILD_FOLDER
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'CFG'
data = { synthetic = "small"; min_interactions = 5; };
method = { name = "fedmf"; dim = 4; };
network = { preset = "4g"; };
rounds = { count = 1; cohort = 10; };
evaluation = { candidates = "full"; };
output = { report = false; events = false; what_if = "none"; };
CFG
quick='--set data.synthetic=custom --set data.users=30 --set data.items=40 --set data.interactions=300'
# shellcheck disable=SC2086
table() { expect 0 run s.cfg $quick --force --out "$@"; }

table one
says out '  quality                HR@10    NDCG@10   (protocol honest, all candidates, order time)'
grep -q 'Recall@' out && fail 'a table of all figures that was not asked for'
table three --set 'evaluation.k=5,10,20'
says out '  quality                (protocol honest, all candidates, order time)'
says out '                         HR@5     NDCG@5   Recall@5   Precision@5   MRR@5    MAP@5    AUC'
says out '                         HR@10    NDCG@10   Recall@10   Precision@10   MRR@10   MAP@10'
says out '                         HR@20    NDCG@20   Recall@20   Precision@20   MRR@20   MAP@20'
says err 'HR@5'
table auc --set 'evaluation.target=auc >= 0.6'
says out '                         HR@10    NDCG@10   Recall@10   Precision@10   MRR@10   MAP@10   AUC'

# Several held-out items of a user: each figure of the file, in its place.
table several --set data.split=ratio --set evaluation.k=3
says out '                         HR@3     NDCG@3   Recall@3   Precision@3   MRR@3    MAP@3    AUC'
json() { awk -v name="\"$1\":" '/"metrics": \{/ { inside = 1 } inside && $1 == name { printf "%.4f", $2; exit }' several/summary.json; }
row=$(awk '/^  last round/ { for (i = 3; i <= NF; i++) printf "%s ", $i }' out)
asked=
for figure in hr@3 ndcg@3 recall@3 precision@3 mrr@3 map@3 auc; do asked="$asked$(json $figure) "; done
[ "$row" = "$asked" ] || fail "the last round's row is $row, summary.json has $asked"

expect 0 compare one
grep -q 'Ranked lists' out && fail 'compare shows figures that were not asked for'
expect 0 compare three
says out '**Ranked lists up to 5**'
says out '**Ranked lists up to 20**'
says out '**Ranked lists as a whole**'
says out '| entry | n | ndcg@5'
expect 0 compare three --json
for figure in recall@20 map@5 auc; do says out "\"$figure\": {"; done
expect 0 compare several
says out '| entry   | n | ndcg@3'

[ "$failures" -eq 0 ]
