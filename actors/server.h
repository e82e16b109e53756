/* Server: the actor that opens and closes rounds. It moves opaque messages; what they contain, how long a
 * client computes and which clients are asked is decided by the operations it is given. */
#ifndef FRS_ACTORS_SERVER_H
#define FRS_ACTORS_SERVER_H

#include "actors/channel.h"
#include "actors/play.h"
#include "actors/player.h"
#include "actors/policy.h"

/* What the server does next. */
struct frs_opening {
    enum { FRS_OPEN_ROUND, FRS_OPEN_SLEEP, FRS_OPEN_END } kind;
    double until_s;                         /* of SLEEP; later than now */
    double server_s;                        /* of ROUND: encoding, before the first byte leaves */
    struct frs_participation *participants; /* of ROUND: ascending client id, at least one */
    size_t n;
};

/* All called from actors, one at a time; `context` is the caller's. */
struct frs_server_operations {
    struct frs_play_operations play; /* its context serves all */
    struct frs_opening (*open)(void *context, double now_s);
    /* Everything that will arrive has arrived: the time the server needs to aggregate it. */
    double (*aggregate_s)(void *context);
    /* The round is closed, every participation has an outcome. `lost` says why nothing of it is kept (the
     * server restarted); FRS_CAUSE_NONE: aggregates. */
    void (*close)(void *context, double now_s, enum frs_cause lost);
};

struct frs_server_settings {
    struct frs_channel *channel;
    const struct frs_policy *policy;
    const struct frs_player *player;
    struct frs_timeline *timeline; /* of players that need one */
    const struct frs_server_operations *operations;
    /* Dates, ascending, at which the server restarts and loses what is in flight; it is back restart_s later.
     */
    const double *restarts_s;
    size_t n_restarts;
    double restart_s;
    double detect_s; /* from a client's vanishing until the server knows */
};

/* A round as its policy and its player see it. */
struct frs_round {
    const struct frs_server_settings *settings;
    struct frs_participation *participants;
    size_t n, n_ended;
    double now_s;       /* authoritative date of the last event; SimGrid's clock follows */
    double restarts_at; /* date at which the server will restart, INFINITY: not in sight */
    void *player_state;
};

/* Lets time pass until every participation has ended, until `until_s`, or until the server restarts; tells
 * whether all have ended. Everything due at that instant has happened. */
bool frs_round_wait(struct frs_round *round, double until_s);

/* Stops everybody who is still under way. */
void frs_round_stop_all(struct frs_round *round, enum frs_outcome outcome, enum frs_cause cause);

/* Runs the simulation until `open` ends it. Returns the final date. */
double frs_server_run(const struct frs_server_settings *settings);

#endif
