#!/bin/sh
# Labels: long
# All ten questions of test_solve.sh. Argument: the build folder.
FRS_QUESTIONS=all exec sh "$(dirname -- "$0")/test_solve.sh" "$@"
