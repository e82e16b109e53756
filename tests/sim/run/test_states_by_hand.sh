#!/bin/sh
# Three clients whose devices change their states during a message, while they compute, and exactly when something ends, worked out by hand;
# both players give the same, and the replayer agrees. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/sim/run/three_clients.sh"

# Messages of 7224 bytes. Client 0 (8000 B/s down, 4000 up): download from .1 to 1.003, computing to 2.003, upload from 2.103 to 3.909.
# Client 1 (4000, 2000): 1.906, 2.906, from 3.006 to 6.618. Client 2 as client 1.
alike='--quiet --set rounds.count=1 --set output.what_if=none --set output.report=false --set availability=states --set availability.file=states.csv'

# play NAME SETTINGS...: under both players, whose files are the same, and are what the replayer expects
play() {
    name=$1
    shift
    # shellcheck disable=SC2086
    expect 0 run s.cfg $alike --out "$name" --set engine.backend=calendar "$@"
    # shellcheck disable=SC2086
    expect 0 run s.cfg $alike --out "$name-actors" --set engine.backend=actors "$@"
    for file in rounds.csv clients.csv events.ndjson; do
        cmp -s "$name/$file" "$name-actors/$file" || fail "$file differs between players"
    done
    case $* in *packets*) return ;; esac # which are not replayed
    "${program%/*}/tests/replay" "$name" >replayed 2>&1 || fail "the replayer: $(cat replayed)"
}

# line NAME CLIENT PHASE TEXT: the event of this client and phase contains the text
line() {
    what="$1: $3 of client $2"
    grep "\"client\":$2,.*\"phase\":\"$3\"" "$1/events.ndjson" | grep -qF "$4" ||
        fail "no $4 in $(grep "\"client\":$2,.*\"phase\":\"$3\"" "$1/events.ndjson")"
}

# Client 0 is taken up while it uploads, at 3 s, when 3588 bytes have crossed; client 1 while it computes, at 2.5 s; client 2 at the very
# time at which its computing ends, which counts.
cat >states.csv <<'END'
client,start_s,end_s,link,charging,in_use
0,0,3,wifi,1,0
0,3,100,wifi,1,1
1,0,2.5,wifi,1,0
1,2.5,100,wifi,0,0
2,0,2.906,wifi,1,0
2,2.906,100,off,1,0
END
play interrupted --set rounds.eligible="wifi, charging, idle"
line interrupted 0 up '"t1_s":3,"bytes":3588'
line interrupted 0 up '"outcome":"dropped_up","cause":"ineligible"'
line interrupted 1 compute '"t1_s":2.5,'
line interrupted 1 compute '"outcome":"dropped_compute","cause":"ineligible"'
line interrupted 2 compute '"t1_s":2.906,"bytes":0'
line interrupted 2 up '"outcome":"dropped_up","cause":"offline"'

# Whoever may take part in any state of an online device is not interrupted by these, but by going offline.
play any
line any 0 up '"outcome":"delivered"'
line any 1 up '"outcome":"delivered"'
line any 2 up '"outcome":"dropped_up","cause":"offline"'

# Who does not see the states asks client 2 in vain, which is not idle when the round opens; who sees them waits until it is, at 5 s.
cat >states.csv <<'END'
0,0,100,wifi,1,0
1,0,100,wifi,1,0
2,0,5,wifi,1,1
2,5,100,wifi,1,0
END
play unseen --set rounds.eligible=idle --set rounds.selection.sees_availability=false --set rounds.selection.contact_timeout="2 s"
line unseen 2 contact '"t1_s":2,'
line unseen 2 contact '"outcome":"unavailable","cause":"ineligible"'
play seen --set rounds.eligible=idle --set rounds.selection.at_least=3
line seen 0 down '"t0_s":5,'
line seen 2 up '"outcome":"delivered"'

# By default a round opens with half of the most that are eligible at once: of two at a time, one.
cat >states.csv <<'END'
0,0,40000,wifi,1,0
1,40000,86400,wifi,1,0
2,0,100,metered,0,0
END
play default --set rounds.eligible="wifi, charging"
# ---- links and speeds that follow the states. All alike: download from .125 to 2.125, computing to 3.125, upload from 3.25 to 7.25. On a
# metered network half the rates and twice the latency.
cat >fleet.csv <<'END'
client,down_bytes_per_s,up_bytes_per_s
0,3612,1806
1,3612,1806
2,3612,1806
END
cat >plain.cfg <<'END'
data = { synthetic = "custom"; users = 3; items = 36; interactions = 36; activity_ceiling = 0.5; };
evaluation = { candidates = "full"; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 50; };
network = { model = "exact"; fleet = "fleet.csv"; latency = "125 ms"; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 1; cohort = 3; };
END
mv plain.cfg s.cfg
alike="$alike --set network.by_state.metered_factor=0.5 --set network.by_state.metered_latency_factor=2"

