#!/bin/sh
# Labels: long
# The page of a run while it runs (--live) in a real browser (live_browser.js): running, killed, resumed, finished, each against the
# files, judged by axe-core at 390 and 1280 px. The page asks every second, so that this takes some ten; what is served is tested
# without a browser by test_live.sh. Needs what test_report_in_a_browser.sh does, and libmicrohttpd.
#   test_live_in_a_browser_long.sh BUILD_FOLDER
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/expect.sh
. "$here/../../expect.sh"

modules=$(dirname -- "$program")/browser/node_modules
if ! command -v node >/dev/null || ! command -v chromium >/dev/null || [ ! -d "$modules/playwright-core" ] || [ ! -d "$modules/axe-core" ]; then
    echo "SKIPPED test_live_in_a_browser_long: node, chromium, playwright-core or axe-core are not here"
    [ -z "${FRS_REQUIRE_BROWSER-}" ]
    exit
fi
cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
rounds = { count = 120; cohort = 66; };
network = { preset = "4g"; };
evaluation = { every = 5; };
output = { what_if = "none"; events = false; checkpoint_rounds = 10; };
TEXT
if "$program" run s.cfg --out none --set rounds.count=1 --live 2>&1 | grep -q 'built without libmicrohttpd'; then
    echo "SKIPPED test_live_in_a_browser_long: the program was built without libmicrohttpd"
    exit
fi
NODE_PATH=$modules node "$here/live_browser.js" "$program" "$folder" || fail "the browser disagrees"
[ "$failures" -eq 0 ]
