#!/bin/sh
# Results of a size that nobody wants to simulate: FOLDER/run, of ROUNDS (1,000) in each of which 600 clients take part, and FOLDER/sweep,
# of 400 points: 40 choices under 2 environments, REPLICATES (5). Figures are made up; what files have, and how it is called, is that of a
# small run.
#   tests/analysis/report/made_up.sh PROGRAM FOLDER [ROUNDS REPLICATES]
set -eu
program=$1 folder=$2 rounds=${3:-1000} replicates=${4:-5}
points=$((80 * replicates))
mkdir -p "$folder"
cat >"$folder/small.cfg" <<'END'
data = { synthetic = "custom"; users = 600; items = 500; interactions = 18000; };
method = { dim = 2; };
network = { classes = "4g 60 %, wifi 40 %"; };
devices = { preset = "mixed"; };
rounds = { count = 2; cohort = 600; };
evaluation = { every = 1; };
END
"$program" run "$folder/small.cfg" --quiet --out "$folder/template" --set output.report=false

# --- the run ---
mkdir -p "$folder/run"
cp "$folder/template/manifest.json" "$folder/run"
sed '0,/"participations": [0-9]*/s//"participations": '"$((600 * rounds))"'/; s/"rounds": 2/"rounds": '"$rounds"'/' "$folder/template/summary.json" \
    >"$folder/run/summary.json"
awk -F, -v OFS=, -v n="$rounds" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    { $at["participations"] = n; $at["delivered"] = n - int(n / 100); $at["lost"] = int(n / 100); $at["unavailable"] = 0; print }' \
    "$folder/template/clients.csv" >"$folder/run/clients.csv"

# rounds N QUALITY: rounds.csv of so many rounds, from the first row of the template.
cat >"$folder/rounds.awk" <<'END'
BEGIN { FS = OFS = ","; srand(seed); end_s = 0 }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
NR == 2 {
    for (r = 1; r <= n; r++) {
        length_s = 8 + 4 * rand()
        $at["round"] = r; $at["start_s"] = end_s; end_s += length_s; $at["end_s"] = end_s; $at["duration_s"] = length_s
        $at["selected"] = 600; $at["delivered"] = 580 + int(20 * rand())
        $at["path_down_s"] = length_s * 0.2; $at["path_compute_s"] = length_s * 0.3; $at["path_up_s"] = length_s * 0.4
        $at["path_wait_s"] = length_s * 0.1; $at["path_latency_s"] = 0
        value = quality * (1 - exp(-r / (n / 4))) + 0.01 * rand()
        $at["hr@10"] = value; $at["validation_hr@10"] = value + 0.005 * rand(); $at["participants_hr@10"] = value
        print
    }
}
END
awk -v n="$rounds" -v seed=1 -v quality=0.6 -f "$folder/rounds.awk" "$folder/template/rounds.csv" >"$folder/run/rounds.csv"

# Three phases of each participation; some are lost on the way up.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; srand(2); next }
    function line(client, round, phase, from, to, bytes, more) {
        printf "{\"client\":%d,\"round\":%d,\"attempt\":0,\"phase\":\"%s\",\"t0_s\":%.9g,\"t1_s\":%.9g,\"bytes\":%d,\"flop\":0%s}\n",
            client, round, phase, from, to, bytes, more
    }
    { for (c = 0; c < 600; c++) {
        t = $at["start_s"]; down = t + 1 + rand(); done = down + 2 * rand(); up = done + 1 + 3 * rand()
        line(c, $at["round"], "down", t, down, 200000, ""); line(c, $at["round"], "compute", down, done, 0, "")
        line(c, $at["round"], "up", done, up, 100000, rand() < 0.99 ? ",\"outcome\":\"delivered\"" : ",\"outcome\":\"dropped_up\",\"cause\":\"device\"")
    } }' "$folder/run/rounds.csv" >"$folder/run/events.ndjson"

# --- the sweep ---
mkdir -p "$folder/sweep/points"
awk -v folder="$folder/sweep" -v replicates="$replicates" -v points="$points" 'BEGIN {
    printf "{\"format\": \"fedrecsim-plan-2\", \"name\": \"large\", \"version\": \"0\", \"replicates\": %d, \"metrics\": [], \"baseline\": null,\n", replicates
    printf "\"target\": null, \"early_stop\": null, \"settings\": {}, \"axes\": [{\"name\": \"method.dim\", \"role\": \"design\", \"keys\": [\"method.dim\"], \"levels\": ["
    for (i = 0; i < 40; i++) printf "%s\"%d\"", i ? ", " : "", i + 2
    printf "]},\n{\"name\": \"loss\", \"role\": \"environment\", \"keys\": [\"failures.up\"], \"levels\": [\"none\", \"some\"]}],\n\"points\": ["
    for (i = 0; i < points; i++) {
        cell = int(i / replicates)
        printf "%s\n{\"index\": %d, \"cell\": %d, \"levels\": [\"%d\", \"%s\"], \"replicate\": %d, \"seed\": %d, \"hash\": \"h%d\", \"settings\": {}}",
            i ? "," : "", i, cell, int(cell / 2) + 2, cell % 2 ? "some" : "none", i % replicates + 1, i % replicates + 1, i
    }
    print "]}"
}' >"$folder/sweep/plan.json"
point=0
while [ "$point" -lt "$points" ]; do
    place=$folder/sweep/points/$(printf %04d "$point")
    mkdir -p "$place"
    cell=$((point / replicates))
    sed 's/"scenario_hash": "[^"]*"/"scenario_hash": "h'"$point"'"/; s/"seed": [0-9]*,/"seed": '"$((point % replicates + 1))"',/
        s/"method.dim": "[^"]*"/"method.dim": "'"$((cell / 2 + 2))"'"/; s/"failures.up": "[^"]*"/"failures.up": "'"0.$((cell % 2))"'"/' \
        "$folder/template/manifest.json" >"$place/manifest.json"
    # The quality of a choice, and a little of the replicate's.
    sed 's/"rounds": 2/"rounds": 200/; /"metrics": {/,/}/s/"hr@10": [0-9.]*/"hr@10": 0.'"$((200 + 5 * (cell / 2) + (7 * point) % 13))"'/' "$folder/template/summary.json" \
        >"$place/summary.json"
    awk -v n=200 -v seed="$point" -v quality="0.$((200 + 5 * (cell / 2)))" -f "$folder/rounds.awk" "$folder/template/rounds.csv" \
        >"$place/rounds.csv"
    ln -f "$folder/template/clients.csv" "$place/clients.csv"
    point=$((point + 1))
done
