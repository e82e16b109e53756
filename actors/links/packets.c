#include "actors/links/packets.h"
#include "actors/heap.h"
#include "actors/links/packet_queue.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_QUEUE_BYTES (20 * (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES))

/* What is scheduled: the server's links have the first places, then come the flows'. */
enum { ITEM_SERVER_DOWN, ITEM_SERVER_UP, ITEM_FLOWS };
enum flow_item { ITEM_LINK, ITEM_ACKNOWLEDGEMENT, ITEM_TIMER, ITEM_ARRIVED, N_FLOW_ITEMS };

struct link {
    double bytes_per_s; /* INFINITY: neither queues nor drops */
    struct frs_packet_queue queue;
    bool busy;
    struct frs_packet on_it;
};

struct flow {
    bool active;
    uint32_t generation;
    struct frs_packets_flow settings;
    struct frs_tcp_sender sender;
    struct link link;               /* the client's own */
    struct frs_packet_ring arrived; /* packets beyond the last link whose acknowledgement is under way; bytes: date */
    uint8_t *received;              /* bitmap of the packets beyond the last link */
    uint32_t n_received;
    double last_bytes; /* payload of the last packet */
    double timer_s;    /* when the sender's timer is looked at */
};

struct frs_packets {
    struct frs_packets_settings settings;
    struct link server[2];
    struct flow *flows;
    uint32_t n_flows;
    struct frs_heap events;
    struct frs_heap_places places;
    uint64_t n_sent;
};

static void init_link(struct link *link, double bytes_per_s, double queue_s, bool fair) {
    link->bytes_per_s = bytes_per_s;
    link->queue.capacity_bytes = isinf(bytes_per_s) ? INFINITY : fmax(bytes_per_s * queue_s, LEAST_QUEUE_BYTES);
    link->queue.fair = fair;
}

struct frs_packets *frs_packets_create(const struct frs_packets_settings *settings) {
    struct frs_packets *packets = frs_alloc(1, sizeof *packets);
    packets->settings = *settings;
    packets->events.places = &packets->places;
    for (int up = 0; up < 2; up++)
        init_link(&packets->server[up], settings->server_bytes_per_s[up], settings->queue_s, settings->fair);
    return packets;
}

static void clear_flow(struct flow *flow) {
    frs_tcp_sender_fini(&flow->sender);
    frs_packet_queue_fini(&flow->link.queue);
    frs_packet_ring_fini(&flow->arrived);
    free(flow->received);
    uint32_t generation = flow->generation;
    *flow = (struct flow){.generation = generation};
}

void frs_packets_destroy(struct frs_packets *packets) {
    if (!packets)
        return;
    for (uint32_t f = 0; f < packets->n_flows; f++)
        clear_flow(&packets->flows[f]);
    free(packets->flows);
    for (int up = 0; up < 2; up++)
        frs_packet_queue_fini(&packets->server[up].queue);
    frs_heap_fini(&packets->events);
    frs_heap_places_fini(&packets->places);
    free(packets);
}

static void schedule(struct frs_packets *packets, uint32_t item, double date_s) {
    frs_heap_put(&packets->events, item, date_s, item);
}

static uint32_t item_of(uint32_t flow, enum flow_item item) {
    return ITEM_FLOWS + flow * N_FLOW_ITEMS + item;
}

/* ---- links --------------------------------------------------------------------------------------------------- */

static void serve(struct frs_packets *packets, struct link *link, uint32_t item, double now_s) {
    link->busy = frs_packet_queue_pop(&link->queue, &link->on_it);
    if (link->busy)
        schedule(packets, item, now_s + link->on_it.bytes / link->bytes_per_s);
}

static void enter(struct frs_packets *packets, struct link *link, uint32_t item, double now_s,
    const struct frs_packet *packet) {
    if (frs_packet_queue_push(&link->queue, packet) && !link->busy)
        serve(packets, link, item, now_s);
}

static struct flow *flow_of(struct frs_packets *packets, const struct frs_packet *packet) {
    struct flow *flow = &packets->flows[packet->flow];
    return flow->active && flow->generation == packet->generation ? flow : NULL;
}


static double payload_of(const struct flow *flow, uint32_t packet) {
    return packet + 1 == flow->sender.n_packets ? flow->last_bytes : FRS_PACKET_PAYLOAD_BYTES;
}

