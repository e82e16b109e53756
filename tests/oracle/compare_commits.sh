#!/bin/sh
# Builds two commits and has both run the same scenarios: their rounds.csv, clients.csv and events.ndjson are the same to the
# last byte, and so is the information_loss of summary.json, or this says where they differ. What a change that must not change
# results is held to.
#
#   tests/oracle/compare_commits.sh [--keep DIR] [--summary] A B [N]
#
#   A, B        commits, "." for the tree this script stands in as it is now, or programs (files) that are built already
#   N           how many scenarios (default 60): up to half of them shipped ones, shortened; the others drawn at random
#   --keep DIR  keeps what was built, for the next time, and under DIR/differing the scenarios and runs that differ
#   --summary   compares all of summary.json, but for what it says of the machine
#
# The scenarios are those of the tree this script stands in, whatever is compared. Exit 0: all the same; 1: something differs,
# or only one of the two accepts a scenario (which may be what a new key is for: the line says so); 2: wrong usage, no build.
set -eu

# Each line: a scenario and settings. The list trains every learner, and has the codecs, protocols and policies. Ranks hide
# small changes of a model; what quantisation leaves out of its updates, with 15 digits, hides none.
shipped() {
    seen='codec.uplink=quantise evaluation.information_loss=true'
    cat <<END
quickstart.cfg
what-if/stragglers.cfg rounds.policy=deadline rounds.policy.after=0.5s rounds.stragglers=run_on rounds.policy.late=accept $seen
what-if/stragglers.cfg rounds.policy=buffered_async rounds.count=12 method.name=colr $seen
papers/colr-ml100k.cfg method.catchup=cheapest $seen
papers/rfrec-table2.cfg method.local_step=gradient
what-if/dropout.cfg availability.p=0.5 failures.up=0.2 failures.compute=0.1 $seen
papers/pfedclr-table1-ml100k.cfg network.preset=mixed-mobile devices.preset=phones $seen
papers/fedras-table1.cfg codec.uplink=groups codec.downlink=adaptive_groups rounds.cohort=20 evaluation.information_loss=true
papers/scolr-ml100k.cfg adaptation.name=deadline network.preset=4g rounds.cohort=30 $seen
papers/gpfedrec-ml100k.cfg evaluation.protocol=leaky $seen
papers/pfedclr-table1-pfedgraph-ml100k.cfg $seen
papers/fedrap-ml100k.cfg rounds.policy=over_select rounds.cohort=40 network.preset=3g $seen
papers/rfrec-table2-baselines.cfg
what-if/networks.cfg rounds.cohort=40 rounds.count=10 network.server_uplink=5Mbit/s
papers/rfrec-published-code.cfg data.clients=40
papers/pfedrec-ml100k.cfg rounds.policy=quantile rounds.policy.share=0.6 network.preset=5g $seen
papers/fedncf-ml100k.cfg rounds.policy=partial_work rounds.policy.after=1s rounds.policy.grace=1s $seen
what-if/adaptive-rank.cfg adaptation=proportional $seen
papers/rfrec-communications.cfg method.name=rfrecf
papers/fedras-table1.cfg codec.uplink=rank_one codec.downlink=quantise rounds.cohort=20 evaluation.information_loss=true
what-if/defaults.cfg method.name=fedfast data.feedback=explicit data.split=ratio
platforms/edge.cfg
what-if/rfrec-dropout.cfg failures.connection_down=0.5 $seen
papers/fedras-table1-ncf.cfg codec.uplink=svd_quantised rounds.cohort=20 evaluation.information_loss=true
what-if/defaults.cfg method.name=fcf_implicit $seen
what-if/defaults.cfg method.name=fedmf_ratings data.feedback=explicit data.split=ratio
papers/evaluation.cfg method.name=colr_ncf $seen
END
}

usage() {
    echo "Usage: ${0##*/} [--keep DIR] [--summary] A B [N]   (A, B: a commit, \".\", or a program)" >&2
    exit 2
}

die() {
    echo "${0##*/}: $1" >&2
    exit 2
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../.." && pwd -P)
keep='' files='rounds.csv clients.csv events.ndjson information_loss'
while [ $# -gt 0 ]; do
    case $1 in
    --keep)
        [ $# -ge 2 ] || usage
        mkdir -p "$2" || exit 2
        keep=$(CDPATH='' cd -- "$2" && pwd -P)
        shift
        ;;
    --summary) files="$files summary.json" ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -eq 2 ] || [ $# -eq 3 ] || usage
n=${3:-60}
case $n in '' | 0* | *[!0-9]*) usage ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
builds=${keep:-$work}

# build SOURCE FOLDER: only the program; prints where it is, wherever that commit puts it.
build() {
    mkdir -p "$2"
    { cmake -S "$1" -B "$2" && cmake --build "$2" --parallel "$(getconf _NPROCESSORS_ONLN)" --target fedrecsim; } \
        >"$2.log" 2>&1 || { tail -n 20 "$2.log" >&2 && die "$1 cannot be built"; }
    found=$(find "$2" -name fedrecsim -type f -perm -u+x | head -n 1)
    [ -n "$found" ] || die "$1 builds no fedrecsim"
    echo "$found"
}

