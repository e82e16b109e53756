#!/bin/sh
# Sweeps for a cluster without one: what is refused, what is written, how it is submitted (to programs that only note what
# they are asked for), and that the scripts do the sweep when something else runs them. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# sweep CODE ARGUMENT...: as expect.
sweep() {
    wanted=$1
    shift
    expect "$wanted" sweep "$@"
}

# The first line of stderr, with nothing on stdout.
first_error() {
    head -n 1 err | grep -qF -e "$1" || fail "stderr does not say \"$1\""
    silent out
}

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
training = { enabled = false; };
network = { preset = "fieldguide"; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { count = 5; cohort = 20; };
sweep = { vary = [ "network.bandwidth_factor = 0.5, 1", "method.name = fedmf, colr" ]; replicates = 3; };
CFG

# --- what is refused ---

mkdir nothing
# shellcheck disable=SC2123 # nothing is to be found
PATH=$folder/nothing
sweep 2 s.cfg --out far --launcher slurm
PATH=$path
first_error 'fedrecsim: --launcher slurm: there is no sbatch on the PATH; --dry-run writes the scripts only, --launcher local runs'
sweep 2 s.cfg --out far --launcher pbs
first_error '--launcher pbs: allowed: local, slurm, parallel, oar, command'
for option in --wait --dry-run --launcher-option=time=3; do
    sweep 2 s.cfg --out far $option
    first_error "${option%=time=3} needs --launcher NAME"
done
for option in array=3 -a3 '-d singleton' --output=x arr=4 -HW -HQd3; do
    sweep 2 s.cfg --out far --launcher slurm --dry-run --launcher-option "$option"
    first_error "fedrecsim: --launcher-option \"$option\": the sweep sets this one itself"
done
# What would be a second option by the time sbatch has read the line.
for option in '' -- ' ' 'a --wrap=x' 'comment=a --wrap=x' 'comment="a" --wrap=x' 'comment a "--wrap=x"' '-A x -W' \
    "w'r'ap=x" '"wrap"=x' '-"W"' '-H"W"' 'comment="a' 'comment=\" --wrap=x' '---wrap=x' 'time 3 4'; do
    sweep 2 s.cfg --out far --launcher slurm --dry-run --launcher-option "$option"
    first_error "fedrecsim: --launcher-option \"$option\": allowed: one option of sbatch, such as partition=short"
done
sweep 2 s.cfg --out 100% --launcher slurm --dry-run
first_error 'fedrecsim: 100%: SLURM cannot write logs below a path with % or a backslash'
if [ -e far ] || [ -e 100% ]; then fail "what is refused leaves a folder"; fi

# --- the scripts, run by something else than SLURM ---

far="it's far"
# shellcheck disable=SC2123 # nothing is to be found
PATH=$folder/nothing
sweep 0 s.cfg --out "$far" --launcher slurm --dry-run --launcher-option partition=short --launcher-option '-A x' \
    --launcher-option 'comment="a --wrap=x"' --launcher-option 'time 30' --launcher-option '-HA"y z"' --threads 2 --all
PATH=$path
says out '12 points are left, in 12 tasks'
for line in '#SBATCH --partition=short' '#SBATCH -A x' '#SBATCH --comment="a --wrap=x"' '#SBATCH --time 30' \
    '#SBATCH --ntasks=1' '#SBATCH --requeue'; do
    for script in array collect; do
        says "$far/slurm/$script.sh" "$line"
    done
done
says "$far/slurm/array.sh" '#SBATCH --cpus-per-task=2'
says "$far/tasks/run.sh" '--threads 2'
# shellcheck disable=SC2016 # as it stands in the script
says "$far/tasks/collect.sh" 'collect "$sweep" --all'
what="batch scripts by hand"
for task in 0 1 2 3 4 5 6 7 8 9; do
    (cd "$far" && SLURM_ARRAY_TASK_ID=$task ./slurm/array.sh 0) >out 2>err || fail "task $task: exit code $?"
done
(cd "$far" && SLURM_ARRAY_TASK_ID=0 ./slurm/array.sh 10) >out 2>err || fail "point 10: exit code $?"
(cd "$far" && SLURM_ARRAY_TASK_ID=1 ./slurm/array.sh 10) >out 2>err || fail "point 11: exit code $?"
(cd "$far" && SLURM_ARRAY_TASK_ID=2 ./slurm/array.sh 10) >out 2>err && fail "there is a point 12"
(cd "$far" && ./slurm/collect.sh) >out 2>err || fail "collect.sh: exit code $?"
sweep 0 s.cfg --out near --quiet --all
for file in points.csv cells.csv differences.csv tables.md sweep.sqlite report.html; do
    cmp "near/$file" "$far/$file" || fail "$file differs"
done

# --- how it is submitted ---

mkdir fake
cat >fake/sbatch <<'SH'
#!/bin/sh
id=$(($(wc -l <"$NOTES") + 40))
echo "$*" >>"$NOTES"
[ "$id" != "${REFUSE-}" ] || { echo "sbatch: error: Batch job submission failed: no more" >&2; exit 1; }
echo "welcome to the cluster" >&2
echo "$id;here"
SH
cat >fake/scontrol <<'SH'
#!/bin/sh
echo "MaxArraySize            = ${LONGEST:-1001}"
SH
cat >fake/scancel <<'SH'
#!/bin/sh
echo "scancel $*" >>"$NOTES"
SH
cat >fake/squeue <<'SH'
#!/bin/sh
echo "${QUEUED-}"
SH
chmod +x fake/*
PATH=$folder/fake:$path
NOTES=$folder/notes
export NOTES QUEUED LONGEST REFUSE

# submitted LINE...: what was asked for.
submitted() {
    printf '%s\n' "$@" | cmp -s - notes || fail "asked for something else: $(cat notes)"
}
: >notes
sweep 0 s.cfg --out a --launcher slurm --jobs 4
submitted '--parsable --begin=now --array=0-11%4 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40 slurm/collect.sh'
says out 'submitted 12 points as job array 40; job 41 collects the results into a'
says out 'scancel 40 41'

# Arrays are cut at powers of ten.
: >notes
LONGEST=99
sweep 0 s.cfg --out cut --launcher slurm
submitted '--parsable --begin=now --array=0-9 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --begin=now --array=0-1 --output=tasks/001%1a.log slurm/array.sh 10' \
    '--parsable --dependency=afterany:40:41 slurm/collect.sh'

# Points that are finished are left out.
cp -r near b
rm -r b/points/0001 b/points/0004 b/points/0005 b/points/0006 b/points/0010
: >notes
LONGEST=99
sweep 0 s.cfg --out b --launcher slurm --resume
submitted '--parsable --begin=now --array=0-4 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40 slurm/collect.sh'
printf '1\n4\n5\n6\n10\n' | cmp - b/tasks/list || fail "the tasks have other points"
QUEUED=41
sweep 2 s.cfg --out b --launcher slurm --resume
first_error 'fedrecsim: b: the jobs of this sweep have not ended yet; wait for them (squeue --me), or end them with scancel 40 41'
QUEUED=

# Nothing stays when something is refused.
: >notes
REFUSE=41
sweep 1 s.cfg --out b --launcher slurm --resume
first_error 'fedrecsim: SLURM does not take the sweep: sbatch: error: Batch job submission failed: no more'
[ "$(tail -n 1 notes)" = 'scancel 40' ] || fail "the first array stays"
REFUSE=
LONGEST=0
sweep 1 s.cfg --out c --launcher slurm
first_error 'fedrecsim: this cluster has no job arrays (MaxArraySize = 0)'
LONGEST=1001

# Jobs that end without having done anything leave their points failed.
: >notes
sweep 1 s.cfg --out b --launcher slurm --resume --wait
says err 'point 4 failed (network.bandwidth_factor = 0.5, method.name = colr, replicate 2): see b/tasks/0001.log'
says err '5 of 12 points failed'

# A sweep that is complete needs no cluster.
: >notes
sweep 0 s.cfg --out near --launcher slurm --resume
[ ! -s notes ] || fail "submits something"

# Points that learn the same come after the first of them.
: >notes
sweep 0 s.cfg --out d --launcher slurm --set training.enabled=true --set rounds.count=1 --replicates 2
submitted '--parsable --begin=now --array=0-3 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40 --array=4-7 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40:41 slurm/collect.sh'
: >notes
sweep 0 s.cfg --out e --launcher slurm --set training.enabled=true --set rounds.count=1 --replicates 2 --no-reuse
submitted '--parsable --begin=now --array=0-7 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40 slurm/collect.sh'
grep -q -e --no-reuse d/tasks/run.sh && fail "the cache is not used"
grep -q -e --no-reuse e/tasks/run.sh || fail "the cache is used"

# Replicates that end early: the third of every cell waits for the first two.
: >notes
sweep 0 s.cfg --out f --launcher slurm --set sweep.stop_metric=simulated_s --set sweep.stop_width=1 --set sweep.stop_min_replicates=2 --replicates 4
submitted '--parsable --begin=now --array=0-7 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40 --array=8-11 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:41 --array=12-15 --output=tasks/%4a.log slurm/array.sh 0' \
    '--parsable --dependency=afterany:40:41:42 slurm/collect.sh'
says out 'sweep.stop_metric: 3 waves of tasks, one after the other; each task leaves out the replicates that are no longer needed'
says f/tasks/run.sh '--needed'

[ "$failures" -eq 0 ]
