#!/bin/sh
# Every call of every command: each fails with every code, alone and with all later ones, is the first for which the disk has no room, and
# the last before the program is killed. It takes an hour or so. Argument: the build folder.
# Labels: long
exec sh "$(dirname -- "$0")/test_failing_calls.sh" "$1" all all all
