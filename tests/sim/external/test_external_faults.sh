#!/bin/sh
# Faults of an external method's program: each is one line that says what went wrong, exit code 1, an earlier checkpoint stays, and no
# process is left. A process that was killed once is begun anew, with the same results.
# Argument: the build folder.
# FRS_ALL=1: every fault there is (test_external_faults_long.sh), and otherwise some of each kind.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
export FEDRECSIM_ALLOW_COMMANDS=1
source=$(CDPATH='' cd -- "${FRS_SOURCE_DIR:-.}" && pwd)

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 12; u++) for (k = 0; k < 6; k++) print u "," (u * 7 + k * 5) % 40 ",1," k }' >data.csv
cat >bad.cfg <<END
data = { format = "csv"; path = "data.csv"; min_interactions = 3; };
method = { name = "external"; command = "/usr/bin/python3 -ISB $source/tests/sim/external/faulty.py"; };
network = { preset = "fieldguide"; };
devices = { preset = "phones"; };
rounds = { count = 3; cohort = 4; };
evaluation = { candidates = "full"; };
output = { what_if = "none"; report = false; events = false; };
END

left() { pgrep -f "$source/tests/sim/external/faulty.py" || pgrep -x -f '/bin/sleep 4321' || true; }

# Faults of which another one of the same kind is tried here.
more=' closes binary too_few_words rows_too_many row_twice nan_kept infinite_flop negative_flop post_flop hangs'
more="$more many_tables empty_table table_twice overflowing_table not_ready wrong_score_word dies_beginning too_many_words endless row_descends no_flop "

# bad CODE FAULT TEXT [--set ...]: one line, which has this text, and nothing is left.
bad() {
    code=$1 fault=$2 text=$3
    shift 3
    case "$more" in *" $fault "*) [ "${FRS_ALL:-}" = 1 ] || return 0 ;; esac
    expect "$code" run bad.cfg --out "of-$fault" --threads 2 --quiet --set "method.fault=$fault" "$@"
    what="fault $fault"
    says err "$text"
    [ "$(wc -l <err)" -eq 1 ] || fail "$(wc -l <err) lines"
    [ ! -e "of-$fault" ] || fail 'there are results'
    found=$(left)
    [ -z "$found" ] || fail "processes are left: $found"
}

expect 0 run bad.cfg --out good --quiet

# ---- in the self-test ----------------------------------------------------------------------------

# broken FAULT TEXT [OPTION...]: the one line of the self-test.
broken() {
    fault=$1 text=$2
    shift 2
    expect 1 selftest learner external --set "command=/usr/bin/python3 -ISB $source/tests/sim/external/faulty.py" --set "fault=$fault" "$@"
    says out "$text"
    [ "$(wc -l <out)" -eq 1 ] || fail "$(wc -l <out) lines"
    found=$(left)
    [ -z "$found" ] || fail "processes are left: $found"
}
broken garbage 'broken: the learner can train and score to the end: client 0 trains in round 1: the program answered "fine, thank you": expected "trained ..." (algorithms/learner.h, failure)'
broken none 'broken: samples that go through training count anew in every epoch: '
broken hangs 'has not ended after 1 s, while checking: training is the same on one thread and on two' --limit '1 s'

# ---- while training ------------------------------------------------------------------------------

bad 1 exits 'ended with code 3; it printed last: the first of the last lines|and the last one'
says err 'fedrecsim: method external: client '
says err ' trains in round 1: the program '
bad 1 killed 'was killed by signal 9 (Killed)'
bad 1 hangs 'has not answered for as long as method.patience' --set 'method.patience=0.3 s'
bad 1 hangs_with_child 'has not answered for as long as method.patience' --set 'method.patience=0.3 s'
bad 1 closes 'has closed its descriptors and goes on'
bad 1 garbage 'answered "fine, thank you": expected "trained ..."'
bad 1 binary 'has answered something else than lines of text'
bad 1 endless 'has answered 262144 bytes without an end'
bad 1 answers_twice 'has answered more than it was asked'
bad 1 too_many_words 'there are words too many'
bad 1 too_few_words 'for each table but private ones of one row it says how many rows changed, or all'
bad 1 rows_too_many 'for each table but private ones of one row it says how many rows changed, or all'
bad 1 row_unknown 'sends row 4000000000 of table items, which has 37 rows, counted from 0'
bad 1 row_descends 'sends rows of table items that do not ascend'
bad 1 row_twice 'sends rows of table items that do not ascend'
bad 1 nan_row 'sends a value that is not finite: row '
bad 1 nan_kept 'keeps a value that is not finite: row 0, column 0 of table users'
bad 1 nan_loss 'its loss is not finite'
bad 1 infinite_flop 'from 0 to 1e18'
bad 1 negative_flop 'from 0 to 1e18'
bad 1 no_flop 'a method that counts none says "work measured"'
bad 1 post_flop 'its hello does not say works_after_upload'
bad 1 says_error 'says: dim has to be even, %s and'
if grep -q "$(printf '\033')" err; then fail 'a control character is printed'; fi
bad 1 shrinks_memory 'Operation not permitted'

# ---- before, and while scoring -------------------------------------------------------------------

bad 1 dies_scoring 'are evaluated: the program ended with code 1; it printed last: cannot score'
bad 1 nan_score 'a score that is not finite'
bad 1 wrong_score_word 'does not answer "scored"'
bad 2 no_tables 'has no shared table'
bad 2 many_tables 'there are more than 8 tables'
bad 2 huge_table 'of memory that there are'
bad 2 overflowing_table 'of memory that there are'
bad 2 empty_table 'a table has from 1 to 2e9 rows'
bad 2 table_twice 'there is a table of this name already'
bad 2 nan_given 'gives a first value that is not finite: row 0, column 2 of table items'
bad 2 not_ready 'does not answer "ready"'
bad 2 dies_beginning 'ended with code 1; it printed last: cannot begin'

# ---- what is no fault ----------------------------------------------------------------------------

expect 0 run bad.cfg --out again --quiet --set method.fault=killed_once --set method.marker="$PWD/marker"
[ -e marker ] || fail 'it was not killed'
what='a process that was killed once'
cmp -s good/rounds.csv again/rounds.csv || fail 'another rounds.csv'
expect 0 run bad.cfg --out prints --quiet --set method.fault=prints_much
cmp -s good/rounds.csv prints/rounds.csv || fail 'another rounds.csv'

# A program that writes into the memory all the time may say anything, but reaches nothing else.
what='scribbles'
"$program" run bad.cfg --out scribbled --quiet --set method.fault=scribbles --set rounds.count=40 >out 2>err
code=$?
[ "$code" -le 1 ] || fail "exit code $code"

# ---- the checkpoint ------------------------------------------------------------------------------

set -- --quiet --threads 1 --set output.checkpoint_rounds=1 --set method.fault=exits_once_later --set method.marker="$PWD/once"
expect 1 run bad.cfg --out kept "$@"
says err 'printed last: out of order'
says err 'fedrecsim: what was learnt before is kept: --resume goes on from kept.checkpoint'
expect 0 run bad.cfg --out kept --resume "$@"
what='a run that goes on from the checkpoint'
cmp -s good/rounds.csv kept/rounds.csv || fail 'another rounds.csv'
[ ! -e kept.checkpoint ] || fail 'the checkpoint is left'
[ "$failures" -eq 0 ]
