#!/bin/sh
# Labels: long
# As test_large_pages.sh, of 1,000 rounds and of 400 points. Argument: the build folder.
exec sh "$(dirname -- "$0")/test_large_pages.sh" "$1" 1000 5 2400000
