#!/bin/sh
# Checkpoints: runs killed at random moments and resumed end in the same files, to the last byte.
#   test_resume.sh BUILD_FOLDER [KILLS]     default: 10 kills, one of each scenario
set -eu

program=$1/fedrecsim
kills=$(((${2:-10} + 9) / 10)) # of each scenario
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Sessions that end in mid-phase, an outage, failures in every phase, connections opened anew and a restart of the server; clients
# whose windows are kept, so that whether a message begins in slow start depends on what crossed in earlier rounds.
cat >"$scratch/churn.cfg" <<'END'
seed = 7;
data = { synthetic = "small"; };
method = { name = "colr"; dim = 32; rank = 4; learning_rate = 1.0; colr = { catchup = "cheapest"; }; };
codec = { uplink = { name = "touched_rows"; }; };
network = {
    preset = "4g"; server_uplink = "3 Mbit/s";
    model = "tcp"; connection = "kept"; idle_windows = "kept";
};
devices = { preset = "phones"; };
availability = {
    model = "markov"; on = "40 s"; off = "20 s";
    outages = "50 % from 20 s to 26 s";
};
failures = { down = 0.05; compute = 0.05; up = 0.05; connection_down = 0.2; connection_up = 0.2; server_restarts = "15 s, 30 s"; restart = "5 s"; retry = { times = 4; }; };
rounds = { count = 100; cohort = "30 %"; };
evaluation = { every = 3; structure = true; non_federated = ["popularity", "centralised_mf"]; };
output = { checkpoint_rounds = 4; checkpoint_interval = "50 ms"; };
END
cat >"$scratch/state.cfg" <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; server = "adam"; };
network = { preset = "mixed-mobile"; };
rounds = { count = 60; cohort = "30 %"; };
evaluation = { every = 1; view = "device"; };
output = { checkpoint_rounds = 1; what_if = "none"; };
END
# Rounds that overlap: uploads of several versions in one aggregation, participations under way at any checkpoint.
cat >"$scratch/async.cfg" <<'END'
seed = 3;
data = { synthetic = "small"; };
method = { name = "colr"; dim = 32; rank = 4; learning_rate = 1.0; colr = { catchup = "replay"; }; };
network = { preset = "mixed-mobile"; };
devices = { preset = "phones"; };
failures = {
    up = 0.1; device_mtbf = "40 s"; connection_mtbf = "3 s"; server_restarts = "2 s, 5 s"; restart = "1 s";
    retry = { times = 2; after = "500 ms"; resume = true; };
};
rounds = { count = 125; cohort = 40; policy = { name = "buffered_async"; arrivals = 8; }; };
evaluation = { every = 3; view = "device"; };
output = { checkpoint_rounds = 4; what_if = "none"; };
END
# Packets that are lost at random and in queues.
cat >"$scratch/packets.cfg" <<'END'
seed = 4;
data = { synthetic = "small"; };
method = { name = "fedmf"; };
network = { preset = "4g"; model = "packets"; packet_loss = 0.02; server_uplink = "10 Mbit/s"; };
devices = { preset = "phones"; };
failures = { up = 0.1; device_mtbf = "40 s"; };
rounds = { count = 40; cohort = "30 %"; policy = { name = "deadline"; after = "20 s"; }; };
evaluation = { every = 3; };
output = { checkpoint_rounds = 1; what_if = "none"; };
END
# Clients that train fewer epochs than they should, and go on after their rounds.
cat >"$scratch/partial.cfg" <<'END'
seed = 5;
data = { synthetic = "small"; };
method = { name = "fedmf"; epochs = 6; };
network = { preset = "mixed-mobile"; };
devices = { compute = "flops"; speed = { distribution = "lognormal"; median = "20 Mflop/s"; }; };
rounds = {
    count = 50; cohort = "30 %"; stragglers = "run_on";
    policy = { name = "partial_work"; after = "1.2 s"; grace = "0.5 s"; };
};
evaluation = { every = 1; view = "device"; };
output = { checkpoint_rounds = 1; what_if = "none"; };
END
# Clients that work on after their uploads, over the ends of rounds, and are selected again meanwhile.
cat >"$scratch/post.cfg" <<'END'
seed = 6;
data = { synthetic = "small"; };
method = { name = "pfedclr"; epochs = 4; };
network = { preset = "mixed-mobile"; };
devices = { compute = "flops"; speed = { distribution = "lognormal"; median = "200 kflop/s"; }; };
failures = { up = 0.05; device_mtbf = "60 s"; server_restarts = "50 s"; };
rounds = {
    count = 60; cohort = "40 %"; stragglers = "run_on";
    policy = { name = "partial_work"; after = "3 s"; grace = "1 s"; };
};
evaluation = { every = 1; view = "device"; };
output = { checkpoint_rounds = 1; what_if = "none"; };
END
# What clients and server keep beside their tables: residuals, a table of the server's own, a threshold.
cat >"$scratch/lossy.cfg" <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf_update"; catchup = "ideal"; };
codec = {
    uplink = { name = "groups"; groups = 20; error_feedback = true; };
    downlink = { name = "adaptive_groups"; groups = 20; error_feedback = true; server_table = "exact"; };
};
network = { preset = "mixed-mobile"; };
failures = { up = 0.05; };
server = { speed = "2 Mflop/s"; };
rounds = { count = 60; cohort = "30 %"; };
evaluation = { every = 5; };
output = { checkpoint_rounds = 2; what_if = "none"; };
END

