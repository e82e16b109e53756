/* Costs: the price of bytes (section `costs`), in whatever currency the user counts in. */
#ifndef FRS_SETUP_COSTS_H
#define FRS_SETUP_COSTS_H

#include "sim/base/settings/param.h"

struct frs_values;

extern const struct frs_param frs_costs_params[]; /* section `costs` */

/* Of a byte. NAN: no price is given, and nothing is charged. */
struct frs_costs {
    double server_down, server_up; /* that leaves the server, and that reaches it */
    double metered;                /* that crosses a metered link of a client, either way */
    const char *currency;          /* of the scenario; "": none is given */
};

struct frs_costs frs_costs_read(const struct frs_values *values);

/* Whether there is any price. */
bool frs_costs_known(const struct frs_costs *costs);

/* What these bytes cost at the prices that are given; the metered ones are among the others. */
double frs_costs_of(const struct frs_costs *costs, double down_bytes, double up_bytes, double metered_bytes);

/* "12.4 EUR", or "12.4" where no currency is given; freed by the caller. */
char *frs_costs_text(const struct frs_costs *costs, double amount);

#endif
