#!/bin/sh
# report.html in a real browser (browser.js): Debian's Chromium, driven by playwright-core, judged by axe-core. Needs what
# package.json names in BUILD/browser/node_modules (.ci/run puts it there), node and chromium; without them it is skipped, unless
# FRS_REQUIRE_BROWSER is set. Each page is judged in one look at least of light and dark at
# 1280 and 390 px, a small desk and print, and the program's decisions are compared for
# five sets of runs; test_report_in_a_browser_long.sh has all looks of every page, and nine sets.
#   test_report_in_a_browser.sh BUILD_FOLDER [all]
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

modules=$(dirname -- "$program")/browser/node_modules
lacks=
command -v node >/dev/null || lacks="$lacks node"
command -v chromium >/dev/null || lacks="$lacks chromium"
for module in playwright-core axe-core; do
    [ -d "$modules/$module" ] || lacks="$lacks $module"
done
[ -f /usr/share/javascript/chart.js/chart.min.js ] || lacks="$lacks libjs-chart.js"
if [ -n "$lacks" ]; then
    echo "SKIPPED test_report_in_a_browser: there is no$lacks here"
    [ -z "${FRS_REQUIRE_BROWSER-}" ]
    exit
fi

cat >small.cfg <<'END'
seed = 2;
data = { synthetic = "small"; };
method = { dim = 8; optimiser = "sgd"; learning_rate = 2; sgd_scaling = "row_mean"; aggregation = "per_item"; };
network = { model = "exact"; classes = "4g 60 %, wifi 40 %"; };
devices = { preset = "mixed"; };
failures = { up = 0.1; detect = "1 s"; };
rounds = { count = 24; cohort = 40; };
evaluation = { every = 2; };
END
expect 0 run small.cfg --out run --quiet
expect 0 sweep small.cfg --vary 'method | wide: method.dim=8 | narrow: method.dim=2 | slow: method.learning_rate=0.2' \
    --vary 'loss | some: failures.up=0.1 | none: failures.up=0' -r 4 --out swept --quiet
targets='0.1 0.2 0.35' few='none hr@10=0.16'
[ "${2-}" != all ] || { targets='0.1 0.15 0.2 0.25 0.3 0.35' && few='none hr@10=0.12 hr@10=0.16'; }
# The same runs with targets that all, some and none of the choices reach.
for target in $targets; do
    mkdir "target-$target"
    expect 0 report swept --target "hr@10=$target" --out "target-$target/report.html" --quiet
done
# So few runs that many of them agree by chance: by quality, and by a target that about half of them reach.
for target in $few; do
    expect 0 sweep small.cfg --vary 'selection | uniform: rounds.selection=uniform | no_repeat: rounds.selection=no_repeat' \
        --vary 'loss | some: failures.up=0.1 | none: failures.up=0' -r 2 --set rounds.count=6 --set "evaluation.target=$target" --out "few-${target#hr@10=}" --quiet
done
expect 0 run small.cfg --out adapted --quiet --set method.name=scolr --set method.aggregation=sum --set method.rank=8 --set adaptation.name=uniform --set rounds.count=8 \
    --set rounds.policy=deadline --set rounds.policy.after=100ms
expect 0 sensitivity small.cfg --out sensitive --quiet -r 2 --set rounds.count=6 --no-design --without availability --without ties \
    --vary 'method | wide: method.dim=8 | narrow: method.dim=2'
# One choice: there is nothing to rank.
expect 0 sensitivity small.cfg --out rests --quiet --set rounds.count=6 --no-design --only losses --only 'network model' --only bandwidth --only latency
# What a search has run, a setting of it between two that are better.
expect 0 solve small.cfg --out sought --quiet --set rounds.count=6 --vary 'method.dim = 2..9' --until 'hr@10 >= 0.11' -r 2
# Two runs of other uplinks, and three that differ in the seed alone.
for run in 'slow 2 3 Mbit/s' 'fast 2 4 Mbit/s' 'seeds1 2 3 Mbit/s' 'seeds2 3 3 Mbit/s' 'seeds3 4 3 Mbit/s'; do
    rest=${run#* }
    expect 0 run small.cfg --set network.classes= --set rounds.count=6 --set failures.up=0 --set "network.uplink=${rest#* }" --seed "${rest%% *}" --out "${run%% *}" --quiet
done
mkdir beside pooled
expect 0 report slow fast --out beside/report.html --quiet
expect 0 report seeds1 seeds2 seeds3 --out pooled/report.html --quiet
# An axis of numbers, and a default that decides.
expect 0 sweep small.cfg --set output.what_if=all --set 'failures.detect=30 s' --vary 'method.dim=2,8' --vary 'loss | 0 %: failures.up=0 | 10 %: failures.up=0.1 | 40 %: failures.up=0.4' --set rounds.count=6 -r 2 --out numbers --quiet
# Who writes labels may write anything.
expect 0 sweep small.cfg --vary 'a"<b> | </script><script>alert(1)</script>: method.dim=4 | ‮"&<!--: method.dim=5' \
    --set rounds.count=3 --out hostile --quiet
expect 0 run small.cfg --set output.events=false --set evaluation.non_federated=[] --set training.enabled=false --set devices.preset=ideal --out bare --quiet \
    --set network.edges.count=3 --set network.edges.partial_sums=true --set 'network.edges.latency=20 ms' --set method.aggregation=data_size --set rounds.edge_rounds=2
expect 0 run small.cfg --set output.events=false --set availability.model=diurnal --set 'availability.start=21 h' --set 'rounds.every=40 min' --set rounds.count=8 \
    --set costs.server_down_per_gb=0.09 --set network.server_uplink='50 Mbit/s' --out planned --quiet
NODE_PATH=$modules node "$here/browser.js" "$folder" "${2-}" || fail "the browser disagrees"

[ "$failures" -eq 0 ]
