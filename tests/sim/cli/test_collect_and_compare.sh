#!/bin/sh
# collect and compare on real runs: the same files every time, and a ranking that another network turns round. Argument:
# the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
network = { model = "exact"; downlink = "1 Mbit/s"; uplink = "1 Mbit/s"; latency = "50 ms"; };
devices = { preset = "ideal"; };
rounds = { count = 4; };
END

# --- a sweep: far but fast links beside near but slow ones ---
expect 0 sweep s.cfg --out sw --quiet --replicates 3 --set sweep.target='hr@10 >= 0.05' --set sweep.baseline='link=far' \
    --vary 'link | far | near: network.latency=0s & network.downlink=0.5Mbit/s & network.uplink=0.5Mbit/s' \
    --vary 'method.name=fedmf,colr'
for file in sweep.sqlite points.csv cells.csv differences.csv tables.md; do
    cp "sw/$file" . || fail "no $file"
done
expect 0 collect sw
silent err
says out "12 of 12 points finished: 4 cells, 3 replicates."
says out "**hr@10, difference to link=far**"
cmp -s out sw/tables.md || fail "tables.md is not what was printed"
# What a killed collect has left is removed; what a process that is there may be writing stays, and foreign files do.
sh -c 'echo $$' >pid
touch "sw/sweep.sqlite.partial-$(cat pid)" "sw/points.csv.partial-$$" sw/notes.partial-1
expect 0 collect sw/ --quiet
silent out
[ "$(cd sw && echo *.partial-*)" = "notes.partial-1 points.csv.partial-$$" ] || fail "there are $(cd sw && echo *.partial-*)"
rm sw/*.partial-*
for file in sweep.sqlite points.csv cells.csv differences.csv tables.md; do
    cmp -s "$file" "sw/$file" || fail "$file is not the same again"
done
for word in wall_s machine rss; do
    if grep -qa "$word" sw/sweep.sqlite sw/points.csv sw/cells.csv sw/tables.md; then
        fail "values of the machine ($word)"
    fi
done
cp sw/report.html .
expect 0 collect sw --target 'hr@10=popularity-0.2' --quiet
expect 0 report sw --target 'hr@10=popularity-0.2' --out other.html --quiet
cmp -s other.html sw/report.html || fail "the page is not of the new target"
cmp -s report.html sw/report.html && fail "the page is of the old target"
expect 0 collect sw --quiet
cmp -s report.html sw/report.html || fail "the page is not of the plan's target again"
echo mine >sw/report.html # no page of ours
expect 0 collect sw --quiet
silent err
[ "$(cat sw/report.html)" = mine ] || fail "replaces a file that is no page"
rm sw/report.html
expect 0 collect sw --quiet
cmp -s report.html sw/report.html || fail "does not end with the page that the sweep ended with"
expect 0 collect sw --target 'hr@10=popularity-0.2' --baseline 'method.name=fedmf,link=near'
says out "Target: hr@10 ≥ popularity − 0.2 (validation items)."
says out "Differences are to method.name=fedmf,link=near, seed by seed."
cp sw/points/0000/rounds.csv kept
rm -rf sw/points/0000/rounds.csv sw/points/0005 sw/points/0005.log # the log: sanitizers warn on stderr
expect 1 collect sw
says err "fedrecsim: 2 points of sw have no results; tables.md there says which, and the rest was collected"
says out "10 of 12 points finished"
says out "- point 0 (link=far, method.name=fedmf, seed 1): unreadable: sw/points/0000/rounds.csv: cannot be read: No such file"
says out "- point 5 (link=far, method.name=colr, seed 3): missing"
says out "(n = 2)"
cp kept sw/points/0000/rounds.csv

# --- comparing ---
expect 0 compare sw:method.name=fedmf sw/points/0009 --metric outcomes.delivered --csv figures.csv
silent err
says out "Target: hr@10 ≥ 0.05 (validation items)."
says out "| link=near, method.name=fedmf | 3 "
says out "| sw/points/0009 | unpaired |"
says out "**Pareto front** of the means: "
grep -q '^"link=near, method.name=fedmf",outcomes.delivered,3,0,' figures.csv || fail "figures.csv"
says out "Compared within each environment: they differ in network.downlink.value, network.uplink.value, network.latency.value. --across network compares across them."
# A slow link against a far one is no ranking, unless somebody asks for it.
expect 0 compare sw:method.name=fedmf --fidelity --by simulated_s
says out "There is nothing to rank: every entry has an environment of its own."
expect 0 compare sw:method.name=fedmf --fidelity --by simulated_s --across link
says out "**Ranking by simulated_s under other networks**"
says out "The ranking does not survive: 4 pairs of entries change the order."
says out "- tcp: link=far, method.name=fedmf − link=near, method.name=fedmf is +"
says err "42/42 points done"

# SimGrid's own solver simulates no tcp. What has been run stays in the folder.
expect 0 run s.cfg --out solved --quiet --set engine.backend=simgrid
expect 0 compare solved sw/points/0001 --across engine --fidelity --out repeated --jobs 1
says out "- solved is left out under tcp: network.model: \"tcp\" is not possible under SimGrid's own solver"
grep -q '^| entry .*lv08' out && fail "repeats under lv08"
[ -f repeated/points/0000/summary.json ] || fail "the runs are not in the folder"
expect 0 compare solved sw/points/0001 --across engine --fidelity --out repeated --by simulated_s
says out "The ranking survives as far as there are figures: no pair of entries changes the order."

# --- choices and environments ---
expect 0 compare sw
says out "Compared within each environment: they differ in link. --across link compares across them."
says out "## link=near"
says out "**Differences to link=near, method.name=fedmf**"
expect 0 compare sw --across link --within method.name
says out "## method.name=colr"
expect 0 compare sw --baseline 'link=near, method.name=colr'
says out "**Differences to link=near, method.name=colr**"
expect 2 compare sw --baseline colr
says err "fedrecsim: --baseline colr: is no entry; allowed: link=far, method.name=fedmf | link=far, method.name=colr | "
silent out
expect 2 compare sw --within method
says err "fedrecsim: --within method: is no axis of the sweep; allowed: link | method.name"
silent out
cp sw/plan.json plan.json
sed -i 's/"baseline": .*/"baseline": null,/' sw/plan.json
expect 1 collect sw
says out "Design factors: method.name. Environments: link."
says out "Differences are to method.name=fedmf under the same environments, seed by seed."
[ "$(grep -c '^\*\*[a-z]' out)" -eq 5 ] || fail "not five tables: $(grep '^\*\*' out)"
expect 1 collect sw --all
says out "**bytes.up, ratio to method.name=fedmf**"
cmp -s out sw/tables.md || fail "tables.md is not what was printed"
cp plan.json sw/plan.json

