#!/bin/sh
# What clients of an external method have of their own, and what the server assigns them: PFedRec in NumPy, whose clients predict with their
# own versions of the item table, is the built-in one; rows that clients keep come back, also where work follows the upload, and after a
# resumed run; uploads under budgets have the bytes of SCoLR's.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/same_rounds.sh
. "${FRS_SOURCE_DIR:-.}/tests/same_rounds.sh"
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED test_external_personal: no NumPy for /usr/bin/python3"
    exit 77
fi
export FEDRECSIM_ALLOW_COMMANDS=1
programs=$(CDPATH='' cd -- "${FRS_SOURCE_DIR:-.}/tests/sim/external" && pwd)

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 30; u++) for (k = 0; k < 8 + u % 9; k++) print u "," (u * 7 + k * 13) % 60 ",1," k }' >data.csv
cat >rest <<'END'
data = { format = "csv"; path = "data.csv"; min_interactions = 3; };
devices = { preset = "phones"; };
rounds = { count = 5; cohort = 10; };
evaluation = { candidates = "full"; };
output = { what_if = "none"; report = false; };
END
# scenario NAME METHOD KEYS, or NAME PROGRAM.py KEYS
scenario() {
    case $2 in
    *.py) method="name = \"external\"; command = \"/usr/bin/python3 '$programs/$2'\";" ;;
    *) method="name = \"$2\";" ;;
    esac
    { echo "method = { $method $3 };" && cat rest; } >"$1.cfg"
}

# ---- versions of one's own -----------------------------------------------------------------------

scenario native pfedrec 'batch = 1000000;'
scenario external pfedrec.py 'batch = 1000000;'
same_rounds losses native external --threads 1 --set failures.up=0.2
# Heads begin with other values, so that the qualities differ a little.
echo "$(quality native-losses) $(quality external-losses)" >qualities
awk '{ exit !($1 - $2 < 0.15 && $2 - $1 < 0.15) }' qualities || fail "hr@10: $(cat qualities)"

# ---- rows that a client keeps, and work after the upload -----------------------------------------

scenario notes notes.py ''
sed -i 's/preset = "phones"/speed = "1 Mflop\/s"/' notes.cfg
set -- --quiet --set failures.up=0.2 --set output.checkpoint_rounds=1 --set rounds.count=8
expect 0 run notes.cfg --out notes "$@" --threads 1
expect 0 run notes.cfg --out two "$@" --threads 2
what='two threads'
cmp -s notes/rounds.csv two/rounds.csv || fail 'another rounds.csv'
# 2 Mflop, of which the second half follows the upload: a second each, from the same moment on.
what='work after the upload'
sed -n 's/.*"phase":"\(compute\|post\)","t0_s":\([0-9.e+-]*\),"t1_s":\([0-9.e+-]*\),.*"flop":1000000\(,"outcome":"ended"\)*}/\1 \2 \3/p' notes/events.ndjson |
    awk '{ n[$1]++; if ($3 - $2 < 0.999999 || $3 - $2 > 1.000001) exit 1 } END { exit !(n["compute"] >= 60 && n["post"] >= 30) }' || fail 'not a second each'
columns notes/rounds.csv post_ended post_lost | awk '{ ended += $1; lost += $2 } END { exit !(ended > 30 && lost > 0) }' || fail "$(columns notes/rounds.csv post_ended post_lost)"
expect 0 replay notes
expect 1 run notes.cfg --out resumed "$@" --threads 1 --set "method.marker=$folder/marker"
[ -s resumed.checkpoint ] || fail 'there is no checkpoint'
expect 0 run notes.cfg --out resumed "$@" --threads 1 --set "method.marker=$folder/marker" --resume
what='a run that goes on from its checkpoint'
cmp -s notes/rounds.csv resumed/rounds.csv || fail 'another rounds.csv'

# ---- budgets -------------------------------------------------------------------------------------

scenario native scolr 'rank = 8; dim = 8;'
scenario external narrow.py 'rank = 8;'
for which in native external; do
    expect 0 run "$which.cfg" --out "$which-budgets" --quiet --threads 1 --set adaptation.name=uniform --set method.catchup=ideal
    columns "$which-budgets/rounds.csv" down_bytes up_bytes delivered >"$which.columns"
done
what='uploads under budgets'
cmp -s native.columns external.columns || fail "$(diff native.columns external.columns | head -4)"
expect 2 check notes.cfg --set adaptation.name=fixed
says err 'uploads of method "external" under codec "dense" have one size; allowed: no section adaptation'
[ "$failures" -eq 0 ]
