#!/bin/sh
# Labels: slow
# Training shared between runs: with a cache and without it, the same files to the last byte; and what it saves.
#   test_reuse.sh BUILD_FOLDER
set -eu

program=$1/fedrecsim
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

cat >"$scratch/base.cfg" <<'END'
data = { synthetic = "small"; };
method = { epochs = 2; };
rounds = { count = 8; cohort = "50 %"; };
evaluation = { every = 2; non_federated = ["popularity", "centralised_mf"]; centralised_mf = { epochs = 3; }; };
END

same() {
    for file in manifest.json rounds.csv clients.csv events.ndjson; do
        cmp "$1/$file" "$2/$file" || return 1
    done
    for folder in "$1" "$2"; do
        sed '/^  "machine": {/,/^  }/d' "$folder/summary.json" >"$folder/summary"
    done
    cmp "$1/summary" "$2/summary"
}

wall_s() {
    sed -n 's/^ *"wall_s": \([0-9.e+-]*\),*$/\1/p' "$1/summary.json"
}

# one NAME OPTION…: the same run without and with the cache
one() {
    name=$1
    shift
    for cache in off on; do
        option=
        [ "$cache" = off ] || option=--cache=$scratch/cache
        # shellcheck disable=SC2086
        "$program" run "$scratch/base.cfg" --out "$scratch/$name-$cache" --quiet $option "$@"
    done
    same "$scratch/$name-off" "$scratch/$name-on" || fail "$name: with the cache it differs"
    echo "$name: $(wall_s "$scratch/$name-off") s without, $(wall_s "$scratch/$name-on") s with the cache"
}

journals() {
    find "$scratch/cache" -name '*.journal' | wc -l
}

one first --set network.preset=4g
[ "$(journals)" -eq 2 ] || fail "the first run left no journals of its training and of its baselines"
one "another network" --set network.preset=wifi --set devices.preset=phones
one "slower server" --set server.speed=1Mflop/s
[ "$(journals)" -eq 2 ] || fail "runs that had nothing to train left journals"
grep -q '"recalled": true' "$scratch/another network-on/summary.json" || fail "the second run trained"
# Baselines are those of the data: another method finds them, and adds its training alone.
one "another method" --set method.name=colr --set network.preset=4g
[ "$(journals)" -eq 3 ] || fail "another method fitted the baselines again"
# The history is the same up to some round: what follows is trained, from the beginning of the run.
one "other arrivals" --set network.preset=4g --set failures.up=0.002
one "other seed" --seed 2
[ "$(journals)" -gt 3 ] || fail "runs with another history left no journal"
# A damaged journal is as good as none, and said to be.
for file in "$scratch"/cache/*; do
    printf 'x' | dd of="$file" bs=1 seek=100 conv=notrunc 2>/dev/null
done
one "damaged cache" --set network.preset=5g 2>"$scratch/said"
grep -q 'is damaged, or no journal of this program; it is not used' "$scratch/said" || fail "nothing is said of damaged journals"
one "work after the upload" --set method.name=pfedclr --set rounds.count=12 --set devices.speed=1Mflop/s
one "the same again" --set method.name=pfedclr --set rounds.count=12 --set devices.speed=1Mflop/s --set network.server_uplink=1GB/s
grep -q '"recalled": true' "$scratch/the same again-on/summary.json" || fail "work after the upload was done twice"
grep -q '"queue"' "$scratch/the same again-on/events.ndjson" || fail "nobody was selected while at work"
# Cohorts that go by what was learnt: groups are recalled, too.
set -- --set method.name=fedfast --set data.feedback=explicit --set data.split=ratio --set rounds.count=12 \
    --set rounds.cohort=10% --set rounds.selection=by_group --set evaluation.non_federated=item_mean
one "groups" "$@" --set network.preset=4g
one "groups elsewhere" "$@" --set network.preset=wifi
grep -q '"recalled": true' "$scratch/groups elsewhere-on/summary.json" || fail "groups were not recalled"
one "groups until a loss" "$@" --set network.preset=4g --set failures.up=0.01
# Who masks with whom does not change a sum.
set -- --set privacy.1=pairwise_masks --set method.aggregation=uniform --set rounds.cohort=20 --set rounds.count=3
one "masks" "$@" --set privacy.1.neighbours=count --set privacy.1.count=4
one "masks of all" "$@" --set privacy.1.neighbours=all --set privacy.1.threshold=0.4 --set network.preset=4g
grep -q '"recalled": true' "$scratch/masks of all-on/summary.json" || fail "masks of others were made again"
