#!/bin/sh
# Draws configurations for the validation at random, as lines of unseen.txt: 100 with private links, 30 with a shared server link and 16
# that lose packets. To know how good a changed network model is, draw anew with another seed.
#   scenarios/validation/draw.sh SEED >FILE       unseen.txt: seed 5021
# Nothing is chosen by hand: sizes, rates, latencies and the rest are log-uniform or equally likely, and a draw is only refused where a
# round would take too long to be emulated often. The generator is that of Park and Miller, which every awk computes alike.
set -eu

echo "# Drawn by scenarios/validation/draw.sh ${1:?usage: draw.sh SEED}; a name, the family, and what is set over base.cfg, as in configurations.txt."
awk -v seed="$1" '
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function between(low, high) { return low * exp(log(high / low) * uniform()) }
function one_of(list,   n, names) { n = split(list, names, " "); return names[1 + int(n * uniform())] }
function figure(x) { return sprintf("%.3g", x) }
function whole_between(low, high) { return int(between(low, high + 1)) }

# A message of about so many bytes: a table of items times dim numbers of four bytes. Each user has enough of the items.
function message(bytes, users,   dim) {
    dim = 64
    while (dim > 8 && bytes / (4 * dim) < 250) dim /= 2
    items = int(bytes / (4 * dim)) < 200 ? 200 : int(bytes / (4 * dim))
    message_bytes = 4 * dim * items
    interactions = 20 * users > 1.4 * items ? 20 * users : int(1.4 * items)
    return "data.users=" users " ; data.items=" items " ; data.interactions=" interactions " ; method.dim=" dim
}
function links(down, up, latency_ms, median_up) {
    up = up ? "network.uplink=" up " Mbit/s" : "network.uplink.distribution=lognormal ; network.uplink.median=" median_up " Mbit/s ; network.uplink.sigma=0.4"
    return "network.downlink=" down " Mbit/s ; " up " ; network.latency=" latency_ms " ms"
}
function seconds(mbit_per_s) { return 8e-6 * message_bytes / mbit_per_s }

function private_link(i,   connection, cohort, users, family, settings, down, up, kept) {
    connection = one_of("tcp tls kept kept")
    kept = connection == "kept" ? one_of("reset reset reset kept") : ""
    do {
        cohort = whole_between(2, 8)
        users = connection == "kept" ? (cohort < 5 ? 5 : cohort) : 40
        settings = message(between(8e3, 8e5), users)
        down = figure(between(.5, 16))
        up = figure(down * between(.25, 1))
    } while (seconds(down) + seconds(up) > 3 || up < .4)
    # Every fourth has a shorter queue.
    queue = i % 4 == 0 ? figure(between(20, 190)) " ms" : i % 4 == 1 ? "200 ms" : figure(between(200, 1000)) " ms"
    family = "unseen private links, " (i % 4 == 0 ? "short queue" : connection (kept == "kept" ? ", windows kept" : ""))
    # Clients that differ, in every third.
    settings = "network.connection=" connection " ; " settings " ; " links(down, uniform() < 1 / 3 ? "" : up, figure(between(5, 120)), up)
    settings = settings " ; network.queue=" queue " ; devices.overhead=" figure(between(.1, 1.5)) " s ; rounds.cohort=" cohort
    if (kept != "") settings = settings " ; network.idle_windows=" kept
    print_one(sprintf("unseen-private-%03d", i), family, settings " ; rounds.count=" (connection == "kept" ? 3 : 2))
}

function shared_link(i, kind,   cohort, settings, down, up, queue, connection) {
    do {
        cohort = whole_between(5, 50)
        settings = message(between(8e3, 3e5), 60)
        down = figure(between(2, 16))
        up = figure(between(2, 16))
    } while (cohort * (seconds(down) + seconds(up)) > 4)
    connection = one_of("tcp tcp tls kept")
    queue = i % 3 ? "200 ms" : figure(between(50, 1000)) " ms"
    settings = "network.connection=" connection " ; " settings " ; " links(figure(between(2, 16)), figure(between(1, 8)), figure(between(5, 80)))
    settings = settings " ; network.server_queue=" kind " ; network.queue=" queue " ; network.server_downlink=" down " Mbit/s ; network.server_uplink=" up " Mbit/s"
    print_one(sprintf("unseen-%s-%02d", kind, i), "unseen shared server link, " kind (queue == "200 ms" ? ", 200 ms" : ", another queue"),
        settings " ; rounds.cohort=" cohort " ; rounds.count=2")
}

# .1 to 5 %, once in each eighth of that range (of its logarithm); every other one with small uploads.
function lost_packets(i, connection,   settings, down, up) {
    do {
        settings = message(between(2e4, 3e5), 40)
        down = figure(between(1, 16))
        up = figure(down * between(.25, 1))
    } while (seconds(down) + seconds(up) > 1.5)
    if (i % 2) settings = "method.name=fedmf_update ; " settings " ; codec.uplink=topk ; codec.uplink.k=" int(1 + 4 * uniform())
    settings = "network.connection=" connection " ; " settings " ; " links(down, up, figure(between(5, 60)))
    print_one(sprintf("unseen-loss-%s-%d", connection, i), "unseen losses, " connection,
        settings " ; network.packet_loss=" figure(.001 * exp(log(50) * (i - uniform()) / 8)) " ; rounds.count=3")
}

function print_one(name, family, settings) { print name " | " family " | seed=" int(1 + 9999 * uniform()) " ; " settings }

BEGIN {
    state = seed
    for (i = 0; i < 10; i++) uniform()
    for (i = 1; i <= 100; i++) private_link(i)
    for (i = 1; i <= 20; i++) shared_link(i, "fifo")
    for (i = 1; i <= 10; i++) shared_link(i, "fair")
    for (i = 1; i <= 8; i++) { lost_packets(i, "tcp"); lost_packets(i, "tls") }
}'
