#!/bin/sh
# What nobody said and yet decides the times is told, by check and by run: links, devices, and when a lost client is
# noticed. And a round on average is the run over its rounds. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../../.." && pwd)}/tests/expect.sh"

printf '%s\n' 'data = { synthetic = "small"; };' 'rounds = { count = 2; cohort = 5; };' 'output = { events = false; };' >s.cfg
fieldguide='of fieldguide, the default (network.preset): 0.75 MiB/s down and 0.25 MiB/s up for every client, no latency'
plain='speed of plain, the default (devices.preset): 2 Gflop/s for every client, no overhead'
said="--set network.preset=4g --set devices.preset=phones"

# told NAME TEXT [ARGUMENT...]: both commands have this row.
told() {
    name=$1 text=$2
    shift 2
    expect 0 check s.cfg "$@"
    says out "$(printf '  %-12s %s' "$name" "$text")"
    expect 0 run s.cfg --force --out told "$@"
    says out "$(printf '  %-22s %s' "$name" "$text")"
}
# untold NAME [ARGUMENT...]: neither has.
untold() {
    name=$1
    shift
    for command in check 'run --force --out told'; do
        # shellcheck disable=SC2086 # a command with its options
        expect 0 $command s.cfg "$@"
        ! grep -q "^  $name  " out || fail "says $(grep "^  $name  " out)"
    done
}

# --- links and devices that nobody chose ---
told links "downlink, uplink, latency $fieldguide"
told devices "$plain"
told links "uplink $fieldguide" --set network.downlink='10 Mbit/s' --set network.latency='20 ms'
told devices "$plain" --set network.preset=4g --set devices.power_radio='1 W'
# shellcheck disable=SC2086 # several words
untold links $said
# shellcheck disable=SC2086
untold devices $said
untold links --set network.preset=fieldguide
untold links --set network.classes='4g 50 %, wifi 50 %'
untold links --set network.downlink='10 Mbit/s' --set network.uplink='5 Mbit/s' --set network.latency='20 ms'
for setting in preset=plain 'speed=1 Gflop/s' 'overhead=2 s' compute=none 'classes=pc 50 %, tablet 50 %'; do
    untold devices --set "devices.$setting"
done

# --- when a client that is lost is noticed ---
lost='noticed after 30.00 s (failures.detect, the default)'
expect 0 check s.cfg --set failures.up=0.5
says out "  lost clients $lost"
expect 0 check s.cfg --set failures.connection_up=0.5 --set failures.detect='20 s'
says out "  lost clients noticed after 20.00 s (failures.detect); broken connections are not opened anew (failures.retry.times, the default)"
expect 0 check s.cfg --set availability.model=markov
says out "  lost clients $lost"
expect 0 check s.cfg --set availability.model=bernoulli
! grep -q 'lost clients' out || fail "says what nobody can meet: $(grep 'lost clients' out)"

# --- what uploads of several versions count: by the method's own rule, under every policy ---
root='count by 1/√(1+s) beside their weight, s versions of the tables after their download (rounds.policy.staleness);'
full='count in full, however many versions of the tables after their download (rounds.policy.staleness);'
set -- --set rounds.policy.name=deadline --set rounds.policy.after='1 min' --set rounds.stragglers=run_on --set rounds.policy.late=accept
told 'old uploads' "$root per_item" --set rounds.policy=buffered_async
told 'old uploads' "$root uniform" --set rounds.policy=buffered_async --set method.aggregation=uniform
told 'old uploads' "$root data_size" --set rounds.policy=buffered_async --set method.name=colr --set method.variant=paper
told 'old uploads' "$root as the method weighs them" --set rounds.policy=buffered_async --set method.name=fedrap
told 'old uploads' "$full per_item" "$@" --set rounds.policy.staleness=none
untold 'old uploads' "$@" --set rounds.policy.late=reject

# --- who is missing ---
expect 0 check s.cfg --set availability=bernoulli --set availability.follows=activity
says out '  who is online clients with few interactions are online least, with correlation 1 and concentration 2, the defaults (availability.correlation, '
expect 0 check s.cfg --set failures.up=0.1 --set failures.follows=activity --set failures.correlation=0.5
says out '  who is lost  clients with few interactions are lost most, with concentration 2, the default (failures.concentration)'
expect 0 check s.cfg --json --set availability=bernoulli --set availability.follows=activity
says out '"clients with few interactions are online least'
untold 'who is lost' --set failures.up=0.1 --set failures.follows=activity --set failures.correlation=0.5 --set failures.concentration=2

