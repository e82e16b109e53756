#!/bin/sh
# Labels: slow
# The scenario of README.md gets somewhere: what the page shows of its run is what the run says. Argument: the build folder.
. "$FRS_SOURCE_DIR/tests/expect.sh"

sed -n '/^\/\/ slow-uplinks.cfg$/,/^```$/p' "$FRS_SOURCE_DIR/README.md" | sed '/^```$/d' >slow-uplinks.cfg
[ -s slow-uplinks.cfg ] || fail "no scenario in README.md"
expect 0 run slow-uplinks.cfg --out slow --set output.events=false
cp out said
sed -n '/^After twenty participations/,/^among other things/p' "$FRS_SOURCE_DIR/README.md" | grep '^  ' >shown
[ "$(wc -l <shown)" -gt 5 ] || fail "no output in README.md"
while IFS= read -r line; do
    says said "$line"
done <shown
grep -q '"better": true' slow/summary.json || fail "not better than popularity"

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
