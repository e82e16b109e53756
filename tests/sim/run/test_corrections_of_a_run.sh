#!/bin/sh
# Corrections of the aggregate in whole runs: what they leave as it was, that a killed run goes on to the same bytes, the
# probabilities that are known beforehand, and what is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 40; items = 120; interactions = 800; };
method = { name = "fedmf"; dim = 4; aggregation = "uniform"; };
network = { preset = "4g"; };
server = { speed = "10 Mflop/s"; };
failures = { up = 0.5; detect = "1 s"; };
rounds = { count = 12; cohort = 4; };
evaluation = { every = 4; negatives = 20; };
output = { what_if = "none"; };
END
files="rounds.csv clients.csv events.ndjson"

# run OUT OPTION...
run() {
    out=$1
    shift
    expect 0 run s.cfg --quiet --threads 1 --out "$out" "$@"
}

same() {
    for file in $files; do
        cmp -s "$1/$file" "$2/$file" || fail "$file is not the same in $1 and $2"
    done
}

# "none" is what there was before.
run plain
run none --set method.server.correction=none
same plain none

# A server that works 10 Mflop/s takes time in empty rounds under MIFA alone.
empty_s() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["delivered"] == 0 { n++; t += $at["path_server_s"] } END { print n + 0, t + 0 }' "$1/rounds.csv"; }
run without --set failures.up=0.8
before=$(empty_s without) # the server encodes in them, too
case $before in 0*) fail "there are no empty rounds" ;; esac
for correction in fedau mifa fedvarp fedawe; do
    run $correction --set method.server.correction=$correction --set failures.up=0.8
    what="empty rounds of $correction"
    now=$(empty_s $correction)
    case $correction in
        mifa) [ "${now#* }" != "${before#* }" ] || fail "they take no time more" ;;
        fedawe) [ "${now#* }" = 0 ] || fail "the server works for nobody" ;; # it encodes behind the aggregation
        *) [ "$now" = "$before" ] || fail "\"$now\" instead of \"$before\"" ;;
    esac
done

# Resumed from a checkpoint that was written after each round: ended at once, and gone on with.
for correction in fedau mifa fedvarp fedawe; do
    (
        "$program" run s.cfg --quiet --threads 1 --out resumed --set method.server.correction=$correction --set failures.up=0.8 \
            --set output.checkpoint_rounds=1 >/dev/null 2>&1 &
        run=$!
        until [ -s resumed.checkpoint ] || [ -e resumed ] || ! kill -0 $run 2>/dev/null; do :; done
        kill -9 $run 2>/dev/null
        wait $run 2>/dev/null
    )
    run resumed --resume --set method.server.correction=$correction --set failures.up=0.8 --set output.checkpoint_rounds=1
    same $correction resumed
    rm -rf resumed resumed.*
done

# Uploads that arrive, per client and round: as often as they are said to, which counts them 1/p. Few clients, of whom the server sees
# who is online: it opens no round without any.
cat >chances.cfg <<'END'
data = { synthetic = "custom"; users = 6; items = 120; interactions = 180; min_interactions = 3; };
method = { name = "fedmf"; dim = 2; epochs = 1; aggregation = "uniform"; server = { correction = "inverse_probability"; }; };
network = { preset = "ideal"; };
availability = { model = "bernoulli"; p = 0.2; };
failures = { up = 0.3; compute = 0.2; detect = "0 s"; };
rounds = { count = 3000; cohort = 6; };
evaluation = { every = 3000; negatives = 20; };
output = { what_if = "none"; events = false; };
END
expect 0 run chances.cfg --quiet --threads 1 --out chances
what="share of uploads that arrive"
# .2 / (1 − .8^6) · .7 · .8 = .1518; 18,000 draws
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["delivered"] } END { share = n / 18000; print share; exit !(share > .1438 && share < .1598) }' \
    chances/rounds.csv >share || fail "$(cat share)"

# Dynamics with a period of ten rounds, in six of which no client answers, so that 1/p would be infinite: .14 (.3 sin 2πx + .7) is
# below .1 in rounds 0 and 5 to 9.
run dynamics --set availability.model=bernoulli --set availability.p=0.14 --set availability.dynamics=interleaved_sine \
    --set 'availability.dynamics_period=10 rounds' --set rounds.selection=bernoulli --set rounds.selection.sees_availability=false \
    --set rounds.cohort=40 --set rounds.count=400 --set failures.up=0 --set evaluation.every=400 --set method.server.correction=inverse_probability
what="uploads by round of the period"
# 40 clients in 40 periods: .14 (.3 · .951 + .7) · 1600 = 220.7 in round 2
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n[(NR - 2) % 10] += $at["delivered"] }
    END { for (i = 0; i < 10; i++) printf "%d ", n[i]; exit !(n[2] > 180 && n[2] < 262 && n[0] + n[5] + n[6] + n[7] + n[8] + n[9] == 0) }' \
    dynamics/rounds.csv >share || fail "$(cat share)"

