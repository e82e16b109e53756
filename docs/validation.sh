#!/bin/sh
# The runs and tables of docs/validation.md: every configuration of scenarios/validation over the kernel's TCP, several times, and
# simulated under every model. Needs the program, sh and awk, and the rights of root; finished runs are not repeated. On a machine
# that does nothing else: what the network's process could not keep up with is played again, ten times in all, and then left out.
#   docs/validation.sh [FOLDER [NAME...]]   default: results/validation, all configurations; the tables go to standard output
#   FEDRECSIM=PROGRAM                       default: build/fedrecsim
#   REPEATS=N                               of each emulation, default 3
#   LIST=FILE                               of configurations, default scenarios/validation/configurations.txt; those drawn at random: unseen.txt
#   EMULATE=no                              nothing is emulated: what is in FOLDER as NAME.realREPEAT was played before, perhaps elsewhere
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
base=$root/scenarios/validation/base.cfg
list=${LIST:-$root/scenarios/validation/configurations.txt}
out=${1:-results/validation}
repeats=${REPEATS:-3}
[ $# -eq 0 ] || shift
wanted=" $* "
models="exact tcp packets lv08"
mkdir -p "$out"

# --- Runs --------------------------------------------------------------------------------------------------------------------

play="$root/scenarios/validation/play.sh"
export FEDRECSIM="$program"

emulate() { # PLACE SETTINGS
    [ "${EMULATE:-yes}" = yes ] || return 0
    "$play" emulate "$base" "$1" "$2" || echo "$1: left out" >&2
}

# What a model does not know.
unknown_to() {
    queues="network.server_queue network.packet_loss"
    case $1 in
    packets) ;;
    tcp) echo "$queues" ;;
    *) echo "$queues network.queue network.connection network.idle_windows" ;;
    esac
}

without_model=$out/base.cfg
grep -v -e '^ *model = ' -e '^ *connection = ' "$base" >"$without_model"

simulate() { # MODEL PLACE SETTINGS
    [ ! -e "$2/summary.json" ] || return 0
    case $1 in
    tcp | packets) "$play" run "$base" "$2" "network.model=$1;$3" "$(unknown_to "$1")" ;;
    *) "$play" run "$without_model" "$2" "network.model=$1;$3" "$(unknown_to "$1")" ;;
    esac 2>"$2.err" || echo "$2: $(head -n 1 "$2.err")" >&2
}

sed '/^#/d' "$list" | while IFS='|' read -r name family settings; do
    name=$(echo "$name" | tr -d ' ')
    case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
    repeat=1
    while [ "$repeat" -le "$repeats" ]; do
        emulate "$out/$name.real$repeat" "$settings"
        repeat=$((repeat + 1))
    done
    for model in $models; do simulate "$model" "$out/$name.$model" "$settings"; done
    echo "$name|$family"
done >"$out/names"

# --- Figures -----------------------------------------------------------------------------------------------------------------

# Lines "KEY SECONDS" of a run: how long each round took, and each delivered participation of a round.
rounds_of() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["round"], $at["duration_s"] }' "$1/rounds.csv"; }
clients_of() {
    sed -n 's/.*"round":\([0-9]*\),.*"phase":"up","t0_s":[^,]*,"t1_s":\([^,]*\),.*"outcome":"delivered".*/\1 \2/p' "$1/events.ndjson" |
        awk -v csv="$1/rounds.csv" 'BEGIN { FS = ","
            while ((getline line < csv) > 0) {
                n = split(line, f, ",")
                if (!started) for (i = 1; i <= n; i++) { if (f[i] == "start_s") s = i; if (f[i] == "round") r = i }
                else start[f[r]] = f[s]
                started = 1
            }
            FS = " " }
            { split($0, f, " "); print f[1], f[2] - start[f[1]] }'
}

# Of two files of such lines: one line for each round, how far (%) the second is off the first; and how far the sorted
# durations of clients are apart on average, relative to their mean.
errors_of_rounds() { awk 'NR == FNR { a[$1] = $2; next } $1 in a && a[$1] > 0 { print 100 * ($2 / a[$1] - 1) }' "$1" "$2"; }
errors_of_clients() {
    sort -k1,1n -k2,2g "$1" >"$out/one"
    sort -k1,1n -k2,2g "$2" >"$out/other"
    awk 'NR == FNR { a[$1, ++n[$1]] = $2; sum[$1] += $2; next } { b[$1, ++m[$1]] = $2 }
        END { for (r in n) if (n[r] == m[r]) { d = 0
            for (i = 1; i <= n[r]; i++) { e = a[r, i] - b[r, i]; d += e < 0 ? -e : e }
            print 100 * d / sum[r] } }' "$out/one" "$out/other"
}

