#!/bin/sh
# What a run has sent, as it is printed: messages in both directions and connecting, the sum of summary.json.
#   test_sent.sh BUILD_FOLDER
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

cat >small.cfg <<'END'
data = { synthetic = "small"; };
method = { dim = 4; };
rounds = { count = 3; cohort = 20; };
output = { events = false; report = false; what_if = "none"; };
END
expect 0 run small.cfg --out run
# bytes NAME: a member of "bytes" in summary.json.
bytes() { sed -n '/^  "bytes": {/,/}/s/.*"'"$1"'": \([0-9]*\).*/\1/p' run/summary.json; }
all=$(($(bytes down) + $(bytes up) + $(bytes setup_down) + $(bytes setup_up)))
connecting=$(($(bytes setup_down) + $(bytes setup_up)))
[ "$connecting" -gt 0 ] || fail "nothing was connected"
written() { awk -v bytes="$1" 'BEGIN { if (bytes >= 1e6) printf "%.2f MB", bytes / 1e6; else printf "%.2f kB", bytes / 1e3 }'; }
grep -Eq "^  sent +$(written "$all") +\($(written "$connecting") of it for connecting\)\$" out || fail "it says $(grep '^  sent' out), not $(written "$all") with $(written "$connecting")"

[ "$failures" -eq 0 ]