# column NAME COLUMN VALUE: of the first row of rounds.csv
column() {
    what="$1: $2"
    got=$(awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$1/rounds.csv")
    [ "$got" = "$3" ] || fail "${got:-nothing} instead of $3"
}

# Client 0 loses its Wi-Fi in the middle of the download, client 1 comes to one there, and client 2 loses it exactly when the download ends.
cat >states.csv <<'END'
0,0,1.125,wifi,0,0
0,1.125,100,metered,0,0
1,0,2.25,metered,0,0
1,2.25,100,wifi,0,0
2,0,2.125,wifi,0,0
2,2.125,100,metered,0,0
END
play go_on --set network.by_state.on_change=go_on
line go_on 0 down '"t1_s":3.125,"bytes":7224'
line go_on 0 down '"latency_s":0.125,"capacity_bytes_per_s":[[0,3612],[1.125,1806]]'
line go_on 0 up '"t0_s":4.125,"t1_s":12.375,'
line go_on 1 down '"t1_s":3.25,"bytes":7224'
line go_on 1 down '"latency_s":0.25,'
line go_on 1 up '"t0_s":4.25,"t1_s":8.375,'
line go_on 2 down '"t1_s":2.125,"bytes":7224'
line go_on 2 up '"t0_s":3.125,"t1_s":11.375,'
column go_on metered_down_bytes 7224
column go_on metered_up_bytes 14448

# Connections break by default, and are not opened anew; that of a message that has ended does not matter.
play breaks
line breaks 0 down '"t1_s":1.125,"bytes":3612'
line breaks 0 down '"outcome":"dropped_down","cause":"connection"'
line breaks 1 down '"t1_s":2.25,"bytes":3612'
line breaks 1 down '"outcome":"dropped_down","cause":"connection"'
line breaks 2 up '"t0_s":3.125,"t1_s":11.375,'
column breaks metered_down_bytes 3612
column breaks metered_up_bytes 7224
what="what was not chosen"
# shellcheck disable=SC2086
expect 0 check s.cfg --set availability=states --set availability.file=states.csv
says out "connections break with a change between Wi-Fi and a metered network (network.by_state.on_change, the default)"
says out "devices in use compute at 0.5 of their speed (devices.in_use, the default)"
says out "broken connections are not opened anew (failures.retry.times, the default)"

# Tried again after a second on the link of then: the rest, or all of it.
play resumed --set failures.retry.times=1 --set failures.retry.after="1 s" --set failures.retry.resume=true
grep '"client":0,.*"phase":"down"' resumed/events.ndjson | tail -n 1 | grep -qF '"t0_s":2.125,"t1_s":4.375,"bytes":3612' || fail "the rest of a download"
line resumed 0 up '"t0_s":5.375,"t1_s":13.625,'
play anew --set failures.retry.times=1 --set failures.retry.after="1 s"
grep '"client":0,.*"phase":"down"' anew/events.ndjson | tail -n 1 | grep -qF '"t0_s":2.125,"t1_s":6.375,"bytes":7224' || fail "all of a download"
column anew resent_down_bytes 7224
column anew metered_down_bytes 10836

# A connection that has gone while the client computed is opened anew before the upload, on the link of then: three latencies of .25 s, 206
# bytes at 903 B/s and 66 at 1806 B/s are 1.01467 s.
cat >states.csv <<'END'
0,0,3,wifi,0,0
0,3,100,metered,0,0
1,0,100,wifi,0,0
2,0,100,wifi,0,0
END
tcp='--set network.model=tcp --set network.connection=tcp'
# shellcheck disable=SC2086
play reopened $tcp
grep '"client":0,.*"phase":"setup"' reopened/events.ndjson | tail -n 1 | grep -qF '"t0_s":3.63233665' || fail "start of connecting anew"
line reopened 0 up '"t0_s":4.64700996677741,"t1_s":12.8970099667774,'
column reopened metered_down_bytes 66
column reopened metered_up_bytes 7430
column reopened retries 0
# shellcheck disable=SC2086
play moved $tcp --set network.by_state.on_change=go_on
[ "$(grep -c '"client":0,.*"phase":"setup"' moved/events.ndjson)" -eq 1 ] || fail "a connection that outlasts a change was opened anew"
# shellcheck disable=SC2086
play packets --set network.model=packets --set network.connection=tcp
[ "$(grep -c '"client":0,.*"phase":"setup"' packets/events.ndjson)" -eq 2 ] || fail "not opened anew packet by packet"

# Devices in use compute at half their speed: client 0 is taken up half-way, client 1 laid down after as long, client 2 exactly at the start.
cat >states.csv <<'END'
0,0,2.625,wifi,0,0
0,2.625,100,wifi,0,1
1,0,2.625,wifi,0,1
1,2.625,100,wifi,0,0
2,0,2.125,wifi,0,1
2,2.125,100,wifi,0,0
END
play used --set devices.in_use=0.5
line used 0 compute '"t0_s":2.125,"t1_s":3.625,'
line used 1 compute '"t0_s":2.125,"t1_s":3.375,'
line used 2 compute '"t0_s":2.125,"t1_s":3.125,'
play used-in-vain --set failures.compute=1 --set devices.in_use=0.5
# shellcheck disable=SC2086
expect 0 run s.cfg $alike --out solver --set engine.backend=simgrid --set rounds.eligible=wifi
line solver 0 compute '"t1_s":3.625,'

# Of two participations over a metered link one fits the cap; on Wi-Fi nothing is counted.
cat >states.csv <<'END'
0,0,100,metered,0,0
1,0,100,wifi,0,0
2,0,100,wifi,0,0
END
play capped --set rounds.count=2 --set caps.metered_bytes="20 kB"
[ "$(grep -c '"client":0,.*"round":2' capped/events.ndjson)" -eq 0 ] || fail "a client above its cap of metered bytes was selected"
grep -q '"max_metered_bytes": 14448' capped/summary.json || fail "max_metered_bytes of capped"
grep -q '"clients_held_back": 1' capped/summary.json || fail "clients_held_back of capped"
play fits --set rounds.count=2 --set caps.metered_bytes="28896 B"
[ "$(grep -c '"client":0,.*"round":2' fits/events.ndjson)" -eq 3 ] || fail "a client was held back that fits its cap"

# Bad input.
printf '0,0,9,wifi,0,0\n0,5,7,metered,0,0\n' >wrong.csv
expect 2 run s.cfg --set availability=states --set availability.file=wrong.csv
error 'fedrecsim: wrong.csv:2: client 0 has a state from 5 s on, when that of line 1 has not ended'
expect 2 run s.cfg --set availability=states --set rounds.eligible="wifi, plugged in"
error 'fedrecsim: --set rounds.eligible=wifi, plugged in: rounds.eligible: "plugged in" is no state of a device; allowed: "any", or some of wifi, charging, idle separated by commas'
expect 2 run s.cfg --set availability=markov --set rounds.eligible=wifi
error 'fedrecsim: --set rounds.eligible=wifi: rounds.eligible: has no effect here, because devices have no states; allowed: with availability.model = "states"'
expect 2 run s.cfg --set caps.metered_bytes="1 MB"
error 'fedrecsim: --set caps.metered_bytes=1 MB: caps.metered_bytes: has no effect here, because no link is metered; allowed: with availability.model = "states"'
states='--set availability=states --set availability.file=states.csv'
# shellcheck disable=SC2086
expect 2 run s.cfg $states --set caps.metered_bytes="1 MB" --set rounds.selection.sees_availability=false
error 'fedrecsim: --set caps.metered_bytes=1 MB: caps.metered_bytes: a server that does not see which links are metered cannot keep it; allowed: unlimited, or rounds.selection.sees_availability = true'
# shellcheck disable=SC2086
expect 2 run s.cfg $states --set network.by_state.wifi=wlan
# shellcheck disable=SC2016
error 'fedrecsim: --set network.by_state.wifi=wlan: network.by_state.wifi: there is no preset "wlan"; allowed: those of `fedrecsim list network`, or ""'
# shellcheck disable=SC2086
expect 2 run s.cfg $states --set network.by_state.wifi=mixed-mobile
error 'fedrecsim: --set network.by_state.wifi=mixed-mobile: network.by_state.wifi: "mixed-mobile" is a mixture of classes, and one link is wanted; allowed: a preset of one'
# shellcheck disable=SC2086
expect 2 run s.cfg $states --set network.model=tcp --set network.connection=kept
error 'fedrecsim: --set network.connection=kept: network.connection: "kept" is not possible where connections break when a device changes its link; allowed: tls | tcp, or network.by_state.on_change = "go_on"'
# shellcheck disable=SC2086
expect 2 run s.cfg $states --set engine.backend=simgrid
error 'fedrecsim: --set availability=states: availability.model: "states" of devices change their links, which is not possible under SimGrid'\''s own solver; allowed: with a rounds.eligible that asks for wifi, or with engine.backend = auto | actors | calendar and network.model = exact | tcp | packets'
# shellcheck disable=SC2086
expect 2 emulate s.cfg $states --set network.model=tcp
error 'fedrecsim: --set availability=states: availability.model: "states" of devices cannot be emulated; allowed: always | bernoulli | markov | diurnal | trace'

# What check foretells counts eligible clients, and says so; the default waits for half of the most of them.
cat >day.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
availability = { model = "states"; };
rounds = { cohort = 50; count = 5; eligible = "wifi, charging, idle"; };
END
expect 0 check day.cfg
says out "when 48 clients are eligible, of 50 wanted: below the cohort, half of the 96 that are eligible at once in an average day (the default of rounds.selection.at_least)"
says out "eligible in a day"
says out "rates and latencies are the same on Wi-Fi and elsewhere (network.by_state, the default)"
expect 0 run day.cfg --out day --quiet

[ "$failures" -eq 0 ]