# "median / 95th percentile of the absolute values" of one number a line; the median keeps its sign.
summary() {
    sort -g | awk '{ v[NR] = $1; a[NR] = $1 < 0 ? -$1 : $1 }
        END { if (NR == 0) { print "–"; exit }
            for (i = 2; i <= NR; i++) for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
            p = int(0.95 * NR + 0.999); printf "%+.1f / %.1f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, a[p] }'
}

# Per family: errors of each model against every repeat, and of the repeats against the first.
table() { # rounds | clients
    echo "| family | configurations | repeats | exact | tcp | packets | lv08 |"
    echo "|---|---|---|---|---|---|---|"
    cut -d'|' -f2 "$out/names" | sort -u | while IFS= read -r family; do
        line="|$family| $(grep -cF "|$family" "$out/names") "
        for model in again $models; do
            grep -F "|$family" "$out/names" | cut -d'|' -f1 | while IFS= read -r name; do
                repeat=1
                while [ "$repeat" -le "$repeats" ]; do
                    real=$out/$name.real$repeat other=$out/$name.$model
                    [ "$model" != again ] || other=$out/$name.real1
                    if [ "$real" != "$other" ] && [ -e "$real/summary.json" ] && [ -e "$other/summary.json" ]; then
                        "$1"_of "$real" >"$out/real"
                        "$1"_of "$other" >"$out/model"
                        "errors_of_$1" "$out/real" "$out/model"
                    fi
                    repeat=$((repeat + 1))
                done
            done >"$out/errors"
            line="$line| $(summary <"$out/errors") "
        done
        echo "$line|"
    done
}

# Of one file of such lines after another: "KEY MEDIAN" of each key; of clients, whose key is the round, a key for each quartile.
medians() {
    awk '{ v[$1, ++n[$1]] = $2 } END { for (k in n) { split("", a); m = n[k]
        for (i = 1; i <= m; i++) a[i] = v[k, i]
        for (i = 2; i <= m; i++) for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
        print k, (a[int((m + 1) / 2)] + a[int(m / 2) + 1]) / 2 } }'
}
quartiles_of() {
    clients_of "$1" | sort -k1,1n -k2,2g | awk '{ v[$1, ++n[$1]] = $2 } END { for (k in n) for (q = 1; q <= 3; q++) {
        at = 1 + q / 4 * (n[k] - 1); below = int(at); above = below < n[k] ? below + 1 : below
        print k ":" q, v[k, below] + (at - below) * (v[k, above] - v[k, below]) } }'
}

# The medians over the repeats of a configuration.
measured() { # rounds | quartiles, NAME
    for real in "$out/$2".real[0-9]*; do
        [ ! -e "$real/summary.json" ] || "$1_of" "$real"
    done | medians
}

# Sizes of errors against the medians of the repeats: of rounds, and of the quartiles of their clients' durations. How far the second
# and third repeat are off the first, for comparison.
against_medians() {
    echo "| links | rounds | repeats | tcp | packets | clients' quartiles: tcp | packets |"
    echo "|---|---|---|---|---|---|---|"
    while IFS='|' read -r what pattern; do
        grep -qE "\\| *($pattern)\$" "$out/names" || continue
        grep -E "\\| *($pattern)\$" "$out/names" | cut -d'|' -f1 >"$out/wanted"
        while IFS= read -r name; do
            rounds_of "$out/$name.real1" >"$out/model"
            for real in "$out/$name".real[0-9]*; do
                [ "$real" = "$out/$name.real1" ] || [ ! -e "$real/summary.json" ] || rounds_of "$real" >"$out/real"
                [ "$real" = "$out/$name.real1" ] || errors_of_rounds "$out/real" "$out/model" | sed 's|^-||'
            done
        done <"$out/wanted" >"$out/errors"
        repeats_off=$(summary <"$out/errors" | tr -d +)
        line="| $what "
        for kind in rounds quartiles; do
            for model in tcp packets; do
                while IFS= read -r name; do
                    measured "$kind" "$name" >"$out/real"
                    "${kind}_of" "$out/$name.$model" >"$out/model"
                    errors_of_rounds "$out/real" "$out/model" | sed 's|^-||'
                done <"$out/wanted" >"$out/errors"
                [ "$kind$model" != roundstcp ] || line="$line| $(wc -l <"$out/errors") | $repeats_off "
                line="$line| $(summary <"$out/errors" | tr -d +) "
            done
        done
        echo "$line|"
    done <<END
private, connections kept|private links, (kept|windows kept) *
private, new TCP connections|private links, tcp *
private, new TLS connections|private links, tls *
private, queues of 0.2 s and more|private links, (kept|windows kept|tcp|tls|queue of 1 s) *
shared, FIFO of 0.2 s|shared server link, fifo, 200 ms *
shared, FIFO of 50 ms and 1 s|shared server link, fifo, (50 ms|1 s) *
shared, FIFO, all queues|shared server link, fifo.*
shared, served fairly|shared server link, fair.*
lost at random|packets lost at random *
unseen: private, queues of 0.2 s and more|unseen private links, (kept|kept, windows kept|tcp|tls) *
unseen: private, shorter queues|unseen private links, short queue *
unseen: shared, FIFO of 0.2 s|unseen shared server link, fifo, 200 ms *
unseen: shared, FIFO of another length|unseen shared server link, fifo, another queue *
unseen: shared, FIFO, all queues|unseen shared server link, fifo.*
unseen: shared, served fairly|unseen shared server link, fair.*
unseen: lost at random, TCP|unseen losses, tcp *
unseen: lost at random, TLS|unseen losses, tls *
END
}

