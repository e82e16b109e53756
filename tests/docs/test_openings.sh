#!/bin/sh
# Every source opens with what it is for: with a comment, or a .c file with the include of its own header, which does.
#   test_openings.sh BUILD_FOLDER   checks the tree, then plants files that do not
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Three sources without a header of their own.
excluded='^algorithms/(kernels/bce_(factors|rows)|learners/low_rank)\.c:'

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# unsaid FOLDER: a line "file: first line" for each source there that does not say what it is for.
unsaid() (
    cd "$1"
    find . -path './build*' -prune -o -name .git -prune -o -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.awk' \
        -o -name '*.cmake' -o -name '*.cfg' -o -name '*.sh' -o -name CMakeLists.txt -o -path ./check -o -path ./quickstart \
        -o -path './.ci/*' \) -print | sed 's|^\./||' | sort >"$scratch/files"
    # shellcheck disable=SC2046 # a file a word: names here have no spaces
    awk '
    function ends_well() {
        return $0 ~ /^(\/\*|\/\/|#) ?[A-Za-z0-9"`]/
    }
    FNR == 1 { said = 0 }
    said { next }
    /^#!/ { next }
    {
        said = 1
        name = FILENAME
        own = name
        sub(/\.c$/, ".h", own)
        base = own
        sub(/.*\//, "", base)
        first[name] = $0
        script = name !~ /\.(c|h|def)$/
        good[name] = ends_well() && (script || $0 !~ /^#/)
        if (name ~ /\.c$/ && ($0 == "#include \"" own "\"" || $0 == "#include \"" base "\""))
            header[name] = own
    }
    END {
        for (name in first)
            if (!good[name] && !(name in header && good[header[name]]))
                print name ": " first[name]
    }' $(cat "$scratch/files") | sort
)

# ---- this test can fail ---------------------------------------------------------------------------------------------

tree=$scratch/tree
plant() {
    rm -rf "$tree"
    mkdir -p "$tree/sim/run"
    printf '%b\n' "$2" >"$tree/$1"
    unsaid "$tree" | grep -q "^$1: " || fail "self-check: $1 was accepted with: $2"
}
accept() {
    printf '%b\n' "$2" >"$tree/$1"
    found=$(unsaid "$tree")
    [ -z "$found" ] || fail "self-check: $found"
}
plant sim/x.c '#include "sim/y.h"\n/* Too late. */'
plant sim/x.c '#include "sim/x.h"'
plant sim/x.h '#ifndef FRS_X_H'
plant sim/x.def 'ENTRY(x)'
plant sim/x.sh '#!/bin/sh\nset -eu'
plant sim/x.cmake 'set(x y)'
plant CMakeLists.txt '#\nproject(x)'
rm "$tree/CMakeLists.txt"
accept sim/x.h '/* X: what it is. */'
accept sim/x.c '#include "sim/x.h"'
accept sim/run/x.c '/* What it is. */'
accept sim/x.sh '#!/bin/sh\n# What it is.'
accept sim/x.cfg '// What it is.'

# ---- the tree -------------------------------------------------------------------------------------------------------

left=$(unsaid "$source" | grep -vE "$excluded" || true)
[ -z "$left" ] || fail "$left"
