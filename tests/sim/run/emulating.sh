# What tests of emulations share; to be sourced after tests/expect.sh. A scenario is s.cfg.
#   messages DIR           bytes of every phase, which do not depend on times; without the moment in which a model of an edge is made
#   column DIR NAME        of rounds.csv, a line for each round
#   same DIR [OPTION]...   the emulation into DIR and the simulation have the same messages and have learnt the same; a scenario with
#                          edges was not faster than its links allow
#   below PROCESS          the numbers of all processes below it
#   named PROCESS NAME     of these, those of that name
#   kill_one NAME MOMENT CODE [OPTION]...   kills a process of that name ("": the server) so many seconds after all are there; the
#                          run ends with that code and nothing is left
# shellcheck shell=sh disable=SC2154

messages() { sed -n '/"phase":"edge_down".*"edge_round":/d; s/.*"client":\([0-9]*\),"round":\([0-9]*\),.*"phase":"\([a-z_]*\)".*"bytes":\([0-9]*\).*/\2 \1 \3 \4/p' "$1/events.ndjson" | grep -v ' encode ' | sort; }
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' "$1/rounds.csv"; }

same() {
    emulated=$1
    shift
    expect 0 emulate s.cfg --out "$emulated" --limit "60 s" --quiet --force "$@"
    expect 0 run s.cfg --out simulated --quiet --force "$@"
    what="emulation of: ${*:-the scenario as it is}"
    messages "$emulated" >emulated.messages
    messages simulated >simulated.messages
    [ -s emulated.messages ] || fail "no messages"
    cmp -s emulated.messages simulated.messages || fail "messages differ: $(diff emulated.messages simulated.messages | sed 4q)"
    quality="hr@10"
    ! head -n 1 simulated/rounds.csv | grep -q ,rmse || quality=rmse
    for name in "$quality" down_bytes up_bytes delivered edge_down_bytes edge_up_bytes; do
        [ "$(column "$emulated" "$name")" = "$(column simulated "$name")" ] || fail "$name differs"
    done
    echo "$what: rounds of $(column "$emulated" duration_s | tr '\n' ' ')s, simulated $(column simulated duration_s | tr '\n' ' ')s, timing trusted: $(grep -c '"timing_trusted": true' "$emulated/manifest.json")"
}

below() {
    children=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
    # shellcheck disable=SC2086 # one word a process
    printf '%s\n' $children | while read -r child; do
        [ -z "$child" ] || { echo "$child" && below "$child"; }
    done
}
named() {
    below "$1" | while read -r process; do
        [ "$(cat "/proc/$process/comm" 2>/dev/null)" != "$2" ] || echo "$process"
    done
}

kill_one() {
    killed=$1 moment=$2 expected=$3
    shift 3
    "$program" emulate s.cfg --out killed --quiet --set rounds.count=500 "$@" >out 2>err </dev/null &
    run=$!
    what="kill of ${killed:-the server}"
    for _ in $(seq 100); do
        [ -z "$(named $run fedrecsim-net)" ] || break
        sleep 0.05
    done
    sleep "$moment"
    all=$(below $run)
    victim=${killed:+$(named $run "$killed" | head -n 1)}
    [ -n "$all" ] || fail "it does not run"
    kill -9 "${victim:-$run}"
    wait $run
    code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
    for _ in $(seq 100); do
        left=
        for process in $all; do
            case $(sed 's/.*) //; s/ .*//' "/proc/$process/stat" 2>/dev/null) in '' | Z) ;; *) left="$left $process" ;; esac
        done
        [ -n "$left" ] || break
        sleep 0.05
    done
    [ -z "$left" ] || fail "processes are left:$left"
    [ ! -e killed ] || fail "something was written"
    [ ! -e /sys/class/net/tun0 ] || fail "a device is left"
}
