#!/bin/sh
# Labels: long
# Every method of the list, as test_emulation_methods.sh emulates a few. Argument: the build folder.
methods=$("$1/fedrecsim" list method | sed -n 's/^  \([a-z_0-9]*\)  .*/\1/p' | grep -vx -e declared -e external)
# shellcheck disable=SC2086 # one word a method
exec sh "$(dirname -- "$0")/test_emulation_methods.sh" "$1" $methods
