#include "actors/emulation/router.h"
#include "actors/emulation/packet_buffers.h"
#include "actors/emulation/process.h"
#include "actors/emulation/rights.h"
#include "actors/emulation/watchdog.h"
#include "actors/extremes.h"
#include "sim/base/heap.h"
#include "actors/links/packet_queue.h"
#include "actors/links/packets.h"
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

/* What is scheduled: for the server's links and for every line. */
enum item { ITEM_DOWN, ITEM_UP, ITEM_ARRIVE_DOWN, ITEM_ARRIVE_UP, ITEM_CHANGE_DOWN, ITEM_CHANGE_UP, N_ITEMS };

struct link {
    double bytes_per_s;
    struct frs_packet_queue queue;
    bool busy;
    struct frs_packet on_it;
    double left, since_s;                 /* of the weight of that packet, at this time */
    double next_bytes_per_s, next_from_s; /* of the change that is scheduled */
};

struct line {
    struct link links[2];
    struct frs_packet_ring under_way[2]; /* beyond the last link, until left_s */
    double latency_s[2];
    bool cut, loses;
    uint32_t n_passed;
    uint8_t lost[FRS_LOSS_DRAWS / 8];
};

struct router {
    const struct frs_router_settings *settings;
    struct line *lines; /* [n_lines] */
    struct link server[2];
    struct frs_packet_buffers packet_buffers;
    struct frs_heap events;
    struct frs_heap_places places;
    struct pollfd *fds;
};

static uint32_t item_of(size_t line, enum item item) {
    return (uint32_t)line * N_ITEMS + item;
}

static void schedule(struct router *router, uint32_t item, double time_s) {
    frs_heap_put(&router->events, item, time_s, item);
}

static bool is_server(const struct router *router, size_t line) {
    return line == router->settings->n_lines;
}

static struct link *link_of(struct router *router, size_t line, bool up) {
    return is_server(router, line) ? &router->server[up] : &router->lines[line].links[up];
}

static double capacity(const struct router *router, double bytes_per_s) {
    return isinf(bytes_per_s) ? INFINITY
                              : frs_larger(bytes_per_s * router->settings->queue_s,
                                    FRS_PACKETS_LEAST_QUEUE * FRS_PACKET_PAYLOAD_BYTES);
}

/* ---- links ----------------------------------------------------------------------------------- */

static void schedule_departure(struct router *router, size_t line, bool up) {
    const struct link *link = link_of(router, line, up);
    if (link->bytes_per_s > 0)
        schedule(
            router, item_of(line, up ? ITEM_UP : ITEM_DOWN), link->since_s + link->left / link->bytes_per_s);
    else
        frs_heap_remove(&router->events, item_of(line, up ? ITEM_UP : ITEM_DOWN));
}

