#include "actors/outcome.h"

const char *const frs_outcome_names[FRS_N_OUTCOMES] = {
    [FRS_PENDING] = "pending",
    [FRS_DELIVERED] = "delivered",
    [FRS_LATE] = "late",
    [FRS_CUT] = "cut",
    [FRS_UNAVAILABLE] = "unavailable",
    [FRS_DROPPED_DOWN] = "dropped_down",
    [FRS_DROPPED_COMPUTE] = "dropped_compute",
    [FRS_DROPPED_UP] = "dropped_up",
    [FRS_REFUSED] = "refused",
};

const char *const frs_cause_names[FRS_N_CAUSES] = {
    [FRS_CAUSE_NONE] = "none",
    [FRS_CAUSE_OFFLINE] = "offline",
    [FRS_CAUSE_INELIGIBLE] = "ineligible",
    [FRS_CAUSE_DEVICE] = "device",
    [FRS_CAUSE_CONNECTION] = "connection",
    [FRS_CAUSE_SERVER_RESTART] = "server_restart",
    [FRS_CAUSE_ROUND_CLOSED] = "round_closed",
    [FRS_CAUSE_VOID_ROUND] = "void_round",
    [FRS_CAUSE_END_OF_RUN] = "end_of_run",
    [FRS_CAUSE_EDGE_FAILURE] = "edge_failure",
    [FRS_CAUSE_RESENT] = "resent",
};

const char *const frs_post_upload_outcome_names[FRS_N_POST_OUTCOMES] = {
    [FRS_POST_NONE] = "none",
    [FRS_POST_ENDED] = "ended",
    [FRS_POST_DROPPED] = "dropped_post",
    [FRS_POST_CUT] = "cut",
};
