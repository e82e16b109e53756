#!/bin/sh
# sensitivity: ranges and effects that follow from the closed form of a round, a choice that turns round, what is left out, and what
# is refused. (Under sanitizers: test_two_assumptions.sh.) Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

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

# sensitivity_of 'NAME|NAME' ARGUMENT...: all other usual assumptions stay as they are.
sensitivity_of() {
    kept="|$1|"
    shift
    for name in availability losses detection 'network model' links jitter 'server link' bandwidth latency compute 'server time' \
        cohort ties 'held-out items' 'data seed'; do
        case $kept in *"|$name|"*) ;; *) set -- "$@" --without "$name" ;; esac
    done
    expect 0 sensitivity s.cfg "$@"
}

sensitivity_of 'bandwidth|latency|compute' --out out-dir --replicates 2
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
sensitivity_of 'bandwidth|latency|compute' --out out-dir --replicates 2 --resume --quiet
silent out
cmp -s kept out-dir/sensitivity.json || fail "sensitivity.json is not the same again"

# --- a design: near 1 + 9 + 0.153792 + 1.53792 s a round, far 2 + 9 + 0.307584 s; with double the bandwidth 10.845856 and 11.153792 s ---
sensitivity_of 'bandwidth|latency|compute' --out choice --no-design \
    --vary 'design: way | near: network.latency=0.5 s & network.uplink=0.1 Mbit/s | far: network.latency=1 s' --set sweep.replicates=1
says out 'The best design as it is: way=far. Another one under bandwidth 2 times: way=near'
says out '; latency 2 times: way=near'

# --- two seeds: of bytes both send as many, so that neither is ahead; of seconds near is, everywhere, by the same in each seed ---
sensitivity_of 'bandwidth' --out tied --no-design --vary 'design: way | near: network.latency=0.5 s | far: network.latency=1 s' \
    --replicates 2 --answer bytes.total
says out 'The best design as it is: way=near (within the interval). It stays the best under all of the 2 others, beyond the interval in 0 of them.'
sensitivity_of 'bandwidth' --out ahead --no-design --vary 'design: way | near: network.latency=0.5 s | far: network.latency=1 s' --replicates 2
says out 'The best design as it is: way=near. It stays the best under all of the 2 others, beyond the interval in 2 of them.'

# --- one's own assumption, and another answer ---
sensitivity_of 'bandwidth|compute' --out own --no-design \
    --assume 'bandwidth | a tenth: network.bandwidth_factor=0.1' --answer bytes.total --replicates 1
says out 'bandwidth'
says out 'a tenth: '

# --- what is not there at all: 2 · 0.153792 s a round; one way 75 ms, a participation 10 s or an aggregation 1 s are 0.6, 40 and 4 s more ---
sed 's/latency = "1 s"/latency = "0 s"/; s/overhead = "9 s"/overhead = "0 s"/' s.cfg >none.cfg
rm -r out-dir
expect 0 sensitivity none.cfg --out out-dir --no-design --replicates 1
says out 'simulated_s, in s**, as it is: 1.23'
has latency 0.6
has overhead 40
has 'server time' 4
has 'server link' 0 # two clients of 1 Mbit/s
says out '- compute: it takes no time'

# --- what is 0 or absent in a scenario: every level of every assumption, beside a sweep by hand ---
cat >h.cfg <<'EOF'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
network = { downlink = { distribution = "lognormal"; median = "6 Mbit/s"; sigma = 0.8; }; uplink = "2 Mbit/s"; latency = "40 ms"; };
devices = { preset = "fieldguide"; };
rounds = { count = 12; cohort = 31; };
EOF
expect 0 sensitivity h.cfg --out all --no-design --replicates 2
cp all/sensitivity.json all.json
# The preset's computing takes 10 s and 7 times the operations; half of 31 clients are 16.
expect 0 sweep h.cfg --out hand --quiet --replicates 2 --vary 'environment: assumption | as it is
    | availability as measured: availability.model=diurnal
    | losses 1 % of uploads: failures.up=0.01 | losses 5 % of uploads: failures.up=0.05
    | detection 1 % of uploads lost\, noticed after 20 s: failures.up=0.01 & failures.detect=20 s
    | detection 1 % of uploads lost\, noticed after 60 s: failures.up=0.01 & failures.detect=60 s
    | network model exact: network.model=exact | network model packets: network.model=packets
    | connection tcp: network.connection=tcp | connection kept: network.connection=kept
    | links 4g: network.preset=4g | links mixed-mobile: network.preset=mixed-mobile
    | jitter 0.37: network.jitter=0.37
    | server link 1 Gbit/s: network.server_downlink=1 Gbit/s & network.server_uplink=1 Gbit/s
    | server link 100 Mbit/s: network.server_downlink=100 Mbit/s & network.server_uplink=100 Mbit/s
    | queue 50 ms: network.queue=50 ms | queue 1 s: network.queue=1 s
    | bandwidth 1/2 times: network.bandwidth_factor=0.5 | bandwidth 2 times: network.bandwidth_factor=2
    | latency 1/2 times: network.latency_factor=0.5 | latency 2 times: network.latency_factor=2
    | compute 1/3 times: devices.slowdown=2.3333333333333335 & devices.overhead=3.3333333333333335 s
    | compute 3 times: devices.slowdown=21 & devices.overhead=30 s
    | server time 1 s an aggregation: server.overhead=1 s
    | cohort half: rounds.cohort=16 | cohort double: rounds.cohort=62
    | ties earlier: data.ties=earlier | ties random: data.ties=random
    | held-out items drawn: data.order=random
    | data seed 2: data.synthetic_seed=2 | data seed 3: data.synthetic_seed=3'
