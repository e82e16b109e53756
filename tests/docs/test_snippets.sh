#!/bin/sh
# The snippets of docs/scripting.md read the results of a sweep, and find the means that cells.csv has. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

# snippet NAME: the block behind its mark on the page.
snippet() {
    awk -v mark="<!-- $1 -->" '$0 == mark { wanted = 1 } inside && $0 == "```" { exit } inside { print }
        wanted && /^```/ { inside = 1 }' "$FRS_SOURCE_DIR/docs/scripting.md" >"$1"
    [ -s "$1" ] || fail "docs/scripting.md has no $1"
}

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
rounds = { count = 3; cohort = 10; };
output = { report = false; what_if = "none"; };
END
expect 0 sweep s.cfg --vary 'rounds.cohort = 10, 20' --replicates 2 --quiet --out results/sweep
# The means of HR@10 by cell, and the last round's in point 0, with six digits.
awk -F, '$3 == "hr@10" { printf "%.6f\n", $5 }' results/sweep/cells.csv >means
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } END { printf "%.6f\n", $column["hr@10"] }' \
    results/sweep/points/0000/rounds.csv >last
[ "$(wc -l <means)" -eq 2 ] || fail "no two means"

# finds FILE: every number that is wanted is one of those in the file.
finds() {
    tr -cs '0-9.' '\n' <"$1" | awk '/[0-9]/ { printf "%.6f\n", $1 }' >numbers
    while read -r number; do
        grep -qxF "$number" numbers || fail "$number is not in what it prints"
    done <<END
$(cat means last)
END
}

# reads NAME COMMAND...: the command, with the snippet as its last argument, prints the figures.
reads() {
    what=$1
    snippet "$1"
    shift
    "$@" "$what" >out 2>err || fail "fails"
    finds out
}

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import pandas' 2>/dev/null && python=$candidate && break
done
if [ -n "$python" ]; then
    reads read.py "$python"
else
    echo "SKIPPED test_snippets: read.py, because pandas is not installed"
fi
if command -v Rscript >/dev/null; then
    reads read.R Rscript
else
    echo "SKIPPED test_snippets: read.R, because R is not installed"
fi
sqlite_reads() { sqlite3 results/sweep/sweep.sqlite <"$1"; }
if command -v sqlite3 >/dev/null; then
    reads read.sql sqlite_reads
else
    echo "SKIPPED test_snippets: read.sql, because sqlite3 is not installed"
fi

[ "$failures" -eq 0 ]
