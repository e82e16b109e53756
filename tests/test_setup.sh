#!/bin/sh
# What ./quickstart and ./check say of an installation and of a build, from their logs (.ci/setup.sh).
#   test_setup.sh BUILD_FOLDER
set -eu

root=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
# shellcheck source=.ci/setup.sh
. "$root/.ci/setup.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
trap 'exit 1' HUP INT TERM
log=$build/log
failures=0

# expect PROGRESS TEXT
expect() {
    found=$("$1" "$log")
    [ "$found" = "$2" ] || {
        echo "FAILED: \"$found\" instead of \"$2\""
        failures=$((failures + 1))
    }
}

: >"$log"
expect install_progress 'asking for the lists of packages'
echo '0 upgraded, 12 newly installed, 0 to remove and 3 not upgraded.' >>"$log"
printf 'Get:%d http://deb.debian.org bookworm/main\n' 1 2 3 >>"$log"
expect install_progress 'downloading, file 3'
printf 'Unpacking lib%d (1.0) ...\n' 1 2 3 4 >>"$log"
expect install_progress '4 of 12 packages are unpacked'
printf 'Setting up lib%d (1.0) ...\n' 1 2 >>"$log"
expect install_progress '2 of 12 packages are set up'

: >"$build/build.ninja"
: >"$log"
expect build_progress 'asking what is to be done'
printf '[%d/345] Building C object a.o\n' 1 2 >>"$log"
echo 'a warning of several lines' >>"$log"
expect build_progress '2 of 345 steps'
rm "$build/build.ninja"
: >"$build/configure.log"
touch -d '2000-01-01' "$build/configure.log"
: >"$build/a.o"
: >"$build/b.o"
expect build_progress '2 files are compiled'

# What follows a log ends with what it follows, and says nothing of what takes no time.
what=$(
    show build_progress "$log"
    hide
    kill -0 "$follower" 2>/dev/null && echo "it goes on"
    :
)
[ -z "$what" ] || {
    echo "FAILED: $what"
    failures=$((failures + 1))
}
[ "$failures" -eq 0 ]
