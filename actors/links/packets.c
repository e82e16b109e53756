#include "actors/links/packets.h"
#include "actors/extremes.h"
#include "sim/base/heap.h"
#include "actors/links/packet_link.h"
#include "actors/links/tcp_stream.h"
#include "actors/slow_start.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* Scheduled items: shared links have the first places, 2 · star + up, followed by the flows. */
enum flow_item { ITEM_LINK, ITEM_ACKNOWLEDGEMENT, ITEM_TIMER, ITEM_ARRIVED, N_FLOW_ITEMS };

/* A shared link, each way. */
struct star {
    struct frs_packet_link links[2];
};

struct flow {
    uint32_t generation;
    struct frs_packets_flow settings;
    struct frs_tcp_stream stream;
    struct frs_tcp_stream kept;  /* the same when it had last sent all, for the next message */
    uint32_t first;              /* packet of its own; those before are of messages before it */
    struct frs_packet_link link; /* the client's own */
    double arrived_bytes;
    double timer_s; /* when the sender's timer is checked */
    bool keeps;     /* what leaves, since it has sent all */
    bool has_left;  /* all of it the last link */
};

struct frs_packets {
    struct frs_packets_settings settings;
    struct star *stars; /* [n_stars] */
    uint32_t n_stars;
    struct flow **flows; /* [n_flows]; NULL: there is none of this number */
    size_t n_flows;
    size_t n[2];         /* flows under way in star 0, down and up */
    uint32_t generation; /* of the newest flow */
    struct frs_heap events;
    struct frs_heap_places places;
    uint32_t ended; /* the flow whose last packet has arrived at ended_s; `NOBODY`: none */
    double ended_s;
    double carried_bytes[2][2]; /* of star 0, and of all others: down, up */
    uint64_t n_sent;
};

/* Bytes that a packet takes on a link, where full packets count what they carry. */
static double weight(double payload_bytes) {
    return (payload_bytes + FRS_PACKET_FRAME_BYTES) * FRS_PACKET_PAYLOAD_BYTES /
           (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES);
}

static void init_link(struct frs_packet_link *link, double bytes_per_s, double queue_s, bool fair) {
    double least = FRS_PACKETS_LEAST_QUEUE * FRS_PACKET_PAYLOAD_BYTES;
    frs_packet_link_init(
        link, bytes_per_s, isinf(bytes_per_s) ? INFINITY : frs_larger(bytes_per_s * queue_s, least), fair);
}

struct frs_packets *frs_packets_create(const struct frs_packets_settings *settings) {
    struct frs_packets *packets = frs_alloc(1, sizeof *packets);
    packets->settings = *settings;
    packets->events.places = &packets->places;
    packets->ended = NOBODY;
    packets->n_stars = 1 + settings->n_access;
    packets->stars = frs_alloc(packets->n_stars, sizeof *packets->stars);
    for (uint32_t i = 0; i < packets->n_stars; i++)
        for (int up = 0; up < 2; up++)
            init_link(&packets->stars[i].links[up],
                i == 0 ? settings->server_bytes_per_s[up] : settings->access_bytes_per_s[i - 1][up],
                settings->queue_s, settings->fair);
    return packets;
}

static void destroy_flow(struct flow *flow) {
    if (!flow)
        return;
    frs_tcp_stream_fini(&flow->stream);
    frs_tcp_stream_fini(&flow->kept);
    frs_packet_link_fini(&flow->link);
    free(flow);
}

void frs_packets_destroy(struct frs_packets *packets) {
    if (!packets)
        return;
    for (size_t f = 0; f < packets->n_flows; f++)
        destroy_flow(packets->flows[f]);
    free(packets->flows);
    for (uint32_t i = 0; i < packets->n_stars; i++)
        for (int up = 0; up < 2; up++)
            frs_packet_link_fini(&packets->stars[i].links[up]);
    free(packets->stars);
    frs_heap_fini(&packets->events);
    frs_heap_places_fini(&packets->places);
    free(packets);
}

static void schedule(struct frs_packets *packets, uint32_t item, double time_s) {
    frs_heap_put(&packets->events, item, time_s, item);
}

static uint32_t item_of_shared(uint32_t star, bool up) {
    return 2 * star + up;
}