# --- what another seed draws otherwise, beside the range of this one ---
drawn() { # WHAT ARGUMENT...; WHAT "": nothing is said
    what_is_drawn=$1
    shift
    expect 0 check s.cfg --patience 10ms "$@"
    if [ -n "$what_is_drawn" ]; then
        says out "  drawn        $what_is_drawn: the range is of this draw alone, and other seeds draw others (fedrecsim sweep --replicates)"
    else
        ! grep '^  drawn  ' out || fail "says that something is drawn"
    fi
}
drawn ''
drawn 'links and cohorts are those of seed 7' --set seed=7 --set network.preset=4g
# Dealt to other clients, of which all take part.
drawn 'links are those of seed 1' --set network.classes='fibre 50 %, 3g 50 %' --set network.class_shares=dealt --set rounds.cohort=200
{ echo client,speed_Gflop_s && awk 'BEGIN { for (i = 0; i < 200; i++) print i "," 1 + i % 3 }'; } >speeds.csv
drawn 'cohorts are those of seed 1' --set devices.fleet=speeds.csv
drawn '' --set devices.fleet=speeds.csv --set rounds.cohort=200
drawn 'devices are those of seed 1' --set devices.fleet=speeds.csv --set devices.fleet_assignment=sample --set rounds.cohort=200
drawn 'links, devices and cohorts are those of seed 1' --set devices.fleet=speeds.csv --set devices.fleet_assignment=sample --set network.preset=4g
expect 0 check s.cfg --json --patience 10ms --set network.preset=4g
says out '"topic": "drawn"'

# --- which engine backend simulates, and why; the manifest names the same ---
plays() { # BACKEND TEXT [ARGUMENT...]
    backend=$1 text=$2
    shift 2
    expect 0 check s.cfg --patience 10ms "$@"
    says out "  backend      $backend, $text"
    expect 0 run s.cfg --quiet --force --out played --set rounds.count=1 "$@"
    says played/manifest.json "\"backend\": \"$backend\""
}
plays actors 'one of SimGrid'"'"'s for each of 120 clients a round (up to engine.actors_limit, 10000)' --set rounds.cohort=120
plays calendar 'one for all of 120 clients a round (more than engine.actors_limit, 119)' --set rounds.cohort=120 --set engine.actors_limit=119
set -- --set training.enabled=false --set devices.compute=fixed
plays actors 'one of SimGrid'"'"'s for each of 100 clients a round (up to engine.actors_limit_messages, 100)' "$@" --set rounds.cohort=100
plays calendar 'one for all of 101 clients a round (more than engine.actors_limit_messages, 100)' "$@" --set rounds.cohort=101
plays calendar 'one for all of 5 clients a round (engine.backend)' --set engine.backend=calendar

# --- a round on average: a client uploads 300 * 16 * 4 bytes and a header of 24, 19224 bytes, at 19224 bytes/s, in 1 s.
# From 2.5 s on it has a tenth of that: the third round has sent half by then, and takes 0.5 + 5 s. (1 + 1 + 5.5)/3 = 2.5 s,
# and half of the rounds take up to 1 s. ---
printf '%s\n' t_s,factor 0,1 2.5,0.1 1000,1 >later.csv
cat >three.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
network = { model = "exact"; downlink = "1 TB/s"; uplink = "19224 B/s"; latency = "0 s"; trace = "later.csv"; };
devices = { compute = "none"; };
rounds = { count = 3; cohort = 1; };
END
expect 0 check three.cfg
says out "  a round      1 client, 2.50 s simulated on average (10 % of rounds: up to 1.00 s, half: up to 1.00 s, 90 %: up to 5.50 s)"
# Rounds of 1 s, one every 20 s, without the trace: they end after 1, 21 and 41 s, which is 41/3 s a round.
expect 0 check three.cfg --set rounds.every='20 s' --set network.trace=''
says out "  a round      1 client, 1.00 s from its opening to its end, and one begins every 20.00 s: with the time between them, 13.67 s simulated on average (10"

[ "$failures" -eq 0 ]
