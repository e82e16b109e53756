#!/bin/sh
# Three clients whose devices change their states during a message, while they compute, and exactly when something ends, worked out by hand;
# both players give the same. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/sim/run/three_clients.sh"

# Messages of 7224 bytes. Client 0 (8000 B/s down, 4000 up): download from .1 to 1.003, computing to 2.003, upload from 2.103 to 3.909.
# Client 1 (4000, 2000): 1.906, 2.906, from 3.006 to 6.618. Client 2 as client 1.
alike='--quiet --set rounds.count=1 --set output.what_if=none --set output.report=false --set availability=states --set availability.file=states.csv'

# play NAME SETTINGS...: under both players, whose files are the same
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
# Bad input.
printf '0,0,9,wifi,0,0\n0,5,7,metered,0,0\n' >wrong.csv
expect 2 run s.cfg --set availability=states --set availability.file=wrong.csv
error 'fedrecsim: wrong.csv:2: client 0 has a state from 5 s on, when that of line 1 has not ended'
expect 2 run s.cfg --set availability=states --set rounds.eligible="wifi, plugged in"
error 'fedrecsim: --set rounds.eligible=wifi, plugged in: rounds.eligible: "plugged in" is no state of a device; allowed: "any", or some of wifi, charging, idle separated by commas'
expect 2 run s.cfg --set availability=markov --set rounds.eligible=wifi
error 'fedrecsim: --set rounds.eligible=wifi: rounds.eligible: has no effect here, because devices have no states; allowed: with availability.model = "states"'

[ "$failures" -eq 0 ]
