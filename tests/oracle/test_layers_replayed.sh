#!/bin/sh
# Random scenarios of clients that exchange layers before they train, against an independent program that computes every date, byte and
# operation again (layers_replayed.py); each also under the other backend, and killed and resumed. Argument: the build folder.
#
#   FRS_LAYERS_FIRST=17 FRS_LAYERS_COUNT=1 tests/oracle/test_layers_replayed.sh build     repeats number 17
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
here=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/oracle
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
command -v python3 >/dev/null || {
    echo "SKIPPED test_layers_replayed: there is no python3"
    exit 77
}
# Both exchanges, both models, and losses of every kind are among these.
python3 "$here/layers_replayed.py" "$program" "${FRS_LAYERS_FIRST:-5}" "${FRS_LAYERS_COUNT:-4}" again
