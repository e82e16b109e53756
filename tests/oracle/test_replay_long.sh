#!/bin/sh
# Labels: long
# Two thousand more: see test_replay.sh.
FRS_REPLAY_FIRST=${FRS_REPLAY_FIRST:-1001} FRS_REPLAY_COUNT=${FRS_REPLAY_COUNT:-2000} sh "${0%/*}/test_replay.sh" "$1"
