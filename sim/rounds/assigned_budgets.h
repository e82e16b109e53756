/* Grants: what became of the budgets that clients were granted: of every grant, not only of those whose upload arrived
 * (docs/simulation.md, "What the server decides"). Tells about a run and decides nothing. */
#ifndef FRS_ROUNDS_ASSIGNED_BUDGETS_H
#define FRS_ROUNDS_ASSIGNED_BUDGETS_H

#include "actors/participation.h"

/* How the participations of a grant end. */
enum frs_grant_end {
    FRS_GRANT_IN_TIME, /* the upload arrived before its round had closed */
    FRS_GRANT_LATE,    /* it arrived later */
    FRS_GRANT_CUT,     /* the server stopped it */
    FRS_GRANT_LOST,    /* the client was lost, could not be reached, or has too little memory */
    FRS_N_GRANT_ENDS,
};

extern const char *const frs_grant_end_names[FRS_N_GRANT_ENDS];

/* Predicted durations beside what is known of the actual ones; sums over n participations. Of one that was cut the actual
 * duration is at least what the server had waited: that is its time, and its error is what the prediction was below
 * it. */
struct frs_grant_predictions {
    uint64_t n;
    double predicted_s, actual_s, error_s;
};

/* Of some clients. */
struct frs_grant_sums {
    uint64_t n; /* grants */
    double budget;
    uint64_t in_time;
};

/* Of all. */
struct frs_grant_totals {
    uint32_t range_max;
    uint32_t min, max;     /* granted */
    const uint64_t *times; /* [range_max + 1] grants of each budget */
    struct frs_grant_sums sums;
    uint64_t ends[FRS_N_GRANT_ENDS];
    struct frs_grant_predictions arrived, cut;
    double saved_bytes; /* upload against the largest budget, of those that arrived */
};

struct frs_grants;

/* Budgets from 1 to range_max. */
struct frs_grants *frs_grants_create(uint32_t n_clients, uint32_t range_max);
void frs_grants_destroy(struct frs_grants *grants);

/* The server has granted a client a budget. */
void frs_grants_add(struct frs_grants *grants, uint32_t client, uint32_t budget);

/* What became of a participation is final. */
void frs_grants_settle(struct frs_grants *grants, const struct frs_participation *participation);

const struct frs_grant_totals *frs_grants_totals(const struct frs_grants *grants);
const struct frs_grant_sums *frs_grants_client(const struct frs_grants *grants, uint32_t client);

#endif
