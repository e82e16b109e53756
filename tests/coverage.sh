#!/bin/sh
# Which lines and branches the fast tests reach, folder by folder: builds with gcc's --coverage in build-coverage, runs the tests, and
# prints a table. What a process ran that ended by _exit or a signal is not counted (children of tests that are killed, emulated
# clients), nor are lines in headers.
#   tests/coverage.sh [CTEST ARGUMENT...]     default: -LE '^(long|cluster)$'
# Counts are kept from one run to the next: rm -rf build-coverage begins anew. JOBS=N: so many compilers and tests at once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/.." && pwd -P)
build=$root/build-coverage
[ $# -gt 0 ] || set -- -LE '^(long|cluster)$'
command -v gcov >/dev/null || { echo "coverage.sh: gcov is not installed (it comes with gcc)" >&2 && exit 2; }

mkdir -p "$build"
{ (cd "$root" && cmake --preset coverage) && cmake --build "$build" --parallel "${JOBS:-2}"; } >"$build/build.log" 2>&1 ||
    { tail -n 20 "$build/build.log" >&2 && exit 2; }
ctest --test-dir "$build" -j "${JOBS:-2}" "$@" >"$build/ctest.log" 2>&1 </dev/null || echo "some tests failed: $build/ctest.log" >&2

# Each object has the counts of one file of the program: its lines, its branches, and those of headers, which are left out. Names of
# folders are shortened to two parts; "all" sorts behind them.
find "$build" -name '*.gcno' ! -path '*/tests/*' ! -path '*/tests.dir/*' | while read -r notes; do
    gcov -b -n -r -s "$root" -o "$notes" "$notes" 2>/dev/null || :
done | awk '
    function part(text) { match(text, /:[0-9.]+% of /); share = substr(text, 2 + RSTART - 1, RLENGTH - 7)
        all = substr(text, RSTART + RLENGTH) + 0; return int(share * all / 100 + 0.5) }
    /^File / { name = $2; gsub(/\047/, "", name); wanted = name ~ /\.c$/; counted = 0; n = split(name, path, "/")
        folder = n > 2 ? path[1] "/" path[2] : path[1] }
    /^$/ { wanted = 0 }
    wanted && !counted && /^Lines executed/ { counted = 1; taken = part($0); lines[folder] += all; reached[folder] += taken; files[folder]++ }
    wanted && /^Taken at least once/ { taken = part($0); branches[folder] += all; took[folder] += taken }
    function row(label, f, l, r, b, t) {
        printf "| %s | %d | %d | %.1f | %d | %.1f |\n", label, f, l, l ? 100 * r / l : 0, b, b ? 100 * t / b : 0 }
    END {
        for (folder in lines) {
            row("`" folder "`", files[folder], lines[folder], reached[folder], branches[folder], took[folder])
            f += files[folder]; l += lines[folder]; r += reached[folder]; b += branches[folder]; t += took[folder]
        }
        row("all", f, l, r, b, t)
    }' | LC_ALL=C sort >"$build/rows"

echo '| folder | files | lines | reached, % | branches | taken, % |'
echo '|---|---:|---:|---:|---:|---:|'
cat "$build/rows"
