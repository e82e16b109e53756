/* What a router's links do with packets: queues, rates, latencies and losses. */
#include "actors/emulation/router_internal.h"
#include "actors/extremes.h"
#include "actors/links/packets.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

double frs_router_capacity(const struct router *router, double bytes_per_s) {
    return isinf(bytes_per_s) ? INFINITY
                              : frs_larger(bytes_per_s * router->settings->links->queue_s,
                                    FRS_PACKETS_LEAST_QUEUE * FRS_PACKET_PAYLOAD_BYTES);
}

void frs_router_schedule(struct router *router, uint32_t item, double time_s) {
    frs_heap_put(&router->events, item, time_s, item);
}

static void schedule_departure(struct router *router, size_t line, bool up) {
    const struct router_link *link = router_link(router, line, up);
    if (link->bytes_per_s > 0)
        frs_router_schedule(router, router_item(line, up ? ITEM_UP : ITEM_DOWN),
            link->since_s + link->left / link->bytes_per_s);
    else
        frs_heap_remove(&router->events, router_item(line, up ? ITEM_UP : ITEM_DOWN));
}

static void serve(struct router *router, size_t line, bool up, double now_s) {
    struct router_link *link = router_link(router, line, up);
    link->busy = frs_packet_queue_pop(&link->queue, &link->on_it);
    if (!link->busy)
        return;
    link->left = link->on_it.weight;
    link->since_s = now_s;
    schedule_departure(router, line, up);
}

static void drop(struct router *router, const struct frs_packet *packet, _Atomic uint64_t *count) {
    frs_packet_buffers_return(&router->packet_buffers, packet->transmission.packet);
    atomic_fetch_add(count, 1);
}

static bool is_lost(struct router_line *line, const struct frs_packet_buffer *packet_buffer) {
    if (!line->loses || !packet_buffer->carries)
        return false;
    uint32_t n = line->n_passed++ % FRS_LOSS_DRAWS;
    return line->lost[n / 8] >> n % 8 & 1;
}

static void leave(struct router *router, double now_s, struct frs_packet packet, bool up) {
    struct router_line *line = &router->lines[packet.flow];
    if (is_lost(line, frs_packet_buffer(&router->packet_buffers, packet.transmission.packet))) {
        drop(router, &packet, &router->settings->record->n_lost);
        return;
    }
    packet.left_s = now_s + line->latency_s[up];
    if (!line->under_way[up].n)
        frs_router_schedule(
            router, router_item(packet.flow, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN), packet.left_s);
    frs_packet_ring_push(&line->under_way[up], &packet);
}

/* `line`: of the link, a hub's or the packet's own. */
static void enter(
    struct router *router, size_t line, double now_s, const struct frs_packet *packet, bool up) {
    struct router_link *link = router_link(router, line, up);
    if (!frs_packet_queue_push(&link->queue, packet))
        drop(router, packet, &router->settings->record->n_dropped);
    else if (!link->busy)
        serve(router, line, up, now_s);
}

/* The shared link of the packet's hub lets all through. */
static bool is_unlimited(const struct router *router, const struct frs_packet *packet, bool up) {
    return isinf(router->hubs[router->lines[packet->flow].hub][up].bytes_per_s);
}

static void enter_hub(struct router *router, double now_s, const struct frs_packet *packet, bool up) {
    enter(router, router_hub(router, router->lines[packet->flow].hub), now_s, packet, up);
}

/* From the link to the next one, or beyond the last. */
static void pass(struct router *router, size_t link, double now_s, const struct frs_packet *packet, bool up) {
    bool of_hub = link >= router->n_lines;
    if (of_hub == up || (up && is_unlimited(router, packet, up)))
        leave(router, now_s, *packet, up);
    else if (up)
        enter_hub(router, now_s, packet, up);
    else
        enter(router, packet->flow, now_s, packet, up);
}

void frs_router_take(struct router *router, double now_s, const struct frs_packet *packet, bool up) {
    if (up || is_unlimited(router, packet, up))
        enter(router, packet->flow, now_s, packet, up);
    else
        enter_hub(router, now_s, packet, up);
}

