#!/bin/sh
# Relative paths of a scenario are relative to the scenario; those of --set are relative to the working folder. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

mkdir -p plan/data data
cat >plan/s.cfg <<'END'
data = { synthetic = "custom"; users = 20; items = 100; interactions = 400; };
evaluation = { candidates = "full"; every = 100; };
method = { name = "fedmf"; dim = 8; epochs = 1; };
network = { latency = "0 ms"; fleet = "data/f.csv"; };
rounds = { count = 1; cohort = 2; };
output = { what_if = "none"; };
END
fleet() {
    echo down_Mbit_s,up_Mbit_s
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "$1,$1"; done
}

expect 2 check plan/s.cfg
error "fedrecsim: plan/s.cfg:4: network.fleet: data/f.csv: cannot be read: No such file or directory; looked for plan/data/f.csv and, from the working folder, for the path as it stands"

# As it was before: in the working folder.
fleet 8 >data/f.csv
expect 0 check plan/s.cfg
says out 'network.fleet: data/f.csv is in the working folder, and not beside the scenario'

# Beside the scenario, which counts, wherever the program is called.
fleet 80 >plan/data/f.csv
expect 0 check plan/s.cfg
says out 'network.fleet: plan/data/f.csv, which is beside the scenario; another one is in the working folder'
rm data/f.csv
expect 0 run plan/s.cfg --quiet --out first
says first/manifest.json '"path": "plan/data/f.csv"'
expect 0 replay first
cd plan || exit 1
expect 0 run s.cfg --quiet --out ../second
cd .. || exit 1
cmp -s first/clients.csv second/clients.csv || fail "another folder has another result"

# The scenario is the same from any folder, and a run is gone on with from any; the manifest has what the scenario says.
hash_of() { sed -n 's/.*"scenario_hash": "\(.*\)",.*/\1/p' "$1/manifest.json"; }
[ "$(hash_of first)" = "$(hash_of second)" ] || fail "the scenario has another hash from another folder"
says first/manifest.json '"network.fleet": "data/f.csv"'
says second/manifest.json '"network.fleet": "data/f.csv"'
says second/manifest.json '"path": "data/f.csv"'
expect 0 compare first second
! grep -qF network.fleet out || fail 'runs of one scenario from two folders differ in a path'
cp first/summary.json before.json
cd plan || exit 1
expect 0 run s.cfg --resume --quiet --out ../first
cd .. || exit 1
cmp -s before.json first/summary.json || fail "a finished run was run again from another folder"
cp plan/data/f.csv kept.csv
fleet 8 >plan/data/f.csv
expect 2 run plan/s.cfg --resume --quiet --out second
says err 'what its files held has changed'
mv kept.csv plan/data/f.csv
expect 0 replay first
expect 0 check plan/s.cfg
! grep -q 'working folder' out || fail "speaks of the working folder"

# A sweep's points find it, too; what --set names is in the working folder.
fleet 8 >slow.csv
echo 'sweep = { vary = [ "method.dim = 4, 8" ]; };' >>plan/s.cfg
expect 0 sweep plan/s.cfg --quiet --out swept
# One point by hand, from anywhere: paths lead from where the sweep was planned.
mv swept/points/0001 point
cd / || exit 1
expect 0 point "$folder/swept/plan.json" --index 1
cd "$folder" || exit 1
cmp -s point/clients.csv swept/points/0001/clients.csv || fail "a point from another folder has another result"
cmp -s point/manifest.json swept/points/0001/manifest.json || fail "a point from another folder has another manifest"
cp swept/points/0001/manifest.json point.json
cd plan || exit 1
expect 0 sweep s.cfg --quiet --resume --out ../swept
cd .. || exit 1
cmp -s point.json swept/points/0001/manifest.json || fail "a finished point was run again from another folder"
expect 2 check plan/s.cfg --set network.fleet=f.csv
error 'fedrecsim: --set network.fleet=f.csv: network.fleet: f.csv: cannot be read: No such file or directory'
expect 0 check plan/s.cfg --set network.fleet=slow.csv
says out 'slow.csv: 20 rows'
[ "$failures" -eq 0 ]
