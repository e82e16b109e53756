#!/bin/sh
# A method in Python, the whole of test_external_python.sh.
# Labels: long
# Argument: the build folder.
FRS_ALL=1 exec sh "$(dirname "$0")/test_external_python.sh" "$1"
