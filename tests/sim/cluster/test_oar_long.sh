#!/bin/sh
# Labels: long
# A sweep by OAR itself, with two nodes: the bytes of a sweep on this machine, although a task is killed and a node is lost; the
# same for a sweep whose replicates end early. Argument: the build folder. Needs root, and OAR or apt to get it (oar.sh).
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/sim/cluster/oar.sh
. "$here/oar.sh"
if [ "${2-}" != inside ]; then
    missing=$(oar_missing | tr '\n' ',')
    if [ -n "$missing" ]; then
        echo "SKIPPED test_oar_long: there is no ${missing%,}"
        exit 0
    fi
    oar_enter "$here/test_oar_long.sh" "$(CDPATH='' cd -- "$1" && pwd)" inside
fi
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"
began=$(cut -d. -f1 /proc/uptime)
step() { echo "$(($(cut -d. -f1 /proc/uptime) - began)) s: $1"; }

# Ends the test with everything that may tell why.
give_up() {
    fail "$1"
    oarstat
    oarnodes -s
    oar_logs
    exit 1
}
oar_start || give_up "no server"
step "the server is up, $(dpkg-query -W -f '${Version}' oar-server)"
chown "$oar_user" "$folder" && chmod 755 "$folder"
real=$program
program=$folder/program
cat >"$program" <<TEXT
#!/bin/sh
. "$here/oar.sh"
oar_as_user "$real" "\$@"
TEXT
chmod +x "$program"

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 200; cohort = 20; };
evaluation = { every = 50; };
output = { checkpoint_interval = "1 s"; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 2; };
CFG
early='--vary method.dim=2 --set rounds.count=60 --set sweep.stop_metric=simulated_s --set sweep.stop_width=30 --set sweep.stop_min_replicates=2 --replicates 4'
expect 0 sweep s.cfg --out near --jobs 2 --quiet
# shellcheck disable=SC2086 # words
expect 0 sweep s.cfg --out near-early --jobs 2 --quiet $early

# same FOLDER AS: every byte of the points, but for what is measured of the machine, and of what is collected.
same() {
    for file in plan.json points.csv cells.csv differences.csv tables.md sweep.sqlite report.html; do
        cmp "$2/$file" "$1/$file" || fail "$1/$file differs"
    done
    [ "$(ls "$2/points")" = "$(find "$1/points" -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort)" ] || fail "$1 has other points"
    for point in "$2"/points/*; do
        for file in rounds.csv clients.csv events.ndjson manifest.json; do
            cmp "$point/$file" "$1/${point#"$2"/}/$file" || fail "$1/${point#"$2"/}/$file differs"
        done
    done
    step "$1 is the same"
}

# --- nothing is lost ---

# shellcheck disable=SC2086
expect 0 sweep s.cfg --out early --launcher oar --wait --quiet --launcher-option=-lwalltime=0:5:0 $early
same early near-early
says early/tasks/collect.log '6 of 8 points finished'
[ ! -s early/tasks/oar.log ] || give_up "a job has something to say: $(cat early/tasks/oar.log)"

# --- a task is killed, and a node is lost ---

has_finished() { [ "$(find far/points -mindepth 1 -maxdepth 1 -type d ! -name '*.*' | wc -l)" -ge "$1" ]; }
"$program" sweep s.cfg --out far --launcher oar --wait --quiet --launcher-option=-lwalltime=0:5:0 >far.out 2>&1 </dev/null &
sweep=$!
oar_within 120 pgrep -f "$real point" || give_up "nothing runs"
pkill -o -KILL -f "$real point"
step "a task is killed"
oar_within 120 has_finished 2 || give_up "nothing finishes"
oar_within 60 oar_runs 2 "$real point" || give_up "nothing runs on the second node"
oar_kill_node 2 || give_up "the node goes on"
step "a node is lost"
# OAR would wait for the end of the job's time. An administrator, or what watches the nodes, is faster.
oarnodesetting -h n2 -s Dead >/dev/null
wait "$sweep"
code=$?
[ "$code" -eq 1 ] || give_up "exit code $code although a task was killed"
step "everything has ended"
grep -q 'points failed; --resume runs them again' far.out || give_up "the sweep does not say how to go on: $(cat far.out)"
oar_start_node 2 && oarnodesetting -h n2 -s Alive >/dev/null
expect 0 sweep s.cfg --out far --launcher oar --wait --quiet --launcher-option=-lwalltime=0:5:0 --resume
same far near
[ "$failures" -eq 0 ] || oar_logs
[ "$failures" -eq 0 ]
