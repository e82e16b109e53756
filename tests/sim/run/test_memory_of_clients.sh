#!/bin/sh
# Clients whose memory cannot hold the method (devices.memory): if that is everybody nothing can be learnt, and the run says
# so before it begins; if it is some, how many they are is told.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# 200 clients, 300 items of 16 floats: 19,200 bytes
scenario() {
    printf '%s\n' 'data = { synthetic = "custom"; users = 200; items = 300; interactions = 3000; };' \
        'method = { name = "fedmf"; dim = 16; };' 'network = { preset = "4g"; };' "devices = { preset = \"phones\"; memory = $1; };" \
        "rounds = { count = 3; cohort = 20; $2 };"
}
nobody='fedrecsim: no client can take part: the tables of fedmf take 19.20 kB, and the largest memory of a client is 15.36 kB (devices.memory)'
async='policy = { name = "buffered_async"; arrivals = 5; };'

for more in '' "$async"; do
    scenario '"15 KiB"' "$more" >none.cfg
    expect 1 run none.cfg --out none --quiet
    error "$nobody"
    [ ! -e none ] || fail "results"
    expect 1 check none.cfg
    grep -qxF "$nobody" err || fail "another reason"
done

scenario '{ distribution = "uniform"; low = "8 KiB"; high = "28 KiB"; }' '' >some.cfg
expect 0 run some.cfg --out some
refused=$(sed -n 's/.*"clients_refused": \([0-9]*\).*/\1/p' some/summary.json)
# 53.75 % of 200 are 107 or so
[ "${refused:-0}" -gt 85 ] || fail "$refused clients are refused"
[ "${refused:-0}" -lt 130 ] || fail "$refused clients are refused"
says out "too small for fedmf on $refused of 200 clients"
scenario '"19 KiB"' '' >all.cfg
expect 0 run all.cfg --out all
! grep -q clients_refused all/summary.json || fail "clients_refused"
! grep -q 'memory of clients' out || fail "memory of clients"

[ "$failures" -eq 0 ]
