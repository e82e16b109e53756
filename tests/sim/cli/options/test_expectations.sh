#!/bin/sh
# What --expect does in every command that has it; the job of CI in docs/scripting.md, once passing and once failing; exit codes in help and on
# the page. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../../expect.sh"

cat >scenario.cfg <<'END'
seed = 1;
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
rounds = { count = 3; cohort = 20; };
output = { events = false; report = false; what_if = "none"; };
END

# --- run ---
expect 0 run scenario.cfg --quiet --out run --expect 'hr@10 >= 0 && simulated_s <= 1 h' --expect 'rounds == 3'
silent out
silent err
expect 0 run scenario.cfg --out run --force --expect 'rounds == 3'
says out 'As expected: rounds == 3'
expect 3 run scenario.cfg --quiet --out run --force --expect 'rounds == 4 || rounds > 3 && simulated_s < 1 h'
error 'fedrecsim: --expect: rounds == 4 does not hold: rounds is 3
fedrecsim: --expect: rounds > 3 does not hold: rounds is 3'
[ -s run/summary.json ] || fail "no results"
# Training is off: there is no quality to compare.
expect 3 run scenario.cfg --quiet --out off --set training.enabled=false --set devices.compute=none \
    --expect 'hr@10 != 7'
error 'fedrecsim: --expect: hr@10 != 7 does not hold: hr@10 is not there'
# Refused before anything is run.
for wrong in 'hr@1O >= 0.5' 'hr@20 >= 0.5' 'hr@10' 'simulated_s <= 5 GB' 'a=b: rounds == 3'; do
    expect 2 run scenario.cfg --quiet --out none --expect "$wrong"
    silent out
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    [ ! -e none ] || fail "has run"
done
expect 2 run scenario.cfg --expect 'simulatd_s <= 1 h'
says err 'did you mean "simulated_s"?'

# --- sweep, compare ---
expect 3 sweep scenario.cfg --vary 'rounds.cohort = 10, 20' --replicates 2 --quiet --out sweep \
    --expect 'participations <= 50' --expect 'rounds.cohort=10: participations == 30'
error 'fedrecsim: --expect: rounds.cohort=20, mean of 2 replicates: participations <= 50 does not hold: participations is 60'
expect 0 sweep scenario.cfg --vary 'rounds.cohort = 10, 20' --replicates 2 --quiet --resume --out sweep \
    --expect 'rounds.cohort=20: participations == 60'
expect 2 sweep scenario.cfg --vary 'rounds.cohort = 10, 20' --quiet --out none --expect 'rounds.cohort=30: rounds == 3'
says err 'allowed: 10 | 20'
[ ! -e none ] || fail "has run"
expect 2 sweep scenario.cfg --vary 'rounds.cohort = 10, 20' --launcher slurm --out none --expect 'rounds == 3'
says err '--expect needs --wait'
expect 0 compare sweep --expect 'rounds == 3' --expect 'rounds.cohort=10: participations == 30'
says out 'As expected: rounds == 3'
expect 3 compare run off --expect 'participations <= 50'
says err 'fedrecsim: --expect: run: participations <= 50 does not hold: participations is 60'
says err 'fedrecsim: --expect: off: participations <= 50 does not hold: participations is 60'
expect 2 compare run --expect 'hr@20 >= 0'
says err 'did you mean "hr@10"?'
silent out
expect 2 compare run --expect 'rum: rounds == 3'
error 'fedrecsim: --expect rum: is no entry; did you mean "run"?; allowed: the names that compare prints, the first is run'

# --- solve: a bound that is kept, one that is not, and what is expected of the answer ---
expect 0 solve scenario.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 36' --quiet --out a \
    --expect 'participations == 36'
expect 3 solve scenario.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 36' --quiet --out b --expect 'rounds == 4'
error 'fedrecsim: --expect: rounds.cohort=12: rounds == 4 does not hold: rounds is 3'
expect 3 solve scenario.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 10' --quiet --out c --expect 'rounds == 3'
expect 2 solve scenario.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 10' --quiet --out d --expect 'cohort=1: rounds == 3'
[ ! -e d ] || fail "has run"

# --- the job of the page ---
page=$FRS_SOURCE_DIR/docs/scripting.md
awk '$0 == "<!-- ci.sh -->" { wanted = 1 } inside && $0 == "```" { exit } inside { print } wanted && $0 == "```sh" { inside = 1 }' "$page" >ci.sh
[ -s ci.sh ] || fail "no ci.sh on the page"
mkdir bin
ln -s "$program" bin/fedrecsim
# job CODE: what the job ends with.
job() {
    what='the job of docs/scripting.md'
    PATH=$folder/bin:$PATH sh ci.sh >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"
}
{ cat "$FRS_SOURCE_DIR/scenarios/quickstart.cfg" && echo 'output = { events = false; what_if = "none"; };'; } >scenario.cfg
job 0
sed -i 's/median = "3 Mbit/median = "300 kbit/' scenario.cfg
job 3
says err 'fedrecsim: --expect: simulated_s <= 1 min does not hold: simulated_s is '

# --- one table of exit codes ---
expect 0 --help
sed -n 's/^  *\([0-9][0-9]*\)  \(.*\)$/\1 \2/p' out >of_help
sed -n 's/^| exit code \([0-9]*\) | \([^|]*\) |.*$/\1 \2/p' "$page" >of_page
[ -s of_help ] || fail "no exit codes"
cmp of_help of_page || fail "docs/scripting.md has other exit codes"

# --- metrics ---
expect 0 list metrics
for name in hr@K simulated_s bytes.total groups.NAME.delivered; do
    grep -q "^  $name  *[a-z]* *\(higher\|lower\|-\)  *[a-zA-Z]" out || fail "no line for $name"
done

[ "$failures" -eq 0 ]
