#!/bin/sh
# A SimGrid platform of one's own, as such files circulate: the server among the clients' hosts, a missing way, a Wi-Fi cell,
# hosts by name. What cannot be played is refused before a run, in one line. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
devices = { compute = "none"; };
platform = { file = "p.xml"; server = "node-0"; clients = "node-"; };
rounds = { count = 3; cohort = 2; };
output = { events = false; what_if = "none"; };
END
# zone LINES...: writes p.xml.
zone() {
    { echo '<?xml version="1.0"?>' && echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        echo '<platform version="4.1"><zone id="z" routing="Full">' && printf '%s\n' "$@" && echo '</zone></platform>'; } >p.xml
}
hosts='<host id="node-0" speed="1Gf"/><host id="node-1" speed="1Gf"/><host id="other" speed="1Gf"/>'
link='<link id="l" bandwidth="1MBps" latency="10ms" sharing_policy="FATPIPE"/>'
route() { echo "<route src=\"$1\" dst=\"$2\"><link_ctn id=\"l\"/></route>"; }

# All clients are behind the link, none beside the server. Messages of 300 items and 8 values of 4 bytes at 1 MB/s.
zone "$hosts" "$link" "$(route node-0 node-1)"
expect 0 run s.cfg --out r
says out '  platform               p.xml: clients live on 1 host; "node-0" is the server'\''s, and none of them'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR > 1 && ($column["duration_s"] < 0.0392 || $column["duration_s"] > 0.0394) { exit 1 }' r/rounds.csv || fail "a round is not 39.3 ms: $(cat r/rounds.csv)"

# By name.
expect 2 check s.cfg --set 'platform.clients=node-1;other'
error 'fedrecsim: s.cfg:4: SimGrid cannot use the platform "p.xml": no message can go from host "node-0" to "other"; allowed: a route of at least one link from the server to each client and back, with 1 byte/s or more and a latency of 0 to 1e9 s'
zone "$hosts" "$link" "$(route node-0 node-1)" "$(route other node-0)"
sed 's/clients = "node-"/clients = ["other", "node-1"]/' s.cfg >names.cfg
expect 0 check names.cfg
says out '  platform     p.xml: clients live on 2 hosts'
expect 2 check s.cfg --set 'platform.clients=node-1;node-0'
error 'fedrecsim: s.cfg:4: SimGrid cannot use the platform "p.xml": host "node-0" is the server'\''s (platform.server) and cannot be a client'\''s, too (platform.clients)'

# SimGrid would end the program in the middle of the run.
sed -i 's/FATPIPE/WIFI/' p.xml
for command in check "run --out refused"; do
    # shellcheck disable=SC2086 # several words
    expect 2 $command s.cfg
    error 'fedrecsim: p.xml:5: link "l": sharing_policy="WIFI": Wi-Fi cells are not simulated, for each station would need a rate of its own; allowed: SHARED | FATPIPE | SPLITDUPLEX'
done

