#!/bin/sh
# Labels: sanitized
# Labels, names of folders and figures that somebody else has chosen: nothing in them is run by a spreadsheet, rendered
# by a browser or obeyed by a terminal.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

escape=$(printf '\033')
no_escape() {
    for file in "$@"; do
        ! grep -q "$escape" "$file" || fail "an escape sequence is in $file"
    done
}

cat >s.cfg <<'END'
data = { synthetic = "small"; };
rounds = { count = 1; };
END

# --- labels of a sweep, in all it writes ---
expect 0 sweep s.cfg --out s --vary "@x | =cmd()\\|<script>${escape}[2J: rounds.count=1 | -2: rounds.count=2" --replicates 1
no_escape out err s/tables.md s/points.csv s/cells.csv s/differences.csv
says s/points.csv "point,cell,'@x,replicate"
says s/points.csv "0,0,'=cmd()|<script> [2J,1,"
says s/points.csv '1,1,-2,1,'
says s/cells.csv "0,'=cmd()|<script> [2J,simulated_s,"
says s/tables.md '| =cmd()\|&lt;script> \[2J |'
says s/tables.md 'Differences are to @x==cmd()\|&lt;script> \[2J, seed by seed.'
says out '&lt;script> \[2J'
! grep -q '<script' out s/tables.md || fail 'HTML is in the tables'

# --- folders that are compared ---
one="<b>|${escape}]0;x"
expect 0 run s.cfg --quiet --out "$one"
expect 0 run s.cfg --quiet --out "=two" --set rounds.count=2
expect 0 compare "$one" "=two" --csv c.csv
no_escape out err c.csv
says out '| &lt;b>\| \]0;x |'
says out '**Differences to &lt;b>\| \]0;x**'
says out '- &lt;b>\| \]0;x is on it'
says c.csv "'=two,simulated_s,"
expect 2 compare "nothing${escape}[2J"
error 'fedrecsim: nothing [2J: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)'

# --- the terminal ---
expect 2 run "a${escape}[2J
b.cfg"
no_escape err
[ "$(wc -l <err)" -eq 1 ] || fail 'the error is not one line'
run="r${escape}[2J"
expect 0 run s.cfg --out "$run"
no_escape out err
expect 0 check s.cfg --out "r2${escape}[2J"
no_escape out
expect 0 replay "$run"
no_escape out err
sed 's/"version": "[^"]*"/"version": "\\u001b[2J"/' "$run/manifest.json" >m && mv m "$run/manifest.json"
expect 0 replay "$run"
says out ', was  [2J'
no_escape out err

[ "$failures" -eq 0 ]
