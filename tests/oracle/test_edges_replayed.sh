#!/bin/sh
# Random scenarios with edges against an independent program that computes every date again (edges_replayed.py). Argument: the build
# folder.
#
#   FRS_EDGES_FIRST=17 FRS_EDGES_COUNT=1 tests/oracle/test_edges_replayed.sh build     repeats number 17
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
here=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/oracle
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
command -v python3 >/dev/null || {
    echo "SKIPPED test_edges_replayed: there is no python3"
    exit 77
}
python3 "$here/edges_replayed.py" "$program" "${FRS_EDGES_FIRST:-1}" "${FRS_EDGES_COUNT:-15}"
