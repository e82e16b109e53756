#!/bin/sh
# Pairwise masks in a run: exchanges on the timeline and in the ledger to the byte, sums that do not depend on neighbours, void
# rounds, and what is refused.
set -eu

build=$1
source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}
fedrecsim=$build/fedrecsim
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# run NAME [option…]: of the shipped scenario, without losses unless an option says otherwise.
run() {
    name=$1
    shift
    "$fedrecsim" run "$source/scenarios/what-if/masks.cfg" --out "$scratch/$name" --set rounds.count=4 \
        --set rounds.cohort=10 --set failures.up=0 --set output.report=false "$@" >"$scratch/$name.out" 2>&1
}

# refused WORDS option…
refused() {
    words=$1
    shift
    status=0
    run refused "$@" || status=$?
    [ "$status" -eq 2 ] || fail "$*: exit $status instead of 2"
    grep -qF "$words" "$scratch/refused.out" || fail "$*: does not say \"$words\": $(cat "$scratch/refused.out")"
}

# column NAME FILE: its values, one a line.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$2"
}

# Ten clients with 4 neighbours each: keys 16 + 64 bytes; 16 + 4 · 68 and 16 + 4 · 84 for shares; 16 + 1 and 16 + 5 · 32 to unmask.
# The first exchange connects: 3,966 + 932 bytes.
run few --set privacy.1.count=4 --threads 1
for pair in keys:4978 shares:640 unmask:193; do
    bytes=$(grep "\"phase\":\"${pair%:*}\"" "$scratch/few/events.ndjson" | sed 's/.*"bytes":\([0-9]*\).*/\1/' | sort -u)
    [ "$bytes" = "${pair#*:}" ] || fail "an exchange of ${pair%:*} has $bytes bytes instead of ${pair#*:}"
done
n=$(grep -c '"phase":"shares"' "$scratch/few/events.ndjson")
[ "$n" -eq 40 ] || fail "$n exchanges of shares in 4 rounds of 10 clients"
# Behind them a client waits for the others; that is not the server's encoding.
grep -q '"phase":"wait"' "$scratch/few/events.ndjson" || fail "nobody waits for the others of an exchange"
! grep -q '"phase":"encode"' "$scratch/few/events.ndjson" || fail "waiting for the others is told as encoding"
# Up go keys, shares and unmasking, and uploads: headers of 24 and 16 bytes, and 300 · 16 values of ⌈log2(10 (2^18 − 1) + 1)⌉ = 22 bits.
bytes=$(column up_bytes "$scratch/few/rounds.csv" | sort -u)
exchanged=$((16 + 64 + 16 + 4 * 84 + 16 + 5 * 32))
[ "$bytes" = "$((10 * (24 + 16 + 300 * 16 * 22 / 8 + exchanged)))" ] || fail "a round sends $bytes bytes up"

# Threads change nothing; nor do neighbours change what is learnt.
run again --set privacy.1.count=4 --threads 2
for file in rounds.csv clients.csv events.ndjson; do
    cmp -s "$scratch/few/$file" "$scratch/again/$file" || fail "$file depends on the number of threads"
done
run all --set privacy.1.neighbours=all
for name in hr@10 ndcg@10; do
    [ "$(column $name "$scratch/few/rounds.csv")" = "$(column $name "$scratch/all/rounds.csv")" ] ||
        fail "$name depends on who masks with whom"
done

# Masks that are counted give what masks give that are carried out.
run counted --set privacy.1.count=4 --set privacy.1.arithmetic=counted
for file in rounds.csv clients.csv events.ndjson; do
    cmp -s "$scratch/few/$file" "$scratch/counted/$file" || fail "$file depends on masks being carried out"
done

# Averages by item: 300 marks beside 300 · 16 values tell how many uploads have changed each item, and what is learnt is what is learnt
# without masks, but for the fixed point.
run by_item --set privacy.1.count=4 --set method.aggregation=per_item
bytes=$(column up_bytes "$scratch/by_item/rounds.csv" | sort -u)
[ "$bytes" = "$((10 * (24 + 16 + (300 * 17 * 22 + 7) / 8 + exchanged)))" ] || fail "by item a round sends $bytes bytes up"
run by_item_counted --set privacy.1.count=4 --set method.aggregation=per_item --set privacy.1.arithmetic=counted
cmp -s "$scratch/by_item/rounds.csv" "$scratch/by_item_counted/rounds.csv" || fail "by item masks change a sum"
run by_item_plain --set privacy.1.name=none --set method.aggregation=per_item
for name in by_item by_item_plain; do column train_loss "$scratch/$name/rounds.csv" >"$scratch/$name.loss"; done
paste -d' ' "$scratch/by_item.loss" "$scratch/by_item_plain.loss" |
    awk '$1 > 0 && ($1 - $2) ^ 2 < 1e-8 { n++ } END { exit n != 4 }' ||
    fail "by item the losses under masks are not those without: $(paste "$scratch/by_item.loss" "$scratch/by_item_plain.loss")"

# The same backends give the same times.
run calendar --set privacy.1.count=4 --set engine.backend=calendar --set failures.up=0.1 --set failures.down=0.05 ||
    [ $? -eq 1 ] || fail "calendar: $(tail -1 "$scratch/calendar.out")"
run actors --set privacy.1.count=4 --set engine.backend=actors --set failures.up=0.1 --set failures.down=0.05 ||
    [ $? -eq 1 ] || fail "actors: $(tail -1 "$scratch/actors.out")"
if [ -f "$scratch/calendar/rounds.csv" ] || [ -f "$scratch/actors/rounds.csv" ]; then
    cmp -s "$scratch/calendar/rounds.csv" "$scratch/actors/rounds.csv" || fail "rounds.csv depends on the backend"
fi

# Every policy that closes rounds.
run deadline --set rounds.policy.name=deadline --set rounds.policy.after=2s --set failures.up=0.02 ||
    fail "deadline: $(tail -1 "$scratch/deadline.out")"
run over_select --set rounds.policy.name=over_select || fail "over_select: $(tail -1 "$scratch/over_select.out")"

# Too many are lost: void rounds say so, and the run ends.
status=0
run void --set failures.up=0.6 --set privacy.1.threshold=0.9 || status=$?
[ "$status" -eq 1 ] || fail "void rounds: exit $status"
grep -qF "too many clients vanished for their masks to be taken away, in each of 5 attempts" "$scratch/void.out" ||
    fail "void rounds: $(tail -1 "$scratch/void.out")"

refused 'does not go together with privacy mechanism "pairwise_masks": masks cancel' --set rounds.policy.name=buffered_async
refused 'does not go together with privacy mechanism "pairwise_masks": it has clients send' --set rounds.policy.name=partial_work \
    --set rounds.policy.after=10s --set rounds.policy.grace=1s
refused 'a masked upload is of no use after its round' --set rounds.policy.name=deadline --set rounds.policy.after=10s \
    --set rounds.stragglers=run_on
refused 'a sum cannot be weighted any more' --set method.aggregation=data_size
refused 'does not add up place by place' --set codec.uplink.name=topk
refused 'its exchanges are simulated from an event queue' --set engine.backend=simgrid
refused 'their sum over the cohort has to fit 32 bits' --set privacy.1.bits=24 --set rounds.cohort=300 \
    --set data.synthetic=ml-100k

[ "$failures" -eq 0 ]
