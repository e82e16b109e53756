#!/bin/sh
# Labels: sanitized
# The command line: exit codes, help, and what goes to which stream. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >good.cfg <<'END'
seed = 7;
data = { synthetic = "small"; };
network = { preset = "ideal"; };
devices = { preset = "fieldguide"; };
rounds = { count = 2; };
END

grep -v seed good.cfg >rest.cfg

# --- the program itself ---
expect 2
says err "Usage:"
silent out
expect 0 --help
says out "Exit codes:"
silent err
expect 0 --version
says out "fedrecsim 0"
silent err
expect 2 rnu good.cfg
commands=$(sed -n 's/^COMMAND(\(.*\))$/\1/p' "$FRS_SOURCE_DIR/sim/cli/commands.def" | paste -s -d , - | sed 's/,/, /g')
error "fedrecsim: there is no command \"rnu\"; did you mean \"run\"?; commands: $commands"
expect 2 frobnicate
error "fedrecsim: there is no command \"frobnicate\"; commands: $commands"
expect 2 --frobnicate
says err 'there is no option "--frobnicate"'

# --- help of every command ---
for command in run check explain list sweep point; do
    expect 0 $command --help
    says out "Usage: fedrecsim $command"
    silent err
    expect 0 $command --version
    says out "fedrecsim 0"
    expect 2 $command --frobnicate
    says err "fedrecsim $command: unrecognized option '--frobnicate'"
    silent out
done

# --- wrong command lines ---
for command in run check sweep; do
    expect 2 $command
    says err "fedrecsim $command: needs a scenario: its file, its name (fedrecsim list scenarios), or - for standard input"
    expect 2 $command good.cfg other.cfg
    says err "one scenario file at a time, found good.cfg and other.cfg"
    for number in 0 -1 4x 1e3 0x4 '' ' 4' 1025 99999999999999999999; do
        expect 2 $command good.cfg --threads "$number"
        says err "fedrecsim $command: --threads $number: allowed: an integer from 1 to 1024"
        silent out
    done
    for number in -1 7.0 seven '' 9007199254740993 99999999999999999999; do
        expect 2 $command good.cfg --seed "$number"
        says err "fedrecsim $command: --seed $number: allowed: an integer from 0 to 9007199254740992"
    done
    expect 2 $command good.cfg --out ''
    says err "--out: needs the name of a folder"
    expect 2 $command good.cfg --set
    says err "requires an argument"
done
expect 2 check good.cfg --force
says err "unrecognized option '--force'"

# --- wrong scenarios ---
for command in run check; do
    expect 2 $command nowhere.cfg
    error 'fedrecsim: nowhere.cfg: cannot be read: No such file or directory'
    expect 2 $command .
    error 'fedrecsim: .: cannot be read: is a folder'
    printf 'seed = 1;\nnetwork = { downlink = 6 Mbit/s; };\n' >bad.cfg
    expect 2 $command bad.cfg
    error 'fedrecsim: bad.cfg:2: network.downlink: a value with a unit needs double quotes: "6 Mbit..."'
    printf 'seed = -1;\nsed = 2;\n@include "rest.cfg"\n' >bad.cfg
    expect 2 $command bad.cfg --set rounds.count=0x --set seed
    error 'fedrecsim: bad.cfg:1: seed: "-1" is out of range; allowed: an integer from 0 to 9007199254740992
fedrecsim: bad.cfg:2: sed: unknown key; did you mean "seed"?
fedrecsim: --set rounds.count=0x: rounds.count: "0x" is not a number; allowed: an integer from 1 to 1000000000
fedrecsim: --set seed: has to look like section.key=value'
done
[ ! -e results ] || fail "a wrong scenario left a folder"

