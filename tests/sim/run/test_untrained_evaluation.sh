#!/bin/sh
# Without training nothing is evaluated: whatever a scenario says of its evaluation stops nothing and changes nothing, be it
# generated data, of which only counts are made, or a file.
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"

cat >made.cfg <<'CFG'
data = { synthetic = "custom"; users = 12; items = 60; interactions = 180; };
method = { name = "fedmf"; dim = 4; };
training = { enabled = false; };
devices = { compute = "per_sample"; per_sample = "1 ms"; };
rounds = { count = 2; cohort = 5; };
CFG
awk 'BEGIN { print "user,item"; for (u = 1; u <= 12; u++) for (i = 1; i <= 25; i++) print u "," (u * 7 + i * i) % 61 }' | sort -u >data.csv
(grep user data.csv && grep -v user data.csv) >d.csv
sed 's/^data = .*/data = { format = "csv"; path = "d.csv"; };/' made.cfg >file.cfg

stops_nothing() {
    rm -rf kept
    expect 0 run "$scenario" --quiet --out kept --set "$1"
    [ "$code" -ne 0 ] || [ "$(sed 1d plain/rounds.csv)" = "$(sed 1d kept/rounds.csv)" ] || fail "the rounds differ"
}
for scenario in made.cfg file.cfg; do
    rm -rf plain
    expect 0 run $scenario --quiet --out plain
    stops_nothing evaluation.negatives=1000000
    stops_nothing evaluation.candidates=full
    stops_nothing evaluation.k=1000
    stops_nothing evaluation.every=7
    stops_nothing evaluation.view=device
    stops_nothing evaluation.information_loss=true
    stops_nothing evaluation.non_federated=item_mean
    stops_nothing evaluation.non_federated=popularity,centralised_mf
    stops_nothing evaluation.centralised_mf.dim=8
    stops_nothing evaluation.item_knn.shrink=3
    stops_nothing "evaluation.target=hr@10 >= 0.5"
    stops_nothing "evaluation.target=rmse <= 1"
done

# Values that no key takes do, and so does what says how many samples there are.
expect 2 run made.cfg --out x --set evaluation.k=0
says err "evaluation.k"
expect 2 run made.cfg --out x --set evaluation.protocol=lookahead --set evaluation.negatives=1000000
says err "evaluation.negatives"
# With training all of it matters.
expect 2 run made.cfg --out x --set training.enabled=true --set devices.compute=none --set evaluation.negatives=1000000
says err "evaluation.negatives"

[ "$failures" -eq 0 ]