# As others write them: zones of every kind in one, of which SimGrid makes up the hosts.
cat >p.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Floyd">
 <cluster id="fly" topology="DRAGONFLY" topo_parameters="2,1;2,1;2,1;2" prefix="fly-" radical="0-15" suffix=".org" speed="1Gf,0.5Gf" bw="125MBps" lat="50us" loopback_bw="100MBps" loopback_lat="0"/>
 <cluster id="fat" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2" prefix="fat-" radical="0-15" suffix="" speed="1Gf" bw="125MBps" lat="50us"/>
 <cluster id="torus" topology="TORUS" topo_parameters="3,2,2" prefix="torus-" radical="0-11" suffix="" speed="1Gf" bw="125MBps" lat="50us" sharing_policy="SPLITDUPLEX" limiter_link="150MBps"/>
 <cluster id="flat" prefix="flat-" radical="0-4,7" suffix="" speed="1Gf" bw="12MBps" lat="50us" bb_bw="100MBps" bb_lat="10us" router_id="r4"/>
 <zone id="cab" routing="Cluster"><host id="cab-1" speed="1Gf"><prop id="watt_per_state" value="95.0:120.0"/></host><link id="u" bandwidth="125MBps" latency="100us"/>
  <link id="d" bandwidth="125MBps" latency="100us"/><host_link id="cab-1" up="u" down="d"/><router id="r5"/><backbone id="bb" bandwidth="2.25GBps" latency="500us"/></zone>
 <zone id="deep" routing="Dijkstra"><zone id="deeper" routing="Full"><host id="home" speed="1Gf"/></zone><zone id="gate" routing="Full"><router id="r6"/></zone>
  <link id="in" bandwidth="50MBps" latency="2ms" sharing_policy="FATPIPE"/><zoneRoute src="deeper" dst="gate" gw_src="home" gw_dst="r6"><link_ctn id="in"/></zoneRoute></zone>
 <link id="wan" bandwidth="2MBps" latency="40ms"/>
 <zoneRoute src="deep" dst="fat" gw_src="r6" gw_dst="fat-0"><link_ctn id="wan"/></zoneRoute>
 <zoneRoute src="deep" dst="fly" gw_src="r6" gw_dst="fly-0.org"><link_ctn id="wan"/></zoneRoute>
 <zoneRoute src="deep" dst="torus" gw_src="r6" gw_dst="torus-0"><link_ctn id="wan"/></zoneRoute>
 <zoneRoute src="deep" dst="flat" gw_src="r6" gw_dst="r4"><link_ctn id="wan"/></zoneRoute>
 <zoneRoute src="flat" dst="cab" gw_src="r4" gw_dst="r5"><link_ctn id="wan"/></zoneRoute>
</zone></platform>
END
expect 0 run s.cfg --out zones --set rounds.cohort=5 --set platform.server=home --set 'platform.clients=fly-3.org;fat-9;torus-11;flat-7;cab-1'
says out 'clients live on 5 hosts'
# Peers of no zone but Vivaldi's.
cat >p.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4"><AS id="peers" routing="Vivaldi">
 <peer id="100030591" coordinates="25.5 9.4 1.4" speed="1.5Gf" bw_in="2.25GBps" bw_out="2.25GBps"/>
 <peer id="100036570" coordinates="-12.7 -9.9 2.1" speed="730Mf" bw_in="2.25GBps" bw_out="2.25GBps"/>
</AS></platform>
END
expect 0 run s.cfg --out peers --set platform.server=100030591 --set platform.clients=1000

# What is wrong in them is said without SimGrid's own trimmings.
refuses() {
    zone "$1"
    expect 2 check s.cfg
    error "fedrecsim: s.cfg:4: SimGrid cannot use the platform \"p.xml\": $2"
}
refuses "$hosts <host id=\"node-1\" speed=\"1Gf\"/>" "Refusing to create a second host named 'node-1'."
refuses "$hosts $(route node-0 node-1)" 'Link not found: l'
refuses "$hosts $link $(route node-0 nowhere)" "Parse error at p.xml:4: Route dst='nowhere' names no node"
refuses '<zone id="y" routing="Star"/>' 'it has a routing that this version of SimGrid does not know'
for slow in 'bandwidth="1e-30Bps" latency="1ms"' 'bandwidth="1MBps" latency="1e12s"'; do
    refuses "$hosts <link id=\"l\" $slow/> $(route node-0 node-1)" 'no message can go from host "node-0" to "node-1"; allowed: a route of at least one link from the server to each client and back, with 1 byte/s or more and a latency of 0 to 1e9 s'
done

# Routes that SimGrid joins from others, once it simulates: there is a way to "other" over node-1, and none.
floyd() {
    cat >p.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Floyd">
$hosts
$link
$(route node-0 node-1)
$1
</zone></platform>
END
}
floyd "$(route node-1 other)"
expect 0 check s.cfg --set 'platform.clients=node-1;other'
says out 'clients live on 2 hosts'
floyd ""
expect 2 run s.cfg --out refused --set 'platform.clients=node-1;other'
says err 'on the way from host "node-0" to "other": '
[ "$(wc -l <err)" -eq 1 ] || fail "more than a line"
set -- refused*
[ ! -e "$1" ] || fail "leaves $1"
[ "$failures" -eq 0 ]
