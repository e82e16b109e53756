#!/bin/sh
# What the tables take that clients have received and predict with, of a catalogue of which few items are met in a round: what
# check foretells, within a quarter, and far less than a copy for each round. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# A table is 7.7 MB.
cat >wide.cfg <<'END'
data = { synthetic = "custom"; users = 2000; items = 60000; interactions = 100000; };
method = { name = "pfedclr"; dim = 32; epochs = 1; };
rounds = { count = 120; cohort = 8; };
evaluation = { every = 1000; };
output = { report = false; what_if = "none"; };
END
expect 0 check wide.cfg
predicted=$(awk '$1 == "memory" && $2 == "about" { print $3 * ($4 == "GB" ? 1000 : 1); exit }' out)
expect 0 run wide.cfg --out run --quiet
peak=$(awk -F '[:,]' '/"peak_rss_bytes"/ { print $2 / 1e6 }' run/summary.json)
awk -v a="$predicted" -v b="$peak" 'BEGIN { exit !(a > 0.75 * b && a < 1.25 * b) }' || fail "predicted were $predicted MB, it took $peak"
awk -v b="$peak" 'BEGIN { exit !(b < 500) }' || fail "it took $peak MB"

[ "$failures" -eq 0 ]
