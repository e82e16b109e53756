#include "actors/emulation/router.h"
#include "actors/emulation/process.h"
#include "actors/emulation/rights.h"
#include "actors/emulation/router_internal.h"
#include "actors/emulation/watchdog.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define RANK 10
#define LATE_S 0.0005
#define ATTENTIVE_S 0.001 /* at most asleep while messages are under way, */
#define IDLE_S 0.05       /* and otherwise */
#define BATCH 64          /* packets taken from a device at once */

/* ---- devices --------------------------------------------------------------------------------- */

static void note_lateness(struct router *router, double late_s) {
    struct frs_router_record *record = router->settings->record;
    if (late_s > LATE_S)
        atomic_fetch_add(&record->n_late, 1);
    if (late_s > atomic_load(&record->greatest_lateness_s))
        atomic_store(&record->greatest_lateness_s, late_s);
}

/* Where the device of a hub is among all: the server's is the first one, that of an edge is also that of its
 * backhaul. */
static size_t tun_of_hub(const struct router *router, size_t hub) {
    return hub == 0 ? 0 : router->settings->n_lines + hub;
}

/* Delivers all packets that have arrived by now. A device that takes no packet at present has lost it. */
static void arrive(struct router *router, size_t n, bool up, double now_s) {
    struct router_line *line = &router->lines[n];
    struct frs_packet_ring *ring = &line->under_way[up];
    int tun = router->settings->tuns[up ? tun_of_hub(router, line->hub) : 1 + n];
    while (ring->n > 0 && frs_packet_ring_first(ring)->left_s <= now_s) {
        struct frs_packet packet = frs_packet_ring_pop(ring);
        const struct frs_packet_buffer *packet_buffer =
            frs_packet_buffer(&router->packet_buffers, packet.transmission.packet);
        ssize_t written = write(tun, packet_buffer->bytes, packet_buffer->n);
        (void)written;
        note_lateness(router, frs_wall_s() - packet.left_s);
        frs_packet_buffers_return(&router->packet_buffers, packet.transmission.packet);
    }
    if (ring->n > 0)
        frs_router_schedule(router, router_item(n, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN),
            frs_packet_ring_first(ring)->left_s);
}

/* The number of the line that ends at this address away from its hub; n_lines: there is none. */
static size_t line_at(const struct router *router, uint32_t address) {
    size_t client = address - FRS_LINE_ADDRESS(0), edge = address - FRS_EDGE_ADDRESS(0);
    return client < router->settings->n_lines ? client
           : edge < router->settings->n_edges ? router->settings->n_lines + edge
                                              : router->n_lines;
}

static bool joins(const struct router *router, size_t line, uint32_t hub_address) {
    return line < router->n_lines && !router->lines[line].cut &&
           frs_hub_address((uint32_t)router->lines[line].hub) == hub_address;
}

/* Identifies the line of a packet, and whether it goes up to the line's hub. False: no line joins the two. */
static bool find_line(
    const struct router *router, const struct frs_packet_buffer *packet, size_t *line, bool *up) {
    *line = line_at(router, packet->from);
    *up = joins(router, *line, packet->to);
    if (*up)
        return true;
    *line = line_at(router, packet->to);
    return joins(router, *line, packet->from);
}

