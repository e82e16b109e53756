#!/bin/sh
# docs/faq.md: the program still prints the messages that the page explains. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/docs/pages.sh
. "$FRS_SOURCE_DIR/tests/docs/pages.sh"

play "$FRS_SOURCE_DIR/docs/faq.md"
[ "$lines" -ge 15 ] || fail "only $lines messages are compared"

[ "$failures" -eq 0 ]
