#!/bin/sh
# A file that results were made from changes before they are gone on with: results of both are never mixed, by run, sweep, solve,
# and a task of a job array. Put back as it was, everything goes on.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

awk 'BEGIN { for (u = 1; u <= 30; u++) for (i = 0; i < 12; i++) print u "\t" (7 * u + 5 * i) % 60 + 1 "\t5\t" i }' >data.tsv
echo 'client,start_s,end_s' >trace.csv
seq 0 29 | sed 's/$/,0,100000/' >>trace.csv
cat >s.cfg <<'TEXT'
data = { path = "data.tsv"; format = "movielens-100k"; };
availability = { model = "trace"; trace = { file = "trace.csv"; }; };
rounds = { count = 2; cohort = 5; };
evaluation = { negatives = 10; };
output = { events = false; report = false; };
TEXT
cp data.tsv data.whole
cp trace.csv trace.whole
change() { sed -i '$d' "$1"; }
put_back() { cp data.whole data.tsv && cp trace.whole trace.csv; }
refused() { error "fedrecsim: $1 has changed since $2 was run, and results of two files are not mixed; allowed: the file as it was, or another place with --out DIR"; }
hashes() { cat "$1"/points/*/manifest.json | grep '"files_hash"' | sort -u | wc -l; }

expect 0 run s.cfg --out run --quiet
expect 0 sweep s.cfg --vary 'rounds.cohort = 5, 6' --replicates 2 --out sweep --quiet
expect 0 solve s.cfg --vary 'rounds.cohort = 1..9' --until 'bytes.total <= 90 kB' --out solve --quiet
rm -r sweep/points/0003
last=$(find solve/points -name '[0-9]*' -type d | sort | tail -n 1)
rm -r "$last" solve/answer.json

for file in 'data.tsv data.path' 'trace.csv availability.file'; do
    name=${file% *} key=${file#* }
    change "$name"
    expect 2 run s.cfg --out run --resume
    says err "fedrecsim: run holds a finished run of this scenario, but what its files held has changed: what $name ($key) held was of digest "
    expect 2 sweep s.cfg --vary 'rounds.cohort = 5, 6' --replicates 2 --out sweep --quiet --resume
    refused "$name ($key)" sweep/points/0000
    expect 2 point sweep/plan.json --index 3
    refused "$name ($key)" sweep/points/0000
    expect 2 solve s.cfg --vary 'rounds.cohort = 1..9' --until 'bytes.total <= 90 kB' --out solve --quiet --resume
    refused "$name ($key)" solve/points/0000
    put_back
done

expect 0 run s.cfg --out run --resume
expect 0 sweep s.cfg --vary 'rounds.cohort = 5, 6' --replicates 2 --out sweep --quiet --resume
expect 0 solve s.cfg --vary 'rounds.cohort = 1..9' --until 'bytes.total <= 90 kB' --out solve --quiet --resume
[ "$(hashes sweep)" = 1 ] || fail 'points are of several files'
{ [ -d sweep/points/0003 ] && [ -e solve/answer.json ]; } || fail 'was not gone on with'

[ "$failures" -eq 0 ]
