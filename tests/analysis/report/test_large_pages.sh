#!/bin/sh
# Pages of a run of 1,000 rounds in which 600 clients take part, and of a sweep of 400 points, are 2.4 MB at most; test_large_pages_long.sh
# has these, this one a tenth of the rounds and a fifth of the points in 1.25 MB. How long they take to open is measured by
# tests/bench/bench_pages.sh.
#   test_large_pages.sh BUILD_FOLDER [ROUNDS REPLICATES BYTES]     default: 100 1 1250000
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

most=${4:-1250000}
sh "$here/made_up.sh" "$program" made-up "${2:-100}" "${3:-1}" || fail "nothing was made up"
for name in run sweep; do
    expect 0 report "made-up/$name" --quiet
    bytes=$(wc -c <"made-up/$name/report.html")
    if [ "$bytes" -le 500000 ] || [ "$bytes" -gt "$most" ]; then fail "the page has $bytes bytes"; fi
done
says made-up/run/report.html '"participants":600'

[ "$failures" -eq 0 ]
