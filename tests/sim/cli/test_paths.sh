#!/bin/sh
# What is written as a path, and files as other programs write them. Argument: the build folder.
# shellcheck disable=SC2016,SC2088 # texts that no shell may expand
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

mkdir 'a home' data
HOME=$folder/'a home'
FRS_TEST_DATA=$folder/data
export HOME FRS_TEST_DATA
unset FRS_TEST_NOTHING
printf 'user,item,time\n' >data/log.csv
for user in 1 2 3 4; do
    for item in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
        [ $item = $((user + 2)) ] || echo "$user,$item,$((item * user))"
    done
done >>data/log.csv
cp data/log.csv 'a home/log.csv'
cat >plain.cfg <<'END_OF_FILE'
data = { format = "csv"; path = "data/log.csv"; csv_user = "user"; csv_item = "item"; csv_time = "time"; };
evaluation = { negatives = 1; k = 1; };
rounds = { count = 1; cohort = 2; };
END_OF_FILE

# --- ~, $NAME and ${NAME} ---
for written in '~/log.csv' '$HOME/log.csv' '${HOME}/log.csv' '${FRS_TEST_DATA}/log.csv' '$FRS_TEST_DATA/log.csv'; do
    expect 0 check plain.cfg --set "data.path=$written"
    says out 'csv: 4 users, 14 items'
done
expect 0 run plain.cfg --set 'output.directory=${FRS_TEST_DATA}/results/one' --set 'data.path=~/log.csv' --quiet
[ -s data/results/one/summary.json ] || fail 'nothing in ${FRS_TEST_DATA}/results/one'
says data/results/one/manifest.json '~/log.csv'
says data/results/one/manifest.json '${FRS_TEST_DATA}/results/one'
expect 0 replay data/results/one
expect 0 check plain.cfg --out=~/two
expect 0 run plain.cfg --out='~/two' --quiet
[ -s 'a home/two/summary.json' ] || fail 'nothing in ~/two'
expect 0 check plain.cfg --set 'network.trace=' --set data.path=./data/log.csv
for key in network.trace availability.file platform.file network.uplink.file data.path output.directory; do
    extra=
    [ $key != availability.file ] || extra='--set availability.model=trace'
    [ $key != network.uplink.file ] || extra='--set network.uplink.distribution=empirical'
    # shellcheck disable=SC2086
    expect 2 check plain.cfg $extra --set "$key=\${FRS_TEST_NOTHING}/file"
    error "fedrecsim: --set $key=\${FRS_TEST_NOTHING}/file: $key: \"\${FRS_TEST_NOTHING}/file\" needs the environment variable FRS_TEST_NOTHING, which is not set"
    # shellcheck disable=SC2086
    expect 2 check plain.cfg $extra --set "$key=\${FRS_TEST_NOTHING/file"
    says err 'has "${" without the name of a variable and "}"'
done
# A dollar sign without a name is one, as are two of them; another user's home is not looked for.
mkdir 'a$' 'a$HOME' '~me'
for place in 'a$' 'a$HOME' '~me'; do cp data/log.csv "$place"; done
for written in 'a$/log.csv' 'a$$HOME/log.csv' '~me/log.csv'; do
    expect 0 check plain.cfg --set "data.path=$written"
done

# --- a byte order mark at the start of a file ---
mkdir marked
marked() {
    printf '\357\273\277' >marked/file
    cat "$1" >>marked/file
}
marked plain.cfg
cp marked/file marked.cfg
expect 0 check marked.cfg
what='a scenario with a mark on standard input'
"$program" check - <marked.cfg >out 2>err || fail "exit code"
marked data/log.csv
expect 0 check plain.cfg --set data.path=marked/file
says out 'csv: 4 users, 14 items'
sed 1d data/log.csv >rows
marked rows
expect 0 check plain.cfg --set data.path=marked/file --set data.csv_header=false --set data.csv_user=1 --set data.csv_item=2 --set data.csv_time=3
says out 'csv: 4 users, 14 items'
printf 't_s,factor\n0,1\n10,0.5\n20,1\n' >trace
marked trace
expect 0 check plain.cfg --set network.trace=marked/file
printf 'value,unit,share\n1,Mbit/s,0.5\n2,Mbit/s,1\n' >cdf
marked cdf
expect 0 check plain.cfg --set network.uplink.distribution=empirical --set network.uplink.file=marked/file
printf '0,0,50\n1,0,100\n2,0,1000\n3,5,10\n' >sessions
marked sessions
expect 0 check plain.cfg --set availability.model=trace --set availability.file=marked/file
# Behind the start it is a letter like any other.
printf '\357\273\277\357\273\277rounds = { count = 1; };\n' >twice.cfg
expect 2 check twice.cfg

# --- an empty folder is a place for results ---
mkdir empty swept repeated 'a home/empty'
expect 0 run plain.cfg --out empty --quiet
[ -s empty/summary.json ] || fail "no results"
expect 0 run plain.cfg --seed 2 --out 'a home/empty/' --quiet
expect 0 sweep plain.cfg --vary 'rounds.cohort = 1, 2' --out swept --quiet
[ -s swept/points.csv ] || fail "no results"
expect 0 compare empty 'a home/empty' --fidelity --out repeated --jobs 1
[ -n "$(ls repeated)" ] || fail "no results"

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
