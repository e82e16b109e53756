/* What the parts of relays share. */
#ifndef FRS_ACTORS_EDGES_RELAYS_INTERNAL_H
#define FRS_ACTORS_EDGES_RELAYS_INTERNAL_H

#include "actors/edges/relays.h"
#include "sim/base/heap.h"

#define NO_MESSAGE SIZE_MAX

/* One direction of a backhaul. */
struct side {
    struct frs_participation p;    /* the message under way, */
    size_t message;                /* among all of the round; NO_MESSAGE: none */
    struct frs_queue carried;      /* uploads in it */
    struct frs_path_memory memory; /* of the last message, which ended at used_s */
    double used_s;
    uint32_t n_packets, n_starts; /* of the round's messages before: their random streams go on */
};

/* Down: messages wait as a range of the round's. Up: uploads wait in the order of their arrival. */
struct edge {
    struct side down, up;
    size_t next, end; /* of its downloads that have not begun */
    struct frs_queue held;
    size_t n_open;  /* clients of the round that it waits for */
    bool has_added; /* what it holds, and waits for none */
    /* With edge rounds: aggregations before the server's, the uploads of the last one that had any, and those
     * of all before it. */
    uint32_t n_rounds;
    struct frs_queue latest, past;
};

struct frs_relays {
    struct frs_relays_settings settings;
    struct edge *edges; /* [n_edges] */
    uint32_t *busy;     /* [n_busy] edges that may have something to start, each once */
    bool *is_busy;      /* [n_edges] */
    size_t n_busy;
    uint32_t round, attempt;
    struct frs_edge_message *messages; /* [n_messages] of the round */
    size_t n_messages, messages_capacity;
    /* [n] of the round by edge, then by message, then by client; and where the clients of each download are.
     */
    struct frs_participation **clients;
    size_t n, clients_capacity;
    size_t *first; /* [n_messages] of downloads */
    size_t first_capacity;
    struct frs_participation **ready; /* [n_ready] may begin */
    size_t n_ready, ready_capacity;
    struct frs_participation **list; /* whose edge has aggregated them last */
    size_t list_capacity;
    struct frs_queue arrived; /* at the server */
    struct frs_heap failures; /* edges with clients of the round, by the time at which they die */
    struct frs_heap_places failures_places;
    struct frs_heap adding; /* edges that add, by the time at which they have */
    struct frs_heap_places adding_places;
};

/* The edge may have something to start. */
void frs_relays_touch(struct frs_relays *relays, uint32_t edge);

/* The participation begins when edges go on. */
void frs_relays_make_ready(struct frs_relays *relays, struct frs_participation *participation);

/* Adds a message that is queued now; returns its place. */
size_t frs_relays_add_message(struct frs_relays *relays, uint32_t edge, bool up, double now_s);

/* No messages are left of the round. */
void frs_relays_forget_messages(struct frs_relays *relays);

/* For qsort. */
int frs_relays_by_client(const void *a, const void *b);

/* ---- edge_aggregation.c --------------------------------------------------------------------------- */

/* Whether the edge has all uploads of an edge round that another one follows. */
bool frs_relays_aggregates(const struct frs_relays *relays, const struct edge *edge);

/* What the edge holds, if anything, takes the place of the latest uploads. */
void frs_relays_take_latest(struct edge *edge);

/* The edge has nothing of the round any more, and sends nothing. */
void frs_relays_forget(struct frs_relays *relays, uint32_t edge);

/* The edge adds what it holds, if it waits for none any more. */
void frs_relays_add(struct frs_relays *relays, uint32_t edge, double now_s);

static inline uint32_t frs_relays_edge_of(const struct frs_relays *relays, uint32_t client) {
    return relays->settings.edge_of(relays->settings.context, client);
}

#endif
