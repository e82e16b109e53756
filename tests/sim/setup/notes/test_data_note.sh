#!/bin/sh
# What check, a run and its manifest say of the preparation of data: what each step left, values that may mean "no rating",
# settings without effect, and what does not fit between the files of a given split. Counts by hand.
#   test_data_note.sh BUILD_FOLDER
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../../expect.sh"

# 12 users with 12 items each, of 24 (6 users an item). Of each user's 12 values three are 0 and the others 2 to 9; user 0
# has a pair twice, user 12 has one item alone, which is item 24.
awk 'BEGIN {
    print "user,item,rating,timestamp"
    for (u = 0; u < 12; u++) for (i = 0; i < 12; i++) printf "%d,%d,%d,%d\n", u, (u + 2 * i) % 24, i % 4 ? i % 9 + 2 : 0, i
    print "0,0,9,99"
    print "12,24,9,99"
}' >zeros.csv
cat >s.cfg <<'CFG'
data = { path = "zeros.csv"; feedback = "explicit"; split = "ratio"; min_interactions = 5; split_seed = 1; };
method = { name = "fcf"; dim = 4; };
network = { preset = "4g"; };
rounds = { count = 1; cohort = 2; };
output = { report = false; events = false; what_if = "none"; };
CFG
check() { expect 0 check s.cfg --patience '10 ms' "$@"; }

# 36 of 146 rows are 0, farther from 2 than the step of 1.
zero='0 may mean "no rating": 36 of 146 rows (24.7 %) have it, all others have 2 to 9; data.unrated = 0 leaves them out'
expect 0 data zeros.csv
says out "  no rating      $zero"
check
says out "  no rating    $zero"
says out '  prepared     read: 146 rows, 13 users, 25 items'
says out '               data.repeated = newest: leaves 145 rows, 13 users, 25 items'
says out '               data.min_interactions = 5: leaves 144 rows, 12 users, 24 items'
# A fifth of 12, rounded: 2 of each.
says out '  split        data.split = ratio: 120 training, 0 validation and 24 test interactions (of 12, 0 and 12 users)'
expect 0 run s.cfg --quiet --out zeros
"$program" run s.cfg --force --out told >out 2>err
says out "  no rating              $zero"
says out '  split                  data.split = ratio: 120 training'
tr -d ' \n' <told/manifest.json >flat
says flat '"preparation":[{"step":"read","key":"data.path","value":"zeros.csv","rows":146,"users":13,"items":25},{"step":"repeated","key":"data.repeated","value":"newest","rows":145,"users":13,"items":25},{"step":"core","key":"data.min_interactions","value":"5","rows":144,"users":12,"items":24},{"step":"training",'
says flat '"notes":[{"topic":"norating",'
# The value is a part of training unless the key says otherwise.
check --set data.unrated=0 --set data.min_users_per_item=2
grep -q 'no rating' out && fail 'a value that is left out is still suspected'
says out '               data.unrated = 0: leaves 110 rows, 13 users, 25 items'
says out '               data.min_interactions, data.min_users_per_item = 5, 2: leaves'
check --json --set data.unrated=0
tr -d ' \n' <out >flat
says flat '"preparation":[{"step":"read","key":"data.path","value":"zeros.csv","rows":146,"users":13,"items":25},{"step":"unrated","key":"data.unrated","value":"0","rows":110,"users":13,"items":25},{"step":"repeated"'
says flat '{"step":"test","key":"data.split","value":"ratio","rows":24,"users":12,'

# Settings that leave out nothing.
check --set data.unrated=-1
says out '  no effect    data.unrated = -1 leaves out nothing: no row has this value (0 to 9 occur)'
check --set data.feedback=implicit --set method.name=fedmf --set data.positive_from=0 --set evaluation.negatives=5
says out '  no effect    data.positive_from = 0 leaves out nothing: all rows have such a value (0 to 9)'
# Implicit feedback leaves out what is not above 0 in any case.
check --set data.feedback=implicit --set method.name=fedmf --set evaluation.negatives=5
grep -q 'no rating' out && fail 'a value that implicit feedback leaves out is suspected'
says out '               data.positive_from = none: leaves 110 rows, 13 users, 25 items'

# A split that is given: user 3 has no training, user 2 no test; pair 0 a is in both files, twice in one; item z is in the
# test alone.
printf '%s\t%s\t%s\n' 0 a 9 0 b 1 0 c 1 1 a 1 1 b 1 2 a 1 2 c 1 >train.txt
printf '%s\t%s\t%s\n' 0 a 2 0 z 1 1 c 1 3 a 1 3 b 1 >test.txt
cat >given.cfg <<'CFG'
data = { path = "train.txt"; test_path = "test.txt"; format = "csv"; csv_separator = "tab"; csv_header = false; csv_time = "3";
    min_interactions = 1; };
method = { name = "fedmf"; dim = 4; };
evaluation = { candidates = "full"; k = 2; };
network = { preset = "4g"; };
rounds = { count = 1; cohort = 2; };
CFG
expect 0 check given.cfg --patience '10 ms'
says out '  prepared     read: 12 rows, 4 users, 4 items'
says out '               data.repeated = newest: leaves 11 rows, 4 users, 4 items'
says out '               data.test_path = test.txt: leaves 9 rows, 3 users, 4 items'
says out '  split        data.split = given: 6 training, 0 validation and 3 test interactions (of 3, 0 and 2 users)'
says out '  given split  1 pairs of a user and an item are in more than one of the files; each counts for the last of them alone'
says out '  given split  1 users have no training interaction and are left out, with 2 held-out ones'
says out '  given split  1 of 3 users have no test item: they train, and are in no figure'
says out '  given split  1 of 3 test interactions have an item without a training interaction, which no method can know'
printf '%s\t%s\t%s\n' 3 a 1 >test.txt
expect 2 check given.cfg --patience '10 ms'
says err 'data.test_path: no user with a training interaction has a test interaction that is left: nothing is test'

# Leave-one-out: 2 of 12 users have a newest item of their own, which no training interaction has; 1 of 12 is fewer than a
# tenth.
lone() { awk -v n="$1" 'BEGIN { print "user,item,timestamp"; for (u = 0; u < 12; u++) { for (i = 0; i < 5; i++) printf "%d,%d,%d\n", u, i, i
    printf "%d,%d,9\n", u, u < n ? 100 + u : u % 3 } }'; }
lone 2 >lone.csv
cat >lone.cfg <<'CFG'
data = { path = "lone.csv"; min_interactions = 3; };
method = { name = "fedmf"; dim = 4; };
evaluation = { candidates = "full"; k = 2; };
network = { preset = "4g"; };
rounds = { count = 1; cohort = 2; };
CFG
expect 0 check lone.cfg --patience '10 ms'
says out '  split        2 of 12 test interactions have an item without a training interaction, which no method can know'
lone 1 >lone.csv
expect 0 check lone.cfg --patience '10 ms'
grep -q 'no method can know' out && fail 'few test items without training are noted'

[ "$failures" -eq 0 ]
