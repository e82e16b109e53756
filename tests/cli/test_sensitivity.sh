#!/bin/sh
# Labels: sanitized
# sensitivity: ranges and effects that follow from the closed form of a round, a choice that turns round, what is left out, and what
# is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../expect.sh"

# A message has 19,224 bytes: a round takes 2 · 1 s + 9 s + 2 · 0.153792 s, and four of them 45.230336 s. Three times the computing
# is 72 s more, a third of it 24 s less; half the latency 4 s less, double 8 s more; half the bandwidth 1.230336 s more,
# double 0.615168 s less.
cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
network = { model = "exact"; downlink = "1 Mbit/s"; uplink = "1 Mbit/s"; latency = "1 s"; };
devices = { compute = "fixed"; overhead = "9 s"; };
rounds = { count = 4; cohort = 2; };
training = { enabled = false; };
END

# has NAME VALUE: the file for machines has a range or an effect of this size (seven digits).
has() {
    awk -v name="$1" -v value="$2" '
        $1 == "\"name\":" && index($0, "\"" name "\"") { ours = 1 }
        $1 == "\"name\":" && !index($0, "\"" name "\"") { ours = 0 }
        ours && ($1 == "\"range\":" || $1 == "\"mean\":") && ($2 + 0 - value) ^ 2 < 1e-10 { found = 1 }
        END { exit !found }' out-dir/sensitivity.json || fail "no $2 of $1 in sensitivity.json"
}

expect 0 sensitivity s.cfg --out out-dir --without availability --without 'network model' --without ties --replicates 2
says out 'simulated_s, in min**, as it is: 0.754'
says out 'What moves it most: compute, 8 times as far as latency.'
says out '- retry: '
says out '- ties: not wanted (--without)'
cmp -s out out-dir/sensitivity.md || fail "sensitivity.md is not what was printed"
for file in plan.json cells.csv sensitivity.json; do
    [ -s "out-dir/$file" ] || fail "no $file"
done
has compute 96
says out-dir/sensitivity.json '"mean": 45.2303' # as it is
has latency 12
has bandwidth 1.845504
grep -q '"effect": {' out-dir/sensitivity.json || fail "no effects of the design"
cp out-dir/sensitivity.json kept
expect 0 sensitivity s.cfg --out out-dir --without availability --without 'network model' --without ties --replicates 2 \
    --resume --quiet
silent out
cmp -s kept out-dir/sensitivity.json || fail "sensitivity.json is not the same again"

# --- a choice: near 1 + 9 + 0.153792 + 1.53792 s a round, far 2 + 9 + 0.307584 s; with double the bandwidth 10.845856 and 11.153792 s ---
expect 0 sensitivity s.cfg --out choice --without availability --without 'network model' --without ties --no-design \
    --vary 'choice: way | near: network.latency=0.5 s & network.uplink=0.1 Mbit/s | far: network.latency=1 s' --set sweep.replicates=1
says out 'The best choice as it is: way=far. Another one under bandwidth 2 times: way=near'
says out '; latency 2 times: way=near'

# --- one's own assumption, and another answer ---
expect 0 sensitivity s.cfg --out own --without availability --without 'network model' --without ties --without latency --no-design \
    --assume 'bandwidth | a tenth: network.bandwidth_factor=0.1' --answer bytes.total --replicates 1
says out 'bandwidth'
says out 'a tenth: '

# --- refused ---
expect 2 sensitivity s.cfg --out bad --without weather
error 'fedrecsim: --without weather: there is no such assumption; allowed: availability | detection | retry | network model | bandwidth | latency | compute | ties'
expect 2 sensitivity s.cfg --out bad --assume 'compute | 1: devices.overhead=1s | 2: devices.overhead=2s | 3: devices.overhead=3s'
error 'fedrecsim: --assume compute: has 3 values; allowed: one or two beside that of the scenario'
expect 2 sensitivity nowhere.cfg
says err 'nowhere.cfg: cannot be read'
[ ! -e bad ] || fail "something was written"
expect 2 sensitivity s.cfg --out bad --answer hr@20
error 'fedrecsim: --answer: "hr@20" is not a figure; did you mean "hr@10"?; allowed: names as in summary.json, such as hr@10, simulated_s or bytes.down'
[ ! -e bad ] || fail "something was written"
# A name that runs can have, and these have not, is found out when they have ended.
expect 2 sensitivity s.cfg --out own2 --without availability --without 'network model' --without ties --no-design \
    --answer mean_staleness --replicates 1
says err 'fedrecsim: --answer mean_staleness: no run has it'
says err 'with --resume another answer is found without running anything again'
[ "$failures" -eq 0 ]
