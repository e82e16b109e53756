#!/bin/sh
# Labels: long
# A round of 1,000 clients who all mask with each other, carried out: two million agreements, and the closed form to the byte.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 1000; items = 100; interactions = 15000; };
evaluation = { negatives = 20; };
method = { name = "fedmf_update"; dim = 4; epochs = 1; aggregation = "uniform"; catchup = "ideal"; };
rounds = { count = 1; cohort = 1000; };
output = { events = false; };
END
masks="--set privacy.1=pairwise_masks --set privacy.1.neighbours=all"
expect 0 run s.cfg --quiet --out plain
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out masked $masks
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out counted $masks --set privacy.1.arithmetic=counted
cmp -s masked/rounds.csv counted/rounds.csv || fail "masks that are carried out differ from those that are counted"

# column NAME FILE: its value in the last row
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } { value = $at } END { print value }' "$2"
}

# 999 neighbours; 400 numbers of ⌈log2(1,000 · (2^16 − 1) + 1)⌉ = 26 bits; headers of 16 bytes, and of 24 around the upload.
upload=$((24 + 16 + 400 * 26 / 8))
up=$((16 + 64 + 16 + 999 * 84 + 16 + 1000 * 32))
down=$((16 + 999 * 68 + 16 + 999 * 84 + 16 + 1000 / 8))
plain=$(column down_bytes plain/rounds.csv)
[ "$(column up_bytes masked/rounds.csv)" = $((1000 * (upload + up))) ] ||
    fail "$(column up_bytes masked/rounds.csv) bytes up instead of $((1000 * (upload + up)))"
[ "$(column down_bytes masked/rounds.csv)" = $((plain + 1000 * down)) ] ||
    fail "$(column down_bytes masked/rounds.csv) bytes down instead of $((plain + 1000 * down))"
[ "$failures" -eq 0 ]