static uint32_t item_of(const struct frs_packets *packets, uint32_t flow, enum flow_item item) {
    return item_of_shared(packets->n_stars, false) + flow * N_FLOW_ITEMS + item;
}

/* ---- links ----------------------------------------------------------------------------------- */

static void schedule_departure(
    struct frs_packets *packets, const struct frs_packet_link *link, uint32_t item) {
    double departs_s = frs_packet_link_departs_s(link);
    if (departs_s < INFINITY)
        schedule(packets, item, departs_s);
    else
        frs_heap_remove(&packets->events, item);
}

static void serve(struct frs_packets *packets, struct frs_packet_link *link, uint32_t item, double now_s) {
    frs_packet_link_serve(link, now_s);
    if (link->busy)
        schedule_departure(packets, link, item);
}

static void enter(struct frs_packets *packets, struct frs_packet_link *link, uint32_t item, double now_s,
    const struct frs_packet *packet) {
    if (frs_packet_queue_push(&link->queue, packet) && !link->busy)
        serve(packets, link, item, now_s);
}

static double payload_of(const struct flow *flow, uint32_t packet) {
    double each = flow->settings.packet_bytes,
           before = (flow->stream.sender.n_packets - flow->first - 1) * each;
    return packet + 1 == flow->stream.sender.n_packets ? flow->settings.bytes - before : each;
}

/* The packet has just left. */
static void plan_acknowledgement(
    struct frs_packets *packets, struct flow *flow, struct frs_packet *packet, bool is_new) {
    frs_tcp_stream_leaves(&flow->stream, packet, flow->settings.round_trip_s, is_new);
    if (flow->keeps) {
        struct frs_packet again = *packet;
        frs_tcp_sender_reaches(&flow->kept.sender, packet->transmission.packet);
        frs_tcp_stream_leaves(&flow->kept, &again, flow->settings.round_trip_s, is_new);
    }
    if (flow->stream.left.n <= 2)
        schedule(packets, item_of(packets, packet->flow, ITEM_ACKNOWLEDGEMENT),
            frs_packet_ring_first(&flow->stream.left)->acknowledged_s);
}

static double *carried_of(struct frs_packets *packets, const struct flow *flow) {
    return &packets->carried_bytes[flow->settings.star > 0][flow->settings.up];
}

/* If the sender has sent all that it has: what it knows now is for a message that follows. */
static void keep(struct flow *flow) {
    if (!flow->settings.stream || flow->stream.sender.next < flow->stream.sender.n_packets || flow->has_left)
        return;
    frs_tcp_stream_fini(&flow->kept);
    flow->kept = frs_tcp_stream_copy(&flow->stream);
    flow->kept.since_s = flow->stream.sender.sent_s;
    flow->keeps = true;
}

/* A packet has passed its last link: it will arrive, unless it is lost. */
static void leave(struct frs_packets *packets, struct flow *flow, double now_s, struct frs_packet packet) {
    const struct frs_packets_settings *settings = &packets->settings;
    if (settings->lost && settings->lost(settings->context, packet.flow))
        return;
    uint32_t number = packet.transmission.packet;
    bool is_new = frs_tcp_sender_reaches(&flow->stream.sender, number);
    packet.left_s = now_s;
    packet.new_bytes = is_new ? payload_of(flow, number) : 0;
    flow->arrived_bytes += packet.new_bytes;
    *carried_of(packets, flow) += packet.new_bytes;
    plan_acknowledgement(packets, flow, &packet, is_new);
    if (!is_new || flow->stream.receiver.n_arrived < flow->stream.sender.n_packets)
        return;
    schedule(packets, item_of(packets, packet.flow, ITEM_ARRIVED), now_s + flow->settings.latency_s);
    if (!flow->keeps) /* links without limit: it has left while the last packet was sent */
        keep(flow);
    flow->has_left = true;
    flow->keeps = false;
    frs_tcp_stream_shift(&flow->kept, -now_s);
}

