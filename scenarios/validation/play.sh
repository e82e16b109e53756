#!/bin/sh
# Plays one configuration of the validation, into a folder.
#   scenarios/validation/play.sh run|emulate BASE FOLDER SETTINGS [IGNORED]
#   scenarios/validation/play.sh emulate LIST:NAME FOLDER         the configuration NAME of the file LIST, over base.cfg beside this script
# SETTINGS are separated by ";"; those whose key is in IGNORED, separated by spaces, do not apply. An emulation in which time was not kept is
# played again, ten times in all: then its folder is removed, and the exit code is 1; one that is there already is not repeated.
#   FEDRECSIM=PROGRAM                                              default: build/fedrecsim
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
command=$1
case $# in
3)
    list=${2%:*} name=${2##*:} base=$root/scenarios/validation/base.cfg place=$3 ignored=
    settings=$(awk -F' [|] ' -v name="$name" '$1 == name { print $3 }' "$list")
    [ -n "$settings" ] || { echo "$list: there is no configuration \"$name\"" >&2 && exit 2; }
    ;;
*) base=$2 place=$3 settings=$4 ignored=${5:-} ;;
esac

set --
while [ -n "$settings" ]; do
    one=$(printf '%s' "${settings%%;*}" | sed 's/^ *//; s/ *$//')
    case $settings in *\;*) settings=${settings#*;} ;; *) settings= ;; esac
    case " $ignored " in *" ${one%%=*} "*) ;; *) [ -z "$one" ] || set -- "$@" --set "$one" ;; esac
done

play() { "$program" "$command" "$base" --quiet --force --out "$place" "$@"; }
trusted() { grep -q '"timing_trusted": true' "$place/manifest.json" 2>/dev/null; }

if [ "$command" != emulate ]; then
    play "$@"
    exit
fi
for _ in 1 2 3 4 5 6 7 8 9 10; do
    trusted && exit
    play "$@"
done
trusted && exit
echo "$place: the emulation could not keep time" >&2
rm -rf "$place"
exit 1
