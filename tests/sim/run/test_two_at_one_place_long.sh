#!/bin/sh
# Twenty races for one place. Argument: the build folder.
# Labels: long
exec sh "$(dirname -- "$0")/test_two_at_one_place.sh" "$1" 20
