#!/bin/sh
# docs/methods/: every method has a page, every page the headings of the template, and the index has a row for each.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

# complaints FOLDER: what is wrong with the pages there, of the methods in the file "methods".
complaints() {
    while read -r method; do
        [ -f "$1/$method.md" ] || echo "$method has no page"
        grep -qF "]($method.md) | \`$method\` |" "$1/README.md" || echo "$method has no row in README.md"
    done <methods
    for page in "$1"/*.md; do
        [ "${page##*/}" != README.md ] || continue
        grep -qF "](${page##*/})" "$1/README.md" || echo "README.md does not lead to ${page##*/}"
        for heading in Idea Messages 'What stays private' 'How faithful' Figures; do
            [ "$(grep -cx "## $heading" "$page")" -eq 1 ] || echo "${page##*/} does not have \"$heading\" once"
        done
    done
}

expect 0 list method
sed -n 's/^  \([a-z_0-9]*\)  .*/\1/p' out >methods
[ "$(wc -l <methods)" -ge 20 ] || fail "only $(wc -l <methods) methods are listed"
wrong=$(complaints "${FRS_SOURCE_DIR:-.}/docs/methods")
[ -z "$wrong" ] || fail "$wrong"

# --- this test can fail ---
cp -r "${FRS_SOURCE_DIR:-.}/docs/methods" pages
echo unheard_of >>methods
sed -i '/^## Figures$/d' pages/colr.md
sed -i '/pfedrec.md/d' pages/README.md
complaints pages >found
for expected in 'unheard_of has no page' 'colr.md does not have "Figures" once' 'pfedrec has no row in README.md' \
    'README.md does not lead to pfedrec.md'; do
    grep -qxF "$expected" found || fail "was not found: $expected"
done

[ "$failures" -eq 0 ]