/* The packet enters its first link, or its second one; a link without limit is passed at once. */
static void pass(struct frs_packets *packets, struct flow *flow, double now_s,
    const struct frs_packet *packet, bool second) {
    bool up = flow->settings.up;
    uint32_t star = flow->settings.star;
    for (int i = second; i < 2; i++) {
        bool own = up ? i == 0 : i == 1;
        struct frs_packet_link *link = own ? &flow->link : &packets->stars[star].links[up];
        if (isinf(link->bytes_per_s))
            continue;
        enter(packets, link, own ? item_of(packets, packet->flow, ITEM_LINK) : item_of_shared(star, up),
            now_s, packet);
        return;
    }
    leave(packets, flow, now_s, *packet);
}

/* ---- senders --------------------------------------------------------------------------------- */

static void send(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = packets->flows[id];
    struct frs_packet packet = {.flow = id, .generation = flow->generation};
    uint64_t n_sent = packets->n_sent;
    while (frs_tcp_sender_next(&flow->stream.sender, now_s, &packet.transmission)) {
        packets->n_sent++;
        packet.weight = weight(payload_of(flow, packet.transmission.packet) - flow->settings.header_bytes);
        pass(packets, flow, now_s, &packet, false);
    }
    if (packets->n_sent > n_sent)
        keep(flow);
    /* A timer that moved away is checked when it would have been due. */
    double timer_s = frs_larger(frs_tcp_sender_timer_s(&flow->stream.sender), now_s);
    if (timer_s < flow->timer_s) {
        flow->timer_s = timer_s;
        schedule(packets, item_of(packets, id, ITEM_TIMER), timer_s);
    }
}

static void know_flow(struct frs_packets *packets, uint32_t id) {
    size_t n = packets->n_flows;
    if (id < n)
        return;
    packets->flows = frs_grow(packets->flows, (size_t)id + 1, &packets->n_flows, sizeof *packets->flows);
    memset(packets->flows + n, 0, (packets->n_flows - n) * sizeof *packets->flows);
}

static void begin_stream(struct flow *flow, double now_s, uint32_t n_packets) {
    const struct frs_packets_flow *settings = &flow->settings;
    struct frs_tcp_sender *sender = &flow->stream.sender;
    /* Windows that were kept leave no link idle while the receiver waits for the second packet of an
     * acknowledgement. */
    double in_flight = settings->round_trip_s * settings->bytes_per_s / FRS_PACKET_PAYLOAD_BYTES;
    frs_tcp_receiver_init(&flow->stream.receiver, settings->interactive);
    frs_tcp_sender_init(sender, n_packets, settings->round_trip_s, now_s,
        settings->warm && settings->round_trip_s > 0 ? ceil(in_flight) + 2 : 0);
    frs_tcp_sender_remember(sender, &settings->from);
    if (settings->up)
        frs_tcp_sender_know_delay(
            sender, settings->round_trip_s + weight(FRS_REQUEST_BYTES) / settings->bytes_per_s);
}

/* The message follows the one before it, whose last packets have not been acknowledged yet. */
static void go_on_with(struct frs_packets *packets, uint32_t id, double now_s, uint32_t n_packets) {
    struct flow *flow = packets->flows[id];
    flow->stream = *flow->settings.stream;
    *flow->settings.stream = (struct frs_tcp_stream){0};
    flow->first = flow->stream.sender.n_packets;
    struct frs_packet_ring sent = {0};
    double last_bytes = flow->settings.bytes - (n_packets - 1) * flow->settings.packet_bytes;
    frs_tcp_stream_catches_up(&flow->stream, n_packets, weight(last_bytes), flow->link.queue.capacity, &sent);
    frs_tcp_stream_shift(&flow->stream, now_s);
    keep(flow);
    while (sent.n) {
        struct frs_packet packet = frs_packet_ring_pop(&sent);
        packet.flow = id;
        packet.generation = flow->generation;
        packet.transmission.sent_s += now_s;
        packets->n_sent++;
        pass(packets, flow, now_s, &packet, false);
    }
    frs_packet_ring_fini(&sent);
    if (flow->stream.left.n)
        schedule(packets, item_of(packets, id, ITEM_ACKNOWLEDGEMENT),
            frs_packet_ring_first(&flow->stream.left)->acknowledged_s);
    send(packets, id, now_s);
}

