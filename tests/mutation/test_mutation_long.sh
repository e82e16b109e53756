#!/bin/sh
# Labels: long
# The tests notice every deliberate fault of tests/mutation/areas, or the table argues why they cannot. Results of an earlier run that
# still hold are used again (BUILD_FOLDER/mutation). It takes less than two hours on two processors that have nothing else to do.
#   test_mutation_long.sh BUILD_FOLDER
exec "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/mutation/run.sh" --work "$(CDPATH='' cd -- "$1" && pwd)/mutation"
