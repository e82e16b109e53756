#!/bin/sh
# What --set does to a distribution of the file is told by run, check and sweep; values in quotes are what they are in a
# file; and compare tells what was varied by --set from what merely differs. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 4; epochs = 1; };
network = { uplink = { distribution = "lognormal"; median = "3 Mbit/s"; sigma = 0.8; }; };
rounds = { count = 2; cohort = 5; };
output = { events = false; report = false; };
END
# holds TEXT: stdout has these lines, one after the other.
holds() { tr '\n' '~' <out | grep -qF -e "$(printf '%s' "$1" | tr '\n' '~')" || fail "\"$1\" is not on stdout"; }

replaced='network.uplink is constant, and lognormal in the file; to keep lognormal, set network.uplink.median or network.uplink.sigma'

# --- a distribution in the place of another one ---
expect 0 check s.cfg --set network.uplink='1 Mbit/s'
says out "  replaced     $replaced"
expect 0 run s.cfg --out constant --set network.uplink='1 Mbit/s'
says out "  replaced               $replaced"
for set in 'network.uplink.median=1 Mbit/s' network.preset=4g rounds.cohort=4; do
    expect 0 check s.cfg --set "$set"
    ! grep replaced out || fail "says that something was replaced"
done
expect 0 sweep s.cfg --out swept --vary 'network.uplink = 1 Mbit/s, 2 Mbit/s' --replicates 1
says out "Note: $replaced (by --set, or in a level of the sweep)."
expect 0 sweep s.cfg --out swept-median --vary 'network.uplink.median = 1 Mbit/s, 2 Mbit/s' --replicates 1
! grep 'Note:' out || fail "says that something was replaced"
{ cat s.cfg && echo 'sweep = { vary = ["slow | no | yes: network.uplink=1 Mbit/s"]; };'; } >with-levels.cfg
expect 0 check with-levels.cfg --patience '100 ms'
says out "  replaced     $replaced (in a level of the sweep)"
sed 's/slow .*yes: network.uplink=1 Mbit.s/rounds.cohort = 4, 5/' with-levels.cfg >with-cohorts.cfg
expect 0 check with-cohorts.cfg --patience '100 ms' --set network.uplink='2 Mbit/s'
[ "$(grep -c '^  replaced' out)" -eq 1 ] || fail "does not say once what was replaced"

# --- quotes within ---
expect 0 run s.cfg --out quoted --set network.uplink='"1 Mbit/s"'
cmp -s constant/rounds.csv quoted/rounds.csv || fail "quotes make other rounds"
expect 0 sweep s.cfg --out swept-quoted --vary 'network.uplink = "1 Mbit/s", "2 Mbit/s"' --replicates 1
cmp -s swept/cells.csv swept-quoted/cells.csv || fail "quotes make another sweep"
expect 2 check s.cfg --set rounds.count='"3"'
error 'fedrecsim: --set rounds.count="3": rounds.count: "3" is text, not an integer; allowed: an integer from 1 to 1000000000'

# --- what was varied, and what differs ---
expect 0 run s.cfg --out plain
expect 0 run s.cfg --out slow --set network.uplink.median='1 Mbit/s'
expect 0 compare plain slow
holds '**Settings that --set varied**

| environments          | plain    | slow     |
|-----------------------|----------|----------|
| network.uplink.median | 3 Mbit/s | 1 Mbit/s |'
! grep 'without having been varied' out || fail "what was set is said not to have been varied"
sed 's/dim = 4/dim = 8/' s.cfg >wide.cfg
expect 0 run wide.cfg --out wide --set network.uplink.median='1 Mbit/s'
expect 0 compare plain wide
holds '**Settings that differ without having been varied**

| training   | plain | wide |
|------------|-------|------|
| method.dim | 4     | 8    |'
expect 0 run wide.cfg --out wide-alone
expect 0 compare plain wide-alone
holds '**Settings that differ**

| training   | plain | wide-alone |'
grep -q '"set": {' slow/manifest.json || fail "the manifest does not say what was set"
! grep -q '"set"' plain/manifest.json || fail "the manifest says that something was set"

[ "$failures" -eq 0 ]
