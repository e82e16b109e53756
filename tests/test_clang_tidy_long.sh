#!/bin/sh
# clang-tidy finds nothing in all C files; .ci/lint runs it on those that have changed.
# Labels: long
#   test_clang_tidy_long.sh BUILD_FOLDER
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
command -v clang-tidy >/dev/null || {
    echo "SKIPPED clang_tidy: clang-tidy is not installed"
    exit 0
}
FRS_LINT=clang-tidy "$source/.ci/lint" --all "$1"
