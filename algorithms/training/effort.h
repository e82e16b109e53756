/* Effort: the time of training and simulating, in seconds of a usual processor, from counts alone.
 *
 * Forecasts divide their time by it and read no clock, so that what they simulate, and hence their result,
 * does not depend on the load of the machine. The rates are rounded up from ML-1M and `small`: a method may
 * be several times as fast. */
#ifndef FRS_ALGORITHMS_TRAINING_EFFORT_H
#define FRS_ALGORITHMS_TRAINING_EFFORT_H

#include "sim/base/usage.h"
#include "algorithms/training/training_setup.h"

/* One client: training, encoding, decoding. */
double frs_effort_of_training_s(const struct frs_usage *usage);

/* One round without its clients: encoding the state, and aggregating n uploads of so many values each. */
double frs_effort_of_tables_s(const struct frs_training_setup *setup);
double frs_effort_of_aggregation_s(const struct frs_training_setup *setup, double n, double values);

/* Ranking or predicting for all users once. */
double frs_effort_of_evaluation_s(const struct frs_training_setup *setup);

#endif
