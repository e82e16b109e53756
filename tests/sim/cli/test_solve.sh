#!/bin/sh
# Labels: slow
# Which setting keeps to a bound: three questions against a sweep of all settings, what is left in the folder, what is refused.
# test_solve_long asks seven more. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'EOF'
seed = 1;
data = { synthetic = "small"; };
training = { enabled = false; };
devices = { compute = "none"; };
method = { name = "fedmf"; dim = 16; };
network = { preset = "mixed-mobile"; };
rounds = { count = 3; cohort = 10; };
output = { events = false; };
EOF

# all NAME SETTINGS...: a sweep of all settings, two replicates each.
all() {
    name=$1
    shift
    values=$(seq -s ', ' 1 "$2")
    expect 0 sweep s.cfg --vary "$1 = $values" --replicates 2 --quiet --out "all-$name"
}

# right NAME METRIC BOUND: the last setting, in the order of the sweep, of which the mean is at most the bound.
right() {
    awk -F, -v metric="$2" -v bound="$3" '$3 == metric && $5 + 0 <= bound + 0 { last = $2 } END { print last }' "all-$1/cells.csv"
}

n_points() { find "$1/points" -mindepth 1 -maxdepth 1 -name '[0-9]*[0-9]' -type d | wc -l; }

# ask NAME SETTINGS METRIC BOUND: the answer of the sweep of all, from no more than a third of its runs.
ask() {
    rm -rf asked
    expect 0 solve s.cfg --vary "$2" --until "$3 <= $4" --replicates 2 --quiet --out asked
    answer=$(sed -n 's/^  "answer": "\(.*\)",$/\1/p' asked/answer.json)
    expected=$(right "$1" "$3" "$4")
    [ -n "$expected" ] || fail "nothing keeps to $3 <= $4"
    [ "$answer" = "$expected" ] || fail "answers $answer instead of $expected"
    runs=$(n_points asked)
    of=$(n_points "all-$1")
    [ $((3 * runs)) -le "$of" ] || fail "$runs of $of runs"
    echo "| $2 | $3 <= $4 | $answer | $runs of $of |"
}

cohorts='rounds.cohort = 1..32'
counts='rounds.count = 1..24'
all cohorts rounds.cohort 32
ask cohorts "$cohorts" bytes.total 1000000
ask cohorts "$cohorts" bytes.down 200000
ask cohorts "$cohorts" simulated_s 2.2
if [ "${FRS_QUESTIONS-}" = all ]; then
    all counts rounds.count 24
    ask counts "$counts" simulated_s 12
    ask counts "$counts" bytes.up 3000000
    ask counts "$counts" rounds 17
    ask cohorts "$cohorts" bytes.up 1500000
    ask cohorts "$cohorts" simulated_s 3
    ask counts "$counts" simulated_s 5
    ask counts "$counts" bytes.total 2500000
fi

# holds FOLDER TEXT: answer.json has it.
holds() {
    grep -qF -- "$2" "$1/answer.json" || fail "answer.json of $1 has no $2: $(cat "$1/answer.json")"
}

# The folder is that of a sweep; what was asked is taken up again, and asks for nothing that is there.
expect 0 solve s.cfg --vary "$counts" --until 'bytes.total <= 2.5 MB' --replicates 2 --out again
says out ' is the largest that meets bytes.total <= 2.5 MB: '
says out 'That is sure: '
expect 0 collect again --quiet
before=$(n_points again)
cp again/answer.json before.json
expect 0 solve s.cfg --vary "$counts" --until 'bytes.total <= 2.5 MB' --replicates 2 --out again --resume --quiet
[ "$(n_points again)" -eq "$before" ] || fail "ran again"
cmp -s before.json again/answer.json || fail "another answer"

# What a client takes is a figure like any other: of 2 to 9 rounds of ten of the clients, 38,448 bytes each.
expect 0 solve s.cfg --vary 'rounds.count = 2..9' --until 'per_client.p95_bytes <= 80 kB' --out month
says out ' is the largest that meets per_client.p95_bytes <= 80 kB: '

# 0 % of the participations are not below 0 %; what is below is said by the sign. The mean upload is a figure, too.
expect 3 solve s.cfg --vary 'rounds.count = 2, 3' --until 'outcomes.cut < 0 %' --out strict
says out 'No setting of rounds.count = 2, 3 meets outcomes.cut < 0 %.'
holds strict '"metric": "outcomes.cut_share"'
expect 0 solve s.cfg --vary 'rounds.count = 2, 3' --until 'participation.up_bytes > 19 kB' --expect 'outcomes.cut < 5 %' --out upload
expect 2 solve s.cfg --vary 'rounds.count = 2, 3' --until 'rounds < 10 %' --out refused
says err 'allowed: METRIC <= AMOUNT or METRIC >= AMOUNT (or < and >), the amount in plain numbers'

