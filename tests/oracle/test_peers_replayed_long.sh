#!/bin/sh
# Labels: long
# A thousand more: see test_peers_replayed.sh.
FRS_PEERS_FIRST=${FRS_PEERS_FIRST:-1001} FRS_PEERS_COUNT=${FRS_PEERS_COUNT:-1000} sh "${0%/*}/test_peers_replayed.sh" "$1"