# Rounds over a shared FIFO link under packets, by what bias depends on: messages, and clients at once.
by_kind() {
    grep -E "\\| *unseen shared server link, fifo" "$out/names" | cut -d'|' -f1 | while IFS= read -r name; do
        measured rounds "$name" >"$out/real"
        rounds_of "$out/$name.packets" >"$out/model"
        errors_of_rounds "$out/real" "$out/model" |
            awk -v csv="$out/$name.packets/rounds.csv" 'BEGIN { FS = ","
                getline line < csv; n = split(line, f, ","); for (i = 1; i <= n; i++) at[f[i]] = i
                getline line < csv; split(line, f, ","); clients = f[at["selected"]]; bytes = f[at["nominal_down_bytes"]] / clients }
                { print (bytes < 40000 ? "1 less than 40 kB" : "2 40 kB and more") "|" (clients < 16 ? "1 fewer than 16" : "2 16 and more") "|" $1 }'
    done | sort -t'|' -k1,2 >"$out/kinds"
    [ -s "$out/kinds" ] || return 0
    echo "| messages | clients | rounds | median | mean |"
    echo "|---|---|---|---|---|"
    cut -d'|' -f1,2 "$out/kinds" | uniq | while IFS= read -r kind; do
        grep -F "$kind|" "$out/kinds" | cut -d'|' -f3 | sort -g | awk -v kind="$(echo "$kind" | sed 's/^. //; s/|. / | /')" '{ v[NR] = $1; sum += $1 }
            END { printf "| %s | %d | %+.1f | %+.1f |\n", kind, NR, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, sum / NR }'
    done
}

# Participations whose outcome depends on time, and is another one in the simulation: how each ended, and how long before (-) or
# after the end of its round.
outcomes_of() {
    sed -n 's/.*"client":\([0-9]*\),"round":\([0-9]*\),.*"t1_s":\([^,]*\),.*"outcome":"\([a-z_]*\)".*/\2 \1 \4 \3/p' "$1/events.ndjson" |
        awk -v csv="$1/rounds.csv" 'BEGIN { FS = ","
            while ((getline line < csv) > 0) {
                n = split(line, f, ",")
                if (!started) for (i = 1; i <= n; i++) { if (f[i] == "start_s") s = i; if (f[i] == "round") r = i; if (f[i] == "duration_s") d = i }
                else end[f[r]] = f[s] + f[d]
                started = 1
            } }
            { split($0, f, " "); printf "%s:%s %s %+.4f\n", f[1], f[2], f[3], f[4] - end[f[1]] }'
}
differing_outcomes() {
    echo "| configuration | round, client | measured | s after the round's end | packets | s after the round's end |"
    echo "|---|---|---|---|---|---|"
    while IFS='|' read -r name family; do
        case $family in *deadline* | *over-selection*) ;; *) continue ;; esac
        [ -e "$out/$name.real1/summary.json" ] || continue
        [ -e "$out/$name.packets/summary.json" ] || continue
        outcomes_of "$out/$name.real1" >"$out/real"
        outcomes_of "$out/$name.packets" >"$out/model"
        awk -v name="$name" 'NR == FNR { o[$1] = $2; m[$1] = $3; next }
            $1 in o && o[$1] != $2 { split($1, k, ":"); print "| " name " | " k[1] ", " k[2] " | " o[$1] " | " m[$1] " | " $2 " | " $3 " |" }' \
            "$out/real" "$out/model"
    done <"$out/names"
}

first=$(find "$out" -path '*.real*/manifest.json' | head -n 1)
[ -n "$first" ] || { echo "nothing has been emulated" >&2 && exit 1; }
echo "Linux $(sed -n 's/.*"kernel": "\(.*\)".*/\1/p' "$first"), $("$program" --version | head -n 1), $(date -u +%Y-%m-%d)."
echo
echo "How long rounds take: error in % (median / 95th percentile of its size), simulated against measured."
echo
table rounds
echo
echo "The distribution over clients: mean distance between the sorted durations of a round's participations, % of their mean (median / 95th percentile)."
echo
table clients
echo
echo "Against the medians of the repeats: size of the error in % (median / 95th percentile)."
echo
against_medians
echo
echo "By kind, shared FIFO links that were drawn at random, packets: error in %, with its sign."
echo
by_kind
echo
echo "Outcomes that differ, where they depend on time:"
echo
differing_outcomes
