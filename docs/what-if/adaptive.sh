#!/bin/sh
# The study of docs/what-if/adaptive.md: four methods whose uploads can be smaller, with one size for all and with the sizes that
# adaptations grant, in the cases of scenarios/what-if/adaptive.cfg; then the tables of the page. Needs the program, sh and awk.
#   docs/what-if/adaptive.sh [FOLDER [OPTION...]]   default: results/adaptive; arguments and variables: docs/what-if/study.sh
#   METHODS='scolr ...'    default: all four
# The real data: docs/what-if/adaptive.sh results/adaptive-100k --set data.path="$FEDRECSIM_DATA/ml-100k/u.data" --set data.format=movielens-100k
set -eu

study=adaptive
# shellcheck source=docs/what-if/study.sh
. "$(dirname "$0")/study.sh"
methods=${METHODS:-scolr groups topk rvq}

# What chooses a method, its largest budget, and a quarter of it.
level_of() {
    case $1 in
    scolr) echo "scolr: method.name=scolr" ;;
    groups) echo "groups: codec.uplink=groups & codec.uplink.compression_rate=0.1" ;;
    topk) echo "topk: codec.uplink=topk & codec.uplink.k=16" ;;
    rvq) echo "rvq: codec.uplink=rvq" ;;
    esac
}
quarter_of() {
    case $1 in
    scolr) echo 8 ;;
    groups) echo 378 ;;
    topk) echo 4 ;;
    rvq) echo 1 ;;
    esac
}

# As in the scenario.
case_of() {
    sed -n "s/^ *\"\( | $1\(: .*\)*\)\",*$/\1/p" "$root/scenarios/what-if/adaptive.cfg"
}

parts() {
    for method in $methods; do
        echo "$method-open" "$method-capped"
    done
}

variables() { # PART
    echo "method=${1%-*}"
}

run_part() { # SEED PART OPTION...
    seed=$1 part=$2 method=${2%-*}
    shift 2
    sizes="largest | quarter: adaptation.budget=$(quarter_of "$method") | proportional: adaptation=proportional | deadline: adaptation=deadline"
    case $part in
    *-open) cases="$(case_of wait_all)$(case_of over_select)" ;;
    # The adaptation `cap` is refused where there is no cap.
    *-capped) sizes="$sizes | cap: adaptation=cap" cases=$(case_of capped) ;;
    esac
    sweep "$seed" "$part" "$root/scenarios/what-if/adaptive.cfg" --vary "design: method | $(level_of "$method")" \
        --vary "design: size | $sizes" --vary "environment: case$cases" "$@"
}

run_study "$@"
