#!/bin/sh
# Runs that are ended at random moments by SIGKILL, SIGTERM, SIGINT and SIGHUP, and resumed: the results are those of an
# undisturbed run, to the last byte, and nothing foreign is touched.
#   test_kills.sh BUILD_FOLDER [KILLS]     default: 8
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/places.sh
. "$tests/sim/run/places.sh"
wanted=${2:-8}

cat >s.cfg <<'CFG'
seed = 7;
data = { synthetic = "small"; };
method = { name = "colr"; dim = 32; rank = 4; learning_rate = 1.0; };
network = { preset = "mixed-mobile"; };
devices = { preset = "phones"; };
failures = { up = 0.05; server_restarts = "15 s"; restart = "5 s"; };
rounds = { count = 100; cohort = "30 %"; };
evaluation = { every = 5; non_federated = ["popularity"]; };
output = { checkpoint_rounds = 2; };
CFG
began=$(date +%s.%N)
expect 0 run s.cfg --out undisturbed --threads 1 --quiet
length=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
make_foreign

# Interrupted runs need a moment longer than killed ones to put their things away.
what="kills"
counts=
kills=0 moments=0 resumed=0 runs=0 hits=
while [ "$kills" -lt "$wanted" ]; do
    case $((kills % 4)) in 0) signal=KILL ;; 1) signal=TERM ;; 2) signal=INT ;; *) signal=HUP ;; esac
    is_fresh=yes
    [ ! -e place.checkpoint ] || { is_fresh=no && resumed=$((resumed + 1)); }
    # A shell's background commands ignore SIGINT: until the program has said otherwise nothing would hit it.
    env --default-signal=INT,HUP "$program" run s.cfg --out place --threads 1 --quiet --resume >/dev/null 2>err </dev/null &
    run=$!
    moments=$((moments + 1))
    moment=$(awk -v n="$moments" -v longest="$length" 'BEGIN { srand(n); rand(); printf "%.3f", rand() * longest }')
    sleep "$moment"
    hit=1
    kill -s $signal "$run" 2>/dev/null || hit=0
    wait "$run" 2>/dev/null
    code=$?
    case $code in
    0) ;;
    130 | 137 | 143 | 129) ;;
    *) fail "SIG$signal: exit code $code" ;;
    esac
    [ "$code" -eq 0 ] || { kills=$((kills + hit)) && hits="$hits $signal"; }
    foreign_is_safe
    # What is in place is whole: the program's own words say what it is.
    [ ! -e place ] || grep -q '"status": "\(complete\|interrupted\)"' place/summary.json || fail "half a run in place"
    # The machine may have had more to do when the undisturbed run was timed.
    { [ "$code" -ne 0 ] || [ "$is_fresh" = no ]; } || length=$moment
    if [ "$code" -eq 0 ]; then
        same undisturbed place
        left './place '
        rm -rf place
        runs=$((runs + 1))
    fi
    [ "$moments" -lt $((20 * wanted)) ] || { fail "$moments runs, and only $kills kills hit them" && break; }
done
expect 0 run s.cfg --out place --threads 1 --quiet --resume
same undisturbed place
left './place '
foreign_is_safe
for signal in KILL TERM INT HUP; do
    counts="$counts $signal $(echo "$hits" | tr ' ' '\n' | grep -c "^$signal$"),"
done
echo "$kills kills ($(echo "$counts" | sed 's/^ //; s/,$//')), $resumed resumptions from a checkpoint, $((runs + 1)) results, all identical; $(wc -l <"$folder/foreign") foreign files untouched"
[ "$failures" -eq 0 ]
