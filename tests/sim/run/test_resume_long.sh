#!/bin/sh
# Labels: long
# As test_resume.sh, with more kills: 120 in all.
# Argument: the build folder.
exec sh "$(dirname -- "$0")/test_resume.sh" "$1" 120
