#!/bin/sh
# cppcheck finds nothing in all C files; .ci/lint runs it on those that have changed.
# Labels: long
#   test_cppcheck_long.sh BUILD_FOLDER
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
command -v cppcheck >/dev/null || {
    echo "SKIPPED cppcheck: cppcheck is not installed"
    exit 0
}
FRS_LINT=cppcheck "$source/.ci/lint" --all "$1"
