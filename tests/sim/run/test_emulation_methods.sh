#!/bin/sh
# Methods over the kernel's TCP: messages of unusual forms, and tables of each client's own, are those of the simulation, byte by byte,
# and what is learnt from them is the same. Exits with 77 where the rights are lacking.
#   test_emulation_methods.sh BUILD_FOLDER [METHOD...]     default: codes, clusters, tables of one client
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/emulating.sh
. "$tests/sim/run/emulating.sh"
shift
[ $# -gt 0 ] || set -- lightfr cgfedrec semidfegl

cat >implicit.cfg <<'CFG'
seed = 3;
data = { synthetic = "custom"; users = 8; items = 60; interactions = 120; };
evaluation = { candidates = "full"; };
network = { model = "packets"; connection = "tcp"; downlink = "20 Mbit/s"; uplink = "10 Mbit/s"; latency = "5 ms"; };
devices = { compute = "fixed"; overhead = "50 ms"; };
rounds = { count = 2; cohort = 4; };
output = { report = false; what_if = "none"; };
CFG
sed -e 's/synthetic = "custom";/& feedback = "explicit"; split = "ratio";/' -e /^evaluation/d implicit.cfg >explicit.cfg
cp implicit.cfg s.cfg

"$program" emulate s.cfg --set method=fedmf --out first --limit "60 s" --quiet >out 2>err </dev/null
code=$?
if [ "$code" -eq 2 ] && grep -q "rights of root" err; then
    echo "SKIPPED test_emulation_methods: $(cat err)"
    exit 77
fi

# Codes and numbers of clusters cross as bits, scores and vectors as rows with ids.
for method; do
    set -- --set method="$method"
    cp implicit.cfg s.cfg
    ! "$program" check s.cfg "$@" 2>&1 | grep -q 'learns from explicit' || cp explicit.cfg s.cfg
    case $method in
    lightfr | cgfedrec) set -- "$@" --set codec.downlink=binary ;;
    esac
    case $method in
    lightfr | ptf_fedrec | semidfegl*) set -- "$@" --set codec.uplink=touched_rows ;;
    esac
    same "$method" "$@"
    [ "$(column "$method" delivered | tr '\n' ' ')" = "4 4 " ] || fail "uploads were lost"
done

# ---- what is refused ---------------------------------------------------------------------------------------------------

cp implicit.cfg s.cfg
for exchange in mesh head; do
    expect 2 emulate s.cfg --out x --set network.model=tcp --set method=semidfegl --set method.exchange="$exchange"
    says err "method.exchange: layers that clients send each other cannot be emulated; allowed: server"
done
expect 2 emulate s.cfg --out x --set network.model=tcp --set peers=ring
says err "cannot be emulated"
[ ! -e x ] || fail "something was written"

[ "$failures" -eq 0 ]
