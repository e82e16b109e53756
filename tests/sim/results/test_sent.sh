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

# Behind edges each of the two hops is sent over: the line, what of it was wasted, and the bytes up to the target have the backhauls, too.
expect 0 run small.cfg --out edges --set network.edges.count=2 --set failures.up=0.3 --set evaluation.target='hr@10 >= 0'
bytes() { sed -n '/^  "bytes": {/,/}/s/.*"'"$1"'": \([0-9]*\).*/\1/p' edges/summary.json; }
backhauls=$(($(bytes edge_down) + $(bytes edge_up)))
connecting=$(($(bytes setup_down) + $(bytes setup_up)))
all=$(($(bytes down) + $(bytes up) + connecting + backhauls))
[ "$backhauls" -gt 0 ] || fail "nothing crossed a backhaul"
says out "$(written "$all")"
grep -Eq "^  sent +$(written "$all") +\($(written "$connecting") of it for connecting, $(written "$backhauls") between edges and the server\)\$" out || fail "it says $(grep '^  sent' out)"
wasted=$(($(bytes wasted) + $(bytes setup_wasted) + $(bytes edge_wasted)))
grep -Eq "^  wasted +$(written "$wasted")( |\$)" out || fail "it says $(grep '^  wasted' out)"
all=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["down_bytes"] + $at["up_bytes"] + $at["setup_down_bytes"] + $at["setup_up_bytes"] + $at["edge_down_bytes"] + $at["edge_up_bytes"] }' edges/rounds.csv)
says edges/summary.json "\"sent_bytes\": $all"

# Between clients what is sent counts once.
expect 0 run small.cfg --out peers --set peers.neighbours=ring
all=$(sed -n '/^  "peers": {/,/}/s/.*"bytes": \([0-9]*\).*/\1/p' peers/summary.json)
[ "${all:-0}" -gt 0 ] || fail "nothing was sent"
grep -Eq "^  sent +$(written "$all")\$" out || fail "it says $(grep '^  sent' out), not $(written "$all")"

[ "$failures" -eq 0 ]
