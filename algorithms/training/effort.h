/* Effort: what trying and playing takes, in seconds of a usual processor, by counts alone.
 *
 * Forecasts divide their time by it and look at no clock, so that what they play, and so what they say, is
 * the same however busy the machine is. The rates are rounded up from ML-1M and `small`: a method may be
 * several times as fast. */
#ifndef FRS_ALGORITHMS_TRAINING_EFFORT_H
#define FRS_ALGORITHMS_TRAINING_EFFORT_H

#include "sim/base/usage.h"
#include "algorithms/training/training_setup.h"

/* Of one client: training, encoding, decoding. */
double frs_effort_of_training_s(const struct frs_usage *usage);

/* Of a round, besides its clients: the state is encoded, n uploads of so many values each are aggregated. */
double frs_effort_of_tables_s(const struct frs_training_setup *setup);
double frs_effort_of_aggregation_s(const struct frs_training_setup *setup, double n, double values);

/* Of ranking or predicting for all users once. */
double frs_effort_of_evaluation_s(const struct frs_training_setup *setup);

#endif
