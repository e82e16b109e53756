#!/bin/sh
# Labels: long
# What a server reads of uploads under every method, by the command that stands on each method's page: the figures of the pages.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

if [ ! -f "${FEDRECSIM_DATA-}/ml-100k/u.data" ]; then
    echo "SKIPPED: FEDRECSIM_DATA has no ml-100k/u.data"
    exit 0
fi
expect 0 sweep "$FRS_SOURCE_DIR/scenarios/what-if/defaults.cfg" --set rounds.count=10 --replicates 1 --quiet --out all
grep ',ML-100K,' all/points.csv | cut -d, -f1 >points
while read -r point; do
    summary=all/points/$(printf '%04d' "$point")/summary.json
    method=$(sed -n 's/^  "method": "\([a-z_]*\)".*/\1/p' "$summary")
    share=$(sed -n 's/.*"interactions_found": \([0-9.]*\).*/\1/p' "$summary" | awk '{ printf "%.1f", 100 * $1 }')
    echo "$method: $share %"
    grep -qF "finds at least $share % of a client's interactions" "$FRS_SOURCE_DIR/docs/methods/$method.md" ||
        fail "$method: $share %, and not what its page says"
done <points
[ "$(wc -l <points)" -eq 20 ] || fail "$(wc -l <points) methods instead of 20"
[ "$failures" -eq 0 ]
