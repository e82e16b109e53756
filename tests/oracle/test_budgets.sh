#!/bin/sh
# Budgets of small runs, recomputed by a program that shares no code with the simulator: every adaptation, under exact, tcp and
# packets, with whatever decides what the server knows. And it notices what is changed. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/expect.sh"
budgets=${program%/*}/tests/budgets

cat >s.cfg <<'END'
seed = 5;
data = { synthetic = "small"; };
method = { name = "scolr"; rank = 16; dim = 16; };
network = { model = "exact"; preset = "3g"; latency_jitter = 0; };
devices = { preset = "phones"; };
rounds = { count = 12; cohort = 20; };
adaptation = { name = "deadline"; target = "600 ms"; };
output = { report = false; what_if = "none"; };
END

# agrees MODELS [OPTION...]
agrees() {
    models=$1
    shift
    for model in $models; do
        jitter=0.5 # under exact no line tells the latency of an upload that did not begin
        [ "$model" != exact ] || jitter=0
        expect 0 run s.cfg --quiet --force --out run --set network.model="$model" --set network.latency_jitter=$jitter "$@"
        what="budgets under $model $*"
        "$budgets" run >out 2>err || fail "$(cat out err)"
    done
}

all="exact tcp packets"
for adaptation in fixed uniform proportional; do
    agrees "$all" --set adaptation=$adaptation
done
agrees "$all"
agrees exact --set adaptation=fixed --set adaptation.budget=5
agrees exact --set adaptation=uniform --set adaptation.list="2, 3, 12" --set adaptation.redraw=false
agrees tcp --set adaptation=proportional --set adaptation.at_mean=2
agrees "$all" --set adaptation.target=0s --set adaptation.quantile=0.7
for unmeasured in optimistic mean smallest; do
    cut="--set rounds.policy=deadline --set rounds.policy.after=700ms --set observations.unmeasured=$unmeasured"
    # shellcheck disable=SC2086
    agrees "$all" $cut
    # shellcheck disable=SC2086
    agrees tcp $cut --set adaptation=proportional
done

# Cut off again and again, whatever the prediction would allow: by half each time. And uplinks without limit.
hard="--set rounds.count=40 --set rounds.policy=deadline --set rounds.policy.after=500ms"
# shellcheck disable=SC2086
agrees "$all" $hard --set adaptation.target=0s --set adaptation.quantile=0.8
# shellcheck disable=SC2086
agrees tcp $hard --set adaptation.target=10s
# shellcheck disable=SC2086
agrees tcp $hard --set adaptation=proportional --set adaptation.at_mean=8
cat >unlimited.cfg <<'END'
seed = 5;
data = { synthetic = "small"; };
method = { name = "scolr"; rank = 16; dim = 16; epochs = 2; };
network = { model = "exact"; uplink = "1e15 B/s"; downlink = "1e15 B/s"; latency = "10 ms"; };
devices = { speed = { distribution = "lognormal"; median = "2 Mflop/s"; sigma = 1; }; };
rounds = { count = 60; cohort = 50; policy = { name = "deadline"; after = "150 ms"; }; };
adaptation = { name = "proportional"; };
output = { report = false; what_if = "none"; };
END
expect 0 run unlimited.cfg --quiet --out unlimited
"$budgets" unlimited >out 2>err || fail "$(cat out err)"

# Lost and noticed, lost and not noticed yet, late, one by one, forgotten, not reached; tried again, from the beginning or not.
agrees "$all" --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.3 --set failures.detect=20s
agrees "$all" --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.3 --set failures.detect=400ms \
    --set rounds.policy=deadline --set rounds.policy.after=900ms
agrees "$all" --set rounds.policy=deadline --set rounds.policy.after=500ms --set rounds.stragglers=run_on --set rounds.policy.late=accept
agrees "$all" --set rounds.policy=buffered_async --set rounds.policy.arrivals=7 --set failures.up=0.2
agrees "$all" --set rounds.policy=over_select --set rounds.policy.factor=1.5
agrees "$all" --set failures.server_restarts=3s,7s,8s --set failures.restart=2s
agrees tcp --set failures.server_restarts=2s,5s --set failures.restart=1s --set rounds.policy=deadline --set rounds.policy.after=900ms \
    --set rounds.stragglers=run_on --set failures.up=0.4 --set failures.detect=3s
agrees tcp --set server.speed=10Mflop/s --set rounds.policy=deadline --set rounds.policy.after=900ms --set failures.up=0.3 --set failures.detect=400ms
agrees "$all" --set rounds.selection.sees_availability=false --set availability=markov --set availability.on=20s --set availability.off=20s
broken="--set failures.connection_down=0.3 --set failures.connection_up=0.3 --set failures.retry.times=3"
# shellcheck disable=SC2086
agrees "$all" $broken
# shellcheck disable=SC2086
agrees "$all" $broken --set failures.retry.resume=true
for connection in tcp kept; do
    # shellcheck disable=SC2086
    agrees "tcp packets" $broken --set network.connection=$connection
done

# shellcheck disable=SC2086
agrees exact $broken --set failures.retry.resume=true --set failures.retry.after=100ms --set rounds.policy=deadline --set rounds.policy.after=400ms \
    --set adaptation.target=400ms --set availability=markov --set availability.on=10s --set availability.off=10s
# shellcheck disable=SC2086
agrees packets $broken --set rounds.policy=deadline --set rounds.policy.after=900ms --set rounds.stragglers=run_on --set rounds.policy.late=accept \
    --set server.speed=10Mflop/s --set failures.up=0.4 --set failures.detect=3s

# What an upload is predicted to weigh: with a loss, and under codecs that have budgets.
agrees tcp --set rounds.selection=utility
# The worth of those who are selected, too, and that none worth less is.
agrees tcp --set rounds.selection=utility --set rounds.selection.explore_decay=0.5 --set failures.up=0.3 --set rounds.policy=deadline \
    --set rounds.policy.after=700ms --set rounds.count=30
agrees tcp --set rounds.selection=utility --set rounds.selection.preferred_duration=600ms --set rounds.selection.penalty=3 \
    --set rounds.selection.explore_decay=0.5 --set rounds.policy=buffered_async --set rounds.policy.arrivals=7
# Those that have too little memory have said so, and those that failed are selected again.
agrees tcp --set rounds.selection=utility --set rounds.selection.explore_decay=0.5 --set observations.weight=1 --set devices.memory.distribution=lognormal \
    --set devices.memory.median=0.1MB --set devices.memory.sigma=1.5 --set failures.up=0.3 --set rounds.count=30
agrees tcp --set codec.uplink=touched_rows
for codec in topk.k=8 svd.rank=8 svd_quantised.rank=8 groups.groups=40 adaptive_groups.groups=40; do
    agrees "exact tcp" --set method=fedmf_update --set codec.uplink="${codec%%.*}" --set codec.uplink."${codec#*.}"
done
# Levels of residual quantisation, granted by every adaptation; with 16 levels the largest would be longer than the rows as they are.
rvq="--set method=fedmf_update --set codec.uplink=rvq --set codec.uplink.levels=16 --set codec.uplink.codes=4"
for adaptation in fixed uniform proportional "deadline --set adaptation.target=290ms"; do
    # shellcheck disable=SC2086
    agrees exact $rvq --set adaptation=$adaptation
done

# Without budgets: what utility goes by, and as many clients of every group, until a group has no more.
sed '/^adaptation/d; s/"scolr"; rank = 16/"fedmf"/' s.cfg >plain.cfg
expect 0 run plain.cfg --quiet --out plain --set network.model=tcp --set rounds.selection=utility --set rounds.selection.explore_decay=0.5
"$budgets" plain >out 2>err || fail "$(cat out err)"
printf 'class,speed_Mflop_s\nold,10\nnew,20\nnew,30\n' >devices.csv
sed 's/^devices = .*/devices = { fleet = "devices.csv"; fleet_assignment = "sample"; };/' plain.cfg >devices.cfg
expect 0 run devices.cfg --quiet --out by_device --set rounds.selection=by_device
"$budgets" by_device >out 2>err || fail "$(cat out err)"
sed 's/"fedmf"; dim = 16;/"fedfast"; dim = 8; clusters = 7;/; s/synthetic = "small"/synthetic = "small"; feedback = "explicit"/' plain.cfg >groups.cfg
expect 0 run groups.cfg --quiet --out by_group --set rounds.selection=by_group
"$budgets" by_group >out 2>err || fail "$(cat out err)"
sed -i 's/"group":0/"group":1/' by_device/events.ndjson
! "$budgets" by_device >out 2>err || fail "the program does not notice other groups"

# changed FILE EXPRESSION: the expression of sed changes the file, and the program says so.
expect 0 run s.cfg --quiet --force --out run --set network.model=tcp --set rounds.policy=deadline --set rounds.policy.after=700ms
changed() {
    what="$1 changed by $2"
    rm -rf other
    cp -r run other
    sed -i "$2" "other/$1"
    ! cmp -s "run/$1" "other/$1" || fail "the expression changes nothing"
    ! "$budgets" other >out 2>err || fail "the program does not notice"
}
changed events.ndjson '0,/"budget":16/s/"budget":16/"budget":15/'
changed events.ndjson '1s/"predicted_s":0/"predicted_s":1/'
changed events.ndjson '0,/"phase":"up"/s/\("phase":"up".*\)"bytes":\([0-9]*\)/\1"bytes":1\2/'
changed events.ndjson '0,/"outcome":"cut"/s/"outcome":"cut"/"outcome":"late"/'
changed manifest.json 's/"observations.weight": "0.3"/"observations.weight": "0.4"/'
changed manifest.json 's/"observations.unmeasured": "[a-z]*"/"observations.unmeasured": "smallest"/'
changed manifest.json 's/"adaptation.target": "0.6 s"/"adaptation.target": "0.66 s"/'
changed manifest.json 's/"network.connection": "tls"/"network.connection": "kept"/'
expect 0 run s.cfg --quiet --force --out run --set rounds.selection=utility --set rounds.selection.explore_decay=0.5
changed events.ndjson '0,/"worth":1/s/"worth":1/"worth":1.1/'
changed events.ndjson '0,/"loss":0/s/"loss":0/"loss":1/'
expect 0 run s.cfg --quiet --force --out run --set adaptation=uniform
changed manifest.json 's/"seed": "5"/"seed": "6"/'
[ "$failures" -eq 0 ]
