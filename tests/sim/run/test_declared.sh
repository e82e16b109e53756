#!/bin/sh
# A declared workload: with the sizes and the work of a trained FedMF it gives every time and every byte of its rounds; a round worked
# out by hand; what is refused.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/same_rounds.sh
. "${FRS_SOURCE_DIR:-.}/tests/same_rounds.sh"

# Every user has as many items, and a step takes one sample: every client sends and computes the same.
awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 100; u++) for (k = 0; k < 12; k++) print u "," (u * 7 + k * 13) % 120 ",1," k }' >data.csv
cat >rest <<'END'
devices = { preset = "phones"; };
rounds = { count = 4; cohort = 20; };
output = { what_if = "none"; report = false; };
END
{
    echo 'data = { format = "csv"; path = "data.csv"; min_interactions = 3; };'
    echo 'method = { name = "fedmf"; batch = 1; epochs = 1; };'
    echo 'evaluation = { every = 4; candidates = "full"; };'
    cat rest
} >native.cfg
expect 0 run native.cfg --out measured --quiet
work=$(sed -n 's/.*"phase":"compute".*"flop":\([0-9.e+]*\)[,}].*/\1/p' measured/events.ndjson | sort -u)
bytes=$(sed -n 's/.*"phase":"up".*"bytes":\([0-9]*\),.*/\1/p' measured/events.ndjson | sort -u)
what='clients of the fixture'
[ "$bytes" = $((24 + 4 * 16 * 120)) ] || fail "uploads of $bytes bytes"
case $work in *"
"* | '') fail "operations are $work" ;; esac
size=$((bytes - 24))
{
    echo "method = { name = \"declared\"; clients = 100; down = \"$size B\"; up = \"$size B\"; work = \"$work flop\"; };"
    cat rest
} >declared.cfg

# Its sections are explained with it.
expect 0 explain declared
for section in down up work; do
    says out "a section, or a value of it; \`fedrecsim explain method.$section\`"
done
expect 0 explain declared --json
says out '"path": "method.up"'

# same NAME [--set ...]: the same rounds, and the same steps of each participation.
same() {
    name=$1
    shift
    same_rounds "$name" native declared "$@"
}
same plain
same losses --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
same deadline --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' --set rounds.policy.late=accept \
    --set rounds.stragglers=run_on --set devices.jitter=0.5
same tcp --set network.preset=4g --set network.model=tcp --set 'failures.per=1 min' --set failures.up=0.9 --set failures.retry.times=3 \
    --set failures.connection_up=0.3
same packets --set network.model=packets --set 'network.latency=20 ms' --set rounds.count=2
same traces --set network.preset=wifi --set "network.trace=$FEDRECSIM_SCENARIOS/traces/evening.csv"
same asynchronous --set rounds.policy=buffered_async --set network.preset=4g --set 'server.speed=1 Mflop/s' \
    --set 'network.server_uplink=20 Mbit/s'
same selection --set rounds.selection=fastest_first --set network.preset=4g --set 'caps.bytes=30 kB' --set 'caps.period=10 s'
same availability --set availability.model=markov --set 'availability.on=10 s' --set 'availability.off=5 s' --set network.preset=4g

