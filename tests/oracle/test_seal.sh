#!/bin/sh
# Ciphertexts of `ckks` beside real ones: SEAL 4.1.2, as node-seal. Argument: the build folder.
# Needs what seal/package.json names in BUILD/seal/node_modules (npm ci --ignore-scripts in a copy of that folder), and node; without
# them it is skipped, unless FRS_REQUIRE_SEAL is set.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../expect.sh"

modules=$(dirname -- "$program")/seal/node_modules
if ! command -v node >/dev/null || [ ! -d "$modules/node-seal" ]; then
    echo "SKIPPED test_seal: there is no node, or no node-seal in $modules"
    [ -z "${FRS_REQUIRE_SEAL-}" ]
    exit
fi

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 20; items = 100; interactions = 600; };
evaluation = { negatives = 20; };
method = { name = "fedmf"; dim = 4; epochs = 1; aggregation = "uniform"; };
network = { model = "exact"; };
rounds = { count = 1; cohort = 1; };
output = { events = false; };
END
# 400 values are one ciphertext; a message has a header of 24 bytes and the ciphertext's length in 8.
NODE_PATH=$modules node "$here/seal/sizes.js" >sizes || fail "SEAL: $(cat sizes)"
[ "$(wc -l <sizes)" -eq 5 ] || fail "SEAL tells $(wc -l <sizes) sizes instead of 5"
while read -r name _ bytes seeded; do
    what=$name
    expect 0 run s.cfg --quiet --force --out run --set privacy.1=ckks --set privacy.1.costs="$name"
    up=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "up_bytes") at = i } { value = $at } END { print value }' run/rounds.csv)
    [ "$((up - 24 - 8))" = "$bytes" ] || fail "a ciphertext has $((up - 24 - 8)) bytes, and $bytes in SEAL"
    # A polynomial of the two is left out: 113 bytes beside both, 194 beside one and the seed.
    [ "$((seeded - 194))" -eq $(((bytes - 113) / 2)) ] || fail "a seeded ciphertext has $seeded bytes"
done <sizes
[ "$failures" -eq 0 ]
