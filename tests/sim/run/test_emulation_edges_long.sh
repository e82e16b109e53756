#!/bin/sh
# Twenty emulations with edges of which a random part is killed at a random moment leave nothing (test_emulation_edges.sh).
# Labels: long
exec sh "$(dirname -- "$0")/test_emulation_edges.sh" "$1" 20
