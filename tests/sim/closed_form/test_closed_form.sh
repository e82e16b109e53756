#!/bin/sh
# The closed form of a round: three clients by hand, under every model and policy that has one; within the sampling error of a
# simulation of independent rounds; and why there is none. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 3; items = 100; interactions = 150; activity_ceiling = 0.6; };
evaluation = { negatives = 20; };
training = { enabled = false; messages = "whole"; };
method = { name = "fedmf"; dim = 240; };
network = { model = "exact"; preset = "none"; latency = "100 ms";
            downlink = { distribution = "uniform"; low = "50 kB/s"; high = "400 kB/s"; };
            uplink = { distribution = "uniform"; low = "20 kB/s"; high = "200 kB/s"; }; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 2; cohort = 2; };
END

# form RUN KEY: of its closed form
form() {
    sed -n "/\"closed_form\"/,/}/s/.*\"$2\": \\([^,]*\\),\$/\\1/p" "$1/summary.json"
}

# near RUN KEY VALUE: to 1e-9
near() {
    what="$2 of $1"
    got=$(form "$1" "$2")
    awk "BEGIN { a = ${got:-0} / ($3) - 1; exit !(a * a < 1e-18) }" || fail "${got:-nothing} instead of $3"
}

# durations RUN PROGRAM: of the three clients, ascending, by a function T(down rate, up rate) of awk; S is a message
durations() {
    awk -F, -v S="$bytes" "$2 NR > 1 { printf \"%.15g\\n\", T(\$3, \$4) }" "$1/clients.csv" | sort -g | tr '\n' ' '
}

# of_three RUN PROGRAM: the mean of all, and of the largest of two
of_three() {
    # shellcheck disable=SC2046 # one word for each client
    set -- "$1" $(durations "$1" "$2")
    near "$1" participation_s "($2 + $3 + $4) / 3"
    near "$1" slowest_s "($3 + 2 * $4) / 3"
    near "$1" round_s "($3 + 2 * $4) / 3"
}

# Two latencies of 0.1 s, and a second of computing.
expect 0 run s.cfg --quiet --out exact
bytes=$(sed -n 's/.*"phase":"down".*"bytes":\([0-9]*\).*/\1/p' exact/events.ndjson | head -n 1)
of_three exact 'function T(d, u) { return 0.2 + 1 + S / d + S / u }'

# Windows of 14480 bytes and twice as many each round, 0.2 s and a packet apart, until one takes longer to leave than that; and one
# packet more behind the first q packets, 40 ms at most.
slow_start='function message(b, left, q,    w, t, wait) {
    w = 14480
    for (;;) {
        wait = 0.2 + 1448 / b + (q > 0 ? 0 : 1448 / b < 0.04 ? 1448 / b : 0.04)
        if (left <= w || w / b >= wait) return t + left / b
        t += wait; left -= w; w *= 2; q -= w / 2896
    }
}'
# Queues that hold all that is sent, so that none overflows.
expect 0 run s.cfg --quiet --out tls --set network.queue="60 s" --set network.model=tcp --set network.connection=tls
of_three tls "$slow_start function T(d, u) { return 0.5 + 932 / u + 3966 / d + 0.2 + 1 + message(d, S, 0) + message(u, S, 0) }"
expect 0 run s.cfg --quiet --out tcp --set network.queue="60 s" --set network.model=tcp --set network.connection=tcp
of_three tcp "$slow_start function T(d, u) { return 0.3 + 206 / u + 66 / d + 0.2 + 1 + message(d, S, 16) + message(u, S, 0) }"
expect 0 run s.cfg --quiet --out kept --set network.queue="60 s" --set network.model=tcp --set network.connection=kept
of_three kept "$slow_start function T(d, u) { return 0.2 + 1 + message(d, S, 16) + message(u, S, 16) }"
expect 0 run s.cfg --quiet --out warm --set network.model=tcp --set network.connection=kept --set network.idle_windows=kept
of_three warm 'function T(d, u) { return 0.2 + 1 + S / d + S / u }'

