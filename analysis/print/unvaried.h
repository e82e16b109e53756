/* Unvaried settings: what else differs between things that stand side by side, though nobody varied it.
 *
 * Methods bring their own optimiser, learning rate, initial values and messages; a comparison of two of them
 * compares all of that. The table has one column for every set of sides that agree in everything unvaried. */
#ifndef FRS_ANALYSIS_PRINT_UNVARIED_H
#define FRS_ANALYSIS_PRINT_UNVARIED_H

#include "sim/base/setting.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A cell of a sweep, or a run. */
struct frs_side {
    const char *name;
    const char *const *labels; /* [n_labels] "axis=label"; a column is named by those its sides share */
    size_t n_labels;           /* the same for all sides; 0: columns are named by the sides' names */
    const struct frs_setting *settings; /* [n] resolved; what all sides have alike may be missing */
    size_t n;
};

/* Prints what differs, grouped (rounds, messages, training, circumstances), the shortest group first; keys that
 * one side does not have are "–". `varied` are keys, or sections, that were varied on purpose. Prints nothing,
 * and returns false, when nothing differs. */
bool frs_unvaried_print(
    const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied, FILE *out);

#endif
