#include "sim/closed_form/closed_form_time.h"
#include "actors/links/uncontended_flow.h"
#include "actors/links/window_cache.h"
#include "actors/slow_start.h"
#include "sim/closed_form/message_times.h"

#include <math.h>
#include <stdlib.h>

static struct frs_transfer_links links_of(const struct frs_setup *setup, uint32_t client, uint32_t round) {
    if (round != FRS_NO_ROUND)
        return frs_network_transfer(&setup->network, setup->training.seed, client, round, 0);
    struct frs_client_link link = frs_network_client(&setup->network, setup->training.seed, client);
    return (struct frs_transfer_links){
        .bytes_per_s =
            {[FRS_DIRECTION_DOWN] = link.down_bytes_per_s, [FRS_DIRECTION_UP] = link.up_bytes_per_s},
        .latency_s = {link.latency_s, link.latency_s}};
}

static double setup_s(const struct frs_setup *setup, const struct frs_transfer_links *links) {
    if (!frs_network_connects(&setup->network))
        return 0;
    const struct frs_connecting connecting = frs_connecting(setup->network.connection);
    return connecting.up_latencies * links->latency_s[FRS_DIRECTION_UP] +
           connecting.down_latencies * links->latency_s[FRS_DIRECTION_DOWN] +
           (double)connecting.up_bytes / links->bytes_per_s[FRS_DIRECTION_UP] +
           (double)connecting.down_bytes / links->bytes_per_s[FRS_DIRECTION_DOWN];
}

/* How slow start begins for a client that comes back, where windows are kept. */
static enum frs_slow_start_kind slow_start_kind(const struct frs_setup *setup, bool up) {
    const struct frs_network *network = &setup->network;
    bool first = frs_training_own_models(&setup->training) ? up : !up; /* message of a participation */
    if (!frs_network_connects(network) || network->keeps_windows)
        return FRS_SLOW_START_NONE;
    return frs_connection_is_interactive(network->connection, first) ? FRS_SLOW_START_PAIRED
                                                                     : FRS_SLOW_START_QUICK;
}

/* Where slow start has no closed form. */
static double simulated_s(
    const struct frs_setup *setup, const struct frs_uncontended_flow *flow, enum frs_slow_start_kind kind) {
    double duration_s;
    if (frs_message_times_find(flow, &duration_s))
        return duration_s;
    struct frs_slow_start slow_start = frs_slow_start_begin(flow->bytes_per_s, flow->round_trip_s, kind);
    struct frs_windows windows;
    frs_window_cache_windows(setup->window_cache, flow, &windows);
    frs_slow_start_follow(&slow_start, &windows);
    duration_s = frs_slow_start_takes_s(slow_start, flow->bytes);
    free(windows.of);
    frs_message_times_keep(flow, duration_s);
    return duration_s;
}

static double message_s(const struct frs_setup *setup, const struct frs_transfer_links *links,
    enum frs_direction direction, uint64_t bytes) {
    const struct frs_network *network = &setup->network;
    enum frs_slow_start_kind kind = slow_start_kind(setup, direction == FRS_DIRECTION_UP);
    const struct frs_uncontended_flow flow = {.bytes = (double)bytes,
        .bytes_per_s = links->bytes_per_s[direction],
        .round_trip_s = links->latency_s[FRS_DIRECTION_DOWN] + links->latency_s[FRS_DIRECTION_UP],
        .queue_s = network->queues.queue_s,
        .up = direction == FRS_DIRECTION_UP,
        .interactive = kind == FRS_SLOW_START_PAIRED};
    if (kind == FRS_SLOW_START_NONE || bytes == 0 || frs_uncontended_flow_has_form(&flow))
        return frs_slow_start_duration_s((double)bytes, flow.bytes_per_s, flow.round_trip_s, kind);
    return simulated_s(setup, &flow, kind);
}

struct frs_closed_form_time frs_closed_form_time(
    const struct frs_setup *setup, uint32_t client, uint32_t round, const struct frs_usage *usage) {
    struct frs_spent all = {.flop = usage->flop, .samples = usage->samples, .cpu_s = usage->cpu_s},
                     first = all;
    bool divides = usage->flop > 0 && !setup->training.workload;
    double before = divides ? 1 - usage->post_flop / usage->flop : 1,
           busy = round == FRS_NO_ROUND
                      ? 1
                      : frs_devices_jitter(&setup->devices, setup->training.seed, client, round, 0);
    first.flop -= usage->post_flop;
    first.samples -= usage->post_samples;
    first.cpu_s *= before;
    struct frs_transfer_links links = links_of(setup, client, round);
    struct frs_closed_form_time time = {.client = client,
        .setup_s = setup_s(setup, &links),
        .latency_s = links.latency_s[FRS_DIRECTION_DOWN],
        .down_s = message_s(setup, &links, FRS_DIRECTION_DOWN, usage->down_bytes),
        .compute_s = frs_devices_compute_s(&setup->devices, setup->training.seed, client, first) * busy,
        .up_latency_s = links.latency_s[FRS_DIRECTION_UP],
        .up_s = message_s(setup, &links, FRS_DIRECTION_UP, usage->up_bytes)};
    if (usage->post_flop > 0)
        time.post_s = fmax(
            frs_devices_compute_s(&setup->devices, setup->training.seed, client, all) * busy - time.compute_s,
            0);
    time.whole_s =
        time.setup_s + time.latency_s + time.down_s + time.compute_s + time.up_latency_s + time.up_s;
    return time;
}
