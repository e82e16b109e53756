/* Quality settings: the settings that decide what HR@K, NDCG@K or RMSE of a run means.
 *
 * Two figures of quality measure the same thing only if these settings agree: how the held-out interaction
 * is chosen, what it is ranked among, and whose table ranks it. The protocol, the candidates and K are
 * among them. So is every other key of `data` and `evaluation`, unless it is listed as one that does not
 * change the measure. */
#ifndef FRS_ANALYSIS_READ_QUALITY_SETTINGS_H
#define FRS_ANALYSIS_READ_QUALITY_SETTINGS_H

#include "analysis/read/run_reader.h"

/* Whether a setting decides what a quality means. Keys that produce the data do not: the digest of the
 * data distinguishes those. */
bool frs_setting_defines_quality(const char *key);

/* The value of such a setting in a run ("time" for an order that is "auto" on data with times). NULL where
 * the run does not record it, or where it has no effect on the run's measure. */
const char *frs_quality_setting(const struct frs_run_results *run, const char *key);

#endif
