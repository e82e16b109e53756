#!/bin/sh
# Random scenarios, run and then replayed by a program that shares no code with the simulator. Argument: the build folder.
#
#   FRS_REPLAY_FIRST=817 FRS_REPLAY_COUNT=1 tests/oracle/test_replay.sh build     repeats number 817
#
# Numbers up to 1000 keep to what programs of any age know; half of those played here are newer.
# Scenarios that disagree stay under FRS_REPLAY_KEEP, to be run again.
build=$(CDPATH='' cd -- "$1" && pwd)
keep=${FRS_REPLAY_KEEP:-$(mktemp -d)}
"$build/tests/replay" --random "${FRS_REPLAY_FIRST:-971}" "${FRS_REPLAY_COUNT:-60}" "$build/fedrecsim" "$keep" || {
    echo "What disagrees: $keep"
    exit 1
}
rmdir "$keep"