# The smallest, the best of those that keep to a bound, and none.
expect 0 solve s.cfg --vary 'rounds.count = 1..6' --until 'bytes.total >= 1 MB' --smallest --replicates 2 --out smallest
says out ' is the smallest that meets bytes.total >= 1 MB: '
expect 0 solve s.cfg --vary 'rounds.count = 2, 3, 4' --until 'bytes.total <= 100 MB' --best simulated_s --replicates 2 --out best
says out '2 has the best simulated_s of those: '
expect 3 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 kB' --out none
says out 'No setting of rounds.count = 2..4 meets bytes.total <= 1 kB.'
# Two rounds of ten clients, (300 * 16 * 4 + 24) bytes each way.
says out 'The nearest that was run is 2: 769.0 kB.'
says out 'One replicate does not say how sure that is'
expect 3 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 kB' --replicates 2 --out none-of-two
says out 'That is sure: '
says out '3 of 3 settings were run.'
# Of more settings than its budget it knows nothing of those that it has not run, and goes on with more.
expect 3 solve s.cfg --vary 'rounds.count = 2..9' --until 'bytes.total <= 1 kB' --replicates 2 --budget 3 --out few
says out 'None of those tried meets bytes.total <= 1 kB: 3 of the 8 settings of rounds.count = 2..9.'
says out 'That is sure of those tried: '
says out '3 of 8 settings were run; any of the others may meet the bound, because it is not assumed that bytes.total rises or falls all the way; --budget 8 runs all.'
holds few '"by": "part"'
holds few '"untried": 5'
expect 3 solve s.cfg --vary 'rounds.count = 2..9' --until 'bytes.total <= 1 kB' --replicates 2 --budget 5 --out few --resume --quiet
[ "$(n_points few)" -eq 10 ] || fail "ran $(n_points few) points"
# Halving assumes that the figure rises or falls all the way, and says so.
expect 0 solve s.cfg --vary 'rounds.count = 1..9' --until 'bytes.total <= 2.5 MB' --replicates 2 --out halves
says out ' settings were run; the others need not be, if bytes.total rises or falls all the way, as this answer assumes.'
holds halves '"assumed": "monotone"'
expect 0 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 GB' --out one
says out 'One replicate does not say how sure that is'

# --- what is good in the middle only, diverges, misses its target, or is as good as the best ---

cat >t.cfg <<'EOF'
seed = 1;
data = { synthetic = "small"; };
devices = { compute = "none"; };
method = { name = "fedmf"; dim = 8; };
network = { preset = "mixed-mobile"; };
rounds = { count = 10; cohort = 20; };
evaluation = { target = "hr@10 >= 0.12"; };
output = { events = false; report = false; };
EOF
rates='method.learning_rate = 0.001, 0.01, 0.1, 1, 10, 1e6'
hr() { awk -F, -v label="$2" '$2 == label && $3 == "hr@10" { print $5 }' "$1/cells.csv"; }

# A learning rate of 1e6 diverges: that is one that does not keep to the bound, and the others are an answer all the same. Of
# those only 1 keeps to it, and neither end nor the middle of the axis does.
expect 0 solve t.cfg --vary "$rates" --until 'hr@10 >= 0.12' --replicates 3 --out inner
says out '1 of method.learning_rate = 0.001, 0.01, 0.1, 1, 10, 1e6 is the last that meets hr@10 >= 0.12: '
says out '1e6 counts as one that does not meet it: training has diverged, in 3 of 3 runs.'
says err 'training has diverged (smaller method.learning_rate?)'
! grep -q 'points failed; --resume' err || fail "failed: $(cat err)"
holds inner '"answer": "1"'
awk -v a="$(hr inner 1)" -v b="$(hr inner 10)" 'BEGIN { exit !(a >= 0.12 && b < 0.12) }' || fail "the middle is not good alone"
cp inner/answer.json before.json
expect 0 solve t.cfg --vary "$rates" --until 'hr@10 >= 0.12' --replicates 3 --out inner --resume --quiet
cmp -s before.json inner/answer.json || fail "another answer"
# Where nothing comes of any there is no answer.
expect 3 solve t.cfg --vary 'method.learning_rate = 1e5, 1e6' --until 'hr@10 >= 0.12' --replicates 2 --out none-ends
says out 'No setting that was run has a hr@10.'

# Hit rates from 2 on are .11, .1, .075, .12, .12, .095, .075 and .105: 6 is the last that keeps to .11, and 3 and 4 do not. The
# answer comes first, without tables that name another one.
expect 0 solve t.cfg --vary 'method.dim = 2..9' --until 'hr@10 >= 0.11' --out gaps
[ "$(sed -n 1p out)" = '6 of method.dim = 2..9 is the largest that meets hr@10 >= 0.11: 0.1200.' ] || fail "begins with $(sed -n 1p out)"
[ "$(sed -n 2p out)" = 'hr@10 is not monotone: 2 of the 4 settings below 6 do not meet it; 2 is the largest without a gap: 0.1100.' ] ||
    fail "goes on with $(sed -n 2p out)"