# --- mistakes ---
mkdir empty
expect 2 collect
says err "needs the folder of a sweep"
expect 2 collect empty
says err "fedrecsim: empty: is not the folder of a sweep: it has no plan.json"
[ -z "$(ls empty)" ] || fail "it has written something"
expect 2 collect sw --baseline link=middle
says err 'fedrecsim: --baseline: "middle" does not start with a level of "link"; allowed: far | near'
expect 2 compare
says err "needs run directories, or folders of sweeps"
expect 2 compare s.cfg
says err "fedrecsim: s.cfg: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)"
expect 2 compare sw --metric bytes.wastd
says err 'fedrecsim: --metric bytes.wastd: no run has it (did you mean "bytes.wasted"?)'
silent out
expect 2 compare sw --target hr=0.5
says err 'fedrecsim: target "hr=0.5": "hr" is no measure of quality; did you mean "hr@10"?; allowed: METRIC=NUMBER or METRIC=BASELINE+NUMBER'
expect 2 compare sw --fidelity --by simulated
says err 'fedrecsim: --by simulated: no run has it (did you mean "simulated_s"?); points.csv of a sweep lists what there is'
expect 2 compare sw --by hr@10
says err "--by, --out and --jobs belong to --fidelity"
expect 2 compare sw --fidelity --out solved
says err "solved exists and holds no sweep"

[ "$failures" -eq 0 ]
