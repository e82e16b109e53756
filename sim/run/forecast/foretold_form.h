/* The closed form of a round (sim/run/report/closed_form.h), as `fedrecsim check` prints it: with messages and work as they are
 * expected before any round. */
#ifndef FRS_RUN_FORECAST_FORETOLD_FORM_H
#define FRS_RUN_FORECAST_FORETOLD_FORM_H

#include "sim/run/training/foresight.h"
#include "sim/run/setup/setup.h"

#include <stdio.h>

/* `foresight`, `down_bytes`: as for frs_expectation. */
void frs_foretold_form_print(
    const struct frs_setup *setup, const struct frs_foresight *foresight, double down_bytes, FILE *out);

#endif
