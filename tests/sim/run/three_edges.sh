# Runs of three clients behind edges, and of many. To be sourced after tests/expect.sh and three_clients.sh.
# shellcheck shell=sh disable=SC2034 # fail says what

# run OUT OPTION...
run() {
    out=$1
    shift
    expect 0 run s.cfg --quiet --out "$out" --set output.what_if=none --set output.report=false "$@"
}

# edges OUT COUNT OPTION...: backhauls of 7224 bytes/s down, 3612 up, and half a second.
edges() {
    out=$1
    count=$2
    shift 2
    run "$out" --set network.edges.count="$count" --set network.edges.assignment=in_turn --set 'network.edges.downlink=7224 B/s' \
        --set 'network.edges.uplink=3612 B/s' --set 'network.edges.latency=500 ms' "$@"
}

# row RUN ROUND COLUMN EXPECTED, to 1e-9
row() {
    what="$3 of round $2 of $1"
    got=$(awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(name, names, "+") }
        NR == row + 1 { for (i = 1; i <= n; i++) sum += $at[names[i]]; printf "%.17g", sum }' "$1/rounds.csv")
    awk "BEGIN { d = ${got:-0} - ($4); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $4"
}

# equal_but_edges STAR EDGES: two runs have the same events, rounds and clients, but for the columns of edges.
equal_but_edges() {
    what="an edge without limits"
    cmp -s "$1/events.ndjson" "$2/events.ndjson" || fail "$2 has other events than $1"
    for file in rounds clients; do
        for run in "$1" "$2"; do
            awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^edge$|edge_(down|up)_bytes/) out[i] = 1 } { for (i in out) $i = ""; print }' "$run/$file.csv" >"$run.$file"
        done
        cmp -s "$1.$file" "$2.$file" || fail "$2 has other $file than $1"
    done
}

# same_files RUN OTHER: what two backends write of a run with edges.
same_files() {
    for file in rounds.csv clients.csv events.ndjson edges.csv hours.csv; do
        what="$file of $1"
        cmp -s "$1/$file" "$2/$file" || fail "another than that of $2"
    done
}

# many_clients: many.cfg, sixty clients behind three edges that die, with sessions, failures, a deadline and a restart.
many_clients() {
    cat >many.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 60; items = 200; interactions = 1500; };
evaluation = { candidates = "full"; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 8; };
network = { model = "exact"; preset = "4g"; server_uplink = "60 kB/s"; server_downlink = "50 kB/s";
    edges = { count = 3; downlink = "40 kB/s"; uplink = "50 kB/s"; latency = "50 ms"; access_uplink = "30 kB/s"; access_downlink = "60 kB/s"; mtbf = "10 s"; restart = "1 s"; }; };
devices = { compute = "fixed"; overhead = "300 ms"; };
availability = { model = "markov"; on = "5 s"; off = "5 s"; };
failures = { up = 0.1; connection_down = 0.1; device_mtbf = "20 s"; detect = "500 ms"; server_restarts = "2 s, 9 s"; restart = "1 s"; };
rounds = { count = 8; cohort = 20; policy = { name = "deadline"; after = "3 s"; min_uploads = 1; }; };
output = { what_if = "none"; report = false; };
END_OF_FILE
}