# What does not go together.
refused() {
    line=$1
    shift
    expect 2 check s.cfg "$@"
    says err "$line"
}
refused 'no "mifa" for method "fedmf": corrections count all clients alike' --set method.server.correction=mifa --set method.aggregation=data_size
refused 'no "fedvarp" for method "colr": it draws its projection anew in each round' --set method.name=colr --set method.server.correction=fedvarp
refused 'no "fedau" for method "gpfedrec": it mixes a table anew' --set method.name=gpfedrec --set method.server.correction=fedau
refused 'no "fedau" for method "fedrap": its server makes more of uploads than their mean' --set method.name=fedrap --set method.server.correction=fedau
refused 'rounds.policy.name: does not go together with correction "mifa"' --set method.server.correction=mifa --set rounds.policy=buffered_async
refused 'privacy.1.name: does not go together with correction "fedau"' --set method.server.correction=fedau --set privacy.1=ckks
refused 'privacy.1.name: does not go together with correction "fedvarp"' --set method.server.correction=fedvarp --set privacy.1=pairwise_masks
refused 'no "fedawe" for method "colr": clients keep models of their own' --set method.name=colr --set method.server.correction=fedawe
refused 'no "fedawe" for method "fedmf_update": clients keep models of their own' --set method.name=fedmf_update --set method.server.correction=fedawe
refused 'privacy.1.name: does not go together with correction "fedawe"' --set method.server.correction=fedawe --set privacy.1=pairwise_masks
refused 'rounds.policy.name: does not go together with correction "fedawe"' --set method.server.correction=fedawe --set rounds.policy=buffered_async
refused 'leaves an optimiser no step to make of its own; allowed: none' --set method.server.correction=fedawe --set method.server.optimiser=adam
refused 'training.uploads: a correction' --set method.server.correction=fedau --set training.uploads=again
refused 'under a selection of so many clients; allowed: bernoulli, or a rounds.cohort of all clients' --set method.server.correction=inverse_probability
refused 'under sessions; allowed: always | bernoulli' --set method.server.correction=inverse_probability --set rounds.selection=bernoulli \
    --set availability.model=markov
refused 'under dynamics that repeat after a time' --set method.server.correction=inverse_probability --set rounds.selection=bernoulli \
    --set availability.model=bernoulli --set availability.dynamics=sine --set 'availability.dynamics_period=1 h'
refused 'start: "all_heard" would wait for ever: some clients are never heard' --set method.server.correction=mifa \
    --set method.server.correction.start=all_heard --set failures.up=1
refused 'keeps the newest update of each client at the server, 81.92 MB each: 327.' --set method.server.correction=mifa --set data.users=4000 \
    --set data.items=5000 --set data.interactions=90000 --set method.dim=4096 --set rounds.count=20000
# shellcheck disable=SC3045 # where a shell cannot limit it, it is not tested
if (ulimit -v 1800000) 2>/dev/null; then # 40 clients with 4096 · 3000 numbers each are 1.97 GB
    what="a limit of the address space"
    # shellcheck disable=SC3045
    (ulimit -v 1800000 && "$program" check s.cfg --set method.server.correction=mifa --set data.items=3000 --set data.interactions=4000 \
        --set method.dim=4096 --set rounds.count=400 --set failures.up=0 >out 2>err) && fail "it is not refused"
    says err 'and this process may have 1.84 GB'
fi
# 3000 clients and 2000 rounds of a period are 48 MB of probabilities; with a million rounds 24 GB.
cat >known.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 3000; items = 40; interactions = 33000; };
method = { name = "fedmf"; dim = 2; server = { correction = "inverse_probability"; }; };
training = { enabled = false; };
devices = { compute = "none"; };
availability = { model = "bernoulli"; p = 0.5; dynamics = "sine"; };
rounds = { count = 2000; cohort = 1; selection = { name = "bernoulli"; }; };
evaluation = { candidates = "full"; };
END_OF_FILE
for period in 2 2000; do
    expect 0 check known.cfg --json --set "availability.dynamics_period=$period rounds"
    eval "known_$period=$(sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' out | head -1)"
done
what="forecast of probabilities of 48 MB"
# shellcheck disable=SC2154
[ "$(((known_2000 - known_2) / 10000000))" -eq 4 ] || fail "has $known_2000 and $known_2"
# shellcheck disable=SC3045
if (ulimit -v 1800000) 2>/dev/null; then
    what="probabilities of 24 GB"
    (ulimit -v 1800000 && "$program" check known.cfg --set rounds.count=1000000 --set 'availability.dynamics_period=1000000 rounds' >out 2>err) && fail "are not refused"
    says err 'keeps a probability of each client for each round of a period of the dynamics: 24.00 GB for 3000 clients and 1000000 rounds'
fi

# What check says.
expect 0 check s.cfg --set method.server.correction=fedawe
says out 'every client keeps a table of its own'
expect 0 check s.cfg --set method.server.correction=fedau --set failures.up=0.9
says out 'divides by all 40 clients: with about 0.4 uploads in a round its step is'
expect 0 check s.cfg --set method.server.correction=mifa
says out 'keeps the newest update of about'

[ "$failures" -eq 0 ]
