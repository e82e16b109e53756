/* Metrics: the named figures of one run, in the order in which they were found.
 *
 * A figure that a run does not have is NaN. A target that it did not reach is INFINITY: censored, not
 * missing. */
#ifndef FRS_ANALYSIS_STATISTICS_METRICS_H
#define FRS_ANALYSIS_STATISTICS_METRICS_H

#include <stdbool.h>
#include <stddef.h>

struct frs_metric {
    char *name;
    size_t length; /* of the name */
    double value;
    double step; /* of the grid that values like this one lie on; 0: there is none */
};

/* All zero: none. */
struct frs_metrics {
    size_t n, capacity;
    struct frs_metric *list;
};

/* Replaces the value of this name, or adds it at the end. */
void frs_metrics_set(struct frs_metrics *metrics, const char *name, double value);

/* Records that this figure cannot move by less than `step`: a hit rate moves by one user, the time to a
 * target by the time between two evaluations. Does nothing if there is no such figure, or if the step is
 * not above 0. */
void frs_metrics_set_step(struct frs_metrics *metrics, const char *name, double step);

/* The step of this name; 0 without one. */
double frs_metrics_step(const struct frs_metrics *metrics, const char *name);

/* Returns the value of this name; NaN when there is none. A missing cause of waste is 0, because a run
 * lists only the causes it had. */
double frs_metrics_get(const struct frs_metrics *metrics, const char *name);

bool frs_metrics_has(const struct frs_metrics *metrics, const char *name);

void frs_metrics_fini(struct frs_metrics *metrics);

/* Whether `name` measures quality on the run's test, validation or participants ("hr@10",
 * "validation_ndcg@20", "rmse", "participants_share"). *lower (may be NULL): smaller is better. */
bool frs_metric_is_quality(const char *name, bool *lower);

/* The same of a group of clients: "groups.activity_quartile.1.hr@10". */
bool frs_metric_is_group_quality(const char *name, bool *lower);

/* Whether `name`, without the part up to its last dot, is a share of hits: "hr@10", "validation_hr@20". */
bool frs_metric_is_hit_rate(const char *name);

/* The dimension that a name tells by its end or by its part before a dot: what unit its values have. */
enum frs_metric_unit { FRS_UNIT_NONE, FRS_UNIT_TIME, FRS_UNIT_BYTES, FRS_UNIT_FLOP, FRS_UNIT_ENERGY };
enum frs_metric_unit frs_metric_unit(const char *name);

#endif
