#include "sim/setup/closed_form_time.h"
#include "actors/links/uncontended_flow.h"
#include "actors/slow_start.h"

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

/* Of a client that comes back, where windows are kept. */
static enum frs_ramp_kind ramp_kind(const struct frs_network *network, bool up) {
    if (!frs_network_connects(network) || network->keeps_windows)
        return FRS_RAMP_NONE;
    return frs_connection_is_interactive(network->connection, !up) ? FRS_RAMP_PAIRED : FRS_RAMP_QUICK;
}

static double message_s(const struct frs_setup *setup, const struct frs_transfer_links *links,
    enum frs_direction direction, uint64_t bytes) {
    const struct frs_network *network = &setup->network;
    enum frs_ramp_kind kind = ramp_kind(network, direction == FRS_DIRECTION_UP);
    const struct frs_lone_flow flow = {.bytes = (double)bytes,
        .bytes_per_s = links->bytes_per_s[direction],
        .round_trip_s = links->latency_s[FRS_DIRECTION_DOWN] + links->latency_s[FRS_DIRECTION_UP],
        .queue_s = network->queues.queue_s,
        .up = direction == FRS_DIRECTION_UP,
        .interactive = kind == FRS_RAMP_PAIRED};
    struct frs_ramp ramp = frs_ramp_begin(flow.bytes_per_s, flow.round_trip_s, kind);
    struct frs_windows windows = {0};
    if (kind != FRS_RAMP_NONE && bytes > 0)
        frs_lone_flow_windows(&flow, &windows);
    frs_ramp_follow(&ramp, &windows);
    double duration_s = frs_ramp_takes_s(ramp, (double)bytes);
    free(windows.of);
    return duration_s;
}

struct frs_course_of_time frs_course_of_time(
    const struct frs_setup *setup, uint32_t client, uint32_t round, const struct frs_charge *charge) {
    struct frs_spent all = {.flop = charge->flop, .samples = charge->samples, .cpu_s = charge->cpu_s},
                     first = all;
    double before = charge->flop > 0 ? 1 - charge->post_flop / charge->flop : 1,
           busy = round == FRS_NO_ROUND
                      ? 1
                      : frs_devices_jitter(&setup->devices, setup->training.seed, client, round, 0);
    first.flop -= charge->post_flop;
    first.samples -= charge->post_samples;
    first.cpu_s *= before;
    struct frs_transfer_links links = links_of(setup, client, round);
    struct frs_course_of_time time = {.client = client,
        .setup_s = setup_s(setup, &links),
        .latency_s = links.latency_s[FRS_DIRECTION_DOWN],
        .down_s = message_s(setup, &links, FRS_DIRECTION_DOWN, charge->down_bytes),
        .compute_s = frs_devices_compute_s(&setup->devices, setup->training.seed, client, first) * busy,
        .up_latency_s = links.latency_s[FRS_DIRECTION_UP],
        .up_s = message_s(setup, &links, FRS_DIRECTION_UP, charge->up_bytes)};
    if (charge->post_flop > 0)
        time.post_s = fmax(
            frs_devices_compute_s(&setup->devices, setup->training.seed, client, all) * busy - time.compute_s,
            0);
    time.whole_s =
        time.setup_s + time.latency_s + time.down_s + time.compute_s + time.up_latency_s + time.up_s;
    return time;
}
