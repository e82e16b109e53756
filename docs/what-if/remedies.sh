#!/bin/sh
# The study of docs/what-if/remedies.md: every method with every correction of the aggregate that is defined for it, in the environments
# of scenarios/what-if/remedies.cfg, and RFRec; then the tables of the page. Needs the program, sh and awk. It takes some 2.2 CPU-hours, on
# one core or on several.
#   docs/what-if/remedies.sh [FOLDER [OPTION...]]   default: results/remedies; arguments and variables: docs/what-if/study.sh
#   METHODS='fedmf ...'    default: all four
#   LOSSES=PATTERN         environments whose label matches (of grep -E), default: all
# The real data: docs/what-if/remedies.sh results/remedies-100k --set data.path="$FEDRECSIM_DATA/ml-100k/u.data" --set data.format=movielens-100k
set -eu

study=remedies
# shellcheck source=docs/what-if/study.sh
. "$(dirname "$0")/study.sh"
scenarios=$root/scenarios/what-if
methods=${METHODS:-fedmf colr pfedclr rfrec}

# One line for a method; a correction that is added is run beside what is there.
corrections_of() {
    case $1 in
    fedmf | pfedclr) echo none inverse_probability fedau mifa fedvarp fedawe ;;
    colr) echo none inverse_probability fedau ;; # draws its projection anew in each round: no update can be remembered
    rfrec) echo none ;;                          # its server makes a step of its own
    esac
}

# Under interleaved dynamics some clients never come where clients differ, and the inverse of their probability is not defined.
# PFedCLR has 30 and 90 % alone, because a run of it takes four times as long.
environments() { # METHOD CORRECTION
    sed -n 's/^ *"environment: loss\( | .*\)"$/\1/p; s/^ *"\( | [369]0 % .*\)",*$/\1/p' "$scenarios/remedies.cfg" |
        case $1,$2 in
        pfedclr,inverse_probability) sed -e '/^ | 60 %/d' -e '/interleaved taste/d' -e '/interleaved uplink/d' ;;
        pfedclr,*) sed '/^ | 60 %/d' ;;
        *,inverse_probability) sed -e '/interleaved taste/d' -e '/interleaved uplink/d' ;;
        *) cat ;;
        esac | grep -E "^ \| (none|${LOSSES:-.*}):" | tr -d '\n'
}

parts() {
    for method in $methods; do
        for correction in $(corrections_of "$method"); do
            echo "$method-$correction"
        done
    done
}

variables() { # PART
    echo "method=${1%-*}" "correction=${1#*-}"
}

run_part() { # SEED PART OPTION...
    seed=$1 part=$2 method=${2%-*} correction=${2#*-}
    shift 2
    case $method in
    rfrec) set -- "$scenarios/remedies-rfrec.cfg" "$@" ;;
    pfedclr) set -- "$scenarios/remedies.cfg" --set rounds.count=100 "$@" ;;
    *) set -- "$scenarios/remedies.cfg" "$@" ;;
    esac
    [ "$method" = rfrec ] ||
        set -- "$@" --set "method.name=$method" --vary "design: correction | $correction: method.server.correction=$correction"
    sweep "$seed" "$part" "$@" --vary "environment: loss$(environments "$method" "$correction")"
}

run_study "$@"