/* A packet has left its last link. */
static void leave(struct frs_packets *packets, struct flow *flow, double now_s, struct frs_packet packet) {
    uint32_t number = packet.transmission.packet;
    packet.left_s = now_s;
    packet.new_bytes = 0;
    if (!(flow->received[number / 8] >> number % 8 & 1)) {
        flow->received[number / 8] |= (uint8_t)(1U << number % 8);
        packet.new_bytes = payload_of(flow, number);
        if (++flow->n_received == flow->sender.n_packets)
            schedule(packets, item_of(packet.flow, ITEM_ARRIVED), now_s + flow->settings.latency_s);
    }
    if (!flow->arrived.n)
        schedule(packets, item_of(packet.flow, ITEM_ACKNOWLEDGEMENT), now_s + 2 * flow->settings.latency_s);
    frs_packet_ring_push(&flow->arrived, &packet);
}

static void pass_own(struct frs_packets *packets, struct flow *flow, double now_s, const struct frs_packet *packet) {
    enter(packets, &flow->link, item_of(packet->flow, ITEM_LINK), now_s, packet);
}

static void pass_server(struct frs_packets *packets, struct flow *flow, double now_s, const struct frs_packet *packet) {
    bool up = flow->settings.up;
    if (!isinf(packets->server[up].bytes_per_s))
        enter(packets, &packets->server[up], up ? ITEM_SERVER_UP : ITEM_SERVER_DOWN, now_s, packet);
    else if (up)
        leave(packets, flow, now_s, *packet);
    else
        pass_own(packets, flow, now_s, packet);
}

/* ---- senders ------------------------------------------------------------------------------------------------- */

static void send(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = &packets->flows[id];
    struct frs_packet packet = {.flow = id, .generation = flow->generation};
    while (frs_tcp_sender_next(&flow->sender, now_s, &packet.transmission)) {
        packets->n_sent++;
        if (packets->settings.lost
            && packets->settings.lost(packets->settings.context, id, packet.transmission.number))
            continue;
        packet.bytes = payload_of(flow, packet.transmission.packet) + FRS_PACKET_FRAME_BYTES;
        if (flow->settings.up)
            pass_own(packets, flow, now_s, &packet);
        else
            pass_server(packets, flow, now_s, &packet);
    }
    /* A timer that moved away is looked at when it would have been due. */
    double timer_s = frs_tcp_sender_timer_s(&flow->sender);
    if (timer_s < flow->timer_s) {
        flow->timer_s = timer_s;
        schedule(packets, item_of(id, ITEM_TIMER), timer_s);
    }
}

static void forget_events(struct frs_packets *packets, uint32_t id) {
    for (uint32_t item = 0; item < N_FLOW_ITEMS; item++)
        frs_heap_remove(&packets->events, item_of(id, item));
}

static void end(struct frs_packets *packets, uint32_t id) {
    forget_events(packets, id);
    clear_flow(&packets->flows[id]);
}

void frs_packets_add(
    struct frs_packets *packets, uint32_t id, double now_s, const struct frs_packets_flow *settings) {
    if (id >= packets->n_flows) {
        uint32_t n = id < 8 ? 16 : 2 * id;
        size_t capacity = packets->n_flows;
        packets->flows = frs_grow(packets->flows, n, &capacity, sizeof *packets->flows);
        memset(packets->flows + packets->n_flows, 0, (capacity - packets->n_flows) * sizeof *packets->flows);
        packets->n_flows = (uint32_t)capacity;
    }
    struct flow *flow = &packets->flows[id];
    double n_packets = ceil(settings->bytes / FRS_PACKET_PAYLOAD_BYTES);
    flow->active = true;
    flow->generation++;
    flow->settings = *settings;
    flow->timer_s = INFINITY;
    flow->last_bytes = settings->bytes - (n_packets - 1) * FRS_PACKET_PAYLOAD_BYTES;
    flow->received = frs_alloc((size_t)n_packets / 8 + 1, 1);
    init_link(&flow->link, settings->capacity_bytes_per_s, packets->settings.queue_s, false);
    double packet_s = (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES) / settings->capacity_bytes_per_s;
    double window = settings->warm ? ceil(2 * settings->latency_s / packet_s) + 1 : 0;
    frs_tcp_sender_init(&flow->sender, (uint32_t)n_packets, 2 * settings->latency_s, now_s, window);
    send(packets, id, now_s);
}

