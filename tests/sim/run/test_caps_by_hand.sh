#!/bin/sh
# Caps of whole runs, worked out by hand: when rounds wait for the next period, what is told of it, what is refused, and an
# adaptation that keeps within a cap. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# A message has 300 * 16 * 4 + 24 bytes, a participation 38,448; a round of all takes 60.58448 s.
cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
training = { enabled = false; };
network = { model = "exact"; preset = "none"; downlink = "100 kB/s"; uplink = "100 kB/s"; latency = "100 ms"; };
devices = { compute = "fixed"; overhead = "60 s"; };
rounds = { count = 5; cohort = 200; };
caps = { period = "1 h"; bytes = "100 kB"; };
output = { report = false; what_if = "none"; };
END

# told RUN KEY: of summary.json, the first of that name behind "caps"
told() {
    sed -n "/\"$2\": {/,/}/s/.*\"$3\": \\([^,]*\\),*\$/\\1/p" "$1/summary.json" | head -n 1
}

# is RUN OBJECT KEY VALUE
is() {
    what="$2.$3 of $1"
    got=$(told "$1" "$2" "$3")
    awk "BEGIN { exit !((${got:-1e99} - ($4)) ^ 2 < 1e-6) }" || fail "${got:-nothing} instead of $4"
}

# starts RUN ROW: when a row of rounds.csv begins
starts() {
    what="start of row $2 of $1"
    got=$(awk -F, -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "start_s") at = i } NR == row + 1 { print $at }' "$1/rounds.csv")
    awk "BEGIN { exit !((${got:-1e99} - ($3)) ^ 2 < 1e-6) }" || fail "${got:-nothing} instead of $3"
}

# Two of 38,448 bytes fit into an hour, the third does not: rounds 3 and 5 wait for the next hour.
expect 0 run s.cfg --quiet --out two
starts two 2 60.58448
starts two 3 3600
starts two 4 3660.58448
starts two 5 7200
is two per_client max_bytes 76896
is two caps clients_held_back 200
is two caps clients_above 0
is two caps most_excess_bytes 0
is two caps most_error_bytes 0

# A period longer than the 30 days after which a round that does not open ends a run: it is waited for all the same.
expect 0 run s.cfg --quiet --out long --set caps.period="60 d"
starts long 3 5184000
starts long 5 10368000
# So are rests; and rounds that clients do not come to after a period has ended are not.
expect 0 run s.cfg --quiet --out rests --set caps.bytes=unlimited --set rounds.cool_down="40 d" --set rounds.count=2
starts rests 2 3456060.58448
printf 'client,start_s,end_s\n0,0,200\n1,0,200\n0,9000000,9999999\n' >early.csv
expect 1 run s.cfg --quiet --out early --set caps.period="60 d" --set availability=trace --set availability.file=early.csv --set rounds.cohort=2
error 'fedrecsim: round 3: no client was eligible within 30 days after caps and rests, at 5184000 s; the rounds closed so far were kept'

# A third one would be 115,344 bytes: it fits a cap of exactly that, and none a byte smaller.
expect 0 run s.cfg --quiet --out three --set caps.bytes="115344 B"
starts three 3 121.16896
starts three 4 3600
expect 0 run s.cfg --quiet --out fewer --set caps.bytes="115343 B"
starts fewer 3 3600

# Of 150 wanted 150 take part in rounds 1 and 2; 100 of them have had two then, or as many of 300 participations as there are, and rounds of
# who is left follow until the hour is over: what the five rounds have less than 750 is told.
expect 0 run s.cfg --quiet --out missing --set rounds.cohort=150 --set rounds.count=5
missing=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "selected") at = i } NR > 1 { sum += 150 - $at } END { print sum }' missing/rounds.csv)
is missing caps missing_participations "$missing"
[ "$missing" -gt 0 ] || fail "no round has fewer clients"
expect 0 run s.cfg --out missing --force --set rounds.cohort=150 --set rounds.count=5
grep -q "caps .*rounds had fewer clients than wanted, $missing participations in all" out || fail "$(cat out)"

# Half of the clients a round: the cap leaves out who has had its two, so that rounds come to be smaller, and wait.
expect 0 run s.cfg --quiet --out half --set rounds.cohort=100 --set rounds.count=6
is half per_client max_bytes 76896
what="rounds of half of the clients"
[ "$(told half caps short_rounds)" -ge 1 ] || fail "no round had fewer clients"
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "idle_s") at = i } NR > 1 { sum += $at } END { print (sum > 3000) }' half/rounds.csv)" = 1 ] ||
    fail "no round waited"

# Uploads that break off half-way are smaller than expected and count as what they were; energy in the same way.
expect 0 run s.cfg --quiet --out broken --set failures.connection_up=0.5 --set rounds.count=8
is broken caps most_error_bytes 0
# What was sent again counts, too: most of all is above what was expected where the most broke off.
expect 0 run s.cfg --quiet --out retried --set failures.connection_up=0.5 --set failures.retry.times=3 --set rounds.count=1
most=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { all = $at["down_bytes"] + $at["up_bytes"]; if (all > most) most = all } END { print most }' retried/clients.csv)
is retried caps most_error_bytes "$most - 38448"
[ "$most" -gt 57672 ] || fail "no client sent more than twice"
# So do connections over TLS, 3,966 bytes down and 932 up: three participations of 43,346 bytes fit into no byte less.
expect 0 run s.cfg --quiet --out connections --set network.model=tcp --set rounds.count=3 --set caps.bytes="130038 B"
starts connections 3 122.60356
expect 0 run s.cfg --quiet --out connecting --set network.model=tcp --set rounds.count=3 --set caps.bytes="130037 B"
starts connecting 3 3600
expect 0 run s.cfg --quiet --out joules --set caps.bytes=unlimited --set caps.energy="500 J" --set rounds.count=8
energy=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy_j") at = i } NR == 2 { print $at / 200 }' joules/rounds.csv)
starts joules 2 60.58448
is joules per_client max_energy_j "int(500 / $energy) * $energy"
is joules caps most_error_j "$energy"