what="the sweep by hand"
[ "$(wc -l <hand/points.csv)" -eq 63 ] || fail "has not 31 levels of 2 seeds"
diff all/points.csv hand/points.csv >differences || fail "differs: $(head -4 differences)"
what="what is left out"
for name in retry 'packet loss' overhead 'compute jitter' memory 'late clients' departures 'broken connections' 'server restarts' outages \
    traces; do
    grep -q "^- $name: ." all/sensitivity.md || fail "$name is not on the page"
    grep -A 1 "\"name\": \"$name\"" all.json | grep -q '"reason": ".' || fail "$name is not in the file"
done
# What only lets detection have an effect is not its own: its range is that between its ends.
awk '$1 == "\"name\":" { ours = index($0, "\"detection\"") } ours && $1 == "\"range\":" { range = $2 + 0 }
    ours && $1 == "\"mean\":" { means[++n] = $2 + 0 } # figure and difference of one end, then of the other
    END { between = means[3] - means[1]; exit !(n >= 4 && between > 0 && (range - between) ^ 2 < 1e-12 * range ^ 2) }' all.json ||
    fail "the range of detection is not that between its ends"

# --- what is varied besides is no assumption, and what one of the choices cannot have is left out, with the reason ---
expect 0 sensitivity h.cfg --out besides --no-design --replicates 1 --set rounds.count=2 --vary 'rounds.cohort = 10, 20' \
    --vary 'environment: model | tcp | exact: network.model=exact'
says out '- cohort: is varied as rounds.cohort'
says out '- network model: is varied as model'
says out '- connection: --set network.connection=tcp: network.connection: has no effect here'

# --- classes have jitters of their own, .47 at most: none of it, or twice that for all ---
sed 's/^network = .*/network = { classes = "4g 50 %, wifi 50 %"; };/' h.cfg >classes.cfg
expect 0 sensitivity classes.cfg --out classes --no-design --replicates 1 --set rounds.count=2 --only jitter
says out 'double the largest of a class: '
cat classes/points/*/manifest.json >manifests
says manifests '"network.jitter": "0.94"'

# --- the design goes from none to the last value of what is absent ---
sensitivity_of 'losses|compute' --out design --replicates 1
what="the design"
for point in 05 06 07 08 09 10 11 12; do
    sed -n 's/^ *"failures.up": "\(.*\)",$/up \1/p; s/^ *"devices.overhead": "\(.*\)",$/overhead \1/p' \
        "design/points/00$point/manifest.json" | sort | tr '\n' ' '
    echo
done | sort | uniq -c | tr -s ' ' >runs
printf ' 2 overhead 27 s up %s \n 2 overhead 3 s up %s \n' 0 0 0.05 0.05 | sort >expected
sort runs | cmp -s - expected || fail "has other runs: $(cat runs)"

# --- only some of them ---
expect 0 sensitivity s.cfg --out only --only latency --only 'server time' --no-design --replicates 1
says out '- compute: not wanted (--only)'
[ "$(grep -c '^| [a-z]' only/sensitivity.md)" -eq 3 ] || fail "has other assumptions" # and the head

# --- refused ---
expect 2 sensitivity s.cfg --out bad --without weather
error 'fedrecsim: --without weather: there is no such assumption; allowed: availability | losses | detection | retry | network model | connection | links | jitter | server link | queue | packet loss | bandwidth | latency | compute | server time | cohort | ties | held-out items | data seed'
expect 2 sensitivity s.cfg --out bad --only memory
says err 'fedrecsim: --only memory: there is no such assumption; allowed: availability | losses | '
expect 2 sensitivity s.cfg --out bad --assume 'compute | 1: devices.overhead=1s | 2: devices.overhead=2s | 3: devices.overhead=3s'
error 'fedrecsim: --assume compute: has 3 values; allowed: one or two beside that of the scenario'
expect 2 sensitivity nowhere.cfg
says err 'nowhere.cfg: cannot be read'
[ ! -e bad ] || fail "something was written"
expect 2 sensitivity s.cfg --out bad --answer hr@20
error 'fedrecsim: --answer: "hr@20" is not a figure; did you mean "hr@10"?; allowed: names as in summary.json, such as hr@10, simulated_s or bytes.down'
[ ! -e bad ] || fail "something was written"
# A name that runs can have, and these have not, is found out when they have ended.
expect 2 sensitivity s.cfg --out own2 --no-design --answer mean_staleness --replicates 1
says err 'fedrecsim: --answer mean_staleness: no run has it'
says err 'with --resume another answer is found without running anything again'
[ "$failures" -eq 0 ]
