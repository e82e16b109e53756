#!/bin/sh
# The table of columns (fedrecsim list columns) is what the files of a run, a sweep, a search and a comparison hold, in their order, and
# every metric of points.csv is one of fedrecsim list metrics. tests/sim/run/columns_fixture.c holds the runs of all suites to it.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
rounds = { count = 2; cohort = 10; };
output = { report = false; what_if = "cheap"; };
END
expect 0 run s.cfg --quiet --out run
expect 0 sweep s.cfg --vary 'rounds.cohort = 10, 20' --replicates 2 --quiet --out sweep
expect 0 solve s.cfg --vary 'rounds.cohort = 10, 20' --until 'simulated_s <= 1 d' --quiet --out solve
expect 0 compare sweep --csv compare.csv
expect 0 list metrics
cp out metrics
expect 0 list columns
cp out columns

# documented FILE: its columns in the table, one a line.
documented() {
    awk -v file="$1: " 'index($0, file) == 1 { inside = 1; next } /^[^ ]/ { inside = 0 } inside && NF { print $1 }' columns
}

# head_of FILE: the columns of a CSV file, one a line, with K for the 10 of hr@10.
head_of() { head -n 1 "$1" | tr , '\n' | sed 's/@10$/@K/'; }

# same NAME: wanted and found hold the same lines.
same() {
    [ -s wanted ] || fail "the table has no columns of $1"
    diff wanted found || fail "$1 and the table of columns are apart (> only in the file)"
}

what='list columns'
for file in rounds.csv clients.csv; do
    documented "$file" >wanted
    head_of "run/$file" >found
    same "$file"
done
for file in cells.csv differences.csv; do
    documented "$file" | sed 's/^AXIS$/rounds.cohort/' >wanted
    head_of "sweep/$file" >found
    same "$file"
done
documented points.csv | sed 's/^AXIS$/rounds.cohort/; /^METRIC$/d' >wanted
head_of sweep/points.csv | head -n 7 >found
same points.csv
documented 'compare --csv' >wanted
head_of compare.csv >found
same 'compare --csv'

# Members of the first level begin with two spaces and a quote.
members() { sed -n 's/^  "\([^"]*\)":.*/\1/p' "$1" | sort; }
members solve/answer.json >found
documented answer.json | sort >wanted
[ -z "$(comm -13 wanted found)" ] || fail "answer.json has $(comm -13 wanted found)"
members run/what_if.json >found
documented what_if.json | sort >wanted
[ -s found ] || fail "no what_if.json"
[ -z "$(comm -13 wanted found)" ] || fail "what_if.json has $(comm -13 wanted found)"

# NAME of a metric stands for anything.
what='list metrics'
awk 'NR > 2 { print $1 }' metrics | sed 's/[.]/[.]/g; s/NAME/.*/g; s/@K$/@[0-9]*/; s/.*/^&$/' >patterns
head_of sweep/points.csv | sed '1,7d; s/@K$/@10/' | grep -v -f patterns >unknown
silent unknown
[ "$(wc -l <patterns)" -gt 150 ] || fail "only $(wc -l <patterns) metrics"

# In SQLite, too.
if command -v sqlite3 >/dev/null; then
    sqlite3 sweep/sweep.sqlite "SELECT name FROM pragma_table_info('points')" >found
    documented 'sweep.sqlite points' | sed 's/^AXIS$/rounds.cohort/' >wanted
    same 'sweep.sqlite points'
    sqlite3 sweep/sweep.sqlite "SELECT name FROM pragma_table_info('metrics')" >found
    documented 'sweep.sqlite metrics' >wanted
    same 'sweep.sqlite metrics'
fi

[ "$failures" -eq 0 ]
