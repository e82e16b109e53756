#!/bin/sh
# Labels: long
# A hundred more: see test_layers_replayed.sh.
FRS_LAYERS_FIRST=${FRS_LAYERS_FIRST:-101} FRS_LAYERS_COUNT=${FRS_LAYERS_COUNT:-100} sh "${0%/*}/test_layers_replayed.sh" "$1"