# --- standard input ---
# given CODE TEXT ARGUMENT...: like expect, with a text on standard input.
given() {
    expected=$1
    what="fedrecsim ... with \"$2\" on standard input"
    printf '%b' "$2" >in
    shift 2
    "$program" "$@" >out 2>err <in
    code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
}
mkdir parts
echo 'seed = 7;' >parts/seed.cfg
given 0 '@include "parts/seed.cfg"\ndata = { synthetic = "small"; };\n' check -
says out '<stdin>: no problems found'
says out 'results/stdin-seed7'
given 2 'seed = 1;\nsed = 2;\n' check -
error 'fedrecsim: <stdin>:2: sed: unknown key; did you mean "seed"?'
given 2 'seed = \0;\n' check -
error 'fedrecsim: <stdin>: cannot be read: has a zero byte, so it is not a text file'
given 0 'data = { synthetic = "small"; };\nrounds = { count = 1; cohort = 2; };\n' sweep - --vary 'seed2 | a: method.dim=4 | b: method.dim=8' --out swept --quiet
[ -s swept/points/0001/summary.json ] || fail "no second point"
rm -rf swept parts in
what="endless standard input"
"$program" check - </dev/zero >out 2>err
[ $? -eq 2 ] || fail "exit code"
error 'fedrecsim: <stdin>: cannot be read: is larger than 16 MiB'
mkfifo pipe
for input in pipe /dev/zero; do
    for key in data.path network.trace availability.file platform.file network.uplink.file; do
        extra=
        [ $key != data.path ] || extra='--set data.format=lastfm'
        [ $key != availability.file ] || extra='--set availability.model=trace'
        [ $key != network.uplink.file ] || extra='--set network.uplink.distribution=empirical'
        # shellcheck disable=SC2086
        expect 2 check good.cfg $extra --set "$key=$input"
        says err "cannot be read: is not a regular file"
    done
done
rm pipe

# --- keys without effect ---
# What is idle in the file by itself and with what is put on top is refused; what --set or a level made idle rests.
cat >idle.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "colr"; dim = 16; rank = 4; };
network = { preset = "ideal"; };
rounds = { count = 1; cohort = 5; };
evaluation = { information_loss = true; };
END
idle='fedrecsim: idle.cfg:5: evaluation.information_loss: has no effect here'
for command in check run; do
    expect 2 $command idle.cfg
    error "$idle"
    expect 2 $command idle.cfg --set method.dim=8
    error "$idle"
    expect 2 $command idle.cfg --set data.synthetic=small --set data.negatives_per_positive=2
    error "$idle"
    expect 2 $command idle.cfg --set rounds.count=2 --set devices.preset=ideal --seed 5
    error "$idle"
    expect 2 $command idle.cfg --set rounds.contact_timeout=1
    says err 'fedrecsim: --set rounds.contact_timeout=1: '
done
expect 2 sweep idle.cfg --vary 'method.dim = 4, 8' --out swept
error "$idle"
[ ! -e swept ] || fail "left a folder"
# With an axis that makes it effective in some cells the file is still wrong by itself.
expect 2 sweep idle.cfg --vary 'codec.uplink = dense, topk' --out swept
says err 'information_loss: has no effect here'

# What is idle in the file by itself and has an effect with its --set is fine, and what is idle with it, too, is
# refused for the reason that holds with it.
expect 0 check idle.cfg --set codec.uplink=topk
expect 0 sweep idle.cfg --vary 'method.name = colr, fedmf_update' --set codec.uplink=topk --out swept --quiet
rm -rf swept
expect 2 sweep idle.cfg --vary 'method.dim = 4, 8' --set rounds.count=2 --out swept
says err 'information_loss: has no effect here'
cat >useful.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf_update"; dim = 16; };
network = { preset = "ideal"; };
rounds = { count = 1; cohort = 5; };
adaptation = { name = "uniform"; from = 2; };
END
for command in check run; do
    expect 2 $command useful.cfg
    says err 'useful.cfg:5: adaptation.name: uploads of method "fedmf_update" under codec "dense" have one size'
    says err 'useful.cfg:5: adaptation.from: has no effect here'
    expect 2 $command useful.cfg --set codec.uplink=touched_rows
    says err 'useful.cfg:5: adaptation.name: uploads of method "fedmf_update" under codec "touched_rows" have one size'
    expect 0 $command useful.cfg --set codec.uplink=topk --set codec.uplink.k=8
    expect 2 $command useful.cfg --set method=colr --set method.rank=2
    says err 'useful.cfg:5: adaptation.name: uploads of method "colr" under codec "dense" have one size'
    rm -rf results
    expect 0 $command useful.cfg --set method=scolr --set method.rank=8
    ! grep -q rests: out || fail "something rests"
    expect 2 $command useful.cfg --set method=scolr --set method.rank=8 --set adaptation=fixed
    error 'fedrecsim: useful.cfg:5: adaptation.from: has no effect here'
    expect 2 $command useful.cfg --set adaptation=fixed
    says err '--set adaptation=fixed: adaptation.name: uploads of method "fedmf_update" under codec "dense"'
    [ "$(grep -c adaptation.name err)" -eq 1 ] || fail "tells the same key twice"