# A point of a sweep is a run.
expect 0 sweep declared.cfg --vary 'failures.up = 0, 0.2' --out swept --set failures.down=0.1 --set failures.compute=0.1
what='a point of a sweep'
found=$(for point in swept/points/*; do cmp -s "$point/rounds.csv" declared-losses/rounds.csv && echo same; done)
[ "$found" = same ] || fail "no point, or both, have the rounds of the run: $found"

# Killed and resumed.
expect 0 run declared.cfg --out whole --quiet --set rounds.count=3000
"$program" run declared.cfg --out killed --quiet --set rounds.count=3000 &
running=$!
sleep 0.2
kill -9 "$running" 2>/dev/null
wait "$running" 2>/dev/null
expect 0 run declared.cfg --out killed --quiet --set rounds.count=3000 --resume
what='killed and resumed'
cmp -s whole/rounds.csv killed/rounds.csv || fail 'other rounds'

# By hand: messages of 1, 2 and 4 MB down and 0.5 MB up, each with its header of 24 bytes.
#   a   0.1 + 1 MB / 1 MB/s + 1 Gflop / 1 Gflop/s            + 0.1  + 0.5 MB / 0.5 MB/s = 3.2 s
#   b   0.1 + 2 MB / 2 MB/s + 4 Gflop / 2 Gflop/s            + 0.1  + 0.5 MB / 1 MB/s   = 3.7 s
#   c   0.05 + 4 MB / 4 MB/s + 1 Gflop / 0.5 Gflop/s + 0.125 + 0.05 + 0.5 MB / 2 MB/s   = 3.475 s
cat >fleet.csv <<'END'
class,down_MB_s,up_MB_s,latency_ms,speed_Gflop_s
a,1,0.5,100,1
b,2,1,100,2
c,4,2,50,0.5
END
cat >hand.cfg <<'END'
method = {
    name = "declared"; down = "a 999976 B, b 1999976 B, c 3999976 B"; up = "499976 B";
    work = "b 4 Gflop, others 1 Gflop"; work_time = "c 125 ms, others 0 s";
};
network = { fleet = "fleet.csv"; model = "exact"; };
devices = { fleet = "fleet.csv"; };
rounds = { count = 1; cohort = "100 %"; };
END
expect 0 run hand.cfg --out hand
says out '(as declared: 7.00 MB)'
what='a round by hand'
found=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 {
    printf "%.9f %d %d %d %d\n", $at["duration_s"], $at["selected"], $at["critical_client"], $at["down_bytes"], $at["up_bytes"] }' hand/rounds.csv)
[ "$found" = '3.700000000 3 1 7000000 1500000' ] || fail "found $found"
found=$(grep '"phase":"up"' hand/events.ndjson | sed 's/.*"client":\([0-9]\).*"t1_s":\([0-9.]*\).*/\1 \2/' | sort | tr '\n' ' ')
[ "$found" = '0 3.2 1 3.7 2 3.475 ' ] || fail "uploads end at $found"

# Sizes that are spread over clients stay the same in every round, and differ.
expect 0 run declared.cfg --out spread --quiet --set rounds.cohort=100 --set method.up.distribution=lognormal --set 'method.up.median=1 MB'
what='sizes that are spread'
found=$(grep '"phase":"up"' spread/events.ndjson | sed 's/.*"client":\([0-9]*\),.*"bytes":\([0-9]*\),.*/\1 \2/' | sort -u | wc -l)
[ "$found" -eq 100 ] || fail "$found sizes of 100 clients"

# Without a file.
set -- --set method.name=declared --set 'method.down=5 MB' --set network.preset=4g --set network.model=exact --set rounds.count=3
expect 0 check "$@" --set 'method.up=5 MB'
says out 'no data: 1000 clients'
says out 'about 5.00 MB down, 5.00 MB up a participation'
expect 0 run "$@" --set 'method.up=5 MB' --quiet
[ -f results/declared-seed1/rounds.csv ] || fail 'no results'
expect 0 sweep "$@" --vary 'method.up = 1 MB, 5 MB' --out without
expect 0 solve "$@" --vary 'method.up = 1 MB, 3 MB, 5 MB' --until 'simulated_s <= 20 min' --best 'simulated_s' --out solved
expect 2 check --set method.name=fedmf
says err 'needs a scenario'

# refused LINE [--set ...]: one line.
refused() {
    line=$1
    shift
    expect 2 check declared.cfg "$@"
    says err "$line"
    [ "$(wc -l <err)" -eq 1 ] || fail 'more than one line'
}
refused 'codec.uplink.name: does not apply to method "declared"' --set codec.uplink.name=topk
refused 'codec.downlink.name: does not apply to method "declared"' --set codec.downlink.name=touched_rows
refused 'privacy.1.name: does not apply to method "declared"' --set privacy.1.name=pairwise_masks
refused 'adaptation.name: uploads of method "declared" have the sizes of method.up' --set adaptation.name=deadline
refused 'method.server.optimiser: no "adam" for method "declared": it has no tables' --set method.server.optimiser=adam
refused 'there is no quality to measure' --set 'evaluation.target=hr@10 >= 0.5'
refused 'there is no quality to measure' --set evaluation.k=5
refused 'method "declared" needs no data' --set data.synthetic=small
refused 'method "declared" is never trained' --set training.enabled=true
refused 'devices.compute: "measured"' --set devices.preset=plain --set devices.compute=measured
refused 'rounds.selection.name: "utility" goes by training losses' --set rounds.selection.name=utility
refused 'method "declared" has no epochs to stop after' --set rounds.policy.name=partial_work --set 'rounds.policy.after=1 s' --set 'rounds.policy.grace=1 s'
refused 'method.up' --set 'method.up=phone-low 1 MB, phone-big 2 MB'
expect 2 check "$@" --set method.name=declared --set 'method.down=1 MB'
says err 'method.up.value: has to be given'
expect 2 run declared.cfg --out no --expect 'hr@10 >= 0.5'
error 'fedrecsim: --expect hr@10 >= 0.5: method "declared" trains nothing, so that there is no hr@10; allowed: figures of time, bytes and energy'
for asked in '--until hr@10>=0.5' '--best hr@10'; do
    # shellcheck disable=SC2086
    expect 2 solve declared.cfg --vary 'method.up = 1 MB, 5 MB' $asked --out no
    error "fedrecsim: ${asked%>=*}: method \"declared\" trains nothing, so that there is no hr@10; allowed: figures of time, bytes and energy"
done
[ ! -e no ] || fail 'something was written'
printf 'method = { name = "fedmf"; down = "1 MB"; };\n' >other.cfg
expect 2 check other.cfg
says err 'method.down'

[ "$failures" -eq 0 ]
