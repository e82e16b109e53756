/* A participation's links and connections: what they can carry and how long opening them takes, also where
 * links change with the state of the client's device. */
#include "sim/rounds/simulation_internal.h"

#include <math.h>

static struct frs_link_terms terms_of(const struct frs_transfer_links *links) {
    return (struct frs_link_terms){
        {links->bytes_per_s[FRS_DIRECTION_DOWN], links->bytes_per_s[FRS_DIRECTION_UP]},
        {links->latency_s[FRS_DIRECTION_DOWN], links->latency_s[FRS_DIRECTION_UP]}};
}

static void plan_states(const struct frs_simulation *s, struct frs_participation *p) {
    const struct frs_by_state *by_state = &s->setup->network.by_state;
    p->plan.link = (struct frs_changing_link){.follows = by_state->follows, .breaks = by_state->breaks};
    for (int wifi = 0; wifi < 2 && by_state->follows; wifi++) {
        struct frs_transfer_links links = frs_network_transfer_in_state(
            &s->setup->network, wifi, s->setup->training.seed, p->client, p->round, p->attempt);
        p->plan.link.on[wifi] = terms_of(&links);
    }
}

void frs_simulation_plan_links(void *context, struct frs_participation *p) {
    const struct frs_simulation *s = context;
    const struct frs_network *network = &s->setup->network;
    if (s->setup->platform.file)
        return;
    plan_states(s, p);
    struct frs_transfer_links links =
        frs_network_transfer(network, s->setup->training.seed, p->client, p->round, p->attempt);
    p->plan.down_bytes_per_s = links.bytes_per_s[FRS_DIRECTION_DOWN];
    p->plan.up_bytes_per_s = links.bytes_per_s[FRS_DIRECTION_UP];
    if (network->model == FRS_LV08) {
        p->plan.link_latency_s = links.latency_s[FRS_DIRECTION_DOWN];
        return;
    }
    p->plan.down_latency_s = links.latency_s[FRS_DIRECTION_DOWN];
    p->plan.up_latency_s = links.latency_s[FRS_DIRECTION_UP];
}

/* by_packets: window by window, each with its latency. */
static struct frs_handshake handshake(
    const struct frs_participation *p, enum frs_connection connection, bool by_packets) {
    const struct frs_connecting connecting = frs_connecting(connection);
    return (struct frs_handshake){.wait_s = connecting.up_latencies * p->plan.up_latency_s +
                                            connecting.down_latencies * p->plan.down_latency_s,
        .up_bytes = connecting.up_bytes,
        .down_bytes = connecting.down_bytes,
        .open_s = by_packets ? connecting.opening_up_latencies * p->plan.up_latency_s +
                                   connecting.opening_down_latencies * p->plan.down_latency_s
                             : 0,
        .last_up_bytes = by_packets ? connecting.last_up_bytes : 0,
        .last_up_packets = by_packets ? connecting.last_up_packets : 0};
}

/* first: no message has been on the connection before. */
static enum frs_slow_start_kind slow_start_on(enum frs_connection connection, bool first) {
    return frs_connection_is_interactive(connection, first) ? FRS_SLOW_START_PAIRED : FRS_SLOW_START_QUICK;
}

/* A break also ends a connection that is kept. */
static enum frs_connection opened_anew(enum frs_connection connection) {
    return connection == FRS_CONNECTION_KEPT ? FRS_CONNECTION_TLS : connection;
}

static void plan_retrying(const struct frs_simulation *s, struct frs_participation *p) {
    const struct frs_network *network = &s->setup->network;
    const struct frs_retry *retry = &s->setup->retry;
    p->plan.retrying = (struct frs_retrying){.times = retry->times,
        .after_s = retry->after_s,
        .backoff = retry->backoff,
        .longest_s = retry->longest_s,
        .resumes = retry->resumes};
    if (!frs_network_connects(network))
        return;
    enum frs_connection anew = opened_anew(network->connection);
    p->plan.retrying.slow_start_kind = slow_start_on(anew, true);
    p->plan.retrying.handshake = handshake(p, anew, network->model == FRS_PACKETS);
}

