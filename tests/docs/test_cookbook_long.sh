#!/bin/sh
# Labels: long
# docs/cookbook.md has every scenario below scenarios/cookbook, and each prints what the page shows. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/docs/pages.sh
. "$FRS_SOURCE_DIR/tests/docs/pages.sh"

play "$FRS_SOURCE_DIR/docs/cookbook.md"

what='the scenarios'
for scenario in "$FRS_SOURCE_DIR"/scenarios/cookbook/*.cfg; do
    name=${scenario##*/}
    grep -qxF "fedrecsim run cookbook/${name%.cfg}" "$FRS_SOURCE_DIR/docs/cookbook.md" || fail "${name%.cfg} is not on the page"
done
[ "$commands" -eq "$(find "$FRS_SOURCE_DIR/scenarios/cookbook" -name '*.cfg' | wc -l)" ] || fail "not a command for each scenario"

[ "$failures" -eq 0 ]
