#!/bin/sh
# Which model of the network a scenario has that names none, and what is said of it. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
network = { preset = "4g"; };
rounds = { count = 2; cohort = 5; };
output = { events = false; };
END
cat >grid.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="net" routing="Full">
    <host id="server" speed="1Gf"/> <host id="client" speed="1Gf"/>
    <link id="link" bandwidth="100kBps" latency="10ms"/>
    <route src="server" dst="client"><link_ctn id="link"/></route>
  </zone>
</platform>
END

# model FOLDER NAME: what the manifest says of it, as a setting and as what played.
model() {
    grep -q "\"network.model\": \"$2\"" "$1/manifest.json" || fail "network.model is not $2 in the manifest"
    grep -q "\"network_model\": \"$2\"" "$1/manifest.json" || fail "network_model is not $2 in the manifest"
}

# --- by default ---
expect 0 run s.cfg --quiet --out plain
model plain tcp
grep -q '"network.connection": "tls"' plain/manifest.json || fail "connections are not tls"
grep -q '"network.idle_windows": "reset"' plain/manifest.json || fail "windows are not reset"
grep -q '"network.payload_share": "1"' plain/manifest.json || fail "payload_share is not 1"
expect 0 run s.cfg --out other --set network.model=exact
model other exact
silently() { ! grep -q '^  network  ' out || fail "says something of the network: $(grep '^  network  ' out)"; }
silently

# --- where SimGrid's own solver is used, exact is taken, and said ---
exact="exact, which opens no connections and has no slow start: SimGrid's own solver does not simulate tcp, the default"
expect 0 run s.cfg --out solved --set engine.backend=simgrid
model solved exact
says out "$exact"
expect 0 check s.cfg --set engine.backend=simgrid
says out "$exact"
expect 0 run s.cfg --out grid --set platform.file=grid.xml --set platform.server=server --set platform.clients=client
model grid exact
says out "$exact"
expect 0 run s.cfg --out solved-too --set engine.backend=simgrid --set network.model=exact
silently
what="the model that was named"
cmp -s solved/rounds.csv solved-too/rounds.csv || fail "has other results"
expect 2 run s.cfg --out refused --set engine.backend=simgrid --set network.model=tcp
says err '"tcp" is not possible under SimGrid'\''s own solver; allowed with engine.backend = "simgrid": exact | lv08'
expect 2 run s.cfg --out refused --set engine.backend=simgrid --set network.connection=tcp
says err "network.connection: has no effect here"

# --- where a model says little, in one line ---
idle="tcp without latency (network.latency): nothing is waited for, and a message alone on its links takes about as long as under exact"
for network in 'network.preset=ideal' 'network.preset=fieldguide' 'network.latency=0 s'; do
    expect 0 check s.cfg --set "$network"
    says out "  network      $idle"
    expect 0 check s.cfg --set "$network" --set network.model=exact
    silently
done
expect 0 run s.cfg --out idle --set network.latency=0s
says out "  network                $idle"
for network in preset=fedscale preset=3g 'classes=3g 50 %, fieldguide 50 %' latency=1us; do
    expect 0 check s.cfg --set "network.$network"
    silently
done

# Of the median client: messages of 300 * 16 * 4 + 24 bytes at 0.97 of 5 MB/s and of 50 kB/s; twice 13.01 * 4 ms, 104.1 ms
# in all, are less than the 400.3 ms of the bytes, and of 40 ms more.
slow="--set network.model=lv08 --set network.downlink=5MB/s --set network.uplink=50kB/s"
# shellcheck disable=SC2086 # several words
expect 0 check s.cfg $slow --set network.latency=4ms
silently
# shellcheck disable=SC2086
expect 0 check s.cfg $slow --set network.latency=40ms
says out "  network      lv08: twice 13.01 latencies (1.04 s at the median) outweigh the bytes (400.33 ms); measured: tcp"

# A wide jitter runs into the least capacity.
expect 0 check s.cfg --set network.preset=3g --set network.jitter=1
silently
expect 0 check s.cfg --set network.preset=3g --set network.jitter=5
grep -q '^  network      jitter 5 makes [0-9.]* % of the transfers slower than 1 byte/s' out || fail "says nothing of jitter"

# What check shows of a participation is without jitter, and it says so: of the preset, of the largest class, of none.
expect 0 check s.cfg
says out "    without jitter, whose sigma is 0.47 of bandwidth, 0.52 of latency"
expect 0 check s.cfg --set network.classes="3g 50 %, wifi 50 %"
says out "    without jitter, whose sigma is 0.47 of bandwidth, 0.52 of latency (the largest of a class)"
expect 0 check s.cfg --set network.classes="3g 50 %, wifi 50 %" --set network.jitter=0.1 --set network.latency_jitter=0
grep -qx '    without jitter, whose sigma is 0.1 of bandwidth' out || fail "has another jitter than the scenario says"
expect 0 check s.cfg --set network.jitter=0 --set network.latency_jitter=0
! grep -q 'without jitter' out || fail "has jitter"

[ ! -e refused ] || fail "leaves something behind"
[ "$failures" -eq 0 ]
