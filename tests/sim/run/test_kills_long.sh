#!/bin/sh
# Fifty runs ended at random moments. Argument: the build folder.
# Labels: long
exec sh "$(dirname -- "$0")/test_kills.sh" "$1" 50
