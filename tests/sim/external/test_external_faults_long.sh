#!/bin/sh
# Every fault of an external method's program (test_external_faults.sh).
# Labels: long
# Argument: the build folder.
FRS_ALL=1 exec sh "$(dirname "$0")/test_external_faults.sh" "$1"
