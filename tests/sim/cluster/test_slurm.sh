#!/bin/sh
# Labels: cluster
# A sweep as a job array on two virtual nodes, one of which is lost in the middle: the collected results are those of a
# sweep on this machine, byte for byte. Argument: the build folder.
set -u
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/sim/cluster/slurm.sh
. "$here/slurm.sh"

missing=$(cluster_missing | tr '\n' ' ')
if [ -n "$missing" ] && [ -n "${FRS_REQUIRE_CLUSTER-}" ]; then
    echo "FAILED: there is no ${missing% }"
    exit 1
elif [ -n "$missing" ]; then
    echo "SKIPPED test_slurm: SLURM and munge are not installed"
    exit 0
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/frs-cluster-XXXXXX") || exit 1
cd "$folder" || exit 1
waiting=

end() {
    code=$?
    trap - EXIT INT TERM HUP
    [ -z "$waiting" ] || kill "$waiting" 2>/dev/null
    cluster_stop
    rm -rf "$folder"
    exit "$code"
}
trap end EXIT
trap 'exit 130' INT TERM HUP

# Ends the test with everything that may tell why.
fail() {
    echo "FAILED: $1"
    squeue
    sinfo -N -l
    for file in ./*.out far/slurm/*.log far/tasks/*.log far/points/*.log; do
        [ ! -s "$file" ] || { echo "--- $file" && tail -n 20 "$file"; }
    done
    ls far/points
    cluster_logs
    exit 1
}

ended_with_the_node=
began=$(cut -d. -f1 /proc/uptime)
step() {
    echo "$(($(cut -d. -f1 /proc/uptime) - began)) s: $1"
}

same_results() {
    for file in points.csv cells.csv differences.csv tables.md sweep.sqlite; do
        cmp "near/$file" "far/$file" || fail "$file is not that of the sweep on this machine"
    done
    # shellcheck disable=SC2086 # words for find
    [ -z "$(find far/points -mindepth 1 -maxdepth 1 -name '*.*' $ended_with_the_node)" ] ||
        fail "something else than points is left in points/"
}

# Without training, so that a point takes about a second; the limits below are for machines with much else to do.
cat >sweep.cfg <<'CFG'
data = { synthetic = "small"; };
training = { enabled = false; };
network = { preset = "fieldguide"; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { count = 2500; cohort = 20; };
output = { events = false; };
sweep = { vary = [ "network.bandwidth_factor = 0.5, 1", "method.name = fedmf, colr" ]; replicates = 4; };
CFG

# --- on the cluster, with arrays that are too short for the sweep, so that there are two ---

CLUSTER_OPTIONS='MaxArraySize=11' cluster_start "$folder/cluster" || fail "no cluster"
step "the cluster is up"
timeout 400 "$program" sweep sweep.cfg --out far --launcher slurm --wait --launcher-option 'comment="what if"' \
    --launcher-option=--time=5 >far.out 2>&1 </dev/null &
waiting=$!

finished() { find far/points -mindepth 1 -maxdepth 1 -type d ! -name '*.*' | wc -l; }
some_are_finished() { [ "$(finished)" -ge 3 ]; }
# A point that runs on the second node has begun to write; it is held up, so that it does not get further.
node_is_writing() {
    for process in $(cluster_processes SLURMD_NODENAME=n2); do
        for written in far/points/*.partial-"$process"; do
            [ -d "$written" ] || continue
            kill -s STOP "$process"
            [ -d "$written" ] && return
            kill -s CONT "$process"
        done
    done
    return 1
}
node_is_down() { sinfo -h -N -o '%N %T' | grep -q '^n2 down'; }
queue_is_empty() { [ -z "$(squeue -h)" ]; }

cluster_within 60 some_are_finished || fail "no point finishes on the cluster"
cluster_within 30 node_is_writing || fail "the second node gets nothing to do"
cluster_kill_node n2
[ -d "$written" ] || fail "a killed point has put its things away"
# Points whose results were in place when the power went, but who had not given back their locks: nobody runs them again.
for lock in far/points/*.lock; do
    [ ! -d "${lock%.lock}" ] || ended_with_the_node="$ended_with_the_node ! -path $lock"
done
step "n2 is lost when $(finished) points are finished; it has left ${written#far/points/}"
# Meanwhile the same sweep here, to compare with.
timeout 300 "$program" sweep sweep.cfg --out near --jobs 2 >near.out 2>&1 </dev/null ||
    fail "the sweep on this machine: exit code $?"
step "swept here"

cluster_within 60 node_is_down || fail "nobody notices the loss of the node"
step "the loss is noticed"
cluster_start_node n2

wait "$waiting"
code=$?
waiting=
[ "$code" -eq 0 ] || fail "fedrecsim sweep --launcher slurm --wait: exit code $code"
step "everything has ended: $(head -n 1 far.out)"
scontrol -o show job | grep -q 'Restarts=[1-9]' || fail "no task was run again"
cluster_within 10 queue_is_empty || fail "jobs are left in the queue"
same_results

# --- going on, and by hand ---

rm -rf far/points/0013
"$program" sweep sweep.cfg --out far --launcher slurm --resume >resumed.out 2>&1 </dev/null || fail "going on: exit code $?"
grep -q '^submitted 1 point ' resumed.out || fail "going on does not submit one point"
"$program" sweep sweep.cfg --out far --launcher slurm --resume >again.out 2>&1 </dev/null
[ $? -eq 2 ] || fail "goes on while jobs are queued"
grep -q 'have not ended yet' again.out || fail "does not say that jobs are queued"
cluster_within 60 queue_is_empty || fail "the jobs do not end"
inode=$(stat -c %i far/points/0013)
(cd far && sbatch --array=0 slurm/array.sh >/dev/null) || fail "the script cannot be submitted by hand"
cluster_within 60 queue_is_empty || fail "the jobs do not end"
same_results
[ "$(stat -c %i far/points/0013)" = "$inode" ] || fail "a finished point was run again"
step "gone on"