# Under an asynchronous server, and where the server does not see who is online; both players give the same.
async='--set rounds.policy=buffered_async --set rounds.policy.arrivals=50 --set rounds.cohort=60 --set rounds.count=12'
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out async $async --set engine.backend=calendar
is async per_client max_bytes 76896
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out actors $async --set engine.backend=actors
cmp -s async/rounds.csv actors/rounds.csv || fail "actors and calendar differ"
expect 0 run s.cfg --quiet --out unseen --set availability=markov --set availability.on="1 h" --set availability.off="1 h" --set rounds.selection.sees_availability=false --set rounds.cohort=100
[ "$(told unseen per_client max_bytes | cut -d. -f1)" -le 76896 ] || fail "above the cap"

# A server that restarts ends the first attempt of two of four clients, who have spent 80.8 J of 200 J each; the two of the second attempt
# spend 180.3 J. Now as much is expected of the other two, so that the first, if they were not in both, cannot take part again in this hour.
# They were online before that was known. Only one client is left, and a round of two waits for the next hour.
printf 'client,start_s,end_s\n0,3,99999\n1,3,99999\n2,3,99999\n3,3,99999\n' >late.csv
cat >late.cfg <<'END'
data = { synthetic = "custom"; users = 4; items = 40; interactions = 44; };
method = { name = "fedmf"; dim = 16; };
training = { enabled = false; };
network = { model = "exact"; preset = "none"; downlink = "100 kB/s"; uplink = "100 kB/s"; latency = "100 ms"; };
devices = { compute = "fixed"; overhead = "60 s"; };
availability = { model = "trace"; file = "late.csv"; };
failures = { server_restarts = "30 s"; restart = "12 s"; };
rounds = { count = 2; cohort = 2; selection = { at_least = 2; }; };
caps = { period = "1 h"; energy = "200 J"; };
output = { report = false; what_if = "none"; };
END
expect 0 run late.cfg --quiet --out late --set seed=1
starts late 1 3
starts late 2 42
starts late 3 3600
what="clients of the round that waits"
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "selected") at = i } NR == 4 { print $at }' late/rounds.csv)" = 2 ] || fail "not two"

# Bad input.
expect 2 run s.cfg --set caps.bytes="38447 B"
error 'fedrecsim: --set caps.bytes=38447 B: caps.bytes: 38.45 kB is less than the 38.45 kB that a client'\''s first participation is expected to take, and none would be selected; allowed: at least 38448 B'
expect 2 run s.cfg --set caps.energy="5 W"
error 'fedrecsim: --set caps.energy=5 W: caps.energy: "5 W" has the wrong unit; allowed: text with a number and a unit (mJ, J, kJ, MJ, Wh) from 0 to 1e+18 J, or "unlimited"'
expect 2 run s.cfg --set caps.byte="5 MB"
expect 2 run s.cfg --set method.name=scolr --set caps.bytes=unlimited --set adaptation=cap
error 'fedrecsim: --set adaptation=cap: adaptation.name: "cap" goes by caps.bytes, which is unlimited; allowed: another adaptation, or a cap of bytes'
expect 2 run s.cfg --set method.name=scolr --set caps.bytes=unlimited --set caps.energy="500 J" --set adaptation=cap
error 'fedrecsim: --set adaptation=cap: adaptation.name: "cap" goes by caps.bytes, which is unlimited; allowed: another adaptation, or a cap of bytes'

# SCoLR, a round of half of the clients every ten minutes: a fixed rank of 16 spends the cap early and leaves rounds short; the adaptation
# grants ranks with which clients last until the end of the period.
month='--set method.name=scolr --set method.dim=16 --set method.rank=16 --set method.catchup=ideal --set devices.overhead=600s --set rounds.count=100
    --set rounds.cohort=100 --set caps.period=10h --set caps.bytes=700kB'
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out fixed $month
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out adapted $month --set adaptation=cap
what="an adaptation to the cap"
short=$(told adapted caps short_rounds)
[ "$(told fixed caps short_rounds)" -gt $((2 * short + 5)) ] || fail "$short short rounds, $(told fixed caps short_rounds) with the largest rank"
[ "$(told adapted caps most_excess_bytes | cut -d. -f1)" -le "$(told adapted caps most_error_bytes | cut -d. -f1)" ] || fail "more excess than error"

# Levels of residual quantisation: fewer clients have spent their cap before the period ends, and those that are selected often get fewer levels.
levels='--set training.enabled=true --set method.name=fedmf_update --set codec.uplink=rvq --set codec.uplink.levels=6 --set codec.uplink.codes=4
    --set method.epochs=1 --set method.catchup=ideal --set devices.overhead=600s --set rounds.count=40 --set rounds.cohort=100 --set caps.period=7h --set caps.bytes=520kB'
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out all_levels $levels
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out levels $levels --set adaptation=cap
what="levels within a cap"
[ "$(told all_levels caps clients_held_back)" -gt "$(told levels caps clients_held_back)" ] || fail "as many clients are held back"
[ "$(told levels caps most_excess_bytes | cut -d. -f1)" -le "$(told levels caps most_error_bytes | cut -d. -f1)" ] || fail "more excess than error"
[ "$(told levels adaptation min) $(told levels adaptation max)" = "1 6" ] || fail "not all levels are granted"

[ "$failures" -eq 0 ]