/* A packet that matches no line is not of the emulation. */
static void take_packets(struct router *router, int tun) {
    for (int i = 0; i < BATCH; i++) {
        uint32_t number = frs_packet_buffers_take(&router->packet_buffers);
        struct frs_packet_buffer *packet_buffer = frs_packet_buffer(&router->packet_buffers, number);
        ssize_t n = read(tun, packet_buffer->bytes, sizeof packet_buffer->bytes);
        double now_s = frs_wall_s();
        size_t line;
        bool up, ours = n > 0 && frs_packet_buffer_read(packet_buffer, (size_t)n) &&
                        find_line(router, packet_buffer, &line, &up);
        if (!ours)
            frs_packet_buffers_return(&router->packet_buffers, number);
        if (n <= 0)
            return;
        if (!ours)
            continue;
        atomic_fetch_add(&router->settings->record->n_packets, 1);
        const struct frs_packet packet = {.transmission = {.packet = number},
            .flow = (uint32_t)line,
            .weight = frs_packet_buffer_weight(packet_buffer)};
        frs_router_take(router, now_s, &packet, up);
    }
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void set_path(struct router *router, const struct frs_router_order *order, double now_s) {
    struct router_line *line = &router->lines[order->line];
    line->cut = order->cut;
    if (order->cut)
        return;
    if (order->anew)
        frs_router_forget(router, order->line);
    line->hub = order->hub;
    line->loses = order->loses;
    line->n_passed = 0;
    memcpy(line->lost, order->lost, sizeof line->lost);
    for (int up = 0; up < 2; up++) {
        frs_heap_remove(&router->events, router_item(order->line, up ? ITEM_CHANGE_UP : ITEM_CHANGE_DOWN));
        frs_router_set_rate(router, order->line, up, now_s, order->bytes_per_s[up]);
        line->links[up].queue.capacity = frs_router_capacity(router, order->bytes_per_s[up]);
        line->latency_s[up] = order->latency_s[up];
    }
}

static void plan_rate(struct router *router, const struct frs_router_order *order) {
    struct router_link *link = router_link(router, order->line, order->up);
    uint32_t item = router_item(order->line, order->up ? ITEM_CHANGE_UP : ITEM_CHANGE_DOWN);
    if (frs_heap_has(&router->events, item)) /* due, and not seen to yet */
        frs_router_set_rate(router, order->line, order->up, frs_smaller(link->next_from_s, frs_wall_s()),
            link->next_bytes_per_s);
    link->next_from_s = order->from_s;
    link->next_bytes_per_s = order->bytes_per_s[order->up];
    frs_router_schedule(router, item, order->from_s);
}

/* False: the server is gone. */
static bool take_orders(struct router *router) {
    struct frs_router_order order;
    for (;;) {
        ssize_t n = recv(router->settings->orders, &order, sizeof order, MSG_DONTWAIT);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n != (ssize_t)sizeof order)
            return false;
        order.line = order.line == FRS_EMULATED_LINES ? (uint32_t)router_hub(router, 0) : order.line;
        if (order.kind == FRS_ROUTER_PATH)
            set_path(router, &order, frs_wall_s());
        else
            plan_rate(router, &order);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static void carry_out(struct router *router, uint32_t item, double time_s) {
    size_t line = item / N_ROUTER_ITEMS;
    switch ((enum router_item)(item % N_ROUTER_ITEMS)) {
    case ITEM_DOWN:
    case ITEM_UP:
        frs_router_depart(router, line, item % N_ROUTER_ITEMS == ITEM_UP, time_s);
        break;
    case ITEM_ARRIVE_DOWN:
    case ITEM_ARRIVE_UP:
        arrive(router, line, item % N_ROUTER_ITEMS == ITEM_ARRIVE_UP, time_s);
        break;
    case ITEM_CHANGE_DOWN:
    case ITEM_CHANGE_UP: {
        bool up = item % N_ROUTER_ITEMS == ITEM_CHANGE_UP;
        frs_router_set_rate(router, line, up, time_s, router_link(router, line, up)->next_bytes_per_s);
        break;
    }
    case N_ROUTER_ITEMS:
        break;
    }
}

static void handle_due(struct router *router) {
    const struct frs_heap_entry *top;
    while ((top = frs_heap_top(&router->events)) && top->key <= frs_wall_s()) {
        uint32_t item = top->item;
        double time_s = top->key;
        frs_heap_remove(&router->events, item);
        carry_out(router, item, time_s);
    }
}

static double asleep_s(const struct router *router, bool active, double now_s) {
    const struct frs_heap_entry *top = frs_heap_top(&router->events);
    double most_s = active ? ATTENTIVE_S : IDLE_S, next_s = top ? top->key - now_s : INFINITY;
    return frs_larger(frs_smaller(most_s, next_s), 0);
}

static void loop(struct router *router) {
    size_t n_tuns = 1 + router->settings->n_lines + router->settings->n_edges;
    bool was_active = false;
    struct frs_router_record *record = router->settings->record;
    struct frs_watchdog watchdog = frs_watchdog_of(&record->activity, &record->router);
    double seen_s = frs_wall_s();
    for (;;) {
        double now_s = frs_wall_s();
        bool active = atomic_load(&record->activity.active);
        frs_watchdog_end(&watchdog);
        if (was_active && active)
            atomic_store(&record->active_s, atomic_load(&record->active_s) + now_s - seen_s);
        was_active = active;
        seen_s = now_s;
        handle_due(router);
        double wanted_s = frs_watchdog_begin(&watchdog, asleep_s(router, active, frs_wall_s()));
        struct timespec left = {.tv_nsec = (long)(1e9 * wanted_s)};
        ppoll(router->fds, n_tuns + 1, &left, NULL);
        if (router->fds[n_tuns].revents && !take_orders(router))
            return;
        for (size_t i = 0; i < n_tuns; i++)
            if (router->fds[i].revents)
                take_packets(router, router->fds[i].fd);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

void frs_router_run(const struct frs_router_settings *settings) {
    size_t n_tuns = 1 + settings->n_lines + settings->n_edges;
    struct router router = {.settings = settings, .fds = frs_alloc(n_tuns + 1, sizeof *router.fds)};
    frs_router_links_init(&router);
    for (size_t i = 0; i < n_tuns; i++)
        router.fds[i] = (struct pollfd){.fd = settings->tuns[i], .events = POLLIN};
    router.fds[n_tuns] = (struct pollfd){.fd = settings->orders, .events = POLLIN};
    settings->record->real_time = frs_process_hurry(RANK);
    (void)frs_rights_drop(FRS_RIGHTS_OF_PACKETS);
    loop(&router);
    frs_router_links_fini(&router);
    free(router.fds);
}
