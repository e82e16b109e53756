/* Core: pairs of users and items of which each has enough (k-core). */
#ifndef FRS_ALGORITHMS_DATA_PREPARATION_CORE_H
#define FRS_ALGORITHMS_DATA_PREPARATION_CORE_H

#include <stddef.h>
#include <stdint.h>

struct frs_core {
    const uint32_t *users, *items; /* of the rows, whose pairs are distinct */
    uint32_t n_items;              /* items are below */
    size_t first_held_out; /* row from which on rows are not for training, and a user needs one that is; 0:
                              all are for training */
    size_t min_interactions, min_users_per_item;
};

/* Leaves out users and items that have too few pairs, repeated until all that are left have enough. `order`
 * [n] holds numbers of rows, those of a user side by side; what is left stays in order. Returns its
 * number. */
size_t frs_core_keep(const struct frs_core *core, uint32_t *order, size_t n);

#endif
