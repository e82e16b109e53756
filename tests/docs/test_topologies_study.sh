#!/bin/sh
# The study of docs/what-if/topologies.md: its command runs each sweep once, goes on where it was, and writes the page; its tables by
# hand. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
study=${FRS_SOURCE_DIR:-.}/docs/what-if

# --- Tables by hand ----------------------------------------------------------------------------------------------------------

# points SEED SECONDS OF EDGES THAT ADD, HR OF GOSSIP: a star that has sent 4 GB after 20 rounds; edges whose clients have, too, and
# that have exchanged .2 or 2 GB with the server.
points() {
    mkdir -p "$1"
    {
        echo "case,loss,rounds,hr@10,time_to_target_s,sent_bytes_to_target,edge_bytes_to_target,rounds_to_target,round_s"
        echo "star fibre near wide,none,100,0.5,600,4e9,,20,30"
        echo "star fibre far wide,none,100,0.5,900,4e9,,20,45"
        echo "add fibre near wide,none,100,0.5,$2,4.2e9,2e8,20,15"
        echo "star fibre near wide,30 % 30 s,100,0.5,600,4e9,,20,30"
        echo "forward fibre near wide,none,100,0.5,600,6e9,2e9,20,30"
    } >"$1/points.csv"
    {
        echo "case,loss,rounds,hr@10,time_to_target_s,sent_bytes_to_target,edge_bytes_to_target,rounds_to_target,round_s"
        echo "gossip fibre - -,none,100,$3,inf,inf,,inf,7"
    } >"$1/gossip.csv"
}
points 1 300 0.49
points 2 330 0.48
points 3 270 0.47

what="tables by hand"
awk -v planned=5 -f "$study/statistics.awk" -f "$study/topologies.awk" seed=1 1/points.csv 1/gossip.csv seed=2 2/points.csv 2/gossip.csv \
    seed=3 3/points.csv 3/gossip.csv >out || fail "awk fails"
says out '3 seeds of 5; means over seeds'
# −50, −45 and −55 %: t(2) at 2.5 % is 4.303, and 4.303 · 5/√3 = 12.4; p = .0033, the only one beyond chance of six: three of time
# and HR@10 (edges that add, that forward, gossip), and rounds, bytes and HR@10 of those that add.
says out 'Behind 1 Gbit/s and nearby: over fibre edges that forward +0.0 ± 0.0 %; edges that add −50 ± 12 % (beyond chance).'
says out 'Of 6 differences to the star (time, rounds, clients'"'"' bytes and HR@10; topologies, networks, losses) 1 leaves their own 95 % interval, where chance alone has about 0; by Holm'"'"'s method 1 is beyond chance'
says out '| fibre | near, 1 Gbit/s | none | 10.0 ± 0.0 | 10.0, +0.0 ± 0.0 % | 5.0, **−50 ± 12 %** | – | 0 of 3 |'
# 600 s become 900 s; 2 and .2 GB over the server's link, of 4 GB; −.01, −.02, −.03: 4.303 · .01/√3 = .025.
says out 'The 100 ms alone, behind 1 Gbit/s, change the time by: star over fibre +50 ± 0 %.'
says out 'carry less than under the star: edges that forward −50 ± 0 %; edges that add −95 ± 0 %.'
says out '| none | edges that add | 20, +0.0 ± 0.0 % | 0.20, −95 ± 0 % | 4.00, +0.0 ± 0.0 % | 0.500, +0.000 ± 0.000 |'
says out '| none | gossip | 0 of 3 | 0 | 0 of 3 | 0.480, −0.020 ± 0.025 |'
says out '0 of 3 runs reach the target.'
says out 'Losses were run with 1 of the 2 servers: near, 1 Gbit/s.'

# --- The command -------------------------------------------------------------------------------------------------------------

printf 'before\n<!-- sentences of topologies -->\nold\n<!-- end of sentences -->\nbetween\n<!-- tables of topologies -->\nold\n<!-- end of tables -->\nafter\n' >page.md
run() {
    FEDRECSIM="$program" SEEDS=1 LINKS=fibre PARTS='served-lost gossip-none' PAGE=page.md "$study/topologies.sh" study --jobs 2 \
        --set data.synthetic=small --set rounds.count=10 >out 2>err
}
what="the command"
run || fail "it fails: $(cat err)"
says page.md '| fibre | 100 ms away, 20 Mbit/s | 30 %, noticed after 30 s | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 |'
says page.md '| 30 % | edges that aggregate twice |'
grep -q '^old$' page.md && fail "the old tables are still there"

# A sweep that was stopped is run again, and no other.
what="going on"
cp page.md first.md
touch -d '1 hour ago' study/seed1/served-lost/points.csv study/seed1/gossip-none/points.csv
rm study/seed1/gossip-none.finished
run || fail "it does not go on: $(cat err)"
cmp -s page.md first.md || fail "the page differs"
[ -n "$(find study/seed1/gossip-none/points.csv -mmin -30)" ] || fail "what was not finished is not run again"
[ -z "$(find study/seed1/served-lost/points.csv -mmin -30)" ] || fail "what is finished is run again"

[ "$failures" -eq 0 ]
