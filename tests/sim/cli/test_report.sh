#!/bin/sh
# fedrecsim report: where pages go, and what makes none. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >small.cfg <<'END'
data = { synthetic = "small"; };
rounds = { count = 4; cohort = 6; };
END

expect 0 run small.cfg --out run
grep -q '^  page  *run/report.html$' out || fail "does not name its page: $(tail -n 2 out)"
expect 0 run small.cfg --out none --set output.report=false
! grep -q report.html out || fail "names a page that there is not"
says run/report.html '<!-- fedrecsim report -->'
expect 0 report run --out page.html
says out page.html
cmp -s page.html run/report.html || fail "is another page"
expect 0 report run --quiet
silent out
expect 0 run small.cfg --out run --quiet --force
rm -rf elsewhere && cp -r run elsewhere
expect 0 report run elsewhere
says out report.html
rm -f report.html

# --- nothing is asked for over the network, and nobody runs a script on the page ---
for what in 'src=' '<link' '@import' 'url('; do
    sed '/^<script type="application/,/^<script type="text/d' run/report.html | grep -v '^/\*!\|^!function' | grep -qF "$what" &&
        fail "the page has $what"
done
says run/report.html "default-src 'none'; script-src 'nonce-"

# --- labels of others ---
expect 0 sweep small.cfg --vary 'a"<b> | </script><script>alert(1)</script>: method.dim=4 | "&<!--: method.dim=5' --out swept --quiet
[ "$(grep -c '</script>' swept/report.html)" -eq "$(grep -c '</script>' run/report.html)" ] || fail "a label ends the script"
says swept/report.html '\u003c/script\u003e\u003cscript\u003ealert(1)'
expect 0 sweep small.cfg --vary 'method.dim = 4, 5' --out plain --quiet --set output.report=false
[ ! -e plain/report.html ] || fail "there is a page"

# --- a target that is relative is so to what it is reached by: validation items, where there are any ---
expect 0 report plain --out relative.html --target 'hr@10=popularity+0.03' --quiet
wanted=$(awk -F '[:,]' '/"validation_hr@10"/ { value = $2 } END { printf "%.9g", value + 0.03 }' plain/points/0000/summary.json)
grep -o '"thresholds":\[[^],]*' relative.html | head -n 1 | awk -F '[[]' -v wanted="$wanted" '{ exit !(sprintf("%.9g", $2) == wanted) }' ||
    fail "the bar is not $wanted, but $(grep -o '"thresholds":\[[^],]*' relative.html | head -n 1)"

# --- a file that is no page stays ---
echo mine >mine.html
expect 2 report run --out mine.html
error 'fedrecsim: mine.html exists and is no report of this program; choose another place with --out FILE'
[ "$(cat mine.html)" = mine ] || fail "the file has changed"
ln -s mine.html link.html
expect 2 report run --out link.html
[ "$(cat mine.html)" = mine ] || fail "the file behind the link has changed"

# --- folders that are not whole: one line, and no page ---
broken() {
    rm -rf broken
    cp -r run broken
    rm broken/report.html
}
refused() {
    expect 2 report broken
    [ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
    says err "$1"
    silent out
    [ ! -e broken/report.html ] || fail "there is a page"
    [ -z "$(find . -name '*.partial-*')" ] || fail "something is left"
}
for file in manifest.json summary.json rounds.csv clients.csv events.ndjson; do
    broken
    rm "broken/$file"
    refused "broken"
    broken
    head -c 700 "run/$file" >"broken/$file"
    refused "broken/$file"
done
broken
sed -i '$d' broken/rounds.csv
refused 'the folder is not whole'
broken
sed -i '$d' broken/clients.csv
refused 'broken/clients.csv'
broken
sed -i 's/"round":3,/"round":77,/' broken/events.ndjson
refused 'broken/events.ndjson:'
broken
sed -i '1s/hr@10/hits/' broken/clients.csv
refused 'of another version of the program'
# Older and newer programs, by the manifest's format; those from before there was one say none.
broken
sed -i '/"format":/d' broken/manifest.json
refused 'broken/manifest.json: is of format 0 (fedrecsim '
broken
sed -i 's/"format": [0-9]*/"format": 99/' broken/manifest.json
refused 'broken/manifest.json: is of format 99 (fedrecsim '
broken
sed -i 's/"format": [0-9]*/"format": "new"/' broken/manifest.json
refused 'broken/manifest.json: "format" has to be a whole number of at least 0'

# --- sweeps and comparisons of the same ---
broken_sweep() {
    rm -rf broken
    cp -r plain broken
    rm -f broken/report.html
}
broken_sweep
sed -i '/"format":/d' broken/points/0001/manifest.json
refused 'broken/points/0001/manifest.json: is of format 0'
expect 2 report run broken --out both.html
[ ! -e both.html ] || fail "there is a page"
broken_sweep
sed -i 's/fedrecsim-plan-2/fedrecsim-plan-0/' broken/plan.json
refused 'broken/plan.json: is not a plan of the format fedrecsim-plan-2'
broken_sweep
head -c 700 plain/points/0001/clients.csv >broken/points/0001/clients.csv
refused 'broken/points/0001/clients.csv'
broken_sweep
echo '{"format": "fedrecsim-sensitivity-0"}' >broken/sensitivity.json
refused 'broken/sensitivity.json: is no sensitivity of the format fedrecsim-sensitivity-2'
echo '{"format": "fedrecsim-sens' >broken/sensitivity.json
refused 'broken/sensitivity.json:1: '
broken_sweep
rm -r broken/points/*
refused 'broken: has no finished run yet'
# Half of the points: a page that says so.
broken_sweep
rm -r broken/points/0001
expect 0 report broken --quiet
says broken/report.html '0 of 1 runs are finished'

# --- a sweep that a program of before has begun: its plan does not know of pages, its points have no format ---
rm -rf old
expect 0 sweep small.cfg --vary 'method.dim = 4, 5' --out old --quiet
rm -r old/report.html old/points/0001
sed -i '/"output.report"/d' old/plan.json
expect 0 sweep small.cfg --vary 'method.dim = 4, 5' --out old --quiet --resume
says old/report.html '<!-- fedrecsim report -->'
rm -r old/report.html old/points/0001
sed -i '/"format":/d' old/points/0000/manifest.json
expect 2 sweep small.cfg --vary 'method.dim = 4, 5' --out old --quiet --resume
says err 'old/points/0000/manifest.json: is of format 0'
[ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
if [ ! -s old/points/0001/summary.json ] || [ ! -s old/tables.md ]; then fail "the tables are not there"; fi
[ ! -e old/report.html ] || fail "there is a page"
expect 0 sweep small.cfg --vary 'method.dim = 4, 5' --out old --quiet --resume --set output.report=false

mkdir empty
expect 2 report empty
error 'fedrecsim: empty: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)'
expect 2 report nowhere

# --- what does not belong together ---
expect 2 report
expect 2 report run --target 'hr@10=0.5'
expect 2 report plain --rounds 1
expect 2 report run --rounds 3-2
error 'fedrecsim: --rounds 3-2: allowed: rounds of the run, as in 10-12,40; at most 20 of them'
expect 2 report run --rounds 5
expect 0 report run --rounds 2,4 --quiet
expect 0 report plain --target 'hr@10=0.3' --quiet
says plain/report.html 'hr@10 ≥ 0.3'

# --- a run without events has no timelines ---
expect 0 run small.cfg --out quiet --quiet --set output.events=false
expect 2 report quiet --rounds 1
says err 'quiet/events.ndjson'

[ "$failures" -eq 0 ]
