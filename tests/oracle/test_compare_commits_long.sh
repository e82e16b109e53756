#!/bin/sh
# Labels: long
# As test_compare_commits.sh, with all scenarios. Argument: the build folder.
exec sh "$(dirname -- "$0")/test_compare_commits.sh" "$1" all
