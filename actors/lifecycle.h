/* Lifecycle: the state machine of one participation, step by step, under every engine backend (an actor of
 * its own, or the calendar for all clients). Pure: it knows only the times that it is told.
 *
 * frs_lifecycle_next is called at the start and whenever a step has ended; it writes times and outcome
 * into the participation and returns the next step. A participation that is interrupted in the middle of a
 * step ends through frs_lifecycle_stop. */
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
    /* Called when the compute phase has ended: private state becomes effective, unless work after the
     * upload has begun. */
    void (*computed)(void *context, struct frs_participation *participation);
    /* Where the client's links change: looks up the one of now_s, for the plan. NULL: they do not. */
    void (*follow_link)(void *context, struct frs_participation *participation, double now_s);
    /* Called when a broken connection is opened anew: fills in the loss that will befall the next try of
     * the message. May be NULL if nothing is tried again. */
    void (*retried)(void *context, struct frs_participation *participation);
    /* Returns the participation's download or upload, as encoded, which stays until the participation is
     * settled; for an upload it waits for the training. *n is 0 where only sizes are known. Called by
     * backends that move the bytes themselves. */
    const uint8_t *(*message)(void *context, struct frs_participation *participation, bool up, size_t *n);
};

struct frs_step {
    enum { FRS_STEP_WAIT, FRS_STEP_COMPUTE, FRS_STEP_DOWN, FRS_STEP_UP, FRS_STEP_END } kind;
    double duration_s; /* of WAIT and COMPUTE */
    double bytes;      /* of DOWN and UP, > 0 */
    /* Time at which the client drops out, or its connection breaks, if the step is still going on then;
     * INFINITY: never. */
    double dies_s;
    enum frs_cause dies_cause;
};

struct frs_step frs_lifecycle_next(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations);

/* Called when the latency before a message is over, a part of it has crossed, or the next part is due.
 * True: *step is the next step of the message. False: frs_lifecycle_next returns what follows. For callers
 * that know in advance when every part ends. */
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

/* From now on the message under way crosses on another link, metered or not, having received this many
 * bytes in the running step. */
void frs_lifecycle_crosses_on(struct frs_participation *p, double now_s, double received_bytes, bool metered);

/* Ends a participation in the middle of its running step. `received_bytes` is what the running transfer
 * has carried (0 in other phases). `outcome` is FRS_CUT, or FRS_PENDING for the dropped_… outcome of the
 * running phase. */
void frs_lifecycle_stop(struct frs_participation *p, double now_s, double received_bytes,
    enum frs_outcome outcome, enum frs_cause cause);

/* Whether a failure with this cause in the running step only breaks the connection, and the message is
 * tried again. Then call frs_lifecycle_break in place of frs_lifecycle_stop; frs_lifecycle_next returns
 * what follows. */
bool frs_lifecycle_retries(const struct frs_participation *p, enum frs_cause cause);
void frs_lifecycle_break(struct frs_participation *p, double now_s, double received_bytes);

/* The compute phase under way now lasts compute_s, which has not passed yet. Encoding at its end may make
 * it longer than before, although it trains less. */
void frs_lifecycle_shorten(struct frs_participation *p, double compute_s);

#endif
