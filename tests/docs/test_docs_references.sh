#!/bin/sh
# Whatever docs and comments refer to exists: files, pages, headings, tests (tests/docs/references.awk).
#   test_docs_references.sh BUILD_FOLDER   checks the tree, then plants a broken reference of each kind and checks that it is found
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# broken FOLDER: a line for every broken reference of the tree there.
broken() (
    cd "$1"
    find . -mindepth 1 \( -path './build*' -o -name .git \) -prune -o -print | sed 's|^\./||' >"$scratch/catalogue"
    grep -E '\.(md|c|h|def|cmake|cfg|sh|awk)$|(^|/)(CMakeLists\.txt|quickstart|check|run)$' "$scratch/catalogue" >"$scratch/files"
    while read -r file; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done <"$scratch/files" >"$scratch/texts"
    # shellcheck disable=SC2046 # a file a word: names here have no spaces
    awk -v catalogue="$scratch/catalogue" -f "$source/tests/docs/references.awk" \
        pass=1 $(grep '\.md$' "$scratch/texts") pass=2 $(cat "$scratch/texts")
)

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# ---- this test can fail ---------------------------------------------------------------------------------------------

tree=$scratch/tree
mkdir -p "$tree/docs/deep" "$tree/sim/run" "$tree/algorithms/kernels" "$tree/tests/sim/run"
cat >"$tree/docs/page.md" <<'END'
# A page, `with` marks

## 10.3 Numbered

**Bold words.** More.

## Same

## Same

```sh
# not a heading
```
END
echo '/* A source. */' | tee "$tree/sim/run/run.c" "$tree/algorithms/kernels/adam.c" "$tree/tests/sim/run/test_run.c" >"$tree/sim/run/run.h"

# reference FILE TEXT: the broken references of the tree with that text in that file.
reference() {
    printf '%b\n' "$2" >"$tree/$1"
    broken "$tree"
    rm "$tree/$1"
}

plant() {
    reference "$1" "$2" | grep -qF "$1:1: $3" || fail "self-check: \"$2\" in $1 was not found"
}

accept() {
    found=$(reference "$1" "$2")
    [ -z "$found" ] || fail "self-check: $found"
}

accept docs/deep/x.md '[a](../page.md#a-page-with-marks) [b](../page.md#same-1) [c](https://a.b/c.md) [d](x.md) page.md, "Bold words"'
# shellcheck disable=SC2016 # backticks are Markdown's
accept docs/x.md '`sim/run/run.c`, sim/run/run, sim/run, `docs/page.md`, [p](page.md), "Same"; tests/sim/run/test_run.c and test_run; `sim/*/x.c`'
accept sim/run/x.h '/* See run.h, kernels/adam.c, docs/page.md, "10.3 Numbered",\n * page.md 10.3 and (page.md,\n * section 10.3). */'
plant docs/x.md '[a](nowhere.md)' 'there is no docs/nowhere.md'
plant docs/deep/x.md '[a](page.md)' 'there is no docs/deep/page.md'
plant docs/x.md '[a](page.md#nothing)' 'docs/page.md has no heading #nothing'
plant docs/x.md '[a](page.md#not-a-heading)' 'docs/page.md has no heading #not-a-heading'
plant docs/x.md '[a](page.md#same-2)' 'docs/page.md has no heading #same-2'
plant docs/x.md 'words\n[a](#nothing)' 'docs/x.md has no heading #nothing'
plant docs/x.md 'sim/run/nothing.c' 'there is no sim/run/nothing.c'
plant docs/x.md 'in sim/nothing' 'there is no sim/nothing'
plant docs/x.md 'build/tests/bench_nothing' 'there is no program bench_nothing'
plant docs/x.md 'page.md, "Nothing"' 'docs/page.md has no section "Nothing"'
plant sim/run/x.c '/* algorithms.md, section 3 */' 'there is no algorithms.md'
plant sim/run/x.c '/* page.md 10.4 */' 'docs/page.md has no section "10.4"'
plant sim/run/x.h '/* (page.md, section\n * 4). */' 'docs/page.md has no section "4"'
plant sim/run/x.h '/* docs/page.md, "Bold\n * nothing" */' 'docs/page.md has no section "Bold nothing"'
plant sim/run/x.c '.help = "see docs/nothing.md"' 'there is no docs/nothing.md'
plant sim/x.def '/* test_nothing */' 'there is no test test_nothing'
plant sim/x.cmake '# sim/run/nothing' 'there is no sim/run/nothing'
plant tests/sim/run/x.sh '# like nothing.h' 'there is no file nothing.h'
plant tests/x.cfg '// tests/nothing' 'there is no tests/nothing'
plant CMakeLists.txt '# kernels/nothing.c' 'there is no file kernels/nothing.c'

# ---- the tree -------------------------------------------------------------------------------------------------------

left=$(broken "$source")
[ -z "$left" ] || fail "$left"
