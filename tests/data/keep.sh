#!/bin/sh
# Keeps what a version writes, for test_kept_versions, which has later versions read it: a scenario and its data, a run, its bundle, and a
# sweep whose points.csv is what collect made of it then. Without the pages, which hold nothing of their own. Once for each release:
#   tests/data/keep.sh build/fedrecsim      writes the folder of its version below tests/data, which must not be there
set -eu

program=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
version=$("$program" --version | sed -n '1s/^fedrecsim \([0-9.]*\).*/\1/p')
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/$version
mkdir "$folder"
scratch=$(mktemp -d /tmp/kept-XXXXXX) # a plan has the path of its working folder
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >scenario.cfg <<'END'
# What this version understands: later ones run it as well.
seed = 7;
data = { path = "ratings.csv"; min_interactions = 3; };
evaluation = { candidates = "full"; every = 2; };
method = { name = "fedmf"; dim = 4; };
rounds = { count = 4; cohort = 4; };
network = { uplink = "3 Mbit/s"; downlink = "12 Mbit/s"; latency = "40 ms"; };
failures = { up = 0.2; };
END
awk 'BEGIN {
    print "user,item,rating"
    for (u = 1; u <= 12; u++)
        for (k = 0; k < 6; k++)
            print "u" u ",i" (u * 7 + k * 6) % 40 + 1 ",1"
}' >ratings.csv

"$program" run scenario.cfg --quiet --out run
"$program" bundle run --with-data >/dev/null
"$program" sweep scenario.cfg --vary 'method.name = fedmf, fedncf' --replicates 2 --set output.events=false --set output.what_if=none \
    --quiet --out sweep >/dev/null
mv sweep/points.csv points.csv
rm -r run/report.html sweep/cache
find sweep -type f ! -name plan.json ! -name manifest.json ! -name summary.json ! -name rounds.csv ! -name clients.csv -exec rm {} +
mv -- * "$folder"
