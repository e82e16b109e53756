#!/bin/sh
# How long calibrate takes for logs of 400,000 lines of 20,000 clients, and for a quarter of both: four times as long is in
# proportion. Argument: the build folder.
set -eu
program=$(CDPATH='' cd -- "${1:?the build folder}" && pwd)/fedrecsim
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# seconds FILE: processor time of the fit
seconds() {
    ( "$program" calibrate "$1" --table table.csv >/dev/null; times ) | awk 'NR == 2 { split($1, t, /[ms]/); print t[1] * 60 + t[2] }'
}

for clients in 5000 20000; do
    awk -v clients="$clients" 'BEGIN {
        srand(1)
        print "client,size_kB,duration_s"
        for (i = 0; i < 20 * clients; i++) {
            kB = exp(7 * rand())
            printf "c%d,%.4g,%.4g\n", int(clients * rand()), kB, (0.05 + kB / 1000) * exp(rand())
        }
    }' >transfers.csv
    awk -v clients="$clients" 'BEGIN {
        print "client,round,duration_s"
        for (i = 0; i < 20 * clients; i++)
            printf "c%d,%d,%.4g\n", i * 7 % clients, int(i / (clients / 20)), exp(rand())
    }' >rounds.csv
    echo "$clients clients, $((20 * clients)) lines: transfers $(seconds transfers.csv) s, rounds $(seconds rounds.csv) s"
done