# program A-OR-B: prints the file of the program. Of a commit only that is kept; the tree's own build goes on from the last one.
program() {
    if [ "$1" = . ]; then
        build "$root" "$builds/tree"
        return
    fi
    if [ -f "$1" ] && [ -x "$1" ]; then
        echo "$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd -P)/${1##*/}"
        return
    fi
    commit=$(git -C "$root" rev-parse --verify --quiet --end-of-options "$1^{commit}") ||
        die "\"$1\" is neither a commit, nor \".\", nor a program"
    if [ ! -x "$builds/$commit/fedrecsim" ]; then
        mkdir -p "$work/source" "$builds/$commit"
        git -C "$root" archive "$commit" | tar -x -C "$work/source"
        built=$(build "$work/source" "$work/build")
        cp "$built" "$builds/$commit/fedrecsim"
        rm -rf "$work/source" "$work/build"
    fi
    echo "$builds/$commit/fedrecsim"
}

# The generator alone: it needs nothing of what is compared.
build_generator() {
    cc -O1 -D_GNU_SOURCE -I"$here/replay" -x c -o "$work/draw" - "$here"/replay/draw*.c -lm <<'END' || die "no generator"
#include "draw.h"
#include <stdlib.h>
int main(int n, char **arguments) {
    if (n == 3)
        draw_scenario(strtoull(arguments[1], NULL, 10), arguments[2]);
    return n != 3;
}
END
}

# start PROGRAM SIDE FILE SETTING...: runs it in the background, in the folder of the scenario's files.
start() {
    started=$1 side=$work/runs/$2 file=$3
    shift 3
    for setting; do
        shift
        set -- "$@" --set "$setting"
    done
    mkdir -p "$side"
    (
        cd "$at" || exit 2
        code=0
        timeout -s KILL 120 "$started" run "$file" --quiet --threads=1 --out "$side/run" "$@" \
            </dev/null >"$side/said" 2>&1 || code=$?
        if [ -f "$side/run/summary.json" ]; then
            sed -n '/^  "information_loss": {/,/}/p' "$side/run/summary.json" >"$side/run/information_loss"
            sed -i '/^  "machine": {/,/^  }/d' "$side/run/summary.json"
        fi
        echo "$code" >"$side/code"
    ) &
}

n_same=0 n_different=0 n_one_sided=0 n_refused=0

# A line for each thing that differs between the two sides of the scenario $name.
judge() {
    a=$work/runs/a b=$work/runs/b differs=''
    code_a=$(cat "$a/code") code_b=$(cat "$b/code")
    if [ "$code_a" = 2 ] && [ "$code_b" = 2 ]; then
        echo "$name: neither accepts it: $(head -n 1 "$a/said")"
        n_refused=$((n_refused + 1))
        return
    fi
    if [ "$code_a" = 2 ] || [ "$code_b" = 2 ]; then
        side=a other=B
        [ "$code_a" = 2 ] || side=b other=A
        echo "$name: only $other accepts it: $(head -n 1 "$work/runs/$side/said")"
        n_one_sided=$((n_one_sided + 1))
        return
    fi
    if [ "$code_a" != "$code_b" ]; then
        echo "$name: exit code $code_a in A, $code_b in B"
        differs=yes
    fi
    for file in $files; do
        [ -f "$a/run/$file" ] || [ -f "$b/run/$file" ] || continue
        where=$(cmp "$a/run/$file" "$b/run/$file" 2>&1) && continue
        echo "$name: $file${where##*"$file"}" | sed 's/ differ: / differs: /'
        differs=yes
    done
    if [ -z "$differs" ]; then
        n_same=$((n_same + 1))
        return
    fi
    n_different=$((n_different + 1))
    [ -z "$keep" ] || { mkdir -p "$keep/differing" && cp -r "$work/runs" "$keep/differing/$name"; }
}

# compare NAME FOLDER FILE SETTING...
compare() {
    name=$1 at=$2
    shift 2
    rm -rf "$work/runs"
    start "$program_a" a "$@"
    start "$program_b" b "$@"
    wait
    judge
}

program_a=$(program "$1")
program_b=$(program "$2")
build_generator
[ -z "$keep" ] || rm -rf "$keep/differing"

# Small data that need no file, and events, whatever the scenario says.
small='rounds.count=3 evaluation.every=1 output.events=true data.format=synthetic data.synthetic=custom data.users=120
data.items=300 data.interactions=6000'
n_shipped=0
shipped >"$work/list"
while [ "$n_shipped" -lt $((n / 2)) ] && read -r file settings; do
    n_shipped=$((n_shipped + 1))
    # shellcheck disable=SC2086 # one word per setting
    compare "$n_shipped-$(basename "$file" .cfg)" "$root" "scenarios/$file" $small $settings
done <"$work/list"

number=0
while [ "$number" -lt $((n - n_shipped)) ]; do
    number=$((number + 1))
    mkdir -p "$work/random"
    "$work/draw" "$number" "$work/random"
    compare "random-$number" "$work/random" s.cfg
done

echo "$n scenarios: $n_same the same, $n_different different, $n_one_sided that only one accepts, $n_refused that neither accepts"
[ $((n_different + n_one_sided)) -eq 0 ] && [ "$n_same" -gt 0 ]
