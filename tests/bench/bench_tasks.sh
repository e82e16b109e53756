#!/bin/sh
# Many tiny points as tasks: one a point, and packed by --task-time, under GNU parallel and a SLURM of two virtual nodes of this
# machine. Prints what each took: tasks, seconds on the wall, processor seconds of the points and of what runs them (GNU parallel
# alone: those of SLURM are its daemons'). Arguments: the program, points (a multiple of four, 2,000), which of parallel, slurm
# (both).
set -eu
program=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/${1##*/}
points=${2:-2000}
systems=${3:-parallel slurm}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/sim/cluster/slurm.sh
. "$here/../sim/cluster/slurm.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/frs-tasks-XXXXXX")
trap 'cluster_stop; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
cd "$folder"
HOME=$folder
export HOME

cat >s.cfg <<CFG
data = { synthetic = "small"; };
training = { enabled = false; };
network = { preset = "fieldguide"; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { count = 5; cohort = 20; };
output = { events = false; report = false; };
sweep = { vary = [ "network.bandwidth_factor = 0.5, 1", "method.name = fedmf, colr" ]; replicates = $((points / 4)); };
CFG

# measured LABEL OPTION...: one sweep.
measured() {
    label=$1
    shift
    began=$(date +%s.%N)
    /usr/bin/env time -f '%U %S' -o times "$program" sweep s.cfg --out far --quiet "$@" >out 2>&1 </dev/null || {
        cat out >&2
        exit 1
    }
    ended=$(date +%s.%N)
    tasks=$(if [ -e far/tasks/list ]; then wc -l <far/tasks/list; else echo 0; fi)
    awk -v label="$label" -v tasks="$tasks" -v points="$points" -v began="$began" -v ended="$ended" \
        '{ printf "%s,%d,%d,%.1f,%.1f\n", label, points, tasks, ended - began, $1 + $2 }' times
    cmp -s far/points.csv near.csv 2>/dev/null || [ ! -e near.csv ] || { echo "$label: another points.csv" >&2 && exit 1; }
    [ -e near.csv ] || cp far/points.csv near.csv
    rm -rf far
}

echo system,points,tasks,wall_s,processor_s
measured "local" --jobs 2
case $systems in *parallel*)
    measured "parallel, packed" --launcher parallel --jobs 1 --task-time '1 min' --task-processors 2
    measured "parallel, a point a task" --launcher parallel --jobs 2
    ;;
esac
case $systems in *slurm*)
    CLUSTER_OPTIONS='MaxArraySize=10001
MaxJobCount=20000' cluster_start "$folder/cluster" >/dev/null
    measured "slurm, packed" --launcher slurm --wait --task-time '1 min' --task-processors 2
    measured "slurm, a point a task" --launcher slurm --wait
    ;;
esac