! grep -q '^|' out || fail "there is a table"
holds gaps '"without_gap": "2"'
holds gaps '"misses_before_it": 2'
# From the other side 5 is the smallest of a range at whose end 9 does not keep to it: no setting is free of gaps.
expect 0 solve t.cfg --vary 'method.dim = 3..9' --until 'hr@10 >= 0.11' --smallest --out gaps-above
says out '5 of method.dim = 3..9 is the smallest that meets hr@10 >= 0.11: 0.1200.'
says out 'hr@10 is not monotone: 3 of the 4 settings above 5 do not meet it.'
holds gaps-above '"without_gap": null'

# The best, with the chance that another one is, and which they are.
expect 0 solve t.cfg --vary "$rates" --best hr@10 --replicates 3 --out best-of-all
says out '1 has the best hr@10: '
says out ' are not significantly different from it.'
says out 'That is not sure: replicates like these mislead with a chance of up to '
says out '1e6 is left out: training has diverged, in 3 of 3 runs.'
holds best-of-all '"within_noise": ['
! grep -q '"chance_of_error": null' best-of-all/answer.json || fail "no chance"

# Runs that miss the target are observations: the time to it is what all runs spent over those that reached it, and they take
# part in the chance.
expect 0 solve t.cfg --set 'evaluation.target=hr@10 >= 0.16' --vary 'method.learning_rate = 0.1, 1' --until 'time_to_target_s <= 1 d' --replicates 5 --out missed
says out ' of 5 runs spent that did not reach it'
says out 'mislead with a chance of'
answer=$(sed -n 's/^  "answer": "\(.*\)",$/\1/p' missed/answer.json)
mean=$(sed -n 's/^  "mean": \(.*\),$/\1/p' missed/answer.json)
by_hand=$(awk -F, -v label="$answer" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["method.learning_rate"] == label { reached = $column["time_to_target_s"]; n += reached != "inf"
        sum += reached == "inf" ? $column["simulated_s"] : reached }
    END { printf "%.6f", sum / n }' missed/points.csv)
[ "$(printf %.6f "$mean")" = "$by_hand" ] || fail "mean $mean instead of $by_hand"

# A key that has to be given is an axis of a file that does not give it.
sed 's/cohort = 10; /cohort = 10; policy = "deadline"; /' s.cfg >deadline.cfg
grep -q deadline deadline.cfg || fail "no deadline"
expect 0 solve deadline.cfg --vary 'rounds.policy.after = 500 ms, 1 s, 2 s' --until 'simulated_s <= 1 d' --out required --quiet
holds required '"answer": "2 s"'
expect 2 solve deadline.cfg --vary 'rounds.count = 2, 3' --until 'simulated_s <= 1 d' --out lacks
says err 'deadline.cfg: rounds.policy.after: has to be given; '

# Settings without a name of their own begin a sentence.
expect 0 solve s.cfg --set method.name=colr --vary 'method.rank = 1, 2' --until 'simulated_s >= 1 ms' --smallest --replicates 2 --out ranks
grep -q '^rank [12] is through with its rounds after ' ranks/tables.md || fail "says $(grep through ranks/tables.md)"

expect 2 solve s.cfg --vary 'rounds.count = 4..2' --until 'bytes.total <= 1 kB'
says err '--vary rounds.count = 4..2: is no range; allowed: KEY = A..B'
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.totl <= 1' --out wrong
says err '--until: "bytes.totl" is not a figure; did you mean "bytes.total"?'
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --until 'tme_to_target_s <= 5 min' --out wrong
error 'fedrecsim: --until: "tme_to_target_s" is not a figure; did you mean "time_to_target_s"?; allowed: names as in summary.json, such as hr@10, simulated_s or bytes.down'
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --until 'happiness >= 5 min' --best simulatd_s --out wrong
error 'fedrecsim: --until: "happiness" is not a figure; allowed: names as in summary.json, such as hr@10, simulated_s or bytes.down'
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --best simulatd_s --out wrong
says err '--best: "simulatd_s" is not a figure; did you mean "simulated_s"?'
[ ! -e wrong ] || fail "something was written"
expect 2 solve s.cfg --vary 'rounds.count = 2..4'
says err "needs --until 'METRIC <= AMOUNT', or --best METRIC"
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --best simulated_s --budget 2
says err '--budget and --best: one of them'
expect 2 solve s.cfg --vary 'rounds.count = 0..4' --until 'bytes.total <= 1 GB' --smallest --out zero
[ ! -e zero ] || fail "a folder is left of settings that do not work"
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 GB' --out one
says err 'one holds a sweep already'
expect 2 solve s.cfg --vary 'rounds.count = 7..9' --until 'bytes.total <= 1 GB' --out one --resume
says err 'one holds another question'
cp s.cfg axes.cfg
echo 'sweep = { vary = ["method.dim = 8, 16"]; };' >>axes.cfg
expect 2 solve axes.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 GB' --out axes
says err 'sweep.vary: has other axes'
expect 0 solve axes.cfg --set sweep.vary= --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 GB' --out no-axes --quiet
[ ! -e axes ] || fail "a folder is left of a question that was refused"

[ "$failures" -eq 0 ]
