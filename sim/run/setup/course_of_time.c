#include "sim/run/setup/course_of_time.h"
#include "actors/ramp.h"

#include <math.h>

static double setup_s(const struct frs_setup *setup, const struct frs_client_link *link) {
    if (!frs_network_connects(&setup->network))
        return 0;
    const struct frs_connecting connecting = frs_connecting(setup->network.connection);
    return (connecting.up_latencies + connecting.down_latencies) * link->latency_s +
           (double)connecting.up_bytes / link->up_bytes_per_s +
           (double)connecting.down_bytes / link->down_bytes_per_s;
}

/* Of a client that comes back, where windows are kept. */
static enum frs_ramp_kind ramp_kind(const struct frs_network *network, bool up) {
    if (!frs_network_connects(network) || network->keeps_windows)
        return FRS_RAMP_NONE;
    return frs_connection_is_interactive(network->connection, !up) ? FRS_RAMP_PAIRED : FRS_RAMP_QUICK;
}

static double message_s(
    const struct frs_setup *setup, const struct frs_client_link *link, bool up, uint64_t bytes) {
    return frs_ramp_duration_s((double)bytes, up ? link->up_bytes_per_s : link->down_bytes_per_s,
        2 * link->latency_s, ramp_kind(&setup->network, up));
}

struct frs_course_of_time frs_course_of_time(
    const struct frs_setup *setup, uint32_t client, const struct frs_charge *charge) {
    struct frs_spent all = {.flop = charge->flop, .samples = charge->samples, .cpu_s = charge->cpu_s},
                     first = all;
    double before = charge->flop > 0 ? 1 - charge->post_flop / charge->flop : 1;
    first.flop -= charge->post_flop;
    first.samples -= charge->post_samples;
    first.cpu_s *= before;
    struct frs_client_link link = frs_network_client(&setup->network, setup->seed, client);
    struct frs_course_of_time time = {.client = client,
        .setup_s = setup_s(setup, &link),
        .latency_s = link.latency_s,
        .down_s = message_s(setup, &link, false, charge->down_bytes),
        .compute_s = frs_devices_compute_s(&setup->devices, setup->seed, client, first),
        .up_latency_s = link.latency_s,
        .up_s = message_s(setup, &link, true, charge->up_bytes)};
    if (charge->post_flop > 0)
        time.post_s =
            fmax(frs_devices_compute_s(&setup->devices, setup->seed, client, all) - time.compute_s, 0);
    time.whole_s =
        time.setup_s + time.latency_s + time.down_s + time.compute_s + time.up_latency_s + time.up_s;
    return time;
}
