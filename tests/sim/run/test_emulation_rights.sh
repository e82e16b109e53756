#!/bin/sh
# While an emulation runs, every process of it but the server has no capability left, cannot get new ones, and is filtered.
# Exits with 77 where the rights to emulate are lacking. Argument: the build folder.
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"

cat >s.cfg <<'CFG'
seed = 3;
data = { synthetic = "custom"; users = 12; items = 300; interactions = 600; };
method = { name = "fedmf"; dim = 16; epochs = 1; };
network = { model = "tcp"; connection = "tcp"; downlink = "1 Mbit/s"; uplink = "100 kbit/s"; latency = "15 ms";
    edges = { count = 1; downlink = "1 Mbit/s"; uplink = "1 Mbit/s"; }; };
rounds = { count = 2; cohort = 3; };
CFG
"$program" emulate s.cfg --out results --limit "60 s" --quiet >out 2>err </dev/null &
server=$!
# of PID: its descendants.
descendants() {
    tr ' ' '\n' <"/proc/$1/task/$1/children" 2>/dev/null | while read -r child; do
        echo "$child"
        descendants "$child"
    done
}
field() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null; }

# All are there once packets pass: two that keep the others, the links, an edge, three clients.
what='processes of an emulation'
n=0 waited=0
while [ "$n" -lt 7 ] && [ "$waited" -lt 100 ] && kill -0 "$server" 2>/dev/null; do
    sleep 0.1
    waited=$((waited + 1))
    n=$(descendants "$server" | while read -r process; do [ "$(field "$process" NoNewPrivs)" != 1 ] || echo x; done | wc -l)
done
descendants "$server" >processes
while read -r process; do
    name=$(field "$process" Name)
    [ -n "$name" ] || continue
    echo "$name: CapEff $(field "$process" CapEff), CapBnd $(field "$process" CapBnd), NoNewPrivs $(field "$process" NoNewPrivs), Seccomp $(field "$process" Seccomp)"
    [ "$(field "$process" CapEff)$(field "$process" CapPrm)$(field "$process" CapBnd)" = "000000000000000000000000000000000000000000000000" ] ||
        fail "$name has capabilities"
    [ "$(field "$process" NoNewPrivs)" = 1 ] || fail "$name can get rights"
    [ "$(field "$process" Seccomp)" = 2 ] || fail "$name is not filtered"
    echo "$name" >>names
done <processes
wait "$server"
code=$?
if [ "$code" -eq 2 ] && grep -q 'rights of root' err; then
    echo "SKIPPED test_emulation_rights: $(cat err)"
    exit 77
fi
[ "$code" -eq 0 ] || fail "exit code $code"
for name in fedrecsim-dev fedrecsim-edge fedrecsim-net fedrecsim-keep fedrecsim-wait; do
    grep -qx "$name" names 2>/dev/null || fail "no process $name was seen"
done
[ "$failures" -eq 0 ]