static void serve(struct router *router, size_t line, bool up, double now_s) {
    struct link *link = link_of(router, line, up);
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

static bool is_lost(struct line *line, const struct frs_packet_buffer *packet_buffer) {
    if (!line->loses || !packet_buffer->carries)
        return false;
    uint32_t n = line->n_passed++ % FRS_LOSS_DRAWS;
    return line->lost[n / 8] >> n % 8 & 1;
}

static void leave(struct router *router, double now_s, struct frs_packet packet, bool up) {
    struct line *line = &router->lines[packet.flow];
    if (is_lost(line, frs_packet_buffer(&router->packet_buffers, packet.transmission.packet))) {
        drop(router, &packet, &router->settings->record->n_lost);
        return;
    }
    packet.left_s = now_s + line->latency_s[up];
    if (!line->under_way[up].n)
        schedule(router, item_of(packet.flow, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN), packet.left_s);
    frs_packet_ring_push(&line->under_way[up], &packet);
}

/* `line`: of the link, the server's or the packet's own. */
static void enter(
    struct router *router, size_t line, double now_s, const struct frs_packet *packet, bool up) {
    struct link *link = link_of(router, line, up);
    if (!frs_packet_queue_push(&link->queue, packet))
        drop(router, packet, &router->settings->record->n_dropped);
    else if (!link->busy)
        serve(router, line, up, now_s);
}

/* From one link to the next, or beyond the last; `line`: of the link left, or where it comes from. */
static void pass(struct router *router, size_t line, double now_s, const struct frs_packet *packet, bool up) {
    bool last = up ? is_server(router, line) : !is_server(router, line),
         unlimited = up && isinf(router->server[1].bytes_per_s);
    if (last || unlimited)
        leave(router, now_s, *packet, up);
    else
        enter(router, up ? router->settings->n_lines : packet->flow, now_s, packet, up);
}

static void depart(struct router *router, size_t line, bool up, double now_s) {
    struct frs_packet packet = link_of(router, line, up)->on_it;
    serve(router, line, up, now_s);
    pass(router, line, now_s, &packet, up);
}

static void set_rate(struct router *router, size_t line, bool up, double now_s, double bytes_per_s) {
    struct link *link = link_of(router, line, up);
    now_s = frs_larger(now_s, link->since_s);
    if (isfinite(link->bytes_per_s))
        link->left = frs_larger(link->left - link->bytes_per_s * (now_s - link->since_s), 0);
    link->since_s = now_s;
    link->bytes_per_s = bytes_per_s;
    if (link->busy)
        schedule_departure(router, line, up);
}

/* ---- devices --------------------------------------------------------------------------------- */

static void note_lateness(struct router *router, double late_s) {
    struct frs_router_record *record = router->settings->record;
    if (late_s > LATE_S)
        atomic_fetch_add(&record->n_late, 1);
    if (late_s > atomic_load(&record->greatest_lateness_s))
        atomic_store(&record->greatest_lateness_s, late_s);
}

/* Delivers all packets that have arrived by now. A device that takes no packet at present has lost it. */
static void arrive(struct router *router, size_t n, bool up, double now_s) {
    struct line *line = &router->lines[n];
    struct frs_packet_ring *ring = &line->under_way[up];
    int tun = up ? router->settings->server_tun : router->settings->line_tuns[n];
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
        schedule(
            router, item_of(n, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN), frs_packet_ring_first(ring)->left_s);
}

static bool goes(const struct router *router, uint32_t line) {
    return line < router->settings->n_lines && !router->lines[line].cut;
}

/* A packet that matches no line is not of the emulation. */
static void take_packets(struct router *router, int tun, bool up) {
    for (int i = 0; i < BATCH; i++) {
        uint32_t number = frs_packet_buffers_take(&router->packet_buffers);
        struct frs_packet_buffer *packet_buffer = frs_packet_buffer(&router->packet_buffers, number);
        ssize_t n = read(tun, packet_buffer->bytes, sizeof packet_buffer->bytes);
        double now_s = frs_wall_s();
        bool ours = n > 0 && frs_packet_buffer_read(packet_buffer, (size_t)n, up) &&
                    goes(router, packet_buffer->line);
        if (!ours)
            frs_packet_buffers_return(&router->packet_buffers, number);
        if (n <= 0)
            return;
        if (!ours)
            continue;
        atomic_fetch_add(&router->settings->record->n_packets, 1);
        struct frs_packet packet = {.transmission = {.packet = number},
            .flow = packet_buffer->line,
            .weight = frs_packet_buffer_weight(packet_buffer)};
        if (up || isinf(router->server[0].bytes_per_s))
            enter(router, packet_buffer->line, now_s, &packet, up);
        else
            enter(router, router->settings->n_lines, now_s, &packet, up);
    }
}

/* Drops the packets of a client that has gone. */
static void forget(struct router *router, size_t n) {
    for (int up = 0; up < 2; up++) {
        struct link *link = &router->lines[n].links[up];
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
        frs_heap_remove(&router->events, item_of(n, up ? ITEM_UP : ITEM_DOWN));
        frs_heap_remove(&router->events, item_of(n, up ? ITEM_ARRIVE_UP : ITEM_ARRIVE_DOWN));
    }
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void set_path(struct router *router, const struct frs_router_order *order, double now_s) {
    struct line *line = &router->lines[order->line];
    line->cut = order->cut;
    if (order->cut)
        return;
    if (order->anew)
        forget(router, order->line);
    line->loses = order->loses;
    line->n_passed = 0;
    memcpy(line->lost, order->lost, sizeof line->lost);
    for (int up = 0; up < 2; up++) {
        frs_heap_remove(&router->events, item_of(order->line, up ? ITEM_CHANGE_UP : ITEM_CHANGE_DOWN));
        set_rate(router, order->line, up, now_s, order->bytes_per_s[up]);
        line->links[up].queue.capacity = capacity(router, order->bytes_per_s[up]);
        line->latency_s[up] = order->latency_s[up];
    }
}

static void plan_rate(struct router *router, const struct frs_router_order *order) {
    struct link *link = link_of(router, order->line, order->up);
    uint32_t item = item_of(order->line, order->up ? ITEM_CHANGE_UP : ITEM_CHANGE_DOWN);
    if (frs_heap_has(&router->events, item)) /* due, and not seen to yet */
        set_rate(router, order->line, order->up, frs_smaller(link->next_from_s, frs_wall_s()),
            link->next_bytes_per_s);
    link->next_from_s = order->from_s;
    link->next_bytes_per_s = order->bytes_per_s[order->up];
    schedule(router, item, order->from_s);
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
        order.line = order.line == FRS_EMULATED_LINES ? (uint32_t)router->settings->n_lines : order.line;
        if (order.kind == FRS_ROUTER_PATH)
            set_path(router, &order, frs_wall_s());
        else
            plan_rate(router, &order);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static void carry_out(struct router *router, uint32_t item, double time_s) {
    size_t line = item / N_ITEMS;
    switch ((enum item)(item % N_ITEMS)) {
    case ITEM_DOWN:
    case ITEM_UP:
        depart(router, line, item % N_ITEMS == ITEM_UP, time_s);
        break;
    case ITEM_ARRIVE_DOWN:
    case ITEM_ARRIVE_UP:
        arrive(router, line, item % N_ITEMS == ITEM_ARRIVE_UP, time_s);
        break;
    case ITEM_CHANGE_DOWN:
    case ITEM_CHANGE_UP: {
        bool up = item % N_ITEMS == ITEM_CHANGE_UP;
        set_rate(router, line, up, time_s, link_of(router, line, up)->next_bytes_per_s);
        break;
    }
    case N_ITEMS:
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
    size_t n = router->settings->n_lines;
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
        ppoll(router->fds, n + 2, &left, NULL);
        if (router->fds[n + 1].revents && !take_orders(router))
            return;
        for (size_t i = 0; i < n; i++)
            if (router->fds[i].revents)
                take_packets(router, router->fds[i].fd, true);
        if (router->fds[n].revents)
            take_packets(router, router->fds[n].fd, false);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static void init_links(struct router *router) {
    const struct frs_router_settings *settings = router->settings;
    for (int up = 0; up < 2; up++) {
        router->server[up].bytes_per_s = settings->server_bytes_per_s[up];
        router->server[up].queue.capacity = capacity(router, settings->server_bytes_per_s[up]);
        router->server[up].queue.fair = settings->fair;
    }
    for (size_t i = 0; i < settings->n_lines; i++)
        for (int up = 0; up < 2; up++) {
            router->lines[i].links[up].bytes_per_s = INFINITY;
            router->lines[i].links[up].queue.capacity = INFINITY;
        }
}

static void fini(struct router *router) {
    for (size_t i = 0; i <= router->settings->n_lines; i++)
        for (int up = 0; up < 2; up++) {
            frs_packet_queue_fini(&link_of(router, i, up)->queue);
            if (!is_server(router, i))
                frs_packet_ring_fini(&router->lines[i].under_way[up]);
        }
    frs_packet_buffers_fini(&router->packet_buffers);
    frs_heap_fini(&router->events);
    frs_heap_places_fini(&router->places);
    free(router->lines);
    free(router->fds);
}

void frs_router_run(const struct frs_router_settings *settings) {
    size_t n = settings->n_lines;
    struct router router = {.settings = settings,
        .lines = frs_alloc(n, sizeof *router.lines),
        .fds = frs_alloc(n + 2, sizeof *router.fds)};
    router.events.places = &router.places;
    init_links(&router);
    for (size_t i = 0; i < n; i++)
        router.fds[i] = (struct pollfd){.fd = settings->line_tuns[i], .events = POLLIN};
    router.fds[n] = (struct pollfd){.fd = settings->server_tun, .events = POLLIN};
    router.fds[n + 1] = (struct pollfd){.fd = settings->orders, .events = POLLIN};
    settings->record->real_time = frs_process_hurry(RANK);
    (void)frs_rights_drop(FRS_RIGHTS_OF_PACKETS);
    loop(&router);
    fini(&router);
}