void frs_packets_set_capacity(struct frs_packets *packets, uint32_t id, double capacity_bytes_per_s) {
    struct flow *flow = &packets->flows[id];
    flow->settings.capacity_bytes_per_s = flow->link.bytes_per_s = capacity_bytes_per_s;
}

double frs_packets_remove(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = &packets->flows[id];
    double bytes = 0;
    for (uint32_t p = 0; p < flow->sender.n_packets; p++)
        if (flow->received[p / 8] >> p % 8 & 1)
            bytes += payload_of(flow, p);
    while (flow->arrived.n) {
        struct frs_packet packet = frs_packet_ring_pop(&flow->arrived);
        if (packet.left_s + flow->settings.latency_s > now_s)
            bytes -= packet.new_bytes;
    }
    end(packets, id);
    return bytes;
}

/* ---- events -------------------------------------------------------------------------------------------------- */

double frs_packets_next_s(const struct frs_packets *packets) {
    const struct frs_heap_entry *top = frs_heap_top(&packets->events);
    return top ? top->key : INFINITY;
}

static void server_departs(struct frs_packets *packets, bool up, double now_s) {
    struct frs_packet packet = packets->server[up].on_it;
    serve(packets, &packets->server[up], up ? ITEM_SERVER_UP : ITEM_SERVER_DOWN, now_s);
    struct flow *flow = flow_of(packets, &packet);
    if (!flow)
        return;
    if (up)
        leave(packets, flow, now_s, packet);
    else
        pass_own(packets, flow, now_s, &packet);
}

static void own_departs(struct frs_packets *packets, struct flow *flow, double now_s) {
    struct frs_packet packet = flow->link.on_it;
    serve(packets, &flow->link, item_of(packet.flow, ITEM_LINK), now_s);
    if (flow->settings.up)
        pass_server(packets, flow, now_s, &packet);
    else
        leave(packets, flow, now_s, packet);
}

static void acknowledge(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = &packets->flows[id];
    struct frs_packet packet = frs_packet_ring_pop(&flow->arrived);
    if (flow->arrived.n)
        schedule(packets, item_of(id, ITEM_ACKNOWLEDGEMENT),
            flow->arrived.packets[flow->arrived.first].left_s + 2 * flow->settings.latency_s);
    frs_tcp_sender_acknowledged(&flow->sender, now_s, &packet.transmission);
    send(packets, id, now_s);
}

static void look_at_timer(struct frs_packets *packets, uint32_t id, double now_s) {
    struct flow *flow = &packets->flows[id];
    flow->timer_s = INFINITY;
    if (frs_tcp_sender_timer_s(&flow->sender) <= now_s)
        frs_tcp_sender_timer(&flow->sender, now_s);
    send(packets, id, now_s);
}

int frs_packets_pop(struct frs_packets *packets, double now_s, uint32_t *id) {
    const struct frs_heap_entry *top;
    while ((top = frs_heap_top(&packets->events)) && top->key <= now_s) {
        uint32_t item = top->item;
        frs_heap_remove(&packets->events, item);
        if (item < ITEM_FLOWS) {
            server_departs(packets, item == ITEM_SERVER_UP, now_s);
            continue;
        }
        uint32_t flow = (item - ITEM_FLOWS) / N_FLOW_ITEMS;
        switch ((enum flow_item)((item - ITEM_FLOWS) % N_FLOW_ITEMS)) {
        case ITEM_LINK:
            own_departs(packets, &packets->flows[flow], now_s);
            break;
        case ITEM_ACKNOWLEDGEMENT:
            acknowledge(packets, flow, now_s);
            break;
        case ITEM_TIMER:
            look_at_timer(packets, flow, now_s);
            break;
        case ITEM_ARRIVED:
            end(packets, flow);
            *id = flow;
            return 1;
        case N_FLOW_ITEMS:
            break;
        }
    }
    return 0;
}

uint64_t frs_packets_sent(const struct frs_packets *packets) {
    return packets->n_sent;
}
