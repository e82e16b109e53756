#!/bin/sh
# Labels: long
# Every method of the list, and FedMF's updates with every codec on both links, as test_emulation_methods.sh emulates a few. Argument:
# the build folder.
methods=$("$1/fedrecsim" list method | sed -n 's/^  \([a-z_0-9]*\)  .*/\1/p' | grep -vx -e declared -e external)
codecs=$("$1/fedrecsim" list codec | sed -n 's/^  \([a-z][a-z_0-9]*\)  .*/fedmf_update+\1/p')
# shellcheck disable=SC2086 # one word a case
exec sh "$(dirname -- "$0")/test_emulation_methods.sh" "$1" $methods $codecs
