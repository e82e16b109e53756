#!/bin/sh
# Labels: long
# How often a run says that clients who are heard more often, or have a more usual taste, are served differently where neither can
# matter: uploads are lost alike for all clients, and next to nothing is learnt, so that quality is that of random tables. Runs with
# different seeds, each of which may claim a difference by any of its groupings: 5 % of 200 may, and twice the standard error of that:
# 17. Arguments: the build folder, runs (200), most claims (17).
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

runs=${2:-200} most=${3:-17}
cat >null.cfg <<'END'
data = { synthetic = "small"; };
method = { dim = 8; optimiser = "sgd"; learning_rate = 1e-9; aggregation = "per_item"; };
network = { model = "exact"; };
failures = { up = 0.5; };
rounds = { count = 20; cohort = "100 %"; };
evaluation = { every = 20; non_federated = []; };
output = { events = false; report = false; };
END
claimed=0 number=0
while [ "$number" -lt "$runs" ]; do
    number=$((number + 1))
    expect 0 run null.cfg --set "seed=$number" --quiet --out one
    differences=$(tr -d ' \n' <one/summary.json | sed 's/.*"group_differences":{//; s/}}.*//')
    for family in heard_decile taste_quartile; do
        case $differences in
        *"\"$family\":"*) ;;
        *) fail "summary.json does not compare by $family" ;;
        esac
    done
    case $differences in
    *'"beyond_chance":true'*) claimed=$((claimed + 1)) ;;
    esac
    rm -r one
done
echo "$claimed of $runs runs claim a gap"
[ "$claimed" -le "$most" ] || fail "$claimed of $runs runs claim a gap"

[ "$failures" -eq 0 ]
