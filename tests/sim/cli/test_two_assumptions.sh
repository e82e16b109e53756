#!/bin/sh
# Labels: sanitized
# A small sensitivity, of two assumptions and one seed, which is repeated under sanitizers: ranges that follow from the closed form of a
# round, a choice that turns round, one's own assumption, and names that do not exist. All of it is in test_sensitivity.sh.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# A message has 19,224 bytes: a round takes 2 · 1 s + 9 s + 2 · 0.153792 s, and two of them 22.615168 s. Three times the computing
# is 36 s more, a third of it 12 s less; half the latency 2 s less, double 4 s more.
cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
network = { model = "exact"; downlink = "1 Mbit/s"; uplink = "1 Mbit/s"; latency = "1 s"; };
devices = { compute = "fixed"; overhead = "9 s"; };
rounds = { count = 2; cohort = 2; };
training = { enabled = false; };
CFG

# has NAME VALUE: the file for machines has a range of this size (seven digits).
has() {
    awk -v name="$1" -v value="$2" '
        $1 == "\"name\":" { ours = index($0, "\"" name "\"") }
        ours && $1 == "\"range\":" && ($2 + 0 - value) ^ 2 < 1e-10 { found = 1 }
        END { exit !found }' two/sensitivity.json || fail "no range $2 of $1 in sensitivity.json"
}

expect 0 sensitivity s.cfg --only latency --only compute --replicates 1 --out two
has compute 48
has latency 6
says two/sensitivity.json '"mean": 22.6151' # as it is
says two/sensitivity.json '"effect": {'
says out 'What moves it most: compute, 8 times as far as latency.'
says out '- ties: not wanted (--only)'

# Near takes 1 + 9 + 0.153792 + 1.53792 s a round, far 2 + 9 + 0.307584 s; with double the bandwidth 10.845856 and 11.153792 s.
expect 0 sensitivity s.cfg --only bandwidth --no-design --replicates 1 --out choice \
    --vary 'design: way | near: network.latency=0.5 s & network.uplink=0.1 Mbit/s | far: network.latency=1 s'
says out 'The best design as it is: way=far. Another one under bandwidth 2 times: way=near'
expect 0 sensitivity s.cfg --only bandwidth --no-design --replicates 1 --out own --answer bytes.total \
    --assume 'bandwidth | a tenth: network.bandwidth_factor=0.1'
says out 'a tenth: '
expect 2 sensitivity s.cfg --out bad --only memory
says err 'fedrecsim: --only memory: there is no such assumption; allowed: availability | losses | '
[ ! -e bad ] || fail "something was written"
[ "$failures" -eq 0 ]