# Masks of two: keys of 80 bytes; 84 and 100 for shares; 52 + 48 with the download, whose table has 96,000 bytes and a header of 24;
# 24,000 numbers of 17 bits and headers of 24 and 16 bytes; 17 and 80 to unmask. The round waits for the slowest four times.
expect 0 run s.cfg --quiet --out masked --set privacy.1=pairwise_masks --set method.aggregation=uniform
stages='0.1+80/u 0.2+84/d+100/u 1.2+96124/d+51040/u 0.2+17/d+80/u'
sum=0 mean=0
for stage in $stages; do
    # shellcheck disable=SC2046 # one word for each client
    set -- $(durations masked "function T(d, u) { return $stage }")
    sum="$sum + ($2 + 2 * $3) / 3" mean="$mean + ($1 + $2 + $3) / 3"
done
near masked round_s "$sum"
near masked participation_s "$mean"
expect 0 run s.cfg --quiet --out masked3 --set privacy.1=pairwise_masks --set method.aggregation=uniform --set rounds.cohort=3
near masked3 to_simulated 1
expect 0 check s.cfg --set privacy.1=pairwise_masks --set method.aggregation=uniform --set rounds.cohort=3
round=$(sed -n 's/.*3 clients, \([0-9.]* s\) simulated.*/\1/p' out)
says out "on average, ${round:-nothing} a round (by the slowest"

# Ciphertexts of real updates: six of 4,096 values at ten times the 3.6 and .76 ms of the machine they were measured on, .26 s of work
# beside a training of milliseconds, whose straight line is the 1 % here; and check foretells it before anything has been trained.
sed '/^training/d' s.cfg >train.cfg
sealed='--set privacy.1=ckks --set rounds.cohort=3 --set devices.compute=flops --set devices.speed=1Gflop/s --set devices.overhead=0s
    --set method.aggregation=uniform'
# shellcheck disable=SC2086
expect 0 run train.cfg --quiet --out sealed $sealed
what="closed form under ciphertexts"
awk "BEGIN { exit !(($(form sealed to_simulated) - 1) ^ 2 < 1e-4) }" || fail "$(form sealed to_simulated) of the simulated round"
# shellcheck disable=SC2086
expect 0 check train.cfg $sealed
predicted=$(sed -n 's/.*on average, \([0-9.]*\) s a round.*/\1/p' out)
what="closed form of check under ciphertexts"
awk "BEGIN { exit !((${predicted:-0} / $(form sealed simulated_round_s) - 1) ^ 2 < 1e-4) }" ||
    fail "${predicted:-nothing} instead of $(form sealed simulated_round_s) s"

# Policies, of all three: the slowest but no longer than the deadline, the first, the second.
plain='function T(d, u) { return 0.2 + 1 + S / d + S / u }'
for policy in "deadline rounds.policy.after=3s" "over_select rounds.policy.select=3" "quantile rounds.policy.share=0.6" \
    "quorum_then_wait rounds.policy.uploads=1"; do
    name=${policy%% *} cohort=3
    [ "$name" != over_select ] || cohort=1
    expect 0 run s.cfg --quiet --out "$name" --set rounds.policy="$name" --set "${policy#* }" --set rounds.cohort=$cohort
done
# shellcheck disable=SC2046 # one word for each client
set -- $(durations deadline "$plain")
near deadline slowest_s "$3 < 3 ? $3 : 3"
near over_select slowest_s "$1"
near quantile slowest_s "$2"
near quorum_then_wait slowest_s "$1 + 10 < $3 ? $1 + 10 : $3"
# Two have to be there, whatever the deadline; and a wait that is over before the third.
expect 0 run s.cfg --quiet --out least --set rounds.policy=deadline --set rounds.policy.after=1s --set rounds.policy.min_uploads=2 --set rounds.cohort=3
near least slowest_s "$2"
expect 0 run s.cfg --quiet --out wait --set rounds.policy=quorum_then_wait --set rounds.policy.uploads=2 --set rounds.policy.then=1ms --set rounds.cohort=3
near wait slowest_s "$2 + 0.001"

# The server's link: of three equal clients, who download together, compute, and upload together.
expect 0 run s.cfg --quiet --out shared --set network.downlink="100 kB/s" --set network.uplink="100 kB/s" --set rounds.cohort=3 \
    --set network.server_downlink="150 kB/s" --set network.server_uplink="60 kB/s" --set server.overhead="2 s"
