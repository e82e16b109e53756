#!/bin/sh
# Labels: long
# As test_load.sh, of all three and beside three other processes. Argument: the build folder.
exec sh "$(dirname -- "$0")/test_load.sh" "$1" 3
