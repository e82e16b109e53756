/* Scale: the values of ratings, as a user should see them before a run. */
#ifndef FRS_ALGORITHMS_DATA_SCALE_H
#define FRS_ALGORITHMS_DATA_SCALE_H

#include "algorithms/data/interactions.h"

/* "ratings from -1 (598) to 5 (263), none between -1 and 0.5": the ends with how many interactions have them,
 * and, of a scale of few values, the widest gap where it is wider than the narrowest. The caller frees it. n
 * is at least 1. */
char *frs_describe_scale(const struct frs_interactions *interactions);

#endif
