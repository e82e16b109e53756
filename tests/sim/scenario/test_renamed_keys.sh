#!/bin/sh
# Keys of earlier scenarios are refused in one line that names what they are called now. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

echo 'data = { synthetic = "small"; };' >s.cfg

# refused SETTING MESSAGE: `--set SETTING` ends with exit 2 and that line.
refused() {
    expect 2 check s.cfg --set "$1"
    error "fedrecsim: --set $1: $2"
}

refused engine.player=simgrid 'engine.player: unknown key; did you mean engine.backend?'
refused evaluation.references=popularity 'evaluation.references: unknown key; did you mean evaluation.non_federated?'
refused rounds.stop_after=5 'rounds.stop_after: unknown key; did you mean rounds.stop_min_rounds?'
refused rounds.stop_change=0.1 'rounds.stop_change: unknown key; did you mean rounds.stop_tolerance?'
refused network.table=f.csv 'network.table: unknown key; did you mean network.fleet?'
refused devices.table=f.csv 'devices.table: unknown key; did you mean devices.fleet?'
for section in network devices; do
    for how in rows sample in_turn; do
        refused $section.fleet=$how "$section.fleet: \"$how\" is how rows become clients and no file; allowed: a CSV file here, and $section.fleet_assignment = \"$how\""
    done
done

echo 'shields = ( { name = "clip"; } );' >>s.cfg
expect 2 check s.cfg
says err 's.cfg:2: shields'
says err 'did you mean privacy'

# What a sweep's axis is has other names, too.
echo 'data = { synthetic = "small"; };' >s.cfg
for role in choice circumstance; do
    expect 2 sweep s.cfg --out swept --vary "$role: way | a: rounds.count=1 | b: rounds.count=2"
    says err 'begins with no role; allowed: design:, environment:'
done

# A list of mechanisms is found by the name of its key.
expect 0 list privacy
says out '  clip '
