#!/bin/sh
# Labels: long
# How often the program says that one of two choices is better which hardly differ: 200 sweeps of a few cheap rounds, two replicates
# each, that compare uniform selection with the one that repeats nobody before all have had their turn, on four data sets by quality
# and by the time to a target that about half of the runs reach. 5 % of them may, and twice the standard error of that: 17 of 200.
# Arguments: the build folder, sweeps of each kind and data set (25), most verdicts (17). Public data sets are read from
# FEDRECSIM_DATA; a made-up one stands in for each that is not there.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

each=${2:-25} most=${3:-17}
data=${FEDRECSIM_DATA:-/nowhere}

# scenario NAME DATA TARGET: NAME.cfg.
scenario() {
    cat >"$1.cfg" <<END
data = { $2 };
method = { dim = 8; optimiser = "sgd"; learning_rate = 2; sgd_scaling = "row_mean"; aggregation = "per_item"; };
network = { model = "exact"; uplink = { distribution = "lognormal"; median = "3 Mbit/s"; sigma = 0.8; }; };
rounds = { count = 6; cohort = 20; };
evaluation = { every = 1; target = "$3"; non_federated = []; };
output = { events = false; report = false; };
END
}

# kinds NAME DATA TARGET: of a data set, by quality and by time.
kinds() {
    scenario "$1-quality" "$2" none
    scenario "$1-time" "$2" "$3"
}

kinds small 'synthetic = "small";' test.hr@10=0.165
if [ -f "$data/ml-100k/u.data" ]; then
    kinds ml-100k "format = \"movielens-100k\"; path = \"$data/ml-100k/u.data\";" test.hr@10=0.16
else
    echo "SKIPPED ml-100k: it is not in FEDRECSIM_DATA"
    kinds ml-100k 'synthetic = "custom"; users = 900; items = 1600; interactions = 90000;' test.hr@10=0.16
fi
if [ -f "$data/filmtrust/ratings.txt" ]; then
    kinds filmtrust "format = \"filmtrust\"; path = \"$data/filmtrust/ratings.txt\";" test.hr@10=0.23
else
    echo "SKIPPED filmtrust: it is not in FEDRECSIM_DATA"
    kinds filmtrust 'synthetic = "custom"; users = 1000; items = 2000; interactions = 33000;' test.hr@10=0.23
fi
if [ -f "$data/lastfm-2k/user_artists.dat" ]; then
    kinds lastfm "format = \"lastfm\"; path = \"$data/lastfm-2k/user_artists.dat\";" test.hr@10=0.133
else
    echo "SKIPPED lastfm: it is not in FEDRECSIM_DATA"
    kinds lastfm 'synthetic = "custom"; users = 1800; items = 17000; interactions = 90000;' test.hr@10=0.133
fi

# says_better FOLDER: whether the sentence of a sweep says that one choice is better.
says_better() {
    sed -n 3p "$1/tables.md" | grep -Eq 'sooner than|above|below|does? not reach it within [0-9]+ rounds?[.;]'
}

verdicts=0 sweeps=0
for kind in small ml-100k filmtrust lastfm; do
    for by in quality time; do
        found=0 number=0
        while [ "$number" -lt "$each" ]; do
            number=$((number + 1))
            expect 0 sweep "$kind-$by.cfg" --vary 'selection | uniform: rounds.selection=uniform | no_repeat: rounds.selection=no_repeat' \
                -r 2 --set "seed=$((1000 * number))" --jobs 1 --quiet --out swept
            sweeps=$((sweeps + 1))
            if says_better swept; then
                found=$((found + 1))
                sed -n 3p swept/tables.md
            fi
            rm -r swept
        done
        echo "$kind by $by: $found of $each sweeps have a verdict"
        verdicts=$((verdicts + found))
    done
done
echo "$verdicts of $sweeps sweeps have a verdict"
[ "$verdicts" -le "$most" ] || fail "$verdicts of $sweeps sweeps have a verdict"

[ "$failures" -eq 0 ]
