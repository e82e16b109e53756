#!/bin/sh
# A process of an emulation that stands still: whichever it is, the run says that its times cannot be trusted, which process
# it was and for how long. Exits with 77 where the rights are lacking.
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/emulating.sh
. "$tests/sim/run/emulating.sh"

# One message down takes about two seconds, and another up.
cat >s.cfg <<'CFG'
seed = 3;
data = { synthetic = "custom"; users = 12; items = 300; interactions = 600; };
method = { name = "fedmf"; dim = 16; epochs = 1; };
network = { model = "packets"; connection = "tcp"; downlink = "80 kbit/s"; uplink = "80 kbit/s"; latency = "15 ms"; };
rounds = { count = 1; cohort = 2; };
CFG

"$program" emulate s.cfg --out first --limit "60 s" >out 2>err </dev/null
code=$?
if [ "$code" -eq 2 ] && grep -q "rights of root" err; then
    echo "SKIPPED test_emulation_pauses: $(cat err)"
    exit 77
fi
what="an emulation that nothing stops"
[ "$code" -eq 0 ] || fail "exit code $code"
grep "its timing" out
# A machine that does much else may be late by less than a second.
awk '/"paused_s"/ && $2 + 0 >= 1 { exit 1 }' first/manifest.json || fail "a process paused for a second"

# Stops one process of that name ("": the server) for 1.5 s in the middle of a message, which what is told has to name.
stop_one() {
    name=$1 told=$2
    shift 2
    rm -rf stopped
    "$program" emulate s.cfg --out stopped --limit "60 s" "$@" >out 2>err </dev/null &
    run=$!
    what="a pause of $told"
    for _ in $(seq 100); do
        [ -z "$(named $run fedrecsim-net)" ] || break
        sleep 0.05
    done
    sleep 1
    victim=${name:+$(named $run "$name" | head -n 1)}
    kill -STOP "${victim:-$run}" || fail "there is no process to stop"
    sleep 1.5
    kill -CONT "${victim:-$run}"
    wait $run || fail "exit code $?"
    grep -qE "its timing +CANNOT BE TRUSTED: .*$told paused for 1\.[3-9][0-9]* s" out || fail "the terminal does not say so"
    grep -qE "\"reason\": \".*$told paused for 1\.[3-9][0-9]* s" stopped/summary.json || fail "the summary does not say so"
    says stopped/summary.json '"timing_trusted": false'
    says stopped/manifest.json '"timing_trusted": false'
    awk -v process="\"process\": \"$told\"," '
        index($0, process) { found = 1 }
        found && /"paused_s"/ { exit !($2 + 0 > 1.3 && $2 + 0 < 3) }
        END { if (!found) exit 1 }' stopped/manifest.json || fail "the manifest does not say how long"
}
stop_one "" "the server"
stop_one fedrecsim-dev "the client on line 1"
stop_one fedrecsim-net "the network"
stop_one fedrecsim-keep "the supervisor"
stop_one fedrecsim-edge "edge 0" --set network.model=tcp --set network.edges.count=1 --set network.edges.uplink="1 Mbit/s" --set network.edges.downlink="1 Mbit/s"

[ "$failures" -eq 0 ]
