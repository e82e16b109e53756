/* Describe: the line that tells people what data a run used. */
#ifndef FRS_ALGORITHMS_DATA_DESCRIBE_H
#define FRS_ALGORITHMS_DATA_DESCRIBE_H

#include "algorithms/data/data.h"
#include "algorithms/data/interactions.h"

/* "movielens-100k: 943 users, 1682 items, 100000 interactions (6.3 %), order by time (415 users' newest
 * tie)". `notes` on the file ("; …", or NULL) come last. Without values (NULL) it leaves out their scale. The
 * caller frees it. */
char *frs_describe(const char *source, const char *notes, bool made_with_ties,
    const struct frs_interactions *interactions, const struct frs_data *data);

#endif
