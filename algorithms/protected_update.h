/* Protection: what privacy mechanisms do to the values of an update, in any form. */
#ifndef FRS_ALGORITHMS_PROTECTED_UPDATE_H
#define FRS_ALGORITHMS_PROTECTED_UPDATE_H

#include "algorithms/rows.h"
#include "sim/base/arena.h"

struct frs_rng;

/* An upload on its way into a mechanism. A part is what is added to a table (`base` NULL), or rows that
 * replace those of base->part[i]. Rows that are absent have not changed. */
struct frs_protected_update {
    struct frs_rows *parts; /* [n_parts], replaced by what the mechanism makes of them */
    size_t n_parts;         /* that are protected; a method's own extras behind them are left alone */
    const struct frs_tables *base;
    struct frs_rng *rng; /* noise of this participation; goes on from mechanism to mechanism */
    struct frs_arena *arena;
    double *flop; /* adds the operations */
};

/* The row that row i of a part replaces; NULL: it is a change itself. */
const float *frs_protected_update_base(const struct frs_protected_update *protected, size_t part, size_t i);

/* A copy of a part's values [n × dim] that can be written to; it takes their place. */
float *frs_protected_update_own(const struct frs_protected_update *protected, size_t part);

/* The part with every row of its table, including unchanged rows; its values [n_rows × dim]. Otherwise the
 * present rows would reveal which rows were touched. */
float *frs_protected_update_whole(const struct frs_protected_update *protected, size_t part);

/* Notes `each` operations for every value of all parts. */
void frs_protected_update_spent(const struct frs_protected_update *protected, double each);

#endif
