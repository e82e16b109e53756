#!/bin/sh
# Disks that fill: on file systems of growing size a run fails with one line that says so, and nothing is lost by it,
# neither what was learnt nor an earlier run nor anything of somebody else's; with room, it is resumed to the last byte.
#   test_full_disk.sh BUILD_FOLDER [DISKS]     default: 3
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
if [ -z "${FRS_OWN_MOUNTS-}" ]; then
    unshare -rm mount -t tmpfs none /mnt 2>/dev/null ||
        { echo "SKIPPED test_full_disk: file systems cannot be mounted here, not even in a name space" && exit 0; }
    FRS_OWN_MOUNTS=1 exec unshare -rm sh "$0" "$@"
fi
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/places.sh
. "$tests/sim/run/places.sh"
disks=${2:-3}
trap 'cd /; umount "$folder/disk" 2>/dev/null; rm -rf "$folder"' EXIT

cat >s.cfg <<'CFG'
data = { synthetic = "small"; };
method = { name = "colr"; dim = 8; rank = 2; };
network = { preset = "mixed-mobile"; };
rounds = { count = 400; cohort = "30 %"; };
evaluation = { every = 5; };
output = { checkpoint_rounds = 7; what_if = "none"; };
CFG
expect 0 run s.cfg --out undisturbed --quiet
sed 's/count = 400/count = 3/' s.cfg >earlier.cfg
expect 0 run earlier.cfg --out earlier --quiet
mkdir disk
mount -t tmpfs -o size=64m none disk || fail "no disk"
cd disk || exit 1
ln -s ../err err

size() { df -k --output="$1" . | tail -n 1 | tr -d ' '; }
# resize FREE: leaves this many KiB free.
resize() { mount -o "remount,size=$(($(size used) + $1))k" none .; }
roomy() { mount -o remount,size=64m none .; }
code_of() { "$program" run ../s.cfg --out place --quiet "$@" >../said 2>err </dev/null; }
# Exit code 1 or 2, and the reason in every line but the last.
says_full() {
    { [ "$code" -eq 1 ] || [ "$code" -eq 2 ]; } || fail "exit code $code"
    grep -q 'No space left on device\|is the disk full?' err || fail "does not say why"
}

# What it takes: the checkpoint of an interrupted run, then all results.
what="a run with all the room it wants"
code_of --set output.checkpoint_rounds=0 || fail "exit code $?"
need=$(size used)
rm -rf place
fulls=0 kept=0
for disk in $(seq 1 "$disks"); do
    room=$((need * 2 * (disk - 1) / disks))

    what="a new run with $room KiB"
    make_foreign
    resize "$room"
    code_of
    code=$?
    if [ "$code" -ne 0 ]; then
        says_full
        fulls=$((fulls + 1))
        [ ! -e place ] || fail "results in place of a run that failed"
        [ ! -e place.checkpoint ] || says err '--resume goes on from place.checkpoint'
        roomy
        code_of --resume || fail "cannot be resumed"
    fi
    same ../undisturbed place
    foreign_is_safe
    left './place '
    rm -rf place

    # Its checkpoint is all there is of an earlier attempt.
    what="a resumed run with $room KiB"
    roomy
    "$program" run ../s.cfg --out place --quiet --set output.checkpoint_rounds=1 >/dev/null 2>err </dev/null &
    run=$!
    wait_until test -s place.checkpoint || fail "no checkpoint"
    kill -s KILL $run
    wait $run 2>/dev/null
    cp place.checkpoint ../checkpoint
    resize "$room"
    code_of --resume
    code=$?
    if [ "$code" -ne 0 ]; then
        says_full
        fulls=$((fulls + 1))
        [ -e place.checkpoint ] || fail "the checkpoint is lost"
        kept=$((kept + 1))
        roomy
        code_of --resume || fail "cannot be resumed"
    fi
    same ../undisturbed place
    foreign_is_safe
    left './place '
    rm -rf place

    what="--force with $room KiB"
    roomy
    cp -r ../earlier place
    resize "$room"
    code_of --force
    code=$?
    if [ "$code" -ne 0 ]; then
        says_full
        fulls=$((fulls + 1))
        roomy
        same ../earlier place
    else
        same ../undisturbed place
        left './place '
    fi
    foreign_is_safe
    roomy
    rm -rf place*
done
# Nothing can be written at all: refused before any work, and what is there may still be looked at.
what="a read-only file system"
roomy
cp -r ../earlier place
make_foreign
mount -o remount,ro none .
cd ..
for how in '' --resume --force; do
    # shellcheck disable=SC2086
    expect 2 run s.cfg --out disk/new $how
    error 'fedrecsim: disk/new: cannot write results there: disk: Read-only file system'
done
expect 2 run s.cfg --out disk/place --force
error 'fedrecsim: disk/place holds an earlier run that cannot be replaced: Read-only file system'
expect 0 run earlier.cfg --out disk/place --resume
[ "$(cat out)" = 'disk/place is complete already' ] || fail "says something else"
same earlier disk/place

# What is mounted cannot be renamed.
mkdir mounted
mount -t tmpfs none mounted
expect 2 run s.cfg --out mounted
error 'fedrecsim: mounted is where a file system is mounted; name a folder in it, such as --out mounted/run'
umount mounted
cd disk || exit 1
foreign_is_safe

[ "$fulls" -ge "$disks" ] || fail "only $fulls of $((3 * disks)) runs filled their disks"
echo "$disks sizes of disks up to $((need * 2 * (disks - 1) / disks)) KiB: $fulls of $((3 * disks)) runs filled them, $kept of these had a checkpoint and kept it, all results identical, foreign files untouched"
[ "$failures" -eq 0 ]
