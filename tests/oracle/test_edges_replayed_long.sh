#!/bin/sh
# Labels: long
# A thousand more: see test_edges_replayed.sh.
FRS_EDGES_FIRST=${FRS_EDGES_FIRST:-1001} FRS_EDGES_COUNT=${FRS_EDGES_COUNT:-1000} sh "${0%/*}/test_edges_replayed.sh" "$1"