void frs_router_depart(struct router *router, size_t line, bool up, double now_s) {
    struct frs_packet packet = router_link(router, line, up)->on_it;
    serve(router, line, up, now_s);
    pass(router, line, now_s, &packet, up);
}

void frs_router_set_rate(struct router *router, size_t line, bool up, double now_s, double bytes_per_s) {
    struct router_link *link = router_link(router, line, up);
    now_s = frs_larger(now_s, link->since_s);
    if (isfinite(link->bytes_per_s))
        link->left = frs_larger(link->left - link->bytes_per_s * (now_s - link->since_s), 0);
    link->since_s = now_s;
    link->bytes_per_s = bytes_per_s;
    if (link->busy)
        schedule_departure(router, line, up);
}

void frs_router_forget(struct router *router, size_t n) {
    for (int up = 0; up < 2; up++) {
        struct router_link *link = &router->lines[n].links[up];
        struct frs_packet_ring *under_way = &router->lines[n].under_way[up];
        struct frs_packet packet;
        if (link->busy)
            frs_packet_buffers_return(&router->packet_buffers, link->on_it.transmission.packet);
        while (frs_packet_queue_pop(&link->queue, &packet))
            frs_packet_buffers_return(&router->packet_buffers, packet.transmission.packet);
        while (under_way->n > 0) {
            packet = frs_packet_ring_pop(under_way);
            frs_packet_buffers_return(&router->packet_buffers, packet.transmission.packet);
        }
        link->busy = false;
        frs_heap_remove(&router->events, router_item(n, up ? ITEM_UP : ITEM_DOWN));
        frs_heap_remove(&router->events, router_item(n, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN));
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static void init_hub(struct router *router, size_t hub, const double *bytes_per_s) {
    for (int up = 0; up < 2; up++) {
        struct router_link *link = &router->hubs[hub][up];
        link->bytes_per_s = bytes_per_s[up];
        link->queue.capacity = frs_router_capacity(router, bytes_per_s[up]);
        link->queue.fair = router->settings->links->fair;
    }
}

static void init_line(struct router *router, struct router_line *line, const double *bytes_per_s) {
    for (int up = 0; up < 2; up++) {
        line->links[up].bytes_per_s = bytes_per_s[up];
        line->links[up].queue.capacity = frs_router_capacity(router, bytes_per_s[up]);
    }
}

void frs_router_links_init(struct router *router) {
    const struct frs_router_settings *settings = router->settings;
    const double unlimited[2] = {INFINITY, INFINITY};
    router->n_lines = settings->n_lines + settings->n_edges;
    router->n_hubs = 1 + settings->n_edges;
    router->lines = frs_alloc(router->n_lines, sizeof *router->lines);
    router->hubs = frs_alloc(router->n_hubs, sizeof *router->hubs);
    router->events.places = &router->places;
    init_hub(router, 0, settings->links->server_bytes_per_s);
    for (size_t i = 0; i < settings->n_lines; i++)
        init_line(router, &router->lines[i], unlimited);
    for (size_t i = 0; i < settings->n_edges; i++) {
        const struct frs_emulated_edge *edge = &settings->links->edges[i];
        struct router_line *backhaul = &router->lines[settings->n_lines + i];
        init_hub(router, 1 + i, edge->access_bytes_per_s);
        init_line(router, backhaul, edge->backhaul_bytes_per_s);
        backhaul->latency_s[0] = backhaul->latency_s[1] = edge->latency_s;
    }
}

void frs_router_links_fini(struct router *router) {
    for (size_t i = 0; i < router->n_lines + router->n_hubs; i++)
        for (int up = 0; up < 2; up++) {
            frs_packet_queue_fini(&router_link(router, i, up)->queue);
            if (i < router->n_lines)
                frs_packet_ring_fini(&router->lines[i].under_way[up]);
        }
    frs_packet_buffers_fini(&router->packet_buffers);
    frs_heap_fini(&router->events);
    frs_heap_places_fini(&router->places);
    free(router->lines);
    free(router->hubs);
}
