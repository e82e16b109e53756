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
for ties in against mean random; do
    "$program" run s.cfg --quiet --out "$ties" --set evaluation.ties=$ties --set output.report=false >out 2>&1 || cat out
    python3 "$here/ranked_lists.py" d.csv "$ties/summary.json" $ties 3 1 10 || failures=$((failures + 1))
done
"$program" run s.cfg --quiet --out sorted --set data.path=sorted.csv --set output.report=false >out 2>&1 || cat out
for file in rounds.csv clients.csv; do
    cmp "against/$file" "sorted/$file" || failures=$((failures + 1))
done

# The same interactions as three files, from one to many held-out items a user: training has every pair but those of the other
# files, of which some are in training, too; item i99 is in the test alone; users u98 and one more have no training, u99 no test.
awk -F, 'NR == 1 { print "user,item" >"train.csv"; print "user,item" >"validation.csv"; print "user,item" >"test.csv"; next }
    $3 == 99 { next }
    { at = $4 % 7 < 1 + substr($1, 2) % 4 ? "test" : $4 % 11 < 2 ? "validation" : "train"; print $1 "," $2 >(at ".csv") }
    END { print "u98,i1\nu1,i99\nu2,i99" >"test.csv"; print "u99,i1\nu99,i3" >"train.csv" }' d.csv
cat >given.cfg <<'CFG'
data = { path = "train.csv"; validation_path = "validation.csv"; test_path = "test.csv"; min_interactions = 1; };
method = { name = "fedmf"; dim = 4; epochs = 0.5; };
network = { preset = "4g"; };
rounds = { count = 1; cohort = "50 %"; };
evaluation = { k = [ 3, 1, 10 ]; candidates = "full"; non_federated = [ "popularity" ]; };
output = { events = false; report = false; what_if = "none"; };
CFG
for ties in against mean random; do
    "$program" run given.cfg --quiet --out "given-$ties" --set evaluation.ties=$ties >out 2>&1 || cat out
    python3 "$here/ranked_lists.py" train.csv,validation.csv,test.csv "given-$ties/summary.json" $ties 3 1 10 ||
        failures=$((failures + 1))
done
"$program" check given.cfg --patience '10 ms' >out 2>&1 || cat out
for line in 'pairs of a user and an item are in more than one of the files' '2 users have no training interaction and are left out, with 12 held-out ones' \
    '[0-9]* of [0-9]* users have no test item' 'test interactions have an item without a training interaction'; do
    grep -q "given split .*$line" out || { echo "check does not say: $line"; failures=$((failures + 1)); }
done
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
