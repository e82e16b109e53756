#!/bin/sh
# Random scenarios of clients that exchange models against an independent program that computes every date, byte and weight again
# (peers_replayed.py); each also under the other backend, and killed and resumed. Argument: the build folder.
#
#   FRS_PEERS_FIRST=17 FRS_PEERS_COUNT=1 tests/oracle/test_peers_replayed.sh build     repeats number 17
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
here=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/oracle
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
command -v python3 >/dev/null || {
    echo "SKIPPED test_peers_replayed: there is no python3"
    exit 77
}
replay() { python3 "$here/peers_replayed.py" "$program" "$1" "$2" again; }
replay "${FRS_PEERS_FIRST:-1}" "${FRS_PEERS_COUNT:-5}" || exit 1
# Queues overflow in number 107, and rows are entered after the next round has opened.
[ -n "$FRS_PEERS_FIRST" ] || replay 107 1
