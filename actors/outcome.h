/* Outcome: how a participation ended, and the cause if it was not used; and the same of its work after the
 * upload. */
#ifndef FRS_ACTORS_OUTCOME_H
#define FRS_ACTORS_OUTCOME_H

enum frs_outcome {
    FRS_PENDING,         /* still under way; never in a closed round */
    FRS_DELIVERED,       /* the whole upload arrived in time */
    FRS_LATE,            /* it arrived after its round had closed */
    FRS_CUT,             /* stopped by the server */
    FRS_UNAVAILABLE,     /* not reachable when selected */
    FRS_DROPPED_DOWN,    /* the client dropped out while downloading, */
    FRS_DROPPED_COMPUTE, /* while computing, */
    FRS_DROPPED_UP,      /* or while uploading */
    FRS_REFUSED,         /* its memory cannot hold the method's state */
    FRS_N_OUTCOMES,
};

/* Why a participation ended without being used. */
enum frs_cause {
    FRS_CAUSE_NONE,
    FRS_CAUSE_OFFLINE,        /* the device's session, churn or an outage ended it */
    FRS_CAUSE_INELIGIBLE,     /* the device, online still, left the states in which it may take part */
    FRS_CAUSE_DEVICE,         /* the device failed */
    FRS_CAUSE_CONNECTION,     /* the connection failed; the device goes on */
    FRS_CAUSE_SERVER_RESTART, /* the server lost what it held */
    FRS_CAUSE_ROUND_CLOSED,   /* surplus or late */
    FRS_CAUSE_VOID_ROUND,     /* too few arrived for its round to count */
    FRS_CAUSE_END_OF_RUN,     /* nothing came after it that could have used it */
    FRS_CAUSE_EDGE_FAILURE,   /* its edge died, with what it held */
    FRS_CAUSE_RESENT,         /* of bytes alone: the message was sent anew from its beginning */
    FRS_N_CAUSES,
};

extern const char *const frs_outcome_names[FRS_N_OUTCOMES];
extern const char *const frs_cause_names[FRS_N_CAUSES];

enum frs_post_upload_outcome {
    FRS_POST_NONE,    /* there is none, or it was never reached */
    FRS_POST_ENDED,   /* to the end */
    FRS_POST_DROPPED, /* the client dropped out */
    FRS_POST_CUT,     /* the run was over */
    FRS_N_POST_OUTCOMES,
};

extern const char *const frs_post_upload_outcome_names[FRS_N_POST_OUTCOMES];

#endif
