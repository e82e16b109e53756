#!/bin/sh
# A log of rounds becomes a scenario that has those rounds: what the slowest client takes at 10 %, 50 % and 90 % of them is what it
# took in the log, for clients that differ by much and rounds that some of them are in, or all. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >scenario.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 4; };
training = { enabled = false; };
rounds = { count = 1000; };
@include "part.cfg"
END

# log CLIENTS COHORT: 1000 rounds; the clients' medians are log-normal about 2 s with a sigma of 0.5, their rounds with one of 0.2.
log() {
    awk -v n="$1" -v cohort="$2" '
        function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
        BEGIN {
            srand(1)
            print "client,round,duration_s"
            for (c = 0; c < n; c++)
                median[c] = 2 * exp(0.5 * normal())
            for (round = 1; round <= 1000; round++) {
                for (c = 0; c < n; c++)
                    left[c] = c
                for (i = 0; i < cohort; i++) {
                    k = i + int(rand() * (n - i))
                    c = left[k]
                    left[k] = left[i]
                    left[i] = c
                    printf "d%d,%d,%.6g\n", c, round, median[c] * exp(0.2 * normal())
                }
            }
        }' >log.csv
}

quantiles() {
    sort -g | awk '{ v[NR] = $1 } END {
        for (p = 1; p <= 9; p += 4) { x = 1 + p / 10 * (NR - 1); i = int(x); print v[i] + (x - i) * (v[i + 1] - v[i]) }
    }'
}

# same WHAT LARGEST: quantiles of the rounds of the run and of the log differ by no more than this share.
same() {
    what=$1
    awk -F, 'NR > 1 { if ($3 > slowest[$2]) slowest[$2] = $3 } END { for (round in slowest) print slowest[round] }' log.csv |
        quantiles >logged
    rm -rf run
    expect 0 run scenario.cfg --out run --quiet
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["duration_s"] }' run/rounds.csv | quantiles >ran
    paste logged ran | awk -v largest="$2" '
        { off = $2 / $1 - 1; if (off < -largest || off > largest) bad = 1 } END { exit bad || NR != 3 }' ||
        fail "the log has $(tr '\n' ' ' <logged), the run $(tr '\n' ' ' <ran)"
}

log 12 4
expect 0 calibrate log.csv --table devices.csv --out part.cfg
silent err
says part.cfg 'rounds = { cohort = 4; selection = "by_device"; };'
same 'four of twelve' 0.05
expect 0 check scenario.cfg
says out 'devices.csv: 12 rows, for the clients in turn, with overheads'

# The logged rounds beside the simulated ones: quantiles as above, and the share of the log between 10 % and 90 % of the run.
expect 0 calibrate log.csv --against run
silent err
within=$(awk -F, 'NR > 1 { if ($3 > slowest[$2]) slowest[$2] = $3 } END { for (round in slowest) print slowest[round] }' log.csv |
    awk -v low="$(sed -n 1p ran)" -v high="$(sed -n 3p ran)" '{ n++; within += $1 >= low && $1 <= high } END { printf "%.1f", 100 * within / n }')
says out "$within % of the logged rounds lie where 80 % of the run's do"
awk -v within="$within" 'BEGIN { exit !(within > 76.5 && within < 83.5) }' || fail "covers $within %"
says out 'the run'"'"'s rounds are as long as the log'"'"'s'
says out 'rounds of the log      1000; 10 % up to '
# Rounds of one client in place of four are shorter.
expect 0 run scenario.cfg --out fewer --quiet --set rounds.cohort=1
expect 0 calibrate log.csv --against fewer
says out "the run's rounds are not those of the log"
expect 2 calibrate log.csv --against nowhere
expect 2 calibrate log.csv --against run --out other.cfg
sed 's/^client,round,/client,size_bytes,/' log.csv >transfers.csv
expect 2 calibrate transfers.csv --against run
error 'fedrecsim: --against belongs to a log of rounds, and transfers.csv is one of transfers'

log 3 3
expect 0 calibrate log.csv --table devices.csv --out part.cfg
same 'all of three' 0.04

# Without a table every client is like every other, which many clients that follow a distribution are, in one round.
log 400 4
expect 0 calibrate log.csv --out part.cfg
says part.cfg 'rounds = { cohort = 4; };'
says part.cfg '// No client is slower than another throughout'
same 'four of four hundred, as a distribution' 0.12

# Some clients are in more rounds than chance has it, rounds differ in size, a client is twice in a round: said, or left out.
{
    echo client,round,duration_s
    for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        echo "a,$round,1"
        echo "b,$round,2"
        [ "$round" -gt 2 ] || echo "c$round,$round,1"
        [ "$round" -gt 2 ] || echo "d$round,$round,1"
    done
} >log.csv
expect 0 calibrate log.csv --table devices.csv
says out '// Rounds have 2 to 4 participations; the scenario'"'"'s have the median, 2.'
says out '// Clients are in 1 to 20 rounds, more unequally than at random'
printf 'client,round,duration_s\na,1,1\na,1,1\nb,2,1\nb,2,1\n' >log.csv
expect 0 calibrate log.csv --table devices.csv
says out 'rounds = { cohort = 2; };'

# What the selection needs.
expect 2 run scenario.cfg --out other --quiet --set rounds.selection=by_device
says err 'rounds.selection.name: "by_device" goes by the rows of devices.fleet, and there is none; allowed: devices.fleet, or another selection'
[ "$failures" -eq 0 ]
