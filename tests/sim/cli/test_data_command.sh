#!/bin/sh
# fedrecsim data: what it says of a file by hand, that the line for a scenario reads the same data, and what it refuses.
#   test_data_command.sh BUILD_FOLDER
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# 12 users with 12 items each, of 24: user u rates item (u + 2 i) mod 24, from 1 to 5 without a 2; -1 is no rating.
awk 'BEGIN {
    print "who;what;stars;when"
    for (u = 0; u < 12; u++) for (i = 0; i < 12; i++) {
        r = (u + i) % 5 + 1
        printf "%d;%d;%d;2001-01-%02dT10:00:00Z\n", u, (u + 2 * i) % 24, r == 2 ? -1 : r, i + 1
    }
    print "0;0;4;2001-02-01T10:00:00Z"
    print "0;2;4;2001-02-01T10:00:00Z"
}' >log.csv

expect 0 data log.csv --set csv_user=who --set csv_item=what --set csv_value=stars --set data.csv_time=when
says out 'log.csv: csv, semicolon, 4 columns, 146 rows (user id = who, item id = what, rating = stars, time = when)'
says out '  first row      user 0, item 0, rating 1, time 2001-01-01T10:00:00Z'
says out '  users          12, with 12 to 12 interactions each (median 12)'
says out '  items          24, with 6 to 6 interactions each (median 6)'
says out '  pairs          144 of a user and an item, 50 % of all; 2 rows repeat one'
says out '  values         -1 to 5, 5 different ones, 1 apart at least; 30 rows have -1, 28 have 5'
says out '                 no row has 0, 2'
says out '                 30 rows are not above 0: no interactions under implicit feedback'
says out '  times          2001-01-01T10:00:00Z to 2001-02-01T10:00:00Z'
says out '                 the newest time of 1 users occurs more than once among their own (data.ties)'
says out 'feedback = "explicit", min_interactions = 10   12 users, 24 items, 144 interactions'

# The line for a scenario, on a file that is recognised.
sed 's/^who;what;stars;when/user_id;item_id;rating;timestamp/' log.csv >known.csv
expect 0 data known.csv
grep '^data = ' out >s.cfg
says s.cfg 'csv_separator = ";"; csv_header = true; csv_user = "user_id"; csv_item = "item_id"; csv_value = "rating"; csv_time = "timestamp"; };'
cat >>s.cfg <<'CFG'
method = { name = "fedmf"; dim = 4; };
evaluation = { candidates = "full"; };
rounds = { count = 1; cohort = 2; };
CFG
sed 's/data = .*/data = { path = "known.csv"; min_interactions = 3; };/' s.cfg >guessed.cfg
sed -i '1s/; };$/; min_interactions = 3; };/' s.cfg
expect 0 check guessed.cfg
says out 'csv, semicolon, 4 columns, 146 rows (user id = user_id, item id = item_id, rating = rating, time = timestamp): 12 users, 24 items'
expect 0 run s.cfg --quiet --out asked
expect 0 run guessed.cfg --quiet --out guessed
cmp -s asked/rounds.csv guessed/rounds.csv || fail "a format that was guessed gives other rounds than the same one asked for"

# What is proposed is accepted: of 20 users with 4 interactions each, the default of 10 leaves none, and leave-one-out needs 3.
awk 'BEGIN { print "user_id,item_id,timestamp"; for (u = 0; u < 20; u++) for (i = 0; i < 4; i++) print u "," (u + 5 * i) % 20 "," i + 1 }' >few.csv
expect 0 data few.csv
says out '  min_interactions = 3                           20 users, 20 items, 80 interactions'
says out '  min_interactions = 10                          nothing: a run refuses it'
! grep -q 'min_interactions = 1 ' out || fail "a value that a run refuses is proposed"
sed -n 's/^data = /data = /p' out | sed '$a method = { name = "fedmf"; dim = 4; }; evaluation = { candidates = "full"; }; rounds = { count = 1; cohort = 2; };' >few.cfg
says few.cfg 'data = { path = "few.csv"; min_interactions = 3; '
expect 0 check few.cfg
expect 2 check few.cfg --set data.min_interactions=2
expect 2 check few.cfg --set data.min_interactions=10

# A separator of one blank, as in a file.
tr ';' ' ' <log.csv | tail -n +2 >blank.txt
expect 0 data blank.txt --set format=csv --set 'data.csv_separator= ' --set csv_header=false --set csv_time=4
says out 'blank.txt: csv'
expect 0 check guessed.cfg --set data.path=blank.txt --set data.format=csv --set 'data.csv_separator= ' --set data.csv_header=false

# Keys of preparation are applied, as by a run; others are refused.
expect 0 data known.csv --set unrated=-1 --set data.positive_from=4 --set min_interactions=4 --set min_users_per_item=2
set -- "$(sed -n 's/^  as set, other keys as they are by default *//p' out)"
says out '"known.csv"; unrated = -1; positive_from = 4; min_interactions = 4; min_users_per_item = 2; format = "csv";'
expect 0 check guessed.cfg --set data.unrated=-1 --set data.positive_from=4 --set data.min_interactions=4 --set data.min_users_per_item=2
says out "): $1 ("
expect 2 data known.csv --set split=ratio
says err 'fedrecsim: --set split=ratio: has no effect here; allowed: keys of section data that say how this file is read, and feedback'

expect 2 data
says err 'needs a file of interactions'
expect 2 data nowhere.csv
says err 'nowhere.csv: cannot be read: No such file'
expect 2 data log.csv --set csv_usr=who
says err '--set csv_usr=who: allowed: KEY=VALUE with a key of section data'
expect 2 data log.csv --set format=xml
says err '--set format=xml'
