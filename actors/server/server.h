/* Server: the actor that opens and closes rounds. It moves opaque messages; what they contain, how long a
 * client computes and which clients are asked is decided by the operations it is given.
 *
 * A participation lives on over the end of its round when the policy says so (`run_on`), and rounds are mere
 * spans between aggregations under an asynchronous policy. Whoever opens a participation therefore keeps it
 * in memory, where it is, until it is settled. */
#ifndef FRS_ACTORS_SERVER_SERVER_H
#define FRS_ACTORS_SERVER_SERVER_H

#include "actors/links/channel.h"
#include "actors/lifecycle.h"
#include "actors/backend.h"
#include "actors/policy.h"

struct frs_emulation; /* actors/emulation/emulation.h */

/* What the server does next. */
struct frs_opening {
    enum { FRS_OPEN_ROUND, FRS_OPEN_SLEEP, FRS_OPEN_END } kind;
    /* Of SLEEP: the date, later than now, at which asking again makes sense; INFINITY is allowed while
     * somebody is under way, whose end will be waited for. Of ROUND, the same of the clients that are
     * missing; looked at under asynchronous policies only. */
    double until_s;
    double server_s;                               /* of ROUND: encoding, before the first byte leaves */
    struct frs_participation *const *participants; /* of ROUND: ascending client id, at least one */
    size_t n;
};

/* The end of a round. */
struct frs_closing {
    double now_s;        /* before the aggregation, and after it */
    enum frs_cause lost; /* why nothing of the round is kept; FRS_CAUSE_NONE: it is */
    /* What is aggregated, in ascending client id: delivered, and late uploads of the round before. */
    struct frs_participation *const *arrivals;
    size_t n;
};

/* A protocol around the upload has exchanges: every member receives a message, computes, and sends one, and
 * what comes next has to wait for all. Each is played as a participation of its own, `aside`, which belongs
 * to no round. */
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
    /* Asks up to `n` clients; END: no client can ever be reached again, and nobody is under way. */
    struct frs_opening (*open)(void *context, double now_s, size_t n);
    /* These clients stop after the epoch under way (frs_round_finish_epochs). compute_s[i]: how long the
     * compute phase of list[i] lasts then, at least until now, NAN: it has not begun (and `compute` will be
     * asked). */
    void (*truncate)(
        void *context, struct frs_participation *const *list, size_t n, double now_s, double *compute_s);
    /* The next exchange before the messages of the round leave the server (closing NULL), or between the last
     * upload that counts and the aggregation. Of the opening what is asked for a round; until_s: the date at
     * which whoever has not answered is cut. NULL: no protocol knows any. */
    enum frs_exchange_state (*exchange)(
        void *context, const struct frs_closing *closing, double now_s, struct frs_opening *exchange);
    /* What became of a participation in an exchange is final. */
    void (*exchanged)(void *context, struct frs_participation *participation);
    /* The time the server needs to aggregate. */
    double (*aggregate_s)(void *context, const struct frs_closing *closing);
    /* The server has learnt that it is under way no longer: its client may be asked again. NULL: not told. */
    void (*freed)(void *context, struct frs_participation *participation);
    /* What became of a participation is final; the server forgets it. Those of a closing are settled right
     * before it. */
    void (*settled)(void *context, struct frs_participation *participation);
    void (*close)(void *context, const struct frs_closing *closing);
    /* The server is back after a restart, away_s after it went down; a round that was open has been closed.
     */
    void (*restarted)(void *context, double away_s);
};

struct frs_server_settings {
    struct frs_channel *channel;
    const struct frs_policy *policy;
    struct frs_policy_settings policy_settings;
    const struct frs_backend *backend;
    struct frs_timeline *timeline;   /* of players that need one */
    struct frs_emulation *emulation; /* of the player `sockets` */
    const struct frs_server_operations *operations;
    /* Dates, ascending, at which the server restarts and loses what is in flight; it is back restart_s later.
     * One that falls into the absence after another changes nothing. */
    const double *restarts_s;
    size_t n_restarts;
    double restart_s;
    double detect_s; /* from a client's vanishing until the server knows */
};

/* Runs the simulation until it ends. Returns the final date. */
double frs_server_run(const struct frs_server_settings *settings);

#endif
