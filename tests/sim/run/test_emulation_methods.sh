#!/bin/sh
# Methods over the kernel's TCP: messages of unusual forms, and tables of each client's own, are those of the simulation, byte by byte,
# and what is learnt from them is the same. Exits with 77 where the rights are lacking.
#   test_emulation_methods.sh BUILD_FOLDER [METHOD[+CODEC]...]     CODEC on both links; default: codes, clusters, tables of one client,
#                                                                  codebooks
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/emulating.sh
. "$tests/sim/run/emulating.sh"
shift
[ $# -gt 0 ] || set -- lightfr cgfedrec semidfegl fedmf_update+rvq

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
for case; do
    method=${case%+*}
    set -- --set method="$method"
    cp implicit.cfg s.cfg
    ! "$program" check s.cfg "$@" 2>&1 | grep -q 'learns from explicit' || cp explicit.cfg s.cfg
    case $method in
    lightfr | cgfedrec) set -- "$@" --set codec.downlink=binary ;;
    esac
    case $method in
    lightfr | ptf_fedrec | semidfegl*) set -- "$@" --set codec.uplink=touched_rows ;;
    esac
    case $case in
    *+*) set -- "$@" --set codec.uplink="${case#*+}" --set codec.downlink="${case#*+}" ;;
    esac
    case $case in # codebooks that are shorter than the rows of this data set
    *+rvq) set -- "$@" --set codec.uplink.levels=2 --set codec.uplink.codes=4 --set codec.downlink.levels=2 --set codec.downlink.codes=4 ;;
    esac
    same "$case" "$@"
    [ "$(column "$case" delivered | tr '\n' ' ')" = "4 4 " ] || fail "uploads were lost"
    case $case in # 24 bytes of header, 14 of the codec's, two levels of 4 codes of 32 numbers and of 2 bits a row, of 60 rows at most
    fedmf_update+rvq)
        for bytes in $(column "$case" up_bytes); do
            if [ "$bytes" -le $((4 * (24 + 14 + 2 * (4 + 512)))) ] || [ "$bytes" -gt $((4 * (24 + 14 + 2 * (4 + 15 + 512)))) ]; then
                fail "uploads of $bytes bytes are no codes"
            fi
        done
        ;;
    esac
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
