#!/bin/sh
# Labels: long
# One sweep by every way there is, and in each a task that is killed and a node that is lost: processes of this machine, GNU
# parallel over two machines that a stand-in of ssh plays, SLURM with two virtual nodes, three shards that are joined. The same
# bytes each time, of every point and of all that is collected; the same for a sweep whose replicates end early. Argument: the
# build folder.
# shellcheck source=tests/sim/cluster/slurm.sh
. "$(dirname -- "$0")/slurm.sh"
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 60; cohort = 20; };
evaluation = { every = 20; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 3; };
CFG
early='--set sweep.stop_metric=simulated_s --set sweep.stop_width=30 --set sweep.stop_min_replicates=2 --replicates 5'
expect 0 sweep s.cfg --out near --jobs 2 --quiet
# shellcheck disable=SC2086 # words
expect 0 sweep s.cfg --out near-early --jobs 2 --quiet $early

# same FOLDER [AS]: every byte of the points, but for what is measured of the machine, and of what is collected.
same() {
    as=${2-near}
    for file in plan.json points.csv cells.csv differences.csv tables.md sweep.sqlite report.html; do
        cmp "$as/$file" "$1/$file" || fail "$1/$file differs"
    done
    [ "$(ls "$as/points")" = "$(find "$1/points" -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort)" ] || fail "$1 has other points"
    for point in "$as"/points/*; do
        for file in rounds.csv clients.csv events.ndjson manifest.json; do
            cmp "$point/$file" "$1/${point#"$as"/}/$file" || fail "$1/${point#"$as"/}/$file differs"
        done
    done
    echo "$(($(cut -d. -f1 /proc/uptime) - began)) s: $1 is the same"
}
began=$(cut -d. -f1 /proc/uptime)

# within COMMAND...: until it succeeds, two minutes at most.
within() {
    tries=2400
    until "$@" >/dev/null 2>&1 || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.05
    done
    [ "$tries" -gt 0 ] || fail "in vain: $*"
}
# The process of a point that has begun in a folder and is one of those listed, or any.
writer() {
    for begun in "$1"/points/*.partial-*; do
        [ -d "$begun" ] && process=${begun##*-} && kill -0 "$process" 2>/dev/null && return
    done
    return 1
}
# The same of a point of the second machine of GNU parallel, which is then held up.
on_second_machine() {
    for process in $(cluster_processes MACHINE=m2); do
        for begun in by-parallel/points/*.partial-"$process"; do
            [ -d "$begun" ] && kill -s STOP "$process" && [ -d "$begun" ] && return
        done
    done
    return 1
}
has_finished() { [ "$(find "$1/points" -mindepth 1 -maxdepth 1 -type d ! -name '*.*' | wc -l)" -ge "$2" ]; }

# --- processes of this machine: a point is killed, and then all of it ---
what=local
"$program" sweep s.cfg --out here --jobs 2 --quiet >here.out 2>&1 </dev/null &
sweep=$!
within writer here
kill -s KILL "$process"
within has_finished here 3
kill -s KILL "$sweep"
wait "$sweep"
expect 0 sweep s.cfg --out here --jobs 2 --quiet --resume
same here

# --- three shards: a point killed in the first, the second killed as a whole, the third lost and run elsewhere ---
what=shards
for shard in 1 2 3; do
    "$program" sweep s.cfg --out "part$shard" --jobs 1 --quiet --shard "$shard/3" >"part$shard.out" 2>&1 </dev/null &
    sweep=$!
    case $shard in
    1) within writer part1 && kill -s KILL "$process" ;;
    *) within has_finished "part$shard" 1 && kill -s KILL "$sweep" ;;
    esac
    wait "$sweep"
done
rm -rf part3
expect 0 sweep s.cfg --out part1 --jobs 1 --quiet --shard 1/3 --resume
expect 0 sweep s.cfg --out part2 --jobs 1 --quiet --shard 2/3 --resume
expect 0 sweep s.cfg --out part3 --jobs 1 --quiet --shard 3/3
expect 0 collect part3 part1 part2 --out joined --quiet
same joined
for shard in 1 2 3; do
    # shellcheck disable=SC2086 # words
    expect 0 sweep s.cfg --out "early$shard" --jobs 1 --quiet --shard "$shard/3" $early
done
expect 0 collect early3 early1 early2 --out early-joined --quiet
same early-joined near-early

# --- GNU parallel on two machines ---
what=parallel
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    # ssh MACHINE COMMAND...: runs it here, unless the machine is down.
    cat >ssh <<'TEXT'
#!/bin/sh
machine=$1
shift
[ "$1" != -- ] || shift
[ ! -e "$MACHINES/$machine.down" ] || exit 255
exec env MACHINE="$machine" setsid sh -c "$*"
TEXT
    chmod +x ssh
    MACHINES=$folder
    export MACHINES
    HOME=$folder "$program" sweep s.cfg --out by-parallel --launcher parallel --quiet "--launcher-option=--sshlogin=1/$folder/ssh m1,1/$folder/ssh m2" \
        >by-parallel.out 2>&1 </dev/null &
    sweep=$!
    within writer by-parallel
    kill -s KILL "$process" # a point, whose task says so and is run again
    within test -d "${begun%.partial-*}"
    within on_second_machine
    : >m2.down
    for process in $(cluster_processes MACHINE=m2); do
        kill -s KILL "$process" && : >m2.lost
    done 2>/dev/null
    wait "$sweep" || fail "parallel: exit code $?: $(tail -n 3 by-parallel.out)"
    [ -e m2.lost ] || fail "nothing ran on the second machine"
    same by-parallel
    # shellcheck disable=SC2086 # words
    HOME=$folder expect 0 sweep s.cfg --out early-parallel --launcher parallel --jobs 2 --quiet --task-time '1 s' $early
    same early-parallel near-early
else
    echo "SKIPPED test_same_bytes_long: there is no GNU parallel here"
fi

# --- SLURM: a point is killed, and a node is lost ---
what=SLURM
node_is_down() { sinfo -h -N -o '%N %T' | grep -q '^n2 down'; }
queue_is_empty() { [ -z "$(squeue -h)" ]; }
missing=$(cluster_missing | tr '\n' ' ')
if [ -z "$missing" ]; then
    trap 'cluster_stop; rm -rf "$folder"' EXIT
    cluster_start "$folder/cluster" || fail "no cluster"
    timeout 500 "$program" sweep s.cfg --out far --launcher slurm --wait --quiet --launcher-option=--time=5 >far.out 2>&1 </dev/null &
    sweep=$!
    within writer far
    kill -s KILL "$process" # its task fails, and --resume runs the point again
    within has_finished far 3
    cluster_kill_node n2
    within node_is_down
    cluster_start_node n2
    wait "$sweep"
    code=$?
    # Where the node's loss has hit the same task, nothing is left to be run again.
    [ "$code" -le 1 ] || fail "SLURM: exit code $code"
    within queue_is_empty
    timeout 300 "$program" sweep s.cfg --out far --launcher slurm --wait --quiet --resume >again.out 2>&1 </dev/null || fail "SLURM again: $(cat again.out)"
    same far
    # shellcheck disable=SC2086 # words
    timeout 300 "$program" sweep s.cfg --out early-far --launcher slurm --wait --quiet $early >early.out 2>&1 </dev/null || fail "SLURM, early: $(cat early.out)"
    same early-far near-early
    cluster_stop
else
    echo "SKIPPED test_same_bytes_long: ${missing% } are not installed"
fi
[ "$failures" -eq 0 ]
