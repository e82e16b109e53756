#!/bin/sh
# Rounds over the kernel's TCP: the same messages and the same learning as in the simulation, whatever the links; and
# nothing is left of an emulation of which one part is killed. What it takes is printed, and not judged: that depends on
# what else the machine does. Exits with 77 where the rights are lacking.
#   test_emulation.sh BUILD_FOLDER [KILLS]     of random parts at random moments besides, default: 0
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/emulating.sh
. "$tests/sim/run/emulating.sh"

cat >s.cfg <<'CFG'
seed = 3;
data = { synthetic = "custom"; users = 12; items = 300; interactions = 600; };
method = { name = "fedmf"; dim = 16; epochs = 1; };
network = { model = "packets"; downlink = "4 Mbit/s"; uplink = "2 Mbit/s"; latency = "15 ms"; };
devices = { speed = { distribution = "uniform"; low = "5 Mflop/s"; high = "20 Mflop/s"; }; };
rounds = { count = 3; cohort = 4; };
CFG

"$program" emulate s.cfg --out first --limit "60 s" --quiet >out 2>err </dev/null
code=$?
if [ "$code" -eq 2 ] && grep -q "rights of root" err; then
    echo "SKIPPED test_emulation: $(cat err)"
    exit 77
fi

# ---- the same messages, the same learning --------------------------------------------------------------------------

same tls
says tls/manifest.json '"backend": "sockets"'
same tcp --set network.connection=tcp --set network.server_uplink="4 Mbit/s" --set network.server_queue=fair
same kept --set network.connection=kept --set network.server_uplink="4 Mbit/s"
same broken --set network.connection=tcp --set failures.connection_up=0.5 --set failures.retry.times=3 --set failures.retry.after="50 ms" --set failures.compute=0.2 --set failures.detect="50 ms"
same lossy --set network.connection=tcp --set network.packet_loss=0.02

# Who is missing: dynamics, what clients are like, regions that are cut off for the whole of the run, and clients that never come.
same missing --set network.connection=tcp --set availability=bernoulli --set availability.p=0.7 --set availability.dynamics=staircase \
    --set availability.dynamics_period="2 rounds" --set availability.follows=taste --set availability.random_outages="3 regions every 1 h for 1 h" \
    --set failures.absent_share=0.2 --set rounds.selection.sees_availability=false --set rounds.selection.contact_timeout="100 ms" --set rounds.cohort=12
[ "$(column missing delivered | tr '\n' ' ')" != "12 12 12 " ] || fail "no client is missing"

# A client that is away receives the mean of the others and steps, too.
sed -e 's/^method = .*/method = { name = "rfrec"; dim = 4; absent = "receives"; };/' -e 's/^data = {/& feedback = "explicit"; split = "ratio";/' s.cfg >receives.cfg
expect 0 emulate receives.cfg --out receives --limit "60 s" --quiet
expect 0 run receives.cfg --out simulated --quiet --force
what="emulation of method.absent = receives"
[ "$(column receives rmse)" = "$(column simulated rmse)" ] || fail "the quality differs"
steps() { sed -n '/"alone"/,/}/p' "$1/summary.json"; }
[ -n "$(steps receives)" ] || fail "no client steps alone"
[ "$(steps receives)" = "$(steps simulated)" ] || fail "steps alone differ: $(steps receives)"

# A declared workload of the same sizes: the same messages of the same clients.
sed -e '/^data = /d' -e 's/^method = .*/method = { name = "declared"; clients = 12; down = "19200 B"; up = "19200 B"; };/' s.cfg >declared.cfg
expect 0 emulate declared.cfg --out declared --limit "60 s" --quiet
what="emulation of a declared workload"
messages declared >emulated.messages
messages tls >trained.messages
cmp -s emulated.messages trained.messages || fail "messages differ: $(diff emulated.messages trained.messages | sed 4q)"
for name in down_bytes up_bytes delivered; do
    [ "$(column declared "$name")" = "$(column tls "$name")" ] || fail "$name differs"
