/* Target specification: the target of a study.
 *
 * "hr@10=0.5" or, relative to a non-federated baseline of the same run, "hr@10=popularity+0.03",
 * "rmse=item_mean-0.02". "hr@10" means the validation items, for the run and the baseline: a run that
 * stops at a target must not have used the test items, "test.hr@10". If a run has no validation part, the
 * test items decide, and the note says so. A target is reached (analysis/target/time_to_target.h) at or
 * above the threshold, for mae and rmse at or below it; ">=" or "<=" instead of "=" say it explicitly. */
#ifndef FRS_ANALYSIS_TARGET_TARGET_SPEC_H
#define FRS_ANALYSIS_TARGET_TARGET_SPEC_H

#include "analysis/read/run_reader.h"

/* All zero: no target. */
struct frs_target_spec {
    char *metric;
    char *non_federated; /* name of the baseline, or NULL */
    double bar;          /* threshold; with a non-federated baseline: what is added to its value */
    bool lower;          /* reached at or below the threshold */
};

/* On failure adds an error that quotes `text` and says what is allowed. */
enum frs_status frs_target_spec_parse(
    const char *text, struct frs_target_spec *target_spec, struct frs_errors *errors) FRS_MUST_CHECK;

/* "hr@10 ≥ popularity + 0.03"; freed with free(). */
char *frs_target_spec_text(const struct frs_target_spec *target_spec);

/* The measure of quality that the target is about, on the test items: "hr@10" of "hr@10" and "test.hr@10". */
const char *frs_target_spec_quality(const struct frs_target_spec *target_spec);

/* "validation items", "test items": what decides in a run. */
const char *frs_target_spec_items(const struct frs_target_spec *target_spec, bool has_validation);

/* The note beside a target: the items by which a run is judged, whether the target is a default, and how
 * much "reached" means where the protocol leaks: "validation items; the default". Freed with free(). */
char *frs_target_spec_note(
    const struct frs_target_spec *target_spec, bool has_validation, const char *protocol, bool is_default);

/* The column of rounds.csv that decides, "validation_hr@10"; freed with free(). */
char *frs_target_spec_column(const struct frs_target_spec *target_spec, bool has_validation);

/* Whether a round of the run has a figure of the validation items that the target is about. */
bool frs_target_spec_has_validation(
    const struct frs_target_spec *target_spec, const struct frs_run_results *run);

struct frs_target_spec frs_target_spec_copy(const struct frs_target_spec *target_spec);
void frs_target_spec_fini(struct frs_target_spec *target_spec);

/* The target of runs that name none: 0.03 better than popularity, or as good as item_mean for ratings.
 * False when the run has no such baseline. */
bool frs_target_spec_default(const struct frs_run_results *run, struct frs_target_spec *target_spec);

/* The threshold in this run; NaN when the run does not have the baseline. */
double frs_target_spec_threshold(
    const struct frs_target_spec *target_spec, const struct frs_run_results *run);

#endif