/* A client that receives and sends nothing needs no connection. */
static void plan_connection(const struct frs_simulation *s, struct frs_participation *p) {
    const struct frs_network *network = &s->setup->network;
    if (!frs_network_connects(network))
        return;
    if (s->course.receives || s->course.sends)
        p->plan.handshake = handshake(p, network->connection, network->model == FRS_PACKETS);
    p->plan.down_slow_start = slow_start_on(network->connection, true);
    p->plan.up_slow_start = slow_start_on(network->connection, p->plan.no_download);
    p->plan.keeps_windows = network->keeps_windows;
    p->plan.by_packets = network->model == FRS_PACKETS;
    p->plan.sender = network->model == FRS_TCP ? &s->sender : NULL;
    for (int up = 0; up < 2 && s->memory; up++)
        p->plan.memory[up] = s->memory[p->client][up];
}

void frs_simulation_plan_connection(const struct frs_simulation *s, struct frs_participation *p) {
    plan_connection(s, p);
    plan_retrying(s, p);
}

void frs_simulation_plan_second_message(
    const struct frs_simulation *s, struct frs_participation *p, bool anew) {
    enum frs_connection connection = s->setup->network.connection;
    if (frs_network_connects(&s->setup->network))
        p->plan.down_slow_start = slow_start_on(anew ? opened_anew(connection) : connection, false);
}

/* Whether the client is on Wi-Fi; one that goes offline at this very time is on the link that it was on. */
static bool is_on_wifi(const struct frs_device_state *device, bool before) {
    return device->link == FRS_LINK_OFF ? before : device->link == FRS_LINK_WIFI;
}

/* A connection that has been opened took what it took. */
void frs_simulation_follow_link(void *context, struct frs_participation *p, double now_s) {
    const struct frs_simulation *s = context;
    struct frs_changing_link *link = &p->plan.link;
    struct frs_device_state device = frs_reachability_device(&s->setup->reachability, p->client, now_s);
    link->until_s = device.link_until_s;
    link->wifi = is_on_wifi(&device, link->wifi);
    const struct frs_link_terms *terms = &link->on[link->wifi];
    p->plan.down_bytes_per_s = terms->bytes_per_s[0];
    p->plan.up_bytes_per_s = terms->bytes_per_s[1];
    if (s->setup->network.model == FRS_LV08) {
        p->plan.link_latency_s = terms->latency_s[0];
        return;
    }
    p->plan.down_latency_s = terms->latency_s[0];
    p->plan.up_latency_s = terms->latency_s[1];
    plan_retrying(s, p);
    if (p->result.phase == FRS_PHASE_NEW && frs_participation_connects(p))
        p->plan.handshake =
            handshake(p, s->setup->network.connection, s->setup->network.model == FRS_PACKETS);
}

double frs_simulation_capacity(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    const struct frs_simulation *s = context;
    double factor =
               frs_network_factor(&s->setup->network, up, s->setup->training.seed, p->client, now_s, until_s),
           rate = up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s;
    if (p->plan.link.follows) {
        struct frs_device_state device = frs_reachability_device(&s->setup->reachability, p->client, now_s);
        rate = p->plan.link.on[is_on_wifi(&device, p->plan.link.wifi)].bytes_per_s[up];
        *until_s = fmin(*until_s, device.link_until_s);
    }
    return frs_network_scaled(rate, factor);
}

void frs_simulation_crossing(
    void *context, struct frs_participation *p, double now_s, double received_bytes) {
    const struct frs_simulation *s = context;
    struct frs_device_state device = frs_reachability_device(&s->setup->reachability, p->client, now_s);
    frs_lifecycle_crosses_on(p, now_s, received_bytes, !is_on_wifi(&device, !p->on_metered));
}
