#!/bin/sh
# CITATION.cff and docs/citing.md name the version that is built, and what the page has its readers type does what it says.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/docs/pages.sh
. "$FRS_SOURCE_DIR/tests/docs/pages.sh"

expect 0 --version
version=$(sed -n '1s/^fedrecsim \([0-9.]*\).*/\1/p' out)
[ -n "$version" ] || fail 'names no version'
what=CITATION.cff
says "$FRS_SOURCE_DIR/CITATION.cff" "version: $version"
for key in cff-version message title authors license; do
    grep -q "^$key:" "$FRS_SOURCE_DIR/CITATION.cff" || fail "has no $key"
done
what=docs/citing.md
case $version in 0.*) says "$FRS_SOURCE_DIR/docs/citing.md" "the present version is $version" ;; esac
play "$FRS_SOURCE_DIR/docs/citing.md"

[ "$failures" -eq 0 ]
