#!/bin/sh
# Pages of a run of 1,000 rounds in which 600 clients take part, and of a sweep of 400 points, are 8 MB at most. How long they take to open
# is measured by tests/bench/bench_pages.sh. Argument: the build folder.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../expect.sh"

sh "$here/made_up.sh" "$program" made-up || fail "nothing was made up"
for name in run sweep; do
    expect 0 report "made-up/$name" --quiet
    bytes=$(wc -c <"made-up/$name/report.html")
    if [ "$bytes" -le 500000 ] || [ "$bytes" -gt 8000000 ]; then fail "the page has $bytes bytes"; fi
done
says made-up/run/report.html '"participants":600'

[ "$failures" -eq 0 ]
