#!/bin/sh
# Twenty emulations of which a random part is killed at a random moment leave nothing (test_emulation.sh).
# Labels: long
exec sh "$(dirname -- "$0")/test_emulation.sh" "$1" 20
