#!/bin/sh
# Shares of nobody and lists of nothing, which is where an axis begins. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >small.cfg <<'END'
data = { synthetic = "small"; };
rounds = { count = 2; cohort = 4; };
END

# --- a class, an outage ---
expect 0 run small.cfg --set 'network.classes=wifi 100 %' --out one --quiet
expect 0 run small.cfg --set 'network.classes=4g 0 %, wifi 100 %' --out two --quiet
cmp -s one/rounds.csv two/rounds.csv || fail "a class without clients changes something"
cmp -s one/clients.csv two/clients.csv || fail "a class without clients changes something"
expect 0 check small.cfg --set 'devices.classes=phone-low 0 %, pc 100 %'
expect 2 check small.cfg --set 'network.classes=4g 0 %'
error 'fedrecsim: --set network.classes=4g 0 %: network.classes: the shares add up to 0 %; allowed: 100 %'
expect 0 sweep small.cfg --vary 'wifi | none: network.classes=4g 100 %\, wifi 0 % | half: network.classes=4g 50 %\, wifi 50 %' --out swept --quiet
rm -rf one two
expect 0 run small.cfg --out one --quiet
expect 0 run small.cfg --set 'availability.outages=0 % from 0 s to 100 d' --out two --quiet
cmp -s one/rounds.csv two/rounds.csv || fail "an outage of nobody changes something"
expect 2 check small.cfg --set 'rounds.cohort=0 %'
error 'fedrecsim: --set rounds.cohort=0 %: rounds.cohort: "0 %" is nobody; allowed: a count (integer of at least 1) or a share such as "60 %"'

# --- no baselines ---
rm -rf one two swept
cp small.cfg none.cfg
echo 'evaluation = { non_federated = []; };' >>none.cfg
expect 0 run none.cfg --out one --quiet
expect 0 run small.cfg --set 'evaluation.non_federated=[]' --out two --quiet
cmp -s one/rounds.csv two/rounds.csv || fail "differs from the file's []"
grep -q popularity two/summary.json && fail "there is a baseline"
expect 0 replay two
expect 0 sweep small.cfg --vary 'evaluation.non_federated = [], popularity' --out swept --quiet
expect 0 compare one two
expect 2 check small.cfg --set 'evaluation.non_federated=['
says err '"[" is not allowed'

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
