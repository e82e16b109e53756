#!/bin/sh
# Labels: slow
# Which setting keeps to a bound: three questions against a sweep of all settings, what is left in the folder, what is refused.
# test_solve_long asks seven more. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../expect.sh"

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

# The folder is that of a sweep; what was asked is taken up again, and asks for nothing that is there.
expect 0 solve s.cfg --vary "$counts" --until 'bytes.total <= 2.5 MB' --replicates 2 --out again
says out ' is the largest that keeps to bytes.total <= 2.5 MB: '
says out 'That is sure: '
expect 0 collect again --quiet
before=$(n_points again)
cp again/answer.json before.json
expect 0 solve s.cfg --vary "$counts" --until 'bytes.total <= 2.5 MB' --replicates 2 --out again --resume --quiet
[ "$(n_points again)" -eq "$before" ] || fail "ran again"
cmp -s before.json again/answer.json || fail "another answer"

# The smallest, the best of those that keep to a bound, and none.
expect 0 solve s.cfg --vary 'rounds.count = 1..6' --until 'bytes.total >= 1 MB' --smallest --replicates 2 --out smallest
says out ' is the smallest that keeps to bytes.total >= 1 MB: '
expect 0 solve s.cfg --vary 'rounds.count = 2, 3, 4' --until 'bytes.total <= 100 MB' --best simulated_s --replicates 2 --out best
says out '2 has the best simulated_s of those: '
expect 0 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 kB' --out none
says out 'No setting of rounds.count = 2..4 keeps to bytes.total <= 1 kB.'
# Two rounds of ten clients, (300 * 16 * 4 + 24) bytes each way.
says out 'The nearest that was run is 2: 769.0 kB.'
says out 'One replicate does not say how sure that is'
expect 0 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 kB' --replicates 2 --out none-of-two
says out 'That is sure: '
expect 0 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.total <= 1 GB' --out one
says out 'One replicate does not say how sure that is'

# Settings without a name of their own begin a sentence.
expect 0 solve s.cfg --set method.name=colr --vary 'method.rank = 1, 2' --until 'simulated_s >= 1 ms' --smallest --replicates 2 --out ranks
grep -q '^rank [12] is through with its rounds after ' out || fail "says $(grep through out)"

expect 2 solve s.cfg --vary 'rounds.count = 4..2' --until 'bytes.total <= 1 kB'
says err '--vary rounds.count = 4..2: is no range; allowed: KEY = A..B'
expect 2 solve s.cfg --vary 'rounds.count = 2..4' --until 'bytes.totl <= 1' --out wrong
says err '--until: "bytes.totl" is not a figure; did you mean "bytes.total"?'
[ ! -e wrong ] || fail "something was written"
expect 2 solve s.cfg --vary 'rounds.count = 2..4'
says err "needs --until 'METRIC <= AMOUNT', or --best METRIC"
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
