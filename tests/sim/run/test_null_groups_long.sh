#!/bin/sh
# Labels: long
# How often a run says that its groups of clients are served differently where the network cannot have had an effect: every upload
# arrives, whatever the link, and everybody takes part in every round. 200 comparisons: by class of network, in 200 runs of different
# seeds. 5 % of them may, and twice the standard error of that: 17. Arguments: the build folder, runs (200), most differences (17).
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

runs=${2:-200} most=${3:-17}
cat >null.cfg <<'END'
data = { synthetic = "small"; };
method = { dim = 8; optimiser = "sgd"; learning_rate = 2; sgd_scaling = "row_mean"; aggregation = "per_item"; };
network = { model = "exact"; classes = "4g 60 %, wifi 40 %"; };
rounds = { count = 5; cohort = "100 %"; };
evaluation = { every = 5; non_federated = []; };
output = { events = false; report = false; };
END
different=0 number=0
while [ "$number" -lt "$runs" ]; do
    number=$((number + 1))
    expect 0 run null.cfg --set "seed=$number" --quiet --out one
    case $(tr -d ' \n' <one/summary.json) in
    *'"group_differences":{"network_class":{'*'"beyond_chance":true'*) different=$((different + 1)) ;;
    *'"group_differences":{"network_class":{'*) ;;
    *) fail "summary.json does not compare network classes" ;;
    esac
    rm -r one
done
echo "$different of $runs comparisons of groups have a difference"
[ "$different" -le "$most" ] || fail "$different of $runs comparisons of groups have a difference"

[ "$failures" -eq 0 ]
