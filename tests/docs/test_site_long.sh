#!/bin/sh
# Labels: long
# The pages as a site: Sphinx has no warning, every link leads somewhere, and a browser that has opened the site from files finds
# pages by a word. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
for tool in sphinx-build python3; do
    command -v "$tool" >/dev/null || { echo "SKIPPED test_site_long: there is no $tool" && exit 77; }
done
/usr/bin/python3 -c 'import myst_parser' 2>/dev/null || { echo "SKIPPED test_site_long: there is no myst-parser" && exit 77; }

what='sphinx-build'
sphinx-build -q -W --keep-going -c "$FRS_SOURCE_DIR/docs/site" -d trees "$FRS_SOURCE_DIR" site >out 2>err || fail 'it complains'
silent err
pages=$(find site -name '*.html' | wc -l)
[ "$pages" -gt 100 ] || fail "only $pages pages"
for page in index README docs/getting-started docs/tutorials/dropout docs/reference/rounds; do
    [ -s "site/$page.html" ] || fail "there is no $page.html"
done

what='links'
: >out
python3 "$FRS_SOURCE_DIR/tests/docs/site_links.py" site >out 2>err || fail 'the check of links fails'
silent out
# This check can fail.
mkdir bad
echo '<a href="nowhere.html">a</a><a href="#nothing">b</a><a id="c" href="#c">c</a><a href="https://a.b">d</a>' >bad/page.html
python3 "$FRS_SOURCE_DIR/tests/docs/site_links.py" bad >out 2>err
[ "$(wc -l <out)" -eq 2 ] || fail 'not two broken links'

what='the search'
: >out
if command -v chromium >/dev/null; then
    timeout 120 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --dump-dom \
        "file://$PWD/site/search.html?q=straggler" >found.html 2>err || fail 'the browser fails'
    says found.html 'matching the search query'
    says found.html 'docs/what-if/stragglers.html'
else
    echo 'SKIPPED test_site_long: the search, because there is no chromium'
fi

[ "$failures" -eq 0 ]
