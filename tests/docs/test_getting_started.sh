#!/bin/sh
# docs/getting-started.md: every command ends as the page says, and prints what it shows. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/docs/pages.sh
. "$FRS_SOURCE_DIR/tests/docs/pages.sh"

play "$FRS_SOURCE_DIR/docs/getting-started.md"

# --- this test can fail ---
cat >wrong.md <<'END'
```sh
echo one
false
```
```text
one
two
```
END
(play wrong.md; echo "$failures") >found
for expected in 'exit code 1 instead of 0' 'is shown and not printed: two'; do
    grep -qF "$expected" found || fail "was not found: $expected"
done
[ "$(tail -n 1 found)" -eq $((failures + 2)) ] || fail "not two complaints about a wrong page"

[ "$failures" -eq 0 ]
