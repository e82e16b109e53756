#!/bin/sh
# Computing by samples without training: as long as with it, for every method. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# Seconds that each computation of a run took.
computing() {
    sed -n 's/.*"client":\([0-9]*\),.*"phase":"compute","t0_s":\([0-9.e+-]*\),"t1_s":\([0-9.e+-]*\),.*/\1 \2 \3/p' "$1/events.ndjson" |
        awk '{ printf "%s %.9f\n", $1, $3 - $2 }'
}

# By hand: user u of 20 has items u … u + 11; leave-one-out leaves 10, with 4 negatives each 50 samples. 3 epochs of
# 2 ms each are 0.3 s, and 0.5 s are overhead.
{
    echo user,item,time
    for user in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        for place in 0 1 2 3 4 5 6 7 8 9 10 11; do
            echo "$user,$((user + place)),$place"
        done
    done
} >log.csv
cat >hand.cfg <<'END'
data = { format = "csv"; path = "log.csv"; csv_user = "user"; csv_item = "item"; csv_time = "time"; };
method = { name = "fedmf"; epochs = 3; };
network = { preset = "ideal"; };
devices = { compute = "per_sample"; per_sample = "2 ms"; overhead = "500 ms"; };
rounds = { count = 2; cohort = 4; };
training = { enabled = false; };
evaluation = { negatives = 5; non_federated = []; };
END
expect 0 run hand.cfg --out hand --quiet
computing hand >hand.txt
[ "$(wc -l <hand.txt)" -eq 8 ] || fail "not 8 computations"
[ "$(awk '{ print $2 }' hand.txt | uniq)" = 0.800000000 ] || fail "not 0.8 s: $(cat hand.txt)"
expect 0 check hand.cfg
says out '800.00 ms simulated'
expect 0 check hand.cfg --set data.negatives_per_positive=2 # 10 (1 + 2) 3 2 ms
says out '680.00 ms simulated'
sed '/per_sample/d' hand.cfg >flops.cfg
expect 2 check flops.cfg
says err 'allowed: devices.compute = "per_sample", "fixed" or "none"'

# --- every method, trained and not ---
"$program" list learner | sed -n 's/^  \([a-z_]*\)  .*/\1/p' | grep -vx declared >learners # which is never trained
[ "$(wc -l <learners)" -gt 10 ] || fail "no list of learners"
cat >every.cfg <<'END'
data = { synthetic = "small"; };
devices = { compute = "per_sample"; per_sample = "2 ms"; };
rounds = { count = 1; cohort = 20; };
training = { enabled = false; };
END
while read -r learner; do
    case $learner in
    fcf | fedrec | fedmf_ratings | fedfast | fedncf_ratings | rfrec | rfrecf | lightfr | semidfegl_ratings)
        set -- --set method="$learner" --set data.feedback=explicit ;;
    external) set -- --allow-commands --set method="$learner" --set method.command="$(dirname "$program")/tests/external_fedmf" ;;
    *) set -- --set method="$learner" ;;
    esac
    rm -rf with without
    expect 0 run every.cfg "$@" --set training.enabled=true --out with --quiet
    expect 0 run every.cfg "$@" --set training.messages=whole --out without --quiet
    computing with >with.txt
    computing without >without.txt
    [ -s with.txt ] || fail "nothing is computed"
    cmp -s with.txt without.txt || fail "$learner: $(head -n 1 with.txt) trained, $(head -n 1 without.txt) not"
done <learners

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
