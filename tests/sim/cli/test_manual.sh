#!/bin/sh
# Manual pages: one of each command, with every option that its help has; one of scenarios with every key; mandoc has nothing to say.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

SOURCE_DATE_EPOCH=86400
export SOURCE_DATE_EPOCH
expect 0 manual --list
silent err
cp out pages
sed -n 's/^COMMAND(\(.*\))$/\1/p' "$FRS_SOURCE_DIR/sim/cli/commands.def" >commands
{
    printf '%s\n' fedrecsim.1 fedrecsim-scenario.5 fedrecsim-results.5
    sed 's/.*/fedrecsim-&.1/' commands
} >expected
cmp -s expected pages || fail "other pages"
while read -r page; do
    expect 0 manual "$page"
    silent err
    cp out "$page"
    says out "\"1970-01-02\" \"fedrecsim "
done <pages

# plain PAGE: what a reader sees of it, without escapes.
plain() { sed 's/\\-/-/g; s/\\(dq/"/g; s/\\f[BR]//g; s/\\e/\\/g' "$1"; }
while read -r command; do
    what="fedrecsim-$command.1"
    plain "$what" | grep -oE -- '--[a-z][a-z-]*' | sort -u >in_page
    expect 0 help "$command"
    grep -oE -- '--[a-z][a-z-]*' out | grep -vxE -- '--usage' | sort -u >options
    comm -23 options in_page >lacking
    silent lacking
    expect 0 manual "$command"
    cmp -s out "fedrecsim-$command.1" || fail "another page by its short name"
done <commands
what=fedrecsim-scenario.5
plain "$what" >page
for key in cohort sigma rank replicates detect; do
    grep -qx "$key" page || fail "no key $key"
done
what=fedrecsim-results.5
plain "$what" >page
for column in duration_s up_bytes client; do
    grep -qx "$column" page || fail "no column $column"
done
expect 2 manual nothing
error 'fedrecsim: manual: there is no page "nothing" (fedrecsim manual --list)'

if command -v mandoc >/dev/null; then
    what='mandoc -Tlint'
    # shellcheck disable=SC2046 # names of pages
    mandoc -Tlint $(cat pages) >out 2>err || true
    silent out
else
    echo "SKIPPED manual of mandoc: it is not installed"
fi

[ "$failures" -eq 0 ]
