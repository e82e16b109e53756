/* Wording: amounts, intervals and names as sentences have them. All results are freed with free(). */
#ifndef FRS_ANALYSIS_SENTENCE_WORDING_H
#define FRS_ANALYSIS_SENTENCE_WORDING_H

#include "analysis/target/target.h"
#include "analysis/statistics/intervals.h"

/* "41 min (38–45)": a mean of a metric with its interval, if it has one that is not a point. */
char *frs_amount_text(const char *metric, const struct frs_estimate *estimate);

/* "41 min" alone. */
char *frs_value_text(const char *metric, double value);

/* The factor by which figures of a metric, up to this one, are multiplied to be in the unit that suits it;
 * *unit is its name. */
double frs_amount_unit(const char *metric, const struct frs_estimate *most, const char **unit);

/* "HR@10" of "hr@10", "RMSE" of "rmse"; other names as they are. */
char *frs_metric_text(const char *metric);

/* "HR@10 0.58", "HR@10 of popularity + 0.03": what is reached. */
char *frs_target_spec_phrase(const struct frs_target_spec *target_spec);

/* "2.3 times (1.9–2.8)". */
char *frs_times_text(double mean, double low, double high);

/* "0.024 (0.011–0.037)" */
char *frs_difference_text(double mean, double low, double high);

/* "a", "a and b", "a, b and c"; from `most` on "a, b and 3 more". */
char *frs_listed(const char *const *names, size_t n, size_t most);

/* The name of an axis's level in a sentence: "colr" (method.name), "of rank 4" (a key that ends in .rank),
 * "with rounds.cohort = 20"; `keys` are those that the axis sets. */
char *frs_design_phrase(const char *axis, char *const *keys, size_t n_keys, const char *label);

/* The same of environments: "on 4g" (network.preset), "with loss = 30 %". */
char *frs_environment_phrase(const char *axis, char *const *keys, size_t n_keys, const char *label);

#endif
