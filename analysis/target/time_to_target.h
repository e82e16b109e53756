/* Time to target: when a run first reached a target, and what it had cost by then.
 *
 * The target is reached at the first evaluated round whose value is at least the threshold (mae and rmse: at
 * most). A run that never gets there is censored: its figures are INFINITY, and a mean over the other runs
 * alone is not valid. */
#ifndef FRS_ANALYSIS_TARGET_TIME_TO_TARGET_H
#define FRS_ANALYSIS_TARGET_TIME_TO_TARGET_H

#include "analysis/target/target_spec.h"

/* The names of what a target adds to a run's metrics. */
#define FRS_TARGET_ROUND "rounds_to_target"
#define FRS_TARGET_TIME "time_to_target_s" /* end of that round */
#define FRS_TARGET_BYTES "bytes_to_target" /* downloads and uploads of all rounds up to it */
/* And what connecting took in them, and what edges exchanged with the server: all that was sent. */
#define FRS_TARGET_SENT "sent_bytes_to_target"
#define FRS_TARGET_EDGES                                                                                     \
    "edge_bytes_to_target" /* part of it, between edges and the server; only with edges */

/* Whether the following functions, or frs_target_spec_has_validation, read this column of rounds.csv;
 * `target_spec` is a struct frs_target_spec. */
bool frs_time_to_target_reads(const void *target_spec, const char *column);

/* What became of a target after it had been reached, from run->rounds. */
struct frs_target_after {
    size_t evaluations, missed; /* after the round that reached it, and of these, those that miss it */
    double last;                /* the value of the last evaluation; NaN: there is none */
    bool ends_missed;
};
struct frs_target_after frs_time_to_target_after(
    const struct frs_target_spec *target_spec, bool has_validation, const struct frs_run_results *run);

/* Adds the metrics above, from run->rounds. Each has a step: the difference between the evaluation that
 * decides (without one the last) and the previous one, or the start of the run. A run that was never
 * evaluated gets none. Errors: the run has no such metric or baseline. */
enum frs_status frs_time_to_target_apply(const struct frs_target_spec *target_spec,
    struct frs_run_results *run, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
