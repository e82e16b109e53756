#!/bin/sh
# The command line: exit codes, help, and what goes to which stream. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../expect.sh"

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
says out "Exit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted."
silent err
expect 0 --version
says out "fedrecsim 0"
silent err
expect 2 rnu good.cfg
error 'fedrecsim: there is no command "rnu"; did you mean "run"?; commands: run, check, explain, list, sweep, point, replay, collect, compare'
expect 2 frobnicate
error 'fedrecsim: there is no command "frobnicate"; commands: run, check, explain, list, sweep, point, replay, collect, compare'
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
    says err "fedrecsim $command: needs a scenario file"
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
    error 'fedrecsim: .: is a folder, not a scenario file'
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
expect 0 explain --markdown
says out "# Scenario reference"
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
