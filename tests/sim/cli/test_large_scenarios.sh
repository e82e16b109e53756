#!/bin/sh
# Labels: slow
# Scenarios whose data take a minute to draw pass check, like all others (test_scenarios.sh).
# Argument: the build folder.
program=$1/fedrecsim
cd "${FRS_SOURCE_DIR:-$(dirname "$0")/../../..}" || exit 1
n=0
for scenario in scenarios/*/million-*.cfg; do
    "$program" check "$scenario" --patience "100 ms" >/dev/null || exit 1
    n=$((n + 1))
done
[ "$n" -gt 0 ]
