#!/bin/sh
# The study of docs/what-if/topologies.md: star, edges that forward, edges that add, edges that aggregate twice, and gossip, over two kinds
# of client links and four servers, without losses, and with losses on two of them; then the tables of the page. Needs the program, sh and awk.
#   docs/what-if/topologies.sh [FOLDER [OPTION...]]   default: results/topologies; arguments and variables: docs/what-if/study.sh
#   LINKS='mobile ...'     links of clients; default: mobile fibre
#   PARTS='served-none …'  default: all four
# The page is of real data: docs/what-if/topologies.sh results/topologies --set data.path="$FEDRECSIM_DATA/ml-100k/u.data" --set data.format=movielens-100k
set -eu

study=topologies
# shellcheck source=docs/what-if/study.sh
. "$(dirname "$0")/study.sh"
links=${LINKS:-mobile fibre}

# Latency to what is near, and to a server that is as near, or far.
preset_of() {
    case $1 in
    mobile) echo mixed-mobile ;;
    fibre) echo fibre ;;
    esac
}
latency_ms() {
    case $1 in
    mobile) echo 30 ;;
    fibre | near) echo 5 ;;
    far) echo 100 ;;
    esac
}
rate_of() {
    case $1 in
    wide) echo 1 Gbit/s ;;
    narrow) echo 20 Mbit/s ;;
    esac
}
# No edge is unlimited: the defaults would flatter them.
rates_of_edges="& network.edges.downlink=200 Mbit/s & network.edges.uplink=200 Mbit/s & network.edges.access_downlink=1 Gbit/s & network.edges.access_uplink=1 Gbit/s & network.edges.memory=256 MiB"
edges_of() {
    case $1 in
    star) ;;
    forward) echo "& network.edges.count=8 $rates_of_edges" ;;
    add) echo "& network.edges.count=8 $rates_of_edges & network.edges.partial_sums=true & network.edges.speed=10 Gflop/s" ;;
    twice) echo "& network.edges.count=8 $rates_of_edges & network.edges.partial_sums=true & network.edges.speed=10 Gflop/s & rounds.edge_rounds=2" ;;
    esac
}

# Clients of a star have the way to the server on their own links, edges on their backhauls.
served() { # SERVER...
    for topology in star forward add twice; do
        for link in $links; do
            for server in "$@"; do
                way=${server%-*} rate=${server#*-}
                own=$(latency_ms "$link")
                [ "$topology" != star ] || own=$((own + $(latency_ms "$way")))
                printf ' | %s %s %s %s: network.preset=%s & network.latency=%s ms & network.server_downlink=%s & network.server_uplink=%s %s' \
                    "$topology" "$link" "$way" "$rate" "$(preset_of "$link")" "$own" "$(rate_of "$rate")" "$(rate_of "$rate")" "$(edges_of "$topology")"
                [ "$topology" = star ] || printf ' & network.edges.latency=%s ms' "$(latency_ms "$way")"
            done
        done
    done
}

gossip() {
    for link in $links; do
        printf ' | gossip %s - -: network.preset=%s & network.latency=%s ms' "$link" "$(preset_of "$link")" "$(latency_ms "$link")"
    done
}

losses() { # no loss, or what is lost; noticed after 2 s or after the default of 30 s
    case $1 in
    none) echo " | none" ;;
    lost)
        share="failures.down=0.112 & failures.compute=0.112 & failures.up=0.112"
        echo " | 30 % 2 s: $share & failures.detect=2 s | 30 % 30 s: $share & failures.detect=30 s"
        ;;
    esac
}

parts() {
    echo "${PARTS:-served-none served-lost gossip-none gossip-lost}"
}

variables() { # PART
    :
}

run_part() { # SEED PART OPTION...
    seed=$1 part=$2
    shift 2
    case $part in
    served-none) set -- "$@" --vary "environment: case$(served near-wide near-narrow far-wide far-narrow)" ;;
    served-lost) set -- "$@" --vary "environment: case$(served near-wide far-narrow)" ;;
    gossip-*) set -- "$@" --vary "environment: case$(gossip)" --set peers.neighbours=random_regular --set peers.degree=4 --set evaluation.every=10 ;;
    esac
    sweep "$seed" "$part" "$root/scenarios/what-if/topologies.cfg" "$@" --vary "environment: loss$(losses "${part#*-}")"
}

run_study "$@"
