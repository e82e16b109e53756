/* Edges of a simulation: their links, their clients, and what they have exchanged with the server in a
 * round. */
#include "algorithms/training/partial_sums.h"
#include "platforms/edges/edge_failures.h"
#include "sim/base/memory.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The server's own link limits a backhaul, too; where neither does, bytes take no time. Packets cross the two
 * one after the other. */
static struct frs_backhaul backhaul(void *context, uint32_t edge) {
    const struct frs_simulation *s = context;
    const struct frs_network *network = &s->setup->network;
    const struct frs_edge *of = &s->setup->edges.list[edge];
    if (network->model == FRS_PACKETS)
        return (struct frs_backhaul){
            {of->backhaul_bytes_per_s[0], of->backhaul_bytes_per_s[1]}, of->latency_s};
    return (struct frs_backhaul){
        .bytes_per_s = {fmin(of->backhaul_bytes_per_s[0], network->server_down_bytes_per_s),
            fmin(of->backhaul_bytes_per_s[1], network->server_up_bytes_per_s)},
        .latency_s = of->latency_s};
}

uint32_t frs_simulation_edge_of(void *context, uint32_t client) {
    const struct frs_simulation *s = context;
    return s->setup->edges.of_client[client];
}

static double fails_s(void *context, uint32_t edge, double time_s) {
    const struct frs_simulation *s = context;
    return frs_edge_failures_next_s(s->setup->edges.failures, edge, time_s);
}

/* Nothing is under way on the connection of a message where none arrived before it, or the edge has died. */
static void plan_stream(
    struct frs_simulation *s, struct frs_participation *message, uint32_t edge, double queued_s) {
    bool up = message->plan.no_download, knows = message->plan.memory[up].window > 0;
    struct frs_backhaul_stream *of = &s->streams[edge][up];
    message->stream = &of->stream;
    message->follows = knows && frs_tcp_stream_goes_on(&of->stream,
                                    queued_s + s->setup->edges.list[edge].latency_s - of->ended_s);
    if (message->follows)
        message->plan.memory[up] = frs_tcp_sender_memory(&of->stream.sender);
    else
        frs_tcp_stream_fini(&of->stream);
}

/* An edge and the server stay connected, so that the receiver is not interactive
 * (platforms/networks/connection.h). */
static void plan(void *context, struct frs_participation *message, uint32_t edge, double queued_s) {
    struct frs_simulation *s = context;
    message->plan.down_slow_start = message->plan.up_slow_start = FRS_SLOW_START_QUICK;
    message->plan.keeps_windows = s->setup->edges.keeps_windows;
    message->plan.sender = s->setup->network.model == FRS_TCP ? &s->sender : NULL;
    message->plan.by_packets = s->setup->network.model == FRS_PACKETS;
    message->plan.round_trip_s = 2 * s->setup->edges.list[edge].latency_s;
    plan_stream(s, message, edge, queued_s);
}

/* A message whose latency had passed in part before it began was sent by so much earlier. */
static struct frs_path_memory memory(
    void *context, const struct frs_participation *message, uint32_t edge, bool up) {
    struct frs_simulation *s = context;
    struct frs_backhaul_stream *of = &s->streams[edge][up];
    double paid_s = up ? message->plan.up_latency_s : message->plan.down_latency_s;
    struct frs_tcp_stream stream = {0};
    struct frs_path_memory memory =
        frs_simulation_memory_of(message, up, message->plan.by_packets ? NULL : &stream);
    memory.sent_s -= s->setup->edges.list[edge].latency_s - paid_s;
    of->ended_s = message->times.ended_s;
    if (!message->plan.by_packets) { /* packets have left their stream there */
        frs_tcp_stream_fini(&of->stream);
        of->stream = stream;
    }
    return memory;
}

/* A multiplication and an addition for each value, as at the server. */
static double add_s(void *context, uint32_t edge, size_t n, uint64_t values) {
    const struct frs_simulation *s = context;
    (void)n;
    return 2 * (double)values / s->setup->edges.list[edge].flop_per_s;
}

void frs_simulation_create_edges(struct frs_simulation *s) {
    const struct frs_edges *edges = &s->setup->edges;
    bool connects = frs_network_connects(&s->setup->network);
    if (edges->n == 0)
        return;
    s->relays = frs_relays_create(&(struct frs_relays_settings){.n_edges = edges->n,
        .n_clients = s->setup->training.data->population.n_clients,
        .backhaul = backhaul,
        .edge_of = frs_simulation_edge_of,
        .fails_s = edges->failures ? fails_s : NULL,
        .plan = connects ? plan : NULL,
        .memory = connects ? memory : NULL,
        .shares_downloads = s->setup->shares_downloads,
        .adds = edges->partial_sums,
        .sum_extra_bytes = FRS_PARTIAL_SUM_WEIGHT_BYTES,
        .add_s = add_s,
        .edge_rounds = s->setup->edge_rounds,
        .context = s});
    s->streams = frs_alloc(edges->n, sizeof *s->streams);
    s->access_bytes_per_s = frs_alloc(edges->n, sizeof *s->access_bytes_per_s);
    for (uint32_t i = 0; i < edges->n; i++)
        memcpy(s->access_bytes_per_s[i], edges->list[i].access_bytes_per_s, sizeof *s->access_bytes_per_s);
}

void frs_simulation_destroy_edges(struct frs_simulation *s) {
    frs_relays_destroy(s->relays);
    for (uint32_t i = 0; s->streams && i < s->setup->edges.n; i++)
        for (int up = 0; up < 2; up++)
            frs_tcp_stream_fini(&s->streams[i][up].stream);
    free(s->streams);
    free(s->access_bytes_per_s);
}

bool frs_simulation_is_unshared(const struct frs_simulation *s, bool up) {
    const struct frs_network *network = &s->setup->network;
    if (!s->relays)
        return isinf(up ? network->server_up_bytes_per_s : network->server_down_bytes_per_s);
    for (uint32_t i = 0; i < s->setup->edges.n; i++)
        if (isfinite(s->access_bytes_per_s[i][up]))
            return false;
    return true;
}

void frs_simulation_note_edges(const struct frs_simulation *s, struct frs_row *row) {
    size_t n = 0;
    const struct frs_edge_message *messages = s->relays ? frs_relays_messages(s->relays, &n) : NULL;
    if (n == 0)
        return;
    row->edge_messages = frs_alloc(n, sizeof *row->edge_messages);
    for (size_t i = 0; i < n; i++) {
        const struct frs_windows *windows = &messages[i].windows;
        row->edge_messages[i] = messages[i];
        /* The row may be entered after the next round has opened. */
        row->edge_messages[i].windows.of = frs_alloc(windows->n, sizeof *windows->of);
        if (windows->n > 0)
            memcpy(row->edge_messages[i].windows.of, windows->of, windows->n * sizeof *windows->of);
    }
    row->closed.edge_messages = row->edge_messages;
    row->closed.n_edge_messages = n;
}
