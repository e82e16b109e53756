#!/bin/sh
# Recall, NDCG, MAP and the other figures of lists with several held-out items, against an independent program that reads
# the file itself (ranked_lists.py); and the order of rows changes nothing. Argument: the build folder.
program=$1/fedrecsim
here=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/oracle
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
command -v python3 >/dev/null || {
    echo "SKIPPED test_ranked_lists: there is no python3"
    exit 77
}

# 60 users and 24 items, some popular; times that differ, some pairs twice, some values that mean nothing.
awk 'BEGIN {
    srand(7)
    print "user,item,value,time"
    for (i = 0; i < 2000; i++) {
        u = 1 + int(60 * rand()); j = 1 + int(24 * rand() * rand()); v = 1 + int(5 * rand())
        print "u" u ",i" j "," (rand() < 0.05 ? 99 : v) "," i % 1000 "." i
    }
}' | sed 's/\.[0-9]*$//' >all.csv
# A time for each row alone, so that no rule of ties in time is needed.
awk -F, 'NR == 1 { print; next } { print $1 "," $2 "," $3 "," (NR * 7919) % 1009 + (NR > 1010 ? 1009 : 0) }' all.csv |
    awk -F, 'NR == 1 || $4 < 1009' >d.csv
{ head -n 1 d.csv; tail -n +2 d.csv | sort -t, -k2,2 -k4,4n; } >sorted.csv
cat >s.cfg <<'CFG'
data = { format = "csv"; path = "d.csv"; csv_user = "user"; csv_item = "item"; csv_value = "value"; csv_time = "time";
    unrated = 99; positive_from = 4; min_interactions = 3; min_users_per_item = 2;
    split = "date"; validation_from = "600"; test_from = "700"; };
method = { name = "fedmf"; dim = 4; epochs = 0.5; };
network = { preset = "4g"; };
rounds = { count = 2; cohort = "50 %"; };
evaluation = { k = [ 3, 1, 10 ]; candidates = "full"; non_federated = [ "popularity" ]; };
output = { events = false; };
CFG
failures=0
for ties in against mean; do
    "$program" run s.cfg --quiet --out "$ties" --set evaluation.ties=$ties --set output.report=false >out 2>&1 || cat out
    python3 "$here/ranked_lists.py" d.csv "$ties/summary.json" $ties 3 1 10 || failures=$((failures + 1))
done
"$program" run s.cfg --quiet --out sorted --set data.path=sorted.csv --set output.report=false >out 2>&1 || cat out
for file in rounds.csv clients.csv; do
    cmp "against/$file" "sorted/$file" || failures=$((failures + 1))
done
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
