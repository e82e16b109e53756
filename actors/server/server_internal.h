/* What the parts of a server share. */
#ifndef FRS_ACTORS_SERVER_SERVER_INTERNAL_H
#define FRS_ACTORS_SERVER_SERVER_INTERNAL_H

#include "sim/base/heap.h"
#include "actors/round.h"
#include "actors/server/server.h"

#define NEVER __builtin_inf()

struct server {
    struct frs_round round; /* first, so that a policy's round is its server */
    const struct frs_server_settings *settings;
    struct frs_in_flight in_flight; /* its now_s is the server's */
    struct frs_heap
        unknown; /* places of clients that have dropped out, by the time at which the server detects it */
    struct frs_heap_places unknown_places;
    struct frs_participation **list; /* those that have just ended */
    size_t list_capacity;
    struct frs_queue arrivals;       /* delivered and not yet aggregated */
    struct frs_queue in_edge_models; /* delivered, within what arrivals are based on */
    struct frs_queue held;           /* late uploads that the next round to close will use */
    bool open;                       /* participations belong to the present round, under way or not */
    size_t n_known;                  /* participations of the round whose end the server knows of */
    size_t n_lost;                   /* of these, not delivered */
    uint32_t n_closed;               /* rounds that were kept */
    size_t n_exchanging; /* participations of the open exchange whose end the server does not know of */
    bool spoilt;         /* exchanges have left too few: the open round is abandoned */
    double retry_s;      /* asynchronous: the time at which more clients can be selected */
    bool stranded;       /* no client can be reached ever again */
    size_t next_restart;
    bool finished;
};

static inline double earlier(double a_s, double b_s) {
    return a_s < b_s ? a_s : b_s;
}

static inline const struct frs_server_operations *operations(const struct server *server) {
    return server->settings->operations;
}

static inline void *context_of(const struct server *server) {
    return server->settings->operations->play.context;
}

static inline bool is_asynchronous(const struct server *server) {
    return server->settings->policy->asynchronous;
}

/* ---- server.c -------------------------------------------------------------------------------- */

/* What became of these participations is final; a cause that is not NONE replaces theirs. */
void frs_server_settle_all(const struct server *server, struct frs_queue *queue, enum frs_cause cause);

/* Lets time pass until the server learns of something, or until_s. */
void frs_server_step(struct server *server, double until_s);

/* Takes note of all ends that the server knows of by now; of the one with this place although it does not. */
void frs_server_note_ends(struct server *server);
void frs_server_note_unknown(struct server *server, uint32_t place);

double frs_server_next_restart_s(const struct server *server);

/* Lets time pass whatever happens meanwhile; false when the server restarts. */
bool frs_server_pass(struct server *server, double until_s);

/* The server has learnt of the end of this participation, which is under way no longer. */
void frs_server_learn(struct server *server, struct frs_participation *p);

/* ---- server_edges.c -------------------------------------------------------------------------- */

/* The messages of a round leave the server. */
void frs_server_send(struct server *server, struct frs_participation *const *list, size_t n);

/* Whether the end is not the server's to learn yet: a message between an edge and the server, or an upload
 * that an edge holds now. */
bool frs_server_edges_take(struct server *server, struct frs_participation *p);

/* The server has learnt that a participation of the open round will not arrive. */
void frs_server_edges_lose(struct server *server, const struct frs_participation *p);

/* Learns of the uploads that edges have forwarded, and lets edges go on. Returns whether something has
 * begun, and so may have ended. */
bool frs_server_edges_go_on(struct server *server);

/* When the next edge dies, or has added what it holds; NEVER: none does. */
double frs_server_edge_acts_s(const struct server *server);

/* Lets edges die that do so by now; returns whether any did. */
bool frs_server_fail_edges(struct server *server);

/* Ends what edges have of the open round: their clients, and then their messages. */
void frs_server_stop_edges(struct server *server, enum frs_cause cause);

/* ---- exchanges.c ----------------------------------------------------------------------------- */

/* Simulates all exchanges there are now; false: too few are left, or the server restarts. */
bool frs_server_exchange(struct server *server, const struct frs_closing *closing);

/* Aggregates, and simulates the downloads that follow the aggregation, if there are any. */
void frs_server_deliver(struct server *server, const struct frs_closing *closing);

/* ---- server_restart.c ------------------------------------------------------------------------ */

/* Stops all participations, or only those of the open round, and notes all that have ended. */
void frs_server_stop(struct server *server, bool all, enum frs_cause cause);

/* Loses everything in flight, and everything delivered but not yet aggregated; an open round is over.
 * `taken`: what was being aggregated, or NULL. */
void frs_server_restart(struct server *server, struct frs_queue *taken);

/* What is under way, or has come too late for the last round, ends with the run. */
void frs_server_finish(struct server *server);

#endif