# Masks that are agreed on, taken away, and in void rounds neither; cohorts whose size is left to chance.
cat >"$scratch/masks.cfg" <<'END'
seed = 8;
data = { synthetic = "small"; };
method = { name = "fedmf_update"; dim = 8; aggregation = "uniform"; };
network = { preset = "mixed-mobile"; };
devices = { preset = "phones"; };
failures = { up = 0.04; down = 0.02; detect = "5 s"; server_restarts = "60 s"; };
rounds = { count = 20; cohort = 12; selection = "bernoulli"; };
evaluation = { every = 3; };
output = { checkpoint_rounds = 1; what_if = "none"; };
privacy = ( { name = "pairwise_masks"; neighbours = "count"; count = 6; threshold = 0.6; max_attempts = 50; } );
END

# What the server has observed of clients that were cut off, lost or late, and goes by when it selects and grants.
cat >"$scratch/observed.cfg" <<'END'
seed = 9;
data = { synthetic = "small"; };
method = { name = "scolr"; rank = 8; dim = 16; };
network = { preset = "mixed-mobile"; };
devices = { preset = "phones"; };
failures = { up = 0.1; compute = 0.1; detect = "300 ms"; server_restarts = "10 s"; };
observations = { unmeasured = "mean"; };
adaptation = { name = "deadline"; target = "300 ms"; };
rounds = { count = 60; cohort = 20; selection = "utility"; policy = { name = "deadline"; after = "400 ms"; }; };
evaluation = { every = 5; };
output = { checkpoint_rounds = 1; what_if = "none"; };
END

# Tables of every client's own, some of which are under way when the server makes new ones.
cat >"$scratch/personal.cfg" <<'END'
data = { synthetic = "small"; };
method = { name = "gpfedrec"; dim = 8; layers = "8"; epochs = 2; };
network = { preset = "mixed-mobile"; };
devices = { compute = "flops"; speed = { distribution = "lognormal"; median = "20 Mflop/s"; }; };
server = { speed = "10 Gflop/s"; };
failures = { up = 0.05; };
rounds = {
    count = 40; cohort = "30 %"; stragglers = "run_on";
    policy = { name = "quantile"; share = 0.7; };
};
evaluation = { every = 3; };
output = { checkpoint_rounds = 2; what_if = "none"; };
END

without_machine() {
    sed '/^  "machine": {/,/^  }/d' "$1"
}

same() {
    for file in manifest.json rounds.csv clients.csv events.ndjson report.html; do
        cmp "$1/$file" "$2/$file" || return 1
    done
    without_machine "$1/summary.json" >"$scratch/a"
    without_machine "$2/summary.json" >"$scratch/b"
    cmp "$scratch/a" "$scratch/b"
}

# The current of a row of random moments, in seconds, up to the length of an undisturbed run; that grows with the kills of a run, for
# one that is resumed plays all of its simulated time again, and the machine may have had less to do before.
moment() {
    awk -v n="$moments" -v longest="$length" -v kills="$killed_here" 'BEGIN { srand(n); rand(); printf "%.3f", rand() * longest * (1 + kills / 10) }'
}

now() {
    date +%s.%N
}

# Kills a run again and again until it gets to its end by itself; counts into $killed and $resumed.
kill_and_resume() {
    killed_here=0
    while :; do
        is_fresh=yes
        [ ! -e "$2.checkpoint" ] || { is_fresh=no && resumed=$((resumed + 1)); }
        [ ! -e "$2" ] || is_fresh=no # killed between its results and its end: there is nothing left to do
        "$program" run "$1" --out "$2" --threads 1 --quiet --resume 2>"$scratch/log" &
        pid=$!
        moments=$((moments + 1))
        moment=$(moment)
        sleep "$moment"
        kill -9 "$pid" 2>/dev/null || true
        status=0
        wait "$pid" 2>/dev/null || status=$?
        if [ "$status" -eq 0 ]; then
            # The machine may have had more to do when the undisturbed run was timed.
            [ "$is_fresh" = no ] || length=$moment
            return 0
        fi
        [ "$status" -eq 137 ] || fail "exit $status: $(cat "$scratch/log")"
        killed=$((killed + 1))
        killed_here=$((killed_here + 1))
        [ "$killed_here" -lt 200 ] || fail "$1 does not get to its end"
    done
}

moments=0
for scenario in churn state async partial post lossy personal masks packets observed; do
    began=$(now)
    "$program" run "$scratch/$scenario.cfg" --out "$scratch/undisturbed" --threads 1 --quiet
    length=$(awk -v a="$began" -v b="$(now)" 'BEGIN { print b - a }')
    [ ! -e "$scratch/undisturbed.checkpoint" ] || fail "a finished run leaves its checkpoint"
    killed=0 resumed=0 runs=0
    while [ "$killed" -lt "$kills" ]; do
        kill_and_resume "$scratch/$scenario.cfg" "$scratch/killed"
        same "$scratch/undisturbed" "$scratch/killed" || fail "$scenario: resumed after $killed kills, it differs"
        runs=$((runs + 1))
        rm -rf "$scratch/killed"
        [ "$runs" -lt 400 ] || fail "$scenario: $runs runs, and only $killed kills hit them"
    done
    rm -f "$scratch/a" "$scratch/b" "$scratch/log"
    left=$(find "$scratch" -maxdepth 1 -name 'killed*')
    [ -z "$left" ] || fail "left behind: $left"
    echo "$scenario: $killed kills, $resumed resumptions from a checkpoint, $runs runs, all identical"
    rm -rf "$scratch/undisturbed"
done
