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
error 'fedrecsim: s.cfg:4: SimGrid cannot use the platform "p.xml": no message can go from host "node-0" to "other"; allowed: a route of at least one link from the server to each client and back, with a bandwidth above 0 and a latency of 0 or more'
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
