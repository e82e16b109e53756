#!/bin/sh
# docs/reference is what the section table says, every plug-in stands there once, and no other file is ever touched.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
reference=${FRS_SOURCE_DIR:-.}/docs/reference

expect 0 explain --markdown pages
silent out
silent err
diff -ru "$reference" pages ||
    fail "docs/reference is out of date; BUILD_FOLDER/fedrecsim explain --markdown docs/reference makes it anew"

what='pages of the reference'
for kind in codec learner policy; do
    grep -h "^### $kind " pages/*.md | sort | uniq -d >twice
    silent twice
done
# shellcheck disable=SC2016 # code spans, not commands
[ "$(grep -l '^### codec `topk`$' pages/*.md)" = pages/codecs.md ] || fail 'codec topk is not in codecs.md'
# shellcheck disable=SC2016
[ "$(grep -l '^### preset `colr_table1`$' pages/*.md)" = pages/method-presets.md ] || fail 'presets are not apart'

# A page that is out of date is replaced, one that is no longer made goes.
cp -r pages fresh
cp pages/data.md pages/former.md
echo changed >>pages/data.md
expect 0 explain --markdown=pages
diff -r fresh pages || fail "not the same pages as in a new folder"

# Whatever else is there is left alone, and all of the folder with it.
refuses() {
    cp -rP pages before
    expect 2 explain --markdown pages
    says err "pages/$1: was not written by fedrecsim explain, and is left alone"
    silent out
    diff -r --no-dereference before pages || fail "touched what is not its own"
    rm -rf before "pages/$1"
}
echo changed >>pages/data.md
echo mine >pages/notes.md
refuses notes.md
: >pages/empty
refuses empty
mkdir pages/sub
refuses sub
mv pages/rounds.md elsewhere.md
ln -s ../elsewhere.md pages/rounds.md
refuses rounds.md

echo mine >file
expect 2 explain --markdown file
error 'fedrecsim: file: Not a directory'
expect 2 explain --markdown missing/pages
error 'fedrecsim: missing/pages: No such file or directory'
expect 2 explain rounds --markdown pages
says err '--markdown writes all sections, and takes none (found rounds)'
expect 2 explain --markdown
silent out

[ "$failures" -eq 0 ]
