/* Server: the actor that opens and closes rounds. It moves opaque messages; what they contain, how long a
 * client computes and which clients are asked is decided by the operations it is given. */
#ifndef FRS_ACTORS_SERVER_H
#define FRS_ACTORS_SERVER_H

#include "actors/channel.h"
#include "actors/policy.h"

/* All called from actors, one at a time; `context` is the caller's. */
struct frs_server_operations {
    void *context;
    /* The next round starts now: gives the participants, in ascending client id, with everything known at
     * that moment filled in. Returns false when the run is over. At least one participant. */
    bool (*open)(void *context, double now_s, struct frs_participation **participants, size_t *n);
    /* The download of a participant has ended: fills compute_s and up_bytes. */
    void (*compute)(void *context, struct frs_participation *participation);
    /* Its compute phase has ended: private state becomes effective. */
    void (*computed)(void *context, struct frs_participation *participation);
    /* The round is closed, every participation has an outcome. */
    void (*close)(void *context, double now_s);
};

/* A round as its actors see it. */
struct frs_round {
    struct frs_channel *channel;
    const struct frs_server_operations *operations;
    struct frs_participation *participants;
    size_t n;
    sg_actor_t *actors; /* [n] */
};

/* Runs the simulation until `open` returns false. Returns the final date. */
double frs_server_run(struct frs_channel *channel, const struct frs_policy *policy,
    const struct frs_server_operations *operations);

#endif