void frs_packets_add(
    struct frs_packets *packets, uint32_t id, double now_s, const struct frs_packets_flow *settings) {
    know_flow(packets, id);
    double packet_bytes = settings->packet_bytes > 0 ? settings->packet_bytes
                                                     : FRS_PACKET_PAYLOAD_BYTES + settings->header_bytes,
           n_packets = ceil(settings->bytes / packet_bytes);
    FRS_INVARIANT(n_packets < UINT32_MAX, "a message of %g packets", n_packets);
    struct flow *flow = packets->flows[id] = frs_alloc(1, sizeof *flow);
    flow->generation = ++packets->generation;
    packets->n[settings->up] += settings->star == 0;
    flow->settings = *settings;
    flow->settings.packet_bytes = packet_bytes;
    flow->timer_s = INFINITY;
    init_link(&flow->link, settings->bytes_per_s, packets->settings.queue_s, false);
    if (settings->stream && frs_tcp_stream_is_under_way(settings->stream)) {
        go_on_with(packets, id, now_s, (uint32_t)n_packets);
        return;
    }
    double starts_s = now_s + settings->delay_s;
    begin_stream(flow, starts_s, (uint32_t)n_packets);
    if (settings->delay_s > 0) {
        flow->timer_s = starts_s;
        schedule(packets, item_of(packets, id, ITEM_TIMER), starts_s);
    } else {
        send(packets, id, now_s);
    }
}

static void set_rate(struct frs_packets *packets, struct frs_packet_link *link, uint32_t item, double now_s,
    double bytes_per_s) {
    frs_packet_link_set_rate(link, now_s, bytes_per_s);
    if (link->busy)
        schedule_departure(packets, link, item);
}

void frs_packets_set_rate(struct frs_packets *packets, uint32_t id, double now_s, double bytes_per_s) {
    set_rate(packets, &packets->flows[id]->link, item_of(packets, id, ITEM_LINK), now_s, bytes_per_s);
}

void frs_packets_set_server_rate(struct frs_packets *packets, bool up, double now_s, double bytes_per_s) {
    set_rate(packets, &packets->stars[0].links[up], item_of_shared(0, up), now_s, bytes_per_s);
}

size_t frs_packets_n(const struct frs_packets *packets, bool up) {
    return packets->n[up];
}

static void end(struct frs_packets *packets, uint32_t id) {
    const struct frs_packets_flow *settings = &packets->flows[id]->settings;
    for (uint32_t item = 0; item < N_FLOW_ITEMS; item++)
        frs_heap_remove(&packets->events, item_of(packets, id, item));
    packets->n[settings->up] -= settings->star == 0;
    destroy_flow(packets->flows[id]);
    packets->flows[id] = NULL;
    if (packets->ended == id)
        packets->ended = NOBODY;
}

double frs_packets_remove(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = packets->flows[id];
    double under_way = 0;
    while (flow->stream.left.n) {
        struct frs_packet packet = frs_packet_ring_pop(&flow->stream.left);
        if (packet.left_s + flow->settings.latency_s > now_s)
            under_way += packet.new_bytes;
    }
    double bytes = flow->arrived_bytes - under_way;
    *carried_of(packets, flow) -= under_way;
    end(packets, id);
    return bytes;
}