done

# Rounds open at their times, and when the next period begins where two participations of 40,358 bytes (a message each way, connecting) are what
# fits; closing rules, too. All wait for real.
same paced --set network.connection=tcp --set rounds.every="800 ms" --set rounds.cohort=12 --set caps.bytes="90 kB" --set caps.period="2 s"
what="openings of emulated rounds"
[ "$(column paced start_s | tr '\n' ' ')" = "0 0.8 2 " ] || fail "$(column paced start_s | tr '\n' ' ')"
grep -q '"clients_held_back": 12' paced/summary.json || fail "no client is held back"
same closing --set network.connection=tcp --set rounds.policy=quorum_then_wait --set rounds.policy.uploads=4 --set rounds.policy.then="100 ms" \
    --set rounds.cool_down="100 ms" --set rounds.selection.at_least=12
same deadline --set network.connection=tcp --set rounds.policy=deadline --set rounds.policy.after="100 ms" --set rounds.policy.min_uploads=4

# Uploads of 19 kB over 10 kB/s are cut after a second, with most of a window of 14 kB still before the link, 0.8 s or more of it.
# Whoever has that line next connects over a link of its own: five latencies and 932 bytes, 0.2 s.
expect 0 emulate s.cfg --out cut --limit "60 s" --quiet --set network.uplink="80 kbit/s" --set rounds.policy.name=deadline --set rounds.policy.after="1 s"
what="a line that another client had"
[ "$(grep -c '"outcome":"cut"' cut/events.ndjson)" -ge 8 ] || fail "uploads were not cut"
sed -n 's/.*"phase":"setup","t0_s":\([^,]*\),"t1_s":\([^,]*\),.*/\1 \2/p' cut/events.ndjson >setups
awk '$2 - $1 > 0.6 { exit 1 }' setups || fail "is not free: $(tr '\n' ';' <setups)"

# ---- what is refused ---------------------------------------------------------------------------------------------------

expect 2 emulate s.cfg --out x --set network.model=exact
says err '"exact" knows no connections'
expect 2 emulate s.cfg --out x --set network.downlink="1 Gbit/s"
says err "may carry 4000 Mbit/s together"
expect 2 emulate s.cfg --out x --limit 0
expect 2 emulate s.cfg --out x --speed-up 0
expect 1 emulate s.cfg --out x --limit "10 ms" --quiet
error "fedrecsim: emulation failed: its time is over (--limit); nothing was written"
[ ! -e x ] || fail "something was written"

# ---- nothing is left -----------------------------------------------------------------------------------------------------

kill_one fedrecsim-dev 0.1 1
says err "fedrecsim: emulation failed: the process of line 1 was killed by signal 9; nothing was written"
kill_one fedrecsim-net 0.2 1
says err "the router was killed by signal 9"
kill_one fedrecsim-keep 0.1 1
kill_one fedrecsim-wait 0.3 1
kill_one "" 0.2 137 2>/dev/null
kills=0
while [ "$kills" -lt "${2:-0}" ]; do
    kills=$((kills + 1))
    moment=$(awk -v n="$kills" 'BEGIN { srand(n); rand(); printf "%.3f", 2 * rand() }')
    case $((kills % 4)) in
    0) kill_one fedrecsim-net "$moment" 1 ;;
    1) kill_one fedrecsim-dev "$moment" 1 ;;
    2) kill_one fedrecsim-keep "$moment" 1 ;;
    *) kill_one "" "$moment" 137 2>/dev/null ;;
    esac
done
[ "$kills" -eq 0 ] || echo "$kills emulations were killed"
expect 0 emulate s.cfg --out killed --quiet --set rounds.count=1
what="what a killed run leaves"
[ "$(echo killed*)" = killed ] || fail "left beside it: $(echo killed*)"

[ "$failures" -eq 0 ]
