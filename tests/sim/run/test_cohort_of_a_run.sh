#!/bin/sh
# A run that had fewer clients than it asked for, one to which no upload came, and one whose evaluation says nothing, say so:
# check, the terminal, summary.json, and the page's sentence. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# --- a cohort that is not reached ---
# Clients 0 to 2 are there for 1000 s, then client 3, then client 4; a round takes 450 s. In the third round clients 0 to 2 leave,
# which they have taken part in; one can be reached later on.
cat >s.cfg <<'END'
seed = 1;
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 4; epochs = 1; };
devices = { compute = "fixed"; overhead = "450 s"; };
availability = { model = "trace"; file = "t.csv"; };
rounds = { count = 6; cohort = 3; };
END
printf '%s\n' client,start_s,end_s 0,0,1000 1,0,1000 2,0,1000 3,1000,2000 4,2000,3000 >t.csv
expect 0 run s.cfg --out short
cut -d, -f9 short/rounds.csv | tr '\n' ' ' >selected
grep -q '^selected 3 3 3 1 1 1 $' selected || fail "rounds have $(cat selected)"
note='on average 2.0 of the 3 clients requested (least 1, most 3)'
says out "  took part in a round   $note"
says out ' A round had 2.0 of the 3 clients requested on average.'
tr -d ' \n' <short/summary.json | grep -q '"cohort":{"requested":3,"mean":2.0,"least":1,"most":3}' || fail "summary.json has no cohort"
grep -q 'A round had 2.0 of the 3 clients requested on average' short/report.html || fail "the page does not say it"
expect 0 check s.cfg
says out "  a round      $note, "
# Sessions of 5 s every four hours: rounds open as soon as one client can be reached.
sed 's/^devices.*//; s/model = .*/model = "markov"; on = "5 s"; off = "4 h"; };/; s/count = 6; cohort = 3/count = 50; cohort = 30/' s.cfg >one.cfg
expect 0 check one.cfg
says out '  a round      on average 1.0 of the 30 clients requested (least 1, most 1), '
expect 0 run one.cfg --out one
says out '  took part in a round   on average 1.0 of the 30 clients requested (least 1, most 1)'
# Whom the server asks in vain has not taken part: as many as were selected and found.
sed 's/^availability.*/availability = { model = "bernoulli"; p = 0.3; };/; s/cohort = 3;/cohort = 3; selection = { sees_availability = false; };/' s.cfg >unseen.cfg
expect 0 run unseen.cfg --out unseen
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $3 == "" { n = $at["selected"] - $at["unavailable"]; sum += n; rounds++
    least = rounds == 1 || n < least ? n : least; most = n > most ? n : most }
    END { printf "on average %.1f of the 3 clients requested (least %d, most %d)\n", sum / rounds, least, most }' unseen/rounds.csv >expected
says out "  took part in a round   $(cat expected)"
# --- a cohort that chance decides, of whom most are offline ---
# 600 users, q = 60 / 600; three in ten answer: 18 a round instead of 60 (standard deviation of the mean of 100 rounds .41). A third of
# those that can be reached are 60 again.
cat >chance.cfg <<'END'
seed = 1;
data = { synthetic = "custom"; users = 600; items = 60; interactions = 3000; min_interactions = 3; };
method = { name = "fedmf"; dim = 4; };
training = { enabled = false; };
devices = { compute = "fixed"; overhead = "1 s"; };
availability = { model = "bernoulli"; p = 0.3; };
rounds = { count = 100; cohort = 60; selection = { name = "bernoulli"; }; };
evaluation = { non_federated = [ ]; };
END
mean_of() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n = $at["selected"]; sum += n; least = NR == 2 || n < least ? n : least
    most = n > most ? n : most } END { printf "%.1f %d %d %.15g", sum / (NR - 1), least, most, sum / (NR - 1) }' "$1/rounds.csv"; }
