/* Groups: how often clients take part and how well the model serves them, by device class, network class
 * quartiles of availability, activity, loss and taste, and by how often a client was heard. The first group
 * of each kind is always worst off (docs/fairness.md, "Results by group (fairness)"). */
#ifndef FRS_RESULTS_SUBGROUPS_H
#define FRS_RESULTS_SUBGROUPS_H

#include "sim/ledger/ledger.h"
#include "sim/setup/setup.h"
#include "algorithms/training/evaluation.h"

struct frs_group {
    const char *by;   /* "device_class", "network_class"; "availability_", "activity_", "loss_" or
                       * "taste_quartile";   "heard_decile" */
    const char *name; /* of the class; "1" (least available, least active, lost most, rarest taste) to "4";
                         "never" heard, "1" (heard least) to "10" */
    uint64_t clients, participations, delivered;
    struct frs_scores scores; /* means over its clients' users or interactions; n is 0 where there are none */
    size_t n_auc;             /* users over whom AUC is a mean: those with candidates */
    double low, high;         /* the 95 % interval of the hit rate, or of the RMSE; NaN: there is none */
    double chance; /* probability that the groups of this family differ as much by chance alone; NaN: there is
                      nothing to compare */
    /* Means over its clients of what the group is made by; NaN in others. */
    double availability; /* share of the run during which they could be reached */
    double interactions; /* in training */
    double loss;         /* probability that a participation is lost, as drawn before the run */
};

#define FRS_MAX_GROUPS 96

/* Share of the time from 0 to end_s during which a client can be reached, read at 32 times. */
double frs_groups_online(const struct frs_setup *setup, uint32_t client, double end_s);

/* How far the groups of one family are apart, in hit rate or RMSE. */
struct frs_group_gap {
    const char *worst, *best; /* names */
    double worst_quality;
    double gap; /* of the best from the worst, ≥ 0 */
    double low,
        high; /* its 95 % interval, from those of the two (Newcombe 1998, method 10; Zou and Donner 2008) */
    double spread; /* standard deviation of the groups, each with the weight of its interactions */
};

/* Of the family that begins at `family`, of at most n groups. False where fewer than two of them were
 * evaluated. */
bool frs_groups_gap(const struct frs_group *family, size_t n, bool ratings, struct frs_group_gap *gap);

/* Families whose groups can be compared, of those that were collected. */
size_t frs_groups_count_compared(const struct frs_group *groups, size_t n);

/* Fills `groups` (room for FRS_MAX_GROUPS) and returns their number. Groupings without information are
 * left out: no classes, all clients always reachable, or all lost with the same probability. `evaluation`
 * may be NULL. */
size_t frs_groups_collect(const struct frs_setup *setup, const struct frs_ledger *ledger,
    const struct frs_evaluation *evaluation, struct frs_group *groups);

#endif