near shared server_link_s "1.2 + 3 * $bytes / 150000 + 3 * $bytes / 60000"
near shared round_s "1.2 + 3 * $bytes / 150000 + 3 * $bytes / 60000 + 2"
near shared to_simulated 1

# Independent rounds of 20 of 300 clients: the mean of 600 is within four standard errors of the formula, and these are small.
cat >many.cfg <<'END'
data = { synthetic = "custom"; users = 300; items = 200; interactions = 6000; };
evaluation = { negatives = 20; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 64; };
network = { model = "exact"; preset = "none"; latency = "100 ms";
            downlink = { distribution = "lognormal"; median = "100 kB/s"; sigma = 0.5; };
            uplink = { distribution = "lognormal"; median = "50 kB/s"; sigma = 0.7; }; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 600; cohort = 20; };
END
for model in exact tcp; do
    expect 0 run many.cfg --quiet --out "$model-many" --set network.model=$model
    what="sampling error under $model"
    awk -F, -v closed="$(form "$model-many" round_s)" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "duration_s") at = i; next }
        { n++; sum += $at; squares += $at * $at }
        END { mean = sum / n; error = sqrt((squares / n - mean * mean) / (n - 1)); off = closed - mean
              exit !(off * off < 16 * error * error && error < 0.02 * mean) }' "$model-many/rounds.csv" ||
        fail "$(form "$model-many" round_s) against $(form "$model-many" simulated_round_s)"
done

# Jitter of links, latencies and computing: where all three clients are selected in each of the rounds that are told, the formula is
# their mean, to the last digit; without any of the three it would be some 30 % less.
jitter="--set network.jitter=0.4 --set network.latency_jitter=0.5 --set devices.jitter=0.3"
for model in exact tcp; do
    # shellcheck disable=SC2086 # several words
    expect 0 run s.cfg --quiet --out "jitter-$model" --set network.model=$model --set rounds.cohort=3 --set rounds.count=400 $jitter
    near "jitter-$model" to_simulated 1
done
says jitter-exact/summary.json '"leaves_out": []'
# And of 20 of 300, asked at random, as above.
expect 0 run many.cfg --quiet --out jitter-many --set network.jitter=0.4 --set network.latency_jitter=0.3
what="sampling error under jitter"
awk -F, -v closed="$(form jitter-many round_s)" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "duration_s") at = i; next }
    { n++; sum += $at; squares += $at * $at }
    END { mean = sum / n; error = sqrt((squares / n - mean * mean) / (n - 1)); off = closed - mean
          exit !(off * off < 16 * error * error && error < 0.02 * mean) }' jitter-many/rounds.csv ||
    fail "$(form jitter-many round_s) against $(form jitter-many simulated_round_s)"

# What check prints is the same figure.
expect 0 check s.cfg
says out "closed form  3.08 s a participation on average, 3.89 s a round (by the slowest it waits for)"
expect 0 check s.cfg --set network.server_uplink="1 kB/s" --set failures.up=0.1 --set network.jitter=0.2
says out "(by the server's link); leaves out failures and who waits for whom at the server's link"

# Of three clients all three are selected, and 1 ms for every sample counts without training, too: round and formula are one.
expect 0 check s.cfg --set rounds.cohort=3 --set devices.compute=per_sample --set devices.per_sample="1 ms"
round=$(sed -n 's/.*3 clients, \([0-9.]* s\) simulated.*/\1/p' out)
says out "on average, ${round:-nothing} a round (by the slowest"

# none SETTING WHY: said by both
none() {
    expect 0 run s.cfg --quiet --force --out none --set "$1"
    says none/summary.json "\"none\": \"$2"
    ! grep -q to_simulated none/summary.json || fail "$1: a figure"
    expect 0 check s.cfg --set "$1"
    says out "closed form  none: $2"
}
echo 't_s,factor
0,1
5,0.5
9,1' >trace.csv
none network.trace=trace.csv "bandwidth follows a trace"
none network.model=lv08 'it does not know network.model'
none rounds.policy=buffered_async "an asynchronous server waits for nobody in particular"
none rounds.selection=fastest_first "clients are not selected at random"
[ "$failures" -eq 0 ]
