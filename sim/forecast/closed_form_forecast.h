/* The closed form of a round (sim/closed_form/closed_form.h), as `fedrecsim check` prints it, with the
 * messages and client updates that are expected before any round. */
#ifndef FRS_FORECAST_CLOSED_FORM_FORECAST_H
#define FRS_FORECAST_CLOSED_FORM_FORECAST_H

#include "algorithms/training/training_estimate.h"
#include "sim/setup/setup.h"

#include <stdio.h>

/* `estimate`, `down_bytes`: as for frs_expectation. */
void frs_closed_form_forecast_print(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, double down_bytes, FILE *out);

#endif
