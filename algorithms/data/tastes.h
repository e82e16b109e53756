/* Tastes: groups of items that the same clients like, and how usual the taste of each client is.
 *
 * In built-in data an item belongs to the planted taste that draws it most often. Items of other data are
 * clustered by who interacted with them: spherical k-means (Dhillon and Modha 2001) on the items' rows of the
 * training interactions, from starts drawn by popularity. Groups are ordered by the training interactions of
 * their items, the largest first; how usual a client's taste is is minus the mean place of its items' groups.
 */
#ifndef FRS_ALGORITHMS_DATA_TASTES_H
#define FRS_ALGORITHMS_DATA_TASTES_H

#include "algorithms/data/data.h"

enum {
    FRS_TASTE_CLUSTERS = 16
}; /* of items, where the data have no tastes of their own; fewer of few items */

struct frs_tastes {
    uint32_t n_groups, n_items, n_clients;
    uint32_t *group; /* [n_items], 0 for the group with the most interactions */
    double *usual;   /* [n_clients]; of a client without interactions that of the middle group */
    bool given;      /* by the distribution that the data were drawn from */
};

/* From the training interactions of `data`, which must have been loaded with their items, and the scenario
 * section `data` that they were loaded from. frs_tastes_fini frees it. */
struct frs_tastes frs_tastes_of(const struct frs_data *data, const struct frs_values *section, uint64_t seed);

void frs_tastes_fini(struct frs_tastes *tastes);

/* The group in which a client has most of its interactions; of equal ones the larger group; of a client
 * without any the largest. */
uint32_t frs_tastes_main_group(const struct frs_tastes *tastes, const struct frs_data *data, uint32_t client);

#endif
