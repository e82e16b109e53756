/* Assigned budgets: the outcome of every budget that a client was assigned, not only of those whose upload
 * arrived (docs/server-decisions.md, "What the server decides"). They describe a run and decide nothing. */
#ifndef FRS_ROUNDS_ASSIGNED_BUDGETS_H
#define FRS_ROUNDS_ASSIGNED_BUDGETS_H

#include "actors/participation.h"

/* How the participations with an assigned budget end. */
enum frs_assigned_budget_end {
    FRS_ASSIGNED_IN_TIME, /* the upload arrived before its round had closed */
    FRS_ASSIGNED_LATE,    /* it arrived later */
    FRS_ASSIGNED_CUT,     /* the server stopped it */
    FRS_ASSIGNED_LOST,    /* the client was lost, could not be reached, or has too little memory */
    FRS_N_ASSIGNED_BUDGET_ENDS,
};

extern const char *const frs_assigned_budget_end_names[FRS_N_ASSIGNED_BUDGET_ENDS];

/* Predicted and actual durations, as sums over n participations. The actual duration of an aborted
 * participation is at least as long as the server had waited. That time counts as its duration, and its
 * error is the amount by which the prediction was shorter. */
struct frs_assigned_budget_predictions {
    uint64_t n;
    double predicted_s, actual_s, error_s;
};

/* Sums over some clients. */
struct frs_assigned_budget_sums {
    uint64_t n; /* assigned budgets */
    double budget;
    uint64_t in_time;
};

/* Totals over all clients. */
struct frs_assigned_budget_totals {
    uint32_t range_max;
    uint32_t min, max;     /* assigned */
    const uint64_t *times; /* [range_max + 1] how often each budget was assigned */
    struct frs_assigned_budget_sums sums;
    uint64_t ends[FRS_N_ASSIGNED_BUDGET_ENDS];
    struct frs_assigned_budget_predictions arrived, cut;
    double saved_bytes; /* upload against the largest budget, of those that arrived */
};

struct frs_assigned_budgets;

/* Budgets from 1 to range_max. */
struct frs_assigned_budgets *frs_assigned_budgets_create(uint32_t n_clients, uint32_t range_max);
void frs_assigned_budgets_destroy(struct frs_assigned_budgets *assigned_budgets);

/* The server has assigned a client a budget. */
void frs_assigned_budgets_add(
    struct frs_assigned_budgets *assigned_budgets, uint32_t client, uint32_t budget);

/* What became of a participation is final. */
void frs_assigned_budgets_settle(
    struct frs_assigned_budgets *assigned_budgets, const struct frs_participation *participation);

const struct frs_assigned_budget_totals *frs_assigned_budgets_totals(
    const struct frs_assigned_budgets *assigned_budgets);
const struct frs_assigned_budget_sums *frs_assigned_budgets_client(
    const struct frs_assigned_budgets *assigned_budgets, uint32_t client);

#endif
