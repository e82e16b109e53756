#!/bin/sh
# The pages docs/adding-*.md quote the examples that are compiled and tested (plug-ins), word by word, and each once.
#   test_quoted_examples.sh BUILD_FOLDER   checks the tree, then a page that is out of date, and an example nobody quotes
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# quoted FILE PAGE…: the block of code behind the line that names the file.
quoted() {
    file=$1
    shift
    awk -v mark="<!-- $file -->" '
        FNR == 1 { wanted = inside = 0 }
        inside && $0 == "```" { inside = wanted = 0 }
        inside { print }
        $0 == mark { wanted = 1 }
        wanted && $0 == "```c" { inside = 1 }' "$@"
}

# complaints FOLDER: what is wrong with the pages and examples there.
complaints() (
    cd "$1"
    for example in plug-ins/*.c; do
        # Those that are built and run alone (tests/sim/plugins).
        case $example in */two_groups.c | */signum.c | */by_count.c | */longest_ago.c | */step_down.c) continue ;; esac
        quoted "$example" docs/adding-*.md >"$scratch/quoted"
        diff -u "$scratch/quoted" "$example" >"$scratch/difference" || {
            echo "$example is not what docs/adding-*.md quote of it:"
            cat "$scratch/difference"
        }
    done
)

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

wrong=$(complaints "$source")
[ -z "$wrong" ] || fail "$wrong"

# --- this test can fail ---
mkdir -p "$scratch/tree/plug-ins" "$scratch/tree/docs"
cp "$source"/plug-ins/*.c "$scratch/tree/plug-ins/"
cp "$source"/docs/adding-*.md "$scratch/tree/docs/"
[ -z "$(complaints "$scratch/tree")" ] || fail "self-check: a copy is not accepted"
sed -i 's/touched.n/touched_n/' "$scratch/tree/docs/adding-a-codec.md"
echo '/* Nobody quotes this. */' >"$scratch/tree/plug-ins/unheard.c"
complaints "$scratch/tree" >"$scratch/found"
for expected in halves unheard; do
    grep -q "^plug-ins/$expected.c is not what" "$scratch/found" || fail "self-check: $expected.c was accepted"
done
[ "$(grep -c 'is not what' "$scratch/found")" -eq 2 ] || fail "self-check: too many complaints"
