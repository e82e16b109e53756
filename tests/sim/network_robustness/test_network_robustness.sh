#!/bin/sh
# compare --fidelity: the networks that runs are repeated under, and orders that the server's link alone turns round. Argument:
# the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# A message has 19,224 bytes, one way takes 1 s, and only the server's link takes time to cross: four rounds of four clients last
# 8 s and 32 messages, eight rounds of one client 16 s and 16 messages. At 35 kB/s that is 25.58 and 24.79 s, at 42 kB/s 22.65 and
# 23.32 s, at 28 kB/s 29.97 and 26.99 s.
cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 16; };
network = { model = "exact"; downlink = "1 Gbit/s"; uplink = "1 Gbit/s"; latency = "1 s"; };
devices = { compute = "fixed"; overhead = "0 s"; };
rounds = { count = 4; cohort = 4; };
training = { enabled = false; };
END
shared='--set network.server_downlink=35kB/s --set network.server_uplink=35kB/s'

# shellcheck disable=SC2086
expect 0 sweep s.cfg --out sw --quiet --replicates 1 $shared --vary 'design: size | four | one: rounds.cohort=1 & rounds.count=8'
expect 0 compare sw --fidelity --by simulated_s --out again
cp out table
says table "- server's link × 1.2: size=four − size=one is -676.6 ± – ms instead of +788.1 ± –"
grep -q "^- server's link × 0.8" table && fail "the slower link turns an order round"
grep -q '^- bandwidth' table && fail "the clients' links turn an order round"
head=$(grep '^| entry ' table | tail -n 1)
for kind in 'as it is' exact tcp packets 'bandwidth × 0.8' 'bandwidth × 1.2' "server's link × 0.8" "server's link × 1.2" \
    'packets, queue 50 ms' 'packets, queue 1 s' 'packets, fair queue' 'packets, kept connections'; do
    case $head in *"| $kind "*) ;; *) fail "no \"$kind\" in $head" ;; esac
done
case $head in *fifo* | *new*) fail "repeats what a run is already: $head" ;; esac

# Each column is the run with just these settings.
column() { # KIND: the figure of the four-clients' entry under it, as the table has it
    awk -F '|' -v kind="$1" '
        /^\| entry / { for (i = 1; i <= NF; i++) { name = $i; gsub(/^ +| +$/, "", name); if (name == kind) n = i } }
        n && /^\| size=four / { split($n, parts, " "); print parts[2] }' table | tail -n 1
}
while IFS=';' read -r kind sets; do
    # shellcheck disable=SC2086
    expect 0 run s.cfg --quiet --out "of $kind" $shared $sets
    seconds=$(sed -n 's/^ *"simulated_s": \([0-9.]*\),*$/\1/p' "of $kind/summary.json")
    shown=$(column "$kind")
    awk -v a="$seconds" -v b="$shown" 'BEGIN { exit !(a > 0 && b > 0 && (a - b) ^ 2 < 1e-6 * a ^ 2) }' ||
        fail "$kind: $shown instead of $seconds"
done <<'END'
as it is;--set network.model=exact
server's link × 0.8;--set network.server_downlink=28kB/s --set network.server_uplink=28kB/s
packets;--set network.model=packets
packets, queue 50 ms;--set network.model=packets --set network.queue=50ms
packets, queue 1 s;--set network.model=packets --set network.queue=1s
packets, fair queue;--set network.model=packets --set network.server_queue=fair
packets, kept connections;--set network.model=packets --set network.connection=kept
END

# Where nobody shares a link the server's is not varied, and that is told. A run that is packets with kept connections already is
# repeated with new ones.
kept='--set network.model=packets --set network.connection=kept --set network.queue=1s'
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out four $kept
# shellcheck disable=SC2086
expect 0 run s.cfg --quiet --out one $kept --set rounds.cohort=1
expect 0 compare four one --fidelity --by simulated_s
says out "The server's link is unlimited in all of these runs, so neither its rate nor how it serves its queue was varied."
head=$(grep '^| entry .*as it is' out)
case $head in *"server's"* | *fair* | *"1 s"* | *kept*) fail "repeats what has no effect: $head" ;; esac
case $head in *'packets, queue 50 ms '*'packets, new connections '*) ;; *) fail "no other connections: $head" ;; esac

# The access sides of edges are shared, too, and a table may limit them.
printf 'name,access_down_kbit_s,access_up_kbit_s\na,280,280\nb,280,280\n' >edges.csv
for clients in 4 1; do
    expect 0 run s.cfg --quiet --out "behind $clients" --set network.edges.file=edges.csv --set network.model=packets --set rounds.cohort=$clients
done
expect 0 compare 'behind 4' 'behind 1' --fidelity --by simulated_s
case $(grep '^| entry .*as it is' out) in *'packets, fair queue'*) ;; *) fail "how access sides of a table serve their queues was not varied" ;; esac

# A trace says what the server's link is: nothing multiplies it.
printf 't_s,down_bytes_per_s,up_bytes_per_s\n0,35000,35000\n100,35000,35000\n' >server.csv
expect 0 run s.cfg --quiet --out traced --set server.trace=server.csv
expect 0 run s.cfg --quiet --out traced-one --set server.trace=server.csv --set rounds.cohort=1
expect 0 compare traced traced-one --fidelity --by simulated_s
says out "traced is left out under server's link × 0.8: its server's link is that of a trace (server.trace)"
# Clients share such a link as they do a constant one: served in turns they are through as soon.
expect 0 run s.cfg --quiet --out 'traced and fair' --set server.trace=server.csv --set network.model=packets \
    --set network.server_queue=fair
for of in 'traced and fair' 'of packets, fair queue'; do
    grep '"simulated_s"' "$of/summary.json"
done | uniq | wc -l | grep -qx ' *1' || fail "fair queues under a trace are not those of a constant link"
[ "$failures" -eq 0 ]
