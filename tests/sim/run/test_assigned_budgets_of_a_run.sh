#!/bin/sh
# What the terminal, the page and the tables of a sweep say of grants and of clients that were never served. Argument: the build folder.
#
# Of 200 clients every fourth has 1 kB/s up, the others 4 kB/s: 19,224 bytes down at 10 kB/s and 9,624 up take 4.3284 s, and
# those with 1 kB/s are cut off after 5 s. All are predicted 3.1254 s, at 8 kB/s. So the mean is at least
# .75 · 4.3284 + .25 · 5 = 4.4963 s, and the error .75 · 1.203 + .25 · 1.8746 = 1.3709 s.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

awk 'BEGIN { print "class,up_kB_s"; for (i = 0; i < 200; i++) print (i % 4 ? "near,4" : "far,1") }' >fleet.csv
cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "scolr"; rank = 8; dim = 16; catchup = "full"; };
training = { enabled = false; };
devices = { compute = "none"; };
network = { model = "exact"; downlink = "10 kB/s"; fleet = "fleet.csv"; fleet_assignment = "rows"; latency = "0 s"; };
observations = { prior_downlink = "10 kB/s"; prior_uplink = "8 kB/s"; prior_compute = "0 s"; };
rounds = { count = 1; cohort = 200; policy = { name = "deadline"; after = "5 s"; }; };
END
expect 0 run s.cfg --out run
says out '  never delivered        50 of 200 clients that were selected'
says out '  budgets                8 to 8 of 8, 8 on average; in time 150 of 200 (75.0 %), cut 50'
says out '    predicted            3.13 s on average, took at least 4.50 s, the error at least 1.37 s'
says run/report.html '"in_time_share":0.75'
expect 0 sweep s.cfg --vary 'adaptation.budget = 8, 1' --replicates 2 --out swept --quiet
expect 0 compare swept --metric adaptation.in_time_share --metric clients_never_delivered --metric adaptation.network_class.far.never_delivered
says out '| adaptation.in_time_share | clients_never_delivered | adaptation.network_class.far.never_delivered |'
says out '| 0.750 ± 0                | 50 ± 0                  | 50 ± 0                                       |'
says out '| 1.000 ± 0                | 0 ± 0                   | 0 ± 0                                        |'

# No client is left out, and no size is assigned.
expect 0 run s.cfg --force --out run --set adaptation.budget=1
says out '    predicted            2.08 s on average, took 2.46 s, the error 382.50 ms'
! grep -q 'never delivered' out || fail "a client is left out"
expect 0 run s.cfg --force --out run --set method=fedmf --set rounds.policy=wait_all
! grep -q 'budgets  ' out || fail "a size is assigned"
[ "$failures" -eq 0 ]