expect 0 run chance.cfg --out chance
# shellcheck disable=SC2046 # four words
set -- $(mean_of chance)
awk -v mean="$1" 'BEGIN { exit !(mean > 16.8 && mean < 19.2) }' || fail "cohorts of $1 instead of 18"
q=$(awk -v mean="$4" 'BEGIN { printf "%.2g", 0.1 * 60 / mean }')
note="on average $1 of the 60 clients requested (least $2, most $3); rounds.selection.probability = $q would make it about 60"
says out "  took part in a round   $note"
says out "$(awk -v mean="$1" 'BEGIN { printf "100 rounds of about %.0f clients", mean }')"
tr -d ' \n' <chance/summary.json | grep -q "\"cohort\":{\"requested\":60,\"mean\":$4,\"least\":$2,\"most\":$3}" || fail "summary.json has no cohort of chance"
expect 0 check chance.cfg
says out "  a round      $note, "
expect 0 run chance.cfg --out made-up --set rounds.selection.probability="$q"
# shellcheck disable=SC2046
set -- $(mean_of made-up)
awk -v mean="$1" 'BEGIN { exit !(mean > 57.5 && mean < 62.5) }' || fail "cohorts of $1 instead of 60"
! grep 'took part' out || fail "says that somebody was missing who was made up for"
# More than can be reached at all; and more than were meant, where everybody can be.
expect 0 check chance.cfg --set availability.p=0.05
says out '; all that can be reached are '
expect 0 check chance.cfg --set availability.model=always --set rounds.selection.probability=0.3
grep -Eq '  a round      on average 1(79|80|81)\.[0-9] instead of the 60 clients requested' out || fail "does not say that more come"
expect 2 check chance.cfg --set rounds.selection.probability=1.5
error 'fedrecsim: --set rounds.selection.probability=1.5: rounds.selection.probability: "1.5" is out of range; allowed: a number from 0 to 1, or a percentage such as "10 %"'
# Of those that can be reached, and nobody else: probability 1 asks clients 0 to 2, then 3, then 4, as above.
expect 0 run s.cfg --out certain --set rounds.selection=bernoulli --set rounds.selection.probability=1
cut -d, -f9 certain/rounds.csv | tr '\n' ' ' >selected
grep -q '^selected 3 3 3 1 1 1 $' selected || fail "rounds of probability 1 have $(cat selected)"

# Nothing of it where all came.
sed '/^availability/d' s.cfg >all.cfg
expect 0 run all.cfg --out all
! grep -E 'took part|A round had|no upload' out || fail "says that somebody was missing"
! grep -E '"cohort"|rounds_without_upload' all/summary.json || fail "summary.json says that somebody was missing"
expect 0 check all.cfg
says out '  a round      3 clients, '

# --- no upload ---
cat >lost.cfg <<'END'
seed = 1;
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; epochs = 1; };
rounds = { count = 5; cohort = "50 %"; };
failures = { up = 1; };
END
expect 0 run lost.cfg --out lost
grep -q '^No upload arrived in 5 of 5 rounds: nothing was aggregated\. After 5 rounds ' out || fail "does not say it first"
says out '  no upload arrived      in 5 of 5 rounds'
grep -q '"rounds_without_upload": 5' lost/summary.json || fail "summary.json does not say it"
grep -q 'No upload arrived in 5 of 5 rounds' lost/report.html || fail "the page does not say it"
expect 0 check lost.cfg
sed '/^  split /d' out | sed -n 3p | grep -q '^  no upload    arrived in 5 of the 5 rounds simulated beforehand: nothing was aggregated$' || fail "check does not say it first"
expect 0 run lost.cfg --out half --set failures.up=0.5 --set rounds.cohort=1
says out '  no upload arrived      in '
! grep '^No upload' out || fail "says that nothing arrived"

# --- K of HR@K, and negatives ---
# Ten users of eight items of twelve and ten of eleven: 5 and 2 candidates where all are ranked.
awk 'BEGIN { print "user,item,ts"; for (u = 0; u < 20; u++) for (i = 0; i < (u < 10 ? 8 : 11); i++) print u "," (u + i) % 12 "," i }' >few.csv
cat >few.cfg <<'END'
seed = 1;
data = { format = "csv"; path = "few.csv"; csv_user = "user"; csv_item = "item"; csv_time = "ts"; min_interactions = 3; };
evaluation = { candidates = "full"; k = 4; };
method = { name = "fedmf"; dim = 4; epochs = 1; };
rounds = { count = 2; cohort = 5; };
END
note='evaluation.k = 4 is no smaller than the number of candidates of 10 of 20 users (at most 2): their HR@4 is 1 whatever is ranked'
expect 0 check few.cfg
says out "  candidates   $note"
expect 0 run few.cfg --out few
says out "  candidates             $note"
expect 0 run few.cfg --out few-10 --set evaluation.k=10
says out 'evaluation.k = 10 is no smaller than the number of candidates of 20 of 20 users (at most 5): their HR@10 is 1 whatever is ranked'
expect 0 check few.cfg --set evaluation.k=1
! grep '^  candidates' out || fail "one is no small number of candidates"
expect 2 check few.cfg --set evaluation.candidates=sampled --set evaluation.negatives=3
error 'fedrecsim: --set evaluation.negatives=3: evaluation.negatives: 10 of 20 clients have too few items without interaction to draw 3 from (client 10 only 1); 1 would do for all, or evaluation.candidates = "full"'
expect 0 check few.cfg --set evaluation.candidates=sampled --set evaluation.negatives=1

[ "$failures" -eq 0 ]
