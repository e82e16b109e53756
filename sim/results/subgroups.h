/* Groups: how often clients take part and how well the model serves them, by device class, network class
 * and quartiles of availability, activity and loss. The first group of each kind is always worst off
 * (docs/simulation.md, "Results by group (fairness)"). */
#ifndef FRS_RESULTS_SUBGROUPS_H
#define FRS_RESULTS_SUBGROUPS_H

#include "sim/ledger/ledger.h"
#include "sim/setup/setup.h"
#include "algorithms/training/evaluation.h"

struct frs_group {
    const char *by;   /* "device_class", "network_class"; "availability_", "activity_" or "loss_quartile" */
    const char *name; /* of the class; "1" (least available, least active, lost most) to "4" */
    uint64_t clients, participations, delivered;
    struct frs_scores scores; /* means over its clients' held-out interactions; n is 0 where there are none */
    double low, high;         /* the 95 % interval of the hit rate, or of the RMSE; NaN: there is none */
    double chance; /* probability that the groups of this family differ as much by chance alone; NaN: there is
                      nothing to compare */
    /* Means over its clients of what the group is made by; NaN in others. */
    double availability; /* share of the run during which they could be reached */
    double interactions; /* in training */
    double loss;         /* probability that a participation is lost, as drawn before the run */
};

#define FRS_MAX_GROUPS 64

/* Share of the time from 0 to end_s during which a client can be reached, read at 32 times. */
double frs_groups_online(const struct frs_setup *setup, uint32_t client, double end_s);

/* Families whose groups can be compared, of those that were collected. */
size_t frs_groups_count_compared(const struct frs_group *groups, size_t n);

/* Fills `groups` (room for FRS_MAX_GROUPS) and returns their number. Groupings without information are
 * left out: no classes, all clients always reachable, or all lost with the same probability. `evaluation`
 * may be NULL. */
size_t frs_groups_collect(const struct frs_setup *setup, const struct frs_ledger *ledger,
    const struct frs_evaluation *evaluation, struct frs_group *groups);

#endif
