#!/bin/sh
# Links under names that sweeps use, planted by somebody else who may write to the folder: nothing is written through
# them. A folder that is itself a link is followed.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
rounds = { count = 1; };
TEXT
echo precious >theirs
whole() { [ "$(cat theirs)" = precious ] || fail "$1 was written through a link"; }
plant() { ln -sf "$folder/theirs" "$1"; }

mkdir real && ln -s real s
plant s/plan.json.partial
expect 0 sweep s.cfg --out s --quiet --vary 'rounds.count = 1, 2'
whole plan.json.partial
{ [ -d real/points/0001 ] && [ -L s ]; } || fail 'the folder behind the link was not used'

for file in points.csv cells.csv differences.csv tables.md sweep.sqlite; do
    rm s/$file
    plant s/$file
done
expect 0 collect s --quiet
whole 'a result'
[ ! -L s/points.csv ] || fail 'points.csv is still a link'

rm -r s/points/0001
plant s/points/0001.log
expect 0 sweep s.cfg --out s --quiet --vary 'rounds.count = 1, 2' --resume
whole 'the log of a point'

mkdir s/slurm
plant s/slurm/array.sh
plant s/slurm/collect.sh
expect 0 sweep s.cfg --out s --vary 'rounds.count = 1, 2' --resume --launcher slurm --dry-run
whole 'a batch script'
{ [ -x s/slurm/array.sh ] && [ ! -x theirs ]; } || fail 'the wrong file was made executable'

plant lock && mv lock s/lock
expect 2 sweep s.cfg --out s --quiet --vary 'rounds.count = 1, 2' --resume
error "fedrecsim: s/lock is in the way: it is no lock of this program; choose another place with --out DIR"

# A page is named by who runs the program: the link stays one, and leads to the new tables.
rm s/lock
printf '%s\n' '<!-- tables of s -->' '<!-- end of tables -->' >page.md
ln -s page.md link.md
expect 0 collect s --quiet --page link.md
[ -L link.md ] || fail 'the link is gone'
says page.md 'simulated_s'

[ "$failures" -eq 0 ]
