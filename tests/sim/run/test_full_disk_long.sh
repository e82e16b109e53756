#!/bin/sh
# Twenty disks. Argument: the build folder.
# Labels: long
exec sh "$(dirname -- "$0")/test_full_disk.sh" "$1" 20
