/* Settings held constant: settings in which entries side by side differ although they were not varied.
 *
 * Methods bring their own optimiser, learning rate, initial values and messages; a comparison of two of
 * them compares all of that. The table has one column for every set of sides that agree in all these
 * settings. */
#ifndef FRS_ANALYSIS_PRINT_HELD_CONSTANT_H
#define FRS_ANALYSIS_PRINT_HELD_CONSTANT_H

#include "sim/base/settings/setting.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A cell of a sweep, or a run. A column is named by the labels that not all columns have. Where these do
 * not identify its sides, or there are none, it is named by its sides one by one. */
struct frs_side {
    const char *name;                   /* without labels */
    const char *const *labels;          /* [n_labels], one for each axis of the sweep */
    size_t n_labels;                    /* the same for all sides */
    const struct frs_setting *settings; /* [n] resolved; what all sides have alike may be missing */
    size_t n;
};

/* Prints what differs, grouped (rounds, messages, training, environment), the shortest group first; keys
 * that one side does not have are "–". `varied` are keys, or sections, that were varied on purpose. Prints
 * nothing, and returns false, when nothing differs. */
bool frs_held_constant_print(
    const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied, FILE *out);

/* The other half: prints what differs because it was varied, or goes with what was varied, under the title
 * "Settings that --set varied". */
bool frs_varied_print(
    const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied, FILE *out);

/* Prints all that differs, as "Settings that differ": where it is unknown what was varied on purpose. */
bool frs_differing_print(const struct frs_side *sides, size_t n, FILE *out);

#endif
