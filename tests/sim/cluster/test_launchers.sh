#!/bin/sh
# Sweeps by GNU parallel, by a command of the user's and by OAR (stand-ins of its commands), and tasks of several points: the
# same to the byte as on this machine, a task that is killed, points that learn the same, what is refused. Argument: the build
# folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 2; cohort = 20; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 2; };
CFG
expect 0 sweep s.cfg --out near --jobs 1 --quiet

same() {
    for file in points.csv cells.csv differences.csv tables.md; do
        cmp "near/$file" "$1/$file" || fail "$1/$file differs"
    done
    # A process that is killed when its point is in place leaves the lock and the empty log of that point.
    for left in "$1"/points/*.*; do
        case $left in
        *.lock | *.log) [ -d "${left%.*}" ] || fail "$left is left" ;;
        *) [ ! -e "$left" ] || fail "$left is left" ;;
        esac
        case $left in *.log) [ ! -s "$left" ] || fail "$left says something" ;; esac
    done
}

# --- a command: this one runs the tasks of a wave one after the other, elsewhere than where the sweep was begun ---

cat >queue <<'SH'
#!/bin/sh
# first last run
echo "$1 $2" >>"$NOTES"
(
    cd / && task=$1
    while [ "$task" -le "$2" ]; do
        PBS_ARRAY_INDEX=$task "$3" >/dev/null 2>&1
        task=$((task + 1))
    done
) >/dev/null 2>&1 </dev/null &
echo "job 17"
SH
chmod +x queue
NOTES=$folder/notes
export NOTES
far="it's far"
: >notes
expect 0 sweep s.cfg --out "$far" --launcher command --submit "./queue {first} {last} {run}" --wait --jobs 2
says out 'submitted tasks 0 to 3: job 17'
says out 'tasks 4 to 7 wait for results of these'
same "$far"
printf '0 3\n4 7\n' | cmp - notes || fail "other tasks are submitted"
# Packed: whatever the forecast says, tasks of an hour have all points; what learns the same is in one of them.
: >notes
expect 0 sweep s.cfg --out packed --launcher command --submit "./queue {first} {last} {run}" --wait --task-time '1 h' --task-processors 2
same packed
printf '0 0\n' | cmp - notes || fail "other tasks are submitted"
printf '0-7\n' | cmp - packed/tasks/list || fail "the task has other points"
says packed/tasks/run.sh 'processors=2'
expect 0 sweep s.cfg --out pairs --launcher command --submit "./queue {first} {last} {run}" --dry-run --task-time '1 ms'
printf '0\n1\n2\n3\n4\n5\n6\n7\n' | cmp - pairs/tasks/list || fail "a task of no time has more than one point"
says out 'a task has 1 point, the longest of '
says out 's by the forecast; they come in 2 waves'
says out "tasks 4 to 7 would be submitted by: ./queue 4 7 '$(pwd -P)/pairs/tasks/run.sh'"
# Without --wait the results are collected by hand.
expect 0 sweep s.cfg --out later --no-reuse --launcher command --submit "./queue {first} {last} {run}"
says out 'fedrecsim collect later'
tries=600
until [ "$(find later/tasks -name '*.ended' | wc -l)" -eq 8 ] || [ "$tries" -eq 0 ]; do
    tries=$((tries - 1))
    sleep 0.1
done
expect 0 collect later --quiet
same later
# A command that leaves a process behind with its output open: the sweep does not wait for it, and it holds nothing of the sweep's.
cat >leaver <<'SH'
#!/bin/sh
ls "/proc/$$/fd" >inherited
(sleep 20 && : >over) &
echo "job 18"
SH
chmod +x leaver
expect 0 sweep s.cfg --out left-behind --no-reuse --launcher command --submit './leaver {first} {run}'
says out 'submitted tasks 0 to 7: job 18'
[ ! -e over ] || fail "the sweep waits for what its command leaves behind"
! grep -x '[3-9]' inherited || fail "the command inherits descriptors"
expect 1 sweep s.cfg --out never --launcher command --submit "echo no queue >&2; false {run} {first}" --wait
says err 'fedrecsim: --submit: the command failed: no queue; tasks 0 to 7 are not submitted, and the same command with --resume goes on'
# The second wave is refused without a word.
# shellcheck disable=SC2016 # the variable of the command
expect 1 sweep s.cfg --out refused --launcher command --submit '[ {first} = 0 ] || exit 3; for k in 0 1 2 3; do : >refused/tasks/000$k.ended; done; : {run}'
says out '2 waves of tasks: this command stays until wave 2 is submitted'
says err 'fedrecsim: --submit: the command failed: exit status 3, and it said nothing; tasks 4 to 7 are not submitted (tasks 0 to 3 have ended), and the same command with --resume goes on'
expect 1 sweep s.cfg --out unnumbered --launcher command --submit '{run} || : {tasks}' --wait
says err 'fedrecsim: a task was started without its number: unnumbered/tasks/run.sh needs it as its argument'
# Ctrl-C while it waits; the tasks of the first wave are never run.
env --default-signal=INT "$program" sweep s.cfg --out silent --launcher command --submit ': {run} {last}' >out 2>err &
tries=1000
until grep -q 'wait for results' out || [ "$tries" -eq 0 ]; do
    tries=$((tries - 1))
    sleep 0.01
done
kill -s INT $!
wait $!
code=$?
[ "$code" -eq 130 ] || fail "exit code $code when the waiting is interrupted"
says err 'fedrecsim: interrupted: 0 of 8 tasks have ended, 4 are queued, run, or are lost, and 4 were not submitted; waiting has ended, the tasks have not'
says err 'fedrecsim: interrupted: 0 of 8 points are finished; the same command with --resume goes on'

# Replicates that end early come in waves, and each task sees for itself what is needed: the same points as on this machine.
early='--replicates 5 --set sweep.stop_metric=simulated_s --set sweep.stop_width=0.5 --set sweep.stop_min_replicates=2 --vary method.dim=2'
mv near all
# shellcheck disable=SC2086 # words
expect 0 sweep s.cfg --out near --jobs 1 --quiet $early
: >notes
# shellcheck disable=SC2086
expect 0 sweep s.cfg --out ended --launcher command --submit "./queue {first} {last} {run}" --wait --no-reuse $early
same ended
says out 'sweep.stop_metric: 4 waves of tasks, one after the other; each task leaves out the replicates that are no longer needed'
[ "$(ls near/points)" = "$(find ended/points -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort)" ] || fail "other points were run"
[ "$(find ended/points -mindepth 1 -maxdepth 1 -type d | wc -l)" -lt 10 ] || fail "no cell ended early"
rm -rf near
mv all near

# --- OAR, by stand-ins that run what they are given at once ---

mkdir fake
cat >fake/oarsub <<'SH'
#!/bin/sh
echo "$*" >>"$NOTES"
for script; do :; done
case $* in *"--array-param-file "*) lines=$(cat tasks/arguments) ;; *) lines=none ;; esac
id=$(($(cat "$NOTES.id" 2>/dev/null || echo 40)))
echo "$lines" | while read -r task log; do
    echo "OAR_JOB_ID=$id"
    id=$((id + 1))
    echo "$id" >"$NOTES.id"
    if [ "$task" = none ]; then "$script"; else "$script" "$task" "$log"; fi >/dev/null 2>&1
done
SH
cat >fake/oarstat <<'SH'
#!/bin/sh
echo 'Job id    S User     Duration   System message'
[ -z "${LEFT-}" ] || echo "$LEFT        R me       0:00:42 R=1,W=0:1:30,J=B,N=s"
SH
chmod +x fake/*
path=$PATH
PATH=$folder/fake:$path
: >notes
# OAR limits no array: arrays of so many jobs at most, each after the one before.
expect 0 sweep s.cfg --out by-oar --launcher oar --wait --jobs 3 --launcher-option=-lwalltime=0:30:0
same by-oar
says out 'submitted 8 points as 8 jobs, 40 to 47; job 48 collects the results into by-oar'
part="--name s --directory $folder/by-oar --stdout tasks/oar.log --stderr tasks/oar.log"
array='-lwalltime=0:30:0 --array-param-file tasks/arguments tasks/run.sh'
cmp - notes <<TEXT || fail "other jobs are submitted"
$part $array
$part --anterior 40 --anterior 41 --anterior 42 $array
$part --anterior 43 $array
$part --anterior 44 --anterior 45 --anterior 46 $array
--name s --directory $folder/by-oar --stdout tasks/collect.log --stderr tasks/collect.log --anterior 40 --anterior 41 --anterior 42 --anterior 43 --anterior 44 --anterior 45 --anterior 46 --anterior 47 -lwalltime=0:30:0 tasks/collect.sh
TEXT
rm -rf by-oar/points/0003
LEFT=41
export LEFT
expect 2 sweep s.cfg --out by-oar --launcher oar --resume
says err 'by-oar: the jobs of this sweep have not ended yet; wait for them (oarstat), or end them with oardel 40 41'
LEFT=410
expect 0 sweep s.cfg --out by-oar --launcher oar --resume --wait
same by-oar
expect 2 sweep s.cfg --out "$far" --launcher oar --resume
says err "it's far: OAR cannot run jobs below a path with a quote, a backslash or a new line; choose another folder with --out DIR"
for option in --array=3 -d/elsewhere -Ox; do
    expect 2 sweep s.cfg --out wrong --launcher oar --launcher-option="$option"
    says err "--launcher-option \"$option\": the sweep sets this one itself"
done
PATH=$path

# --- GNU parallel; a task that is killed gets another try ---

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    HOME=$folder expect 0 sweep s.cfg --out "by 'parallel" --launcher parallel --jobs 2 --task-time '1 ms'
    same "by 'parallel"
    # The script of the task asks sed for its points: here it says who it is. Its program is killed when the first is finished.
    mkdir watched
    cat >watched/sed <<'SH'
#!/bin/sh
[ -e "$NOTES.task" ] || echo "$PPID" >"$NOTES.task"
PATH=${PATH#*:} exec sed "$@"
SH
    chmod +x watched/sed
    (
        tries=3000
        until [ -d retried/points/0000 ] || [ "$tries" -eq 0 ]; do
            tries=$((tries - 1))
            sleep 0.01
        done
        read -r task <"$NOTES.task"
        read -r process _ <"/proc/$task/task/$task/children" # a line without an end
        kill -s KILL "$process" && echo killed >was
    ) &
    PATH=$folder/watched:$path HOME=$folder expect 0 sweep s.cfg --out retried --launcher parallel --jobs 1 --quiet --task-time '1 h'
    wait
    [ -s was ] || fail "no task was killed"
    same retried
    for option in --jobs=3 -j3 --retries=1 word; do
        expect 2 sweep s.cfg --out wrong --launcher parallel --launcher-option="$option"
        says err "--launcher-option \"$option\": "
    done
else
    echo "SKIPPED test_launchers: there is no GNU parallel here"
    [ -z "${FRS_REQUIRE_CLUSTER-}" ] || fail "GNU parallel is not installed"
fi

# --- what is refused ---

expect 2 sweep s.cfg --out wrong --launcher command
says err '--launcher command: needs --submit COMMAND'
expect 2 sweep s.cfg --out wrong --launcher command --submit 'qsub x'
says err '--submit: the command has no {run}'
expect 2 sweep s.cfg --out wrong --launcher command --submit 'qsub -- {run}'
says err '--submit: the command says nowhere which tasks it submits; it needs {first} and {last}'
expect 2 sweep s.cfg --out wrong --launcher command --submit 'qsub {first}-{last {run}'
says err '--submit: {last has no closing brace; allowed: {run}'
expect 2 sweep s.cfg --out wrong --launcher command --submit 'qsub {run} {end}'
says err '--submit: {end} stands for nothing; allowed: {run}, {first}, {last}'
expect 2 sweep s.cfg --out wrong --launcher command --submit 'x {run}' --launcher-option y
says err '--launcher command takes no --launcher-option'
expect 2 sweep s.cfg --out wrong --launcher slurm --submit 'x {run}'
says err '--submit needs --launcher command'
expect 2 sweep s.cfg --out wrong --launcher slurm --slurm-option y
says err '--slurm-option is called --launcher-option'
expect 2 sweep s.cfg --out wrong --task-time '1 min'
says err '--task-time needs --launcher NAME'
for wrong in 0 '0 s' 3 x; do
    expect 2 sweep s.cfg --out wrong --launcher command --submit 'x {run}' --task-time "$wrong"
    says err "--task-time $wrong: allowed: a time above 0"
done
[ ! -e wrong ] || fail "what is refused leaves a folder"
[ "$failures" -eq 0 ]
