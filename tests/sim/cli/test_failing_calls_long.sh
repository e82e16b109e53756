#!/bin/sh
# Every call of every command, with every code, alone and with all later ones. Argument: the build folder.
# Labels: long
exec sh "$(dirname -- "$0")/test_failing_calls.sh" "$1" all