done
rm -rf results
expect 0 sweep useful.cfg --vary 'method.rank = 4, 8' --set method=scolr --out swept --quiet
rm -rf swept

sed '/evaluation/d' idle.cfg >rests.cfg
echo 'adaptation = "uniform";' >budgets.cfg
sed 's/"colr"; dim = 16; rank = 4/"scolr"; dim = 16/' rests.cfg >>budgets.cfg
expect 0 check rests.cfg
! grep -q rests: out || fail "something rests"
expect 0 check rests.cfg --set method.name=fedmf
says out '  rests        method.rank = 4 (in the file, without effect here)'
expect 0 run rests.cfg --set method.name=fedmf --out rests
says out '  rests                  method.rank = 4 (in the file, without effect here)'
tr -d ' \n' <rests/manifest.json | grep -q '"resting":{"method.rank":"4"}' || fail "manifest"
expect 0 replay rests
says out "manifest.json: identical"
expect 0 check budgets.cfg
expect 0 check budgets.cfg --set method.name=fedmf
says out 'rests        adaptation.name = uniform (in the file, without effect here)'
expect 2 check rests.cfg --set adaptation=uniform
error 'fedrecsim: --set adaptation=uniform: adaptation.name: uploads of method "colr" under codec "dense" have one size; allowed: no section adaptation, or uploads of several sizes (method: scolr; codec: topk, svd, svd_quantised, groups, adaptive_groups, rvq)'
expect 0 sweep rests.cfg --vary 'method.name = colr, fedmf' --replicates 2 --out swept --quiet
for point in 0 1 2 3; do
    tr -d ' \n' <swept/points/000$point/manifest.json >resting
    case $point in
    [01]) says resting '"resting":{}' ;;
    *) says resting '"resting":{"method.rank":"4"}' ;;
    esac
done
expect 0 replay swept/points/0002
says out "manifest.json: identical"
rm -rf rests swept

# --- check ---
expect 0 check good.cfg --seed 9007199254740992 --threads 2 --set rounds.count=3 --out somewhere
says out "good.cfg: no problems found"
silent err
[ ! -e somewhere ] || fail "wrote results"

# --- explain and list ---
expect 0 explain
says out "seed "
says out "data: "
silent err
expect 0 explain data
says out "data: "
if grep -q '^evaluation:' out; then fail "shows other sections"; fi
expect 2 explain dta
says err 'fedrecsim: explain: there is no section "dta"; did you mean "data"?; sections: data, '
silent out
expect 2 explain data evaluation
says err "one section at a time, found data and evaluation"
expect 0 explain --markdown reference
says reference/README.md "# Scenario reference"
expect 0 list
silent err
expect 2 list frobnicate
says err 'fedrecsim: list: there is no kind "frobnicate"; kinds: '
silent out
expect 2 list a b
says err "one kind at a time, found a and b"

# --- a full disk ---
if [ -e /dev/full ]; then
    what="fedrecsim explain on a full disk"
    "$program" explain >/dev/full 2>err
    code=$?
    : >out
    [ "$code" -eq 1 ] || fail "exit code $code"
    says err "fedrecsim: cannot write to standard output"
fi

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