double frs_packets_arrived(const struct frs_packets *packets, uint32_t id, double now_s) {
    const struct flow *flow = packets->flows[id];
    double bytes = flow->arrived_bytes;
    for (uint32_t i = 0; i < flow->stream.left.n; i++) {
        const struct frs_packet *packet = frs_packet_ring_at(&flow->stream.left, i);
        if (packet->left_s + flow->settings.latency_s > now_s)
            bytes -= packet->new_bytes;
    }
    return bytes;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Packets of a flow that has ended may still be in a shared link's queue. */
static struct flow *flow_of(struct frs_packets *packets, const struct frs_packet *packet) {
    struct flow *flow = packets->flows[packet->flow];
    return flow && flow->generation == packet->generation ? flow : NULL;
}

static void shared_departs(struct frs_packets *packets, uint32_t star, bool up, double now_s) {
    struct frs_packet_link *link = &packets->stars[star].links[up];
    struct frs_packet packet = link->on_it;
    serve(packets, link, item_of_shared(star, up), now_s);
    struct flow *flow = flow_of(packets, &packet);
    if (!flow)
        return;
    if (up)
        leave(packets, flow, now_s, packet);
    else
        pass(packets, flow, now_s, &packet, true);
}

static void own_departs(struct frs_packets *packets, struct flow *flow, double now_s) {
    struct frs_packet packet = flow->link.on_it;
    serve(packets, &flow->link, item_of(packets, packet.flow, ITEM_LINK), now_s);
    if (flow->settings.up)
        pass(packets, flow, now_s, &packet, true);
    else
        leave(packets, flow, now_s, packet);
}

static void acknowledge(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = packets->flows[id];
    frs_tcp_stream_hears(&flow->stream, now_s);
    if (flow->stream.left.n)
        schedule(packets, item_of(packets, id, ITEM_ACKNOWLEDGEMENT),
            frs_packet_ring_first(&flow->stream.left)->acknowledged_s);
    send(packets, id, now_s);
}

static void look_at_timer(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = packets->flows[id];
    flow->timer_s = INFINITY;
    if (frs_tcp_sender_timer_s(&flow->stream.sender) <= now_s)
        frs_tcp_sender_timer(&flow->stream.sender, now_s);
    send(packets, id, now_s);
}

static void carry_out(struct frs_packets *packets, uint32_t item, double now_s) {
    uint32_t n_shared = item_of_shared(packets->n_stars, false);
    if (item < n_shared) {
        shared_departs(packets, item / 2, item % 2, now_s);
        return;
    }
    uint32_t flow = (item - n_shared) / N_FLOW_ITEMS;
    switch ((enum flow_item)((item - n_shared) % N_FLOW_ITEMS)) {
    case ITEM_LINK:
        own_departs(packets, packets->flows[flow], now_s);
        break;
    case ITEM_ACKNOWLEDGEMENT:
        acknowledge(packets, flow, now_s);
        break;
    case ITEM_TIMER:
        look_at_timer(packets, flow, now_s);
        break;
    case ITEM_ARRIVED:
        packets->ended = flow;
        packets->ended_s = now_s;
        break;
    case N_FLOW_ITEMS:
        break;
    }
}

double frs_packets_next_s(struct frs_packets *packets, double until_s) {
    const struct frs_heap_entry *top;
    while (packets->ended == NOBODY && (top = frs_heap_top(&packets->events)) && top->key <= until_s) {
        uint32_t item = top->item;
        double now_s = top->key;
        frs_heap_remove(&packets->events, item);
        carry_out(packets, item, now_s);
    }
    return packets->ended == NOBODY ? INFINITY : packets->ended_s;
}

/* All of it has arrived: what is still to be acknowledged follows from that; an answer acknowledges all. */
static void tell(struct frs_packets *packets, uint32_t id) {
    struct flow *flow = packets->flows[id];
    double answered_s = flow->settings.answered
                            ? packets->ended_s - flow->settings.latency_s + flow->settings.round_trip_s
                            : INFINITY;
    while (flow->stream.left.n) {
        struct frs_packet packet = frs_packet_ring_pop(&flow->stream.left);
        frs_tcp_sender_acknowledged(
            &flow->stream.sender, frs_smaller(packet.acknowledged_s, answered_s), &packet.transmission);
    }
    const struct frs_path_memory memory = frs_tcp_sender_memory(&flow->stream.sender);
    packets->settings.learnt(packets->settings.context, id, &memory);
}

int frs_packets_pop(struct frs_packets *packets, double now_s, uint32_t *id) {
    if (frs_packets_next_s(packets, now_s) > now_s)
        return 0;
    *id = packets->ended;
    struct flow *flow = packets->flows[*id];
    if (packets->settings.learnt)
        tell(packets, *id);
    if (flow->settings.stream) {
        *flow->settings.stream = flow->kept;
        flow->kept = (struct frs_tcp_stream){0};
    }
    end(packets, *id);
    return 1;
}

double frs_packets_carried(const struct frs_packets *packets, bool server, bool up) {
    return packets->carried_bytes[!server][up];
}

uint64_t frs_packets_sent(const struct frs_packets *packets) {
    return packets->n_sent;
}
