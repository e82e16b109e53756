#!/bin/sh
# A sweep by --launcher command whose tasks a stand-in of a cluster runs on two nodes: one task's process group is killed in the middle of
# a point, and one node vanishes in the middle of another, with its queue, and with working files that are half written. The sweep that
# waits is interrupted and resumed: every byte is that of the sweep on this machine. Argument: the build folder.
# shellcheck source=tests/sim/cluster/slurm.sh
. "$(dirname -- "$0")/slurm.sh"
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 40; cohort = 20; };
output = { checkpoint_rounds = 2; report = false; what_if = "none"; };
evaluation = { every = 20; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 2; };
CFG
expect 0 sweep s.cfg --out near --jobs 1 --quiet

# A node runs its tasks, the even or the odd ones, one after the other, each in a session of its own.
cat >farm <<'SH'
#!/bin/sh
# first last run
for node in 0 1; do
    NODE=$FARM/n$node setsid sh -c '
        task=$1
        while [ "$task" -le "$2" ]; do
            [ $((task % 2)) -ne "${NODE##*/n}" ] || setsid --wait "$3" "$task" log
            task=$((task + 1))
        done' node "$1" "$2" "$3" >/dev/null 2>&1 </dev/null &
done
echo "tasks $1 to $2" >>"$FARM/submitted"
SH
chmod +x farm
FARM=$folder
export FARM
stop_all() {
    for node in 0 1; do
        for process in $(cluster_processes "NODE=$folder/n$node" | sort -rn); do kill -s KILL "$process"; done
    done 2>/dev/null
}
trap 'stop_all; rm -rf "$folder"' EXIT

# within COMMAND...: until it succeeds, a minute at most.
within() {
    tries=6000
    until "$@" 2>/dev/null || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.01
    done
    [ "$tries" -gt 0 ] || fail "in vain: $*"
}
# Halts a process that is in the middle of a point on a node; leaves its number in `process` and the folder of the point in `begun`.
on_node() {
    for begun in far/points/*.partial-*; do
        [ -s "$begun/events.ndjson" ] || continue
        process=${begun##*-}
        grep -qzxF "NODE=$folder/n$1" "/proc/$process/environ" || continue
        kill -s STOP "$process" && [ -d "$begun" ] && return
        kill -s CONT "$process"
    done
    return 1
}
node_is_idle() { [ -z "$(cluster_processes "NODE=$folder/n$1")" ]; }

what="sweep by a command"
# shellcheck disable=SC2016 # the command is the shell's that submits it
submit='sh -c "$FARM/farm {first} {last} {run}" &'
env --default-signal=INT "$program" sweep s.cfg --out far --launcher command --submit "$submit" --wait \
    >far.out 2>far.err </dev/null &
sweep=$!

# --- a task is killed: its script and its program; the point dies with these, and none has time to say anything ---
within on_node 0
killed=${begun#far/points/}
killed=${killed%%.*}
task=$(cut -d ' ' -f 6 "/proc/$process/stat") # its session, and so its group
kill -s KILL -- "-$task"

# --- a node is lost: it is halted as a whole, so that nothing on it sees another part die ---
within on_node 1
lost=${begun#far/points/}
lost=${lost%%.*}
for signal in STOP KILL; do
    for process in $(cluster_processes "NODE=$folder/n1" | sort -rn); do kill -s "$signal" "$process"; done 2>/dev/null
done
within node_is_idle 1
within node_is_idle 0 # its other task goes on to the end
echo "a task killed in point $killed, a node lost in point $lost"
[ -d "$begun" ] || fail "the lost node has left nothing"
for task in "$killed" "$lost"; do [ ! -e "far/tasks/$task.ended" ] || fail "task $task says that it has ended"; done

# --- the sweep waits for tasks that will say nothing, until the user ends that ---
kill -s 0 "$sweep" || fail "the sweep does not wait"
kill -s INT "$sweep"
wait "$sweep"
code=$?
[ "$code" -eq 130 ] || fail "exit code $code"
says far.out 'tasks 4 to 7 wait for results of these'
[ "$(cat submitted)" = "tasks 0 to 3" ] || fail "other tasks are submitted"
expect 1 collect far --quiet
says err 'points of far have no results; tables.md there says which, and the rest was collected'

# --- what the lost node had in its memory: of its files, and of what the sweep shares, the second half is not there ---
halve() {
    for file; do [ ! -f "$file" ] || truncate -s "$(($(wc -c <"$file") / 2))" "$file"; done
}
halve "$begun"/* far/points/"$lost".* far/cache/* far/tasks/"$lost".log
: >"far/tasks/$lost.ended"

expect 0 sweep s.cfg --out far --launcher command --submit "$submit" --wait --resume
grep -q 'is damaged, or no journal of this program; it is not used' far/points/*.log || fail "halves of journals are used"
for file in plan.json points.csv cells.csv differences.csv tables.md sweep.sqlite; do
    cmp "near/$file" "far/$file" || fail "$file differs"
done
[ "$(ls near/points)" = "$(find far/points -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort)" ] || fail "other points, or something begun is left"
for point in near/points/*; do
    for file in rounds.csv clients.csv events.ndjson manifest.json; do
        cmp "$point/$file" "far/${point#near/}/$file" || fail "${point#near/}/$file differs"
    done
done
[ "$failures" -eq 0 ]
