/* Staleness: the weight of an upload whose client had downloaded an older version of the tables, under
 * policies that aggregate such uploads. */
#ifndef FRS_ACTORS_STALENESS_H
#define FRS_ACTORS_STALENESS_H

#include <stdbool.h>

struct frs_values;

extern const char *const frs_staleness_names[];

/* Entry of a policy's parameter table. */
#define FRS_STALENESS_PARAM                                                                                  \
    {                                                                                                        \
        .key = "staleness", .type = FRS_CHOICE, .initial = "inverse_sqrt", .choices = frs_staleness_names,   \
        .help = "by what the change of an upload is multiplied whose client downloaded s versions ago, "     \
                "besides the method's own weight (method.aggregation): inverse_sqrt (1/√(1+s)), or none, " \
                "that is in full"                                                                            \
    }

/* Whether it is 1/√(1+s). */
bool frs_staleness_damps(const struct frs_values *values);

#endif
