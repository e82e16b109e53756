/* What the parts of a router share. */
#ifndef FRS_ACTORS_EMULATION_ROUTER_INTERNAL_H
#define FRS_ACTORS_EMULATION_ROUTER_INTERNAL_H

#include "actors/emulation/packet_buffers.h"
#include "actors/emulation/router.h"
#include "actors/links/packet_queue.h"
#include "sim/base/heap.h"

/* What is scheduled: for every line and for the links of every hub. */
enum router_item {
    ITEM_DOWN,
    ITEM_UP,
    ITEM_ARRIVE_DOWN,
    ITEM_ARRIVE_UP,
    ITEM_CHANGE_DOWN,
    ITEM_CHANGE_UP,
    N_ROUTER_ITEMS
};

struct router_link {
    double bytes_per_s;
    struct frs_packet_queue queue;
    bool busy;
    struct frs_packet on_it;
    double left, since_s;                 /* of the weight of that packet, at this time */
    double next_bytes_per_s, next_from_s; /* of the change that is scheduled */
};

/* Of a client, or the backhaul of an edge. */
struct router_line {
    size_t hub; /* where it ends: 0: at the server, 1 + i: at edge i */
    struct router_link links[2];
    struct frs_packet_ring under_way[2]; /* beyond the last link, until left_s */
    double latency_s[2];
    bool cut, loses;
    uint32_t n_passed;
    uint8_t lost[FRS_LOSS_DRAWS / 8];
};

struct router {
    const struct frs_router_settings *settings;
    size_t n_lines, n_hubs;    /* clients and then edges; the server and then edges */
    struct router_line *lines; /* [n_lines] */
    struct router_link (*hubs)[2];
    struct frs_packet_buffers packet_buffers;
    struct frs_heap events;
    struct frs_heap_places places;
    struct pollfd *fds;
};

/* The links of lines and, after them, those of hubs are known by one number. */
static inline size_t router_hub(const struct router *router, size_t hub) {
    return router->n_lines + hub;
}

static inline struct router_link *router_link(struct router *router, size_t link, bool up) {
    return link < router->n_lines ? &router->lines[link].links[up]
                                  : &router->hubs[link - router->n_lines][up];
}

static inline uint32_t router_item(size_t link, enum router_item item) {
    return (uint32_t)link * N_ROUTER_ITEMS + item;
}

/* ---- router_links.c -------------------------------------------------------------------------- */

/* How much a queue holds before a link. */
double frs_router_capacity(const struct router *router, double bytes_per_s);

void frs_router_schedule(struct router *router, uint32_t item, double time_s);

/* A packet of its line enters its first link now. */
void frs_router_take(struct router *router, double now_s, const struct frs_packet *packet, bool up);

/* The packet that is on the link leaves it. */
void frs_router_depart(struct router *router, size_t link, bool up, double now_s);

void frs_router_set_rate(struct router *router, size_t link, bool up, double now_s, double bytes_per_s);

/* Drops the packets of a line whose client has gone. */
void frs_router_forget(struct router *router, size_t line);

/* Links without limits and lines of clients that end at the server; then what the settings say. */
void frs_router_links_init(struct router *router);
void frs_router_links_fini(struct router *router);

#endif
