#!/bin/sh
# Data as people bring them: values that mean no rating, thresholds, cores, one date for all, one split for all seeds, several
# cut-offs. Argument: the build folder.
program=$1/fedrecsim
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $what: $1"
    sed 's/^/  /' out
    failures=$((failures + 1))
}

# try CODE ARGUMENT...
try() {
    expected=$1
    shift
    what="$*"
    "$program" "$@" >out 2>&1
    code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
}

says() { grep -qF "$1" out || fail "does not say: $1"; }

# The figure of a baseline.
figure() { sed -n "s/.*\"$2\": \([-0-9.e]*\).*/\1/p" "$1/summary.json" | head -n 1; }

# 30 users with 12 items each of 40, days apart; every fifth row has no rating, -1; the others are 1 to 5 by turns.
awk 'BEGIN {
    print "user,item,rating,seconds"
    for (u = 1; u <= 30; u++)
        for (i = 0; i < 12; i++) {
            n++
            print u "," 1 + (u * 7 + i * i * 3 + i) % 40 "," (n % 5 == 0 ? -1 : 1 + (n * 7) % 5) "," 1546300800 + 86400 * ((u + 3 * i) % 30) + n
        }
}' >d.csv
cat >s.cfg <<'CFG'
data = { format = "csv"; path = "d.csv"; csv_user = "user"; csv_item = "item"; csv_value = "rating"; csv_time = "seconds";
    min_interactions = 4; };
method = { name = "fedmf"; dim = 4; epochs = 1; };
network = { preset = "4g"; };
rounds = { count = 2; cohort = "50 %"; };
evaluation = { candidates = "full"; };
output = { events = false; report = false; };
CFG

# The scale, its ends and its gap; what is left without the value.
ratings='--set data.feedback=explicit --set data.split=ratio --set method=fedmf_ratings'
rated=$(awk -F, 'NR > 1 && $3 > 0' d.csv | wc -l)
# shellcheck disable=SC2086
try 0 check s.cfg $ratings
says 'ratings from -1 ('
says 'none between -1 and '
# shellcheck disable=SC2086
try 0 check s.cfg $ratings --set data.unrated=-1
says "$((360 - rated)) rows without a rating left out (data.unrated)"

# Positives from 4 on, and the k-core.
try 0 check s.cfg --set data.positive_from=3
says "$(awk -F, 'NR > 1 && $3 < 3' d.csv | wc -l) rows below data.positive_from left out"
try 2 check s.cfg --set data.min_users_per_item=200
says 'data.min_users_per_item: no users with 4 or more of the items that 200 or more of them have; nothing is left'
# shellcheck disable=SC2086
try 2 check s.cfg $ratings --set data.positive_from=3
says 'data.positive_from: has no effect here: it is read where data.feedback is implicit'

# One split for all seeds: a baseline that draws nothing has one figure, with the runs' own splits it has several.
for seed in 1 2; do
    # shellcheck disable=SC2086
    try 0 run s.cfg --quiet --seed $seed --out fixed-$seed $ratings --set data.split_seed=7
    # shellcheck disable=SC2086
    try 0 run s.cfg --quiet --seed $seed --out drawn-$seed $ratings
done
[ "$(figure fixed-1 rmse)" != '' ] || fail 'no figure'
sed -n '/"item_mean"/,/}/p' fixed-1/summary.json >a
sed -n '/"item_mean"/,/}/p' fixed-2/summary.json >b
cmp -s a b || fail 'one split_seed gives two splits'
sed -n '/"item_mean"/,/}/p' drawn-1/summary.json >a
sed -n '/"item_mean"/,/}/p' drawn-2/summary.json >b
! cmp -s a b || fail 'two seeds give one split'

# A date is its seconds; a share is the time behind it.
try 0 run s.cfg --quiet --out date --set data.split=date --set data.test_from=2019-01-21
try 0 run s.cfg --quiet --out zone --set data.split=date --set data.test_from=2019-01-21T02:00:00+02:00
try 0 run s.cfg --quiet --out seconds --set data.split=date --set data.test_from=$((1546300800 + 20 * 86400))
cmp -s date/rounds.csv seconds/rounds.csv || fail 'a date is not its seconds'
cmp -s date/rounds.csv zone/rounds.csv || fail 'a date is not the same one in another zone'
try 0 check s.cfg --set data.split=date --set 'data.test_from=80 %' --set 'data.validation_from=70 %'
says 'order: date split'
says 'users have test items'
try 2 check s.cfg --set data.split=date
says 'data.test_from: is missing; split = "date" needs the time from which interactions are test'
try 2 check s.cfg --set data.split=date --set data.test_from=2019-02-30
says 'data.test_from: "2019-02-30" is no time; allowed: a number as in the data, a date such as 2019-06-30, or a share such as "80 %"'
try 2 check s.cfg --set data.split=date --set data.test_from=2019-01-21 --set data.validation_from=2019-01-22
says 'data.validation_from: is not before data.test_from: nothing is validation'
try 2 check s.cfg --set data.split=date --set data.test_from=2018-01-01
says 'data.test_from: no interaction is older: nothing is left to train on'
try 2 check s.cfg --set data.split=date --set data.test_from=2021-01-01
says 'data.test_from: no user with older interactions has one from then on: nothing is test'
try 2 check s.cfg --set data.test_from=2019-01-21
says 'data.test_from: has no effect here: it is read where data.split is date'

# Three cut-offs of one run: each column is that of a run with this cut-off alone.
try 0 run s.cfg --quiet --out three --set evaluation.k=5,10,20
for k in 5 10 20; do
    try 0 run s.cfg --quiet --out one-$k --set evaluation.k=$k
    for name in hr ndcg recall precision mrr map; do
        together=$(figure three $name@$k)
        alone=$(figure one-$k $name@$k)
        if [ -z "$together" ] || [ "$together" != "$alone" ]; then
            fail "$name@$k is $together, alone $alone"
        fi
    done
done
try 0 run s.cfg --quiet --out goal --set evaluation.k=5,10 --set 'evaluation.target=ndcg@10 >= 0.001'
try 2 run s.cfg --quiet --out never --set evaluation.k=5,10 --set 'evaluation.target=hr@20 >= 0.1'
says 'hr@20 is not measured in this run'
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
