/* Server: the actor that opens and closes rounds. It moves opaque messages. The operations that it is
 * given decide what the messages contain, how long a client computes and which clients are selected.
 *
 * A participation outlives its round when the policy says so (`run_on`), and under an asynchronous policy
 * rounds are mere spans between aggregations. The caller therefore keeps an opened participation at its
 * address until it is settled. */
#ifndef FRS_ACTORS_SERVER_SERVER_H
#define FRS_ACTORS_SERVER_SERVER_H

#include "actors/links/channel.h"
#include "actors/lifecycle.h"
#include "actors/backend.h"
#include "actors/policy.h"

struct frs_relays;    /* actors/edges/relays.h */
struct frs_emulation; /* actors/emulation/emulation.h */

/* What the server does next. */
struct frs_opening {
    enum { FRS_OPEN_ROUND, FRS_OPEN_SLEEP, FRS_OPEN_END } kind;
    /* SLEEP: the time, later than now, at which it makes sense to open again. INFINITY is allowed while a
     * participation is under way, for whose end the server waits. ROUND: the same time for the missing
     * clients; used only under asynchronous policies. */
    double until_s;
    double server_s;                               /* ROUND: encoding, before the first byte leaves */
    struct frs_participation *const *participants; /* ROUND: ascending client id, at least one */
    size_t n;
};

/* The end of a round. */
struct frs_closing {
    double now_s;        /* before the aggregation, and after it */
    enum frs_cause lost; /* why nothing of the round is kept; FRS_CAUSE_NONE: it is */
    /* What is aggregated, in ascending client id: delivered, and late uploads of rounds before. */
    struct frs_participation *const *arrivals;
    size_t n;
};

/* A protocol around the upload has exchanges: every member receives a message, computes, and sends one,
 * and the protocol continues only when all have done so. Each is simulated as a participation of its own,
 * `aside`, which belongs to no round. */
enum frs_exchange_state {
    FRS_EXCHANGE_OPEN, /* there is another one */
    FRS_EXCHANGE_OVER, /* that were all */
    FRS_EXCHANGE_VOID, /* too few are left: nothing of the round is kept */
};

/* All called from actors, one at a time; `context` is the caller's. */
struct frs_server_operations {
    struct frs_lifecycle_operations play; /* its context serves all */
    /* Whether there is another round. */
    bool (*goes_on)(void *context);
    /* Selects up to `n` clients; END: no client can ever be reached again, and none is under way. */
    struct frs_opening (*open)(void *context, double now_s, size_t n);
    /* An edge has aggregated these uploads [n] (actors/edges/relays.h, edge rounds): opens a participation
     * of each of their clients, in that order. NULL: there are no edge rounds. */
    struct frs_opening (*open_edge_round)(
        void *context, double now_s, struct frs_participation *const *list, size_t n);
    /* These clients stop after the epoch under way (frs_round_finish_epochs). compute_s[i]: how long the
     * compute phase of list[i] then lasts, at least until now. NAN: it has not begun (and `compute` will
     * be called). */
    void (*truncate)(
        void *context, struct frs_participation *const *list, size_t n, double now_s, double *compute_s);
    /* Returns the next exchange before the messages of the round leave the server (closing NULL), or
     * between the last upload that counts and the aggregation. Fills in the opening as for a round.
     * until_s: the time at which members that have not answered are stopped. NULL: no protocol has
     * exchanges. */
    enum frs_exchange_state (*exchange)(
        void *context, const struct frs_closing *closing, double now_s, struct frs_opening *exchange);
    /* What became of a participation in an exchange is final. */
    void (*exchanged)(void *context, struct frs_participation *participation);
    /* The time the server needs to aggregate. */
    double (*aggregate_s)(void *context, const struct frs_closing *closing);
    /* Aggregates, and returns whether clients whose uploads are in the closing are then sent the result:
     * fills in the opening as for a round. The downloads are simulated as exchanges, and the round closes
     * when the server knows of all their ends; a restart in between ends them, and the round is kept. NULL:
     * `close` aggregates, and a round has no such downloads. */
    bool (*deliver)(void *context, const struct frs_closing *closing, struct frs_opening *downloads);
    /* The server has learnt that it is under way no longer: its client may be selected again. May be NULL. */
    void (*freed)(void *context, struct frs_participation *participation);
    /* The outcome of a participation is final; the server forgets it. Participations of a closing are
     * settled right before it. */
    void (*settled)(void *context, struct frs_participation *participation);
    void (*close)(void *context, const struct frs_closing *closing);
    /* The server is back after a restart, away_s after it went down; a round that was open has been
     * closed. */
    void (*restarted)(void *context, double away_s);
};

struct frs_server_settings {
    struct frs_channel *channel;
    const struct frs_policy *policy;
    struct frs_policy_settings policy_settings;
    const struct frs_backend *backend;
    struct frs_event_queue *event_queue; /* of backends that need one */
    struct frs_relays *relays;           /* NULL: clients talk to the server itself */
    struct frs_emulation *emulation;     /* of the engine backend `sockets` */
    const struct frs_server_operations *operations;
    /* Times, ascending, at which the server restarts and loses what is in flight; it is back restart_s
     * later. A restart that falls into the absence after another one changes nothing. */
    const double *restarts_s;
    size_t n_restarts;
    double restart_s;
    double detect_s; /* from a client's failure until the server detects it */
};

/* Runs the simulation until it ends. Returns the final time. */
double frs_server_run(const struct frs_server_settings *settings);

#endif
