/* Lifecycle: the state machine of one participation, step by step, under every engine backend (an actor of
 * its own, or the calendar for all clients). Pure: knows times only as they are told.
 *
 * frs_lifecycle_next is called at the start and whenever a step has ended; it writes times and outcome into
 * the participation and says what comes next. A participation that is interrupted in the middle of a step
 * ends through frs_lifecycle_stop. */
#ifndef FRS_ACTORS_LIFECYCLE_H
#define FRS_ACTORS_LIFECYCLE_H

#include "actors/participation.h"

/* What a participation needs from the method; called in the order of time, ties by client id. */
struct frs_lifecycle_operations {
    void *context;
    /* The download has ended. */
    void (*received)(void *context, struct frs_participation *participation);
    /* The compute phase starts: fills compute_s, up_bytes and, where there is any, post.work_s. */
    void (*compute)(void *context, struct frs_participation *participation);
    /* The compute phase has ended: private state becomes effective, unless there is work after the upload,
     * which has begun. */
    void (*computed)(void *context, struct frs_participation *participation);
    /* Where the client's links change: looks up the one of now_s, for the plan. NULL: they do not. */
    void (*follow_link)(void *context, struct frs_participation *participation, double now_s);
    /* A connection that broke is opened anew: fills the loss of the message that is tried again. NULL is
     * allowed where nothing is. */
    void (*retried)(void *context, struct frs_participation *participation);
    /* Its download or upload, as encoded, which stays until the participation is settled; for an upload it
     * waits for the training. *n is 0 where only sizes are known. Called by backends that move the bytes
     * themselves. */
    const uint8_t *(*message)(void *context, struct frs_participation *participation, bool up, size_t *n);
};

struct frs_step {
    enum { FRS_STEP_WAIT, FRS_STEP_COMPUTE, FRS_STEP_DOWN, FRS_STEP_UP, FRS_STEP_END } kind;
    double duration_s; /* of WAIT and COMPUTE */
    double bytes;      /* of DOWN and UP, > 0 */
    /* Time at which the client drops out, or its connection breaks, if the step is still going on; INFINITY:
     * not. */
    double dies_s;
    enum frs_cause dies_cause;
};

struct frs_step frs_lifecycle_next(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations);

/* The latency before a message is over, a part of it has crossed, or the next one is due: true, and *step is
 * what comes next of the message. False: frs_lifecycle_next says what follows. For callers that know in
 * advance when every part ends. */
bool frs_lifecycle_sends_on(struct frs_participation *p, double now_s, struct frs_step *step);

/* Where a participation stands in its message: what frs_lifecycle_sends_on changes. */
struct frs_progress {
    enum frs_phase phase;
    bool up, ends_lost;
    double start_s; /* of the message; NaN: not begun */
    struct frs_sending sending;
};

struct frs_progress frs_lifecycle_progress(const struct frs_participation *p);
void frs_lifecycle_return(struct frs_participation *p, const struct frs_progress *progress);

/* What is under way crosses on another link from now on, metered or not, having received so many bytes in the
 * running step. */
void frs_lifecycle_crosses_on(struct frs_participation *p, double now_s, double received_bytes, bool metered);

/* Ends a participation in the middle of its running step. `received_bytes` is what the running transfer has
 * carried (0 in other phases). `outcome` is FRS_CUT, or FRS_PENDING for the dropped_… outcome of the running
 * phase. */
void frs_lifecycle_stop(struct frs_participation *p, double now_s, double received_bytes,
    enum frs_outcome outcome, enum frs_cause cause);

/* Whether what strikes in the running step for this cause only breaks the connection, and is tried again:
 * then frs_lifecycle_break is called in place of frs_lifecycle_stop, and frs_lifecycle_next says what comes.
 */
bool frs_lifecycle_retries(const struct frs_participation *p, enum frs_cause cause);
void frs_lifecycle_break(struct frs_participation *p, double now_s, double received_bytes);

/* The compute phase under way lasts compute_s instead, which has not passed yet. What it encodes at its end
 * may make it longer than it was, for all that it trains less. */
void frs_lifecycle_shorten(struct frs_participation *p, double compute_s);

#endif
