/* Sensitivity: which assumption moves an answer most, from a sweep whose last axis has the assumptions as
 * its levels.
 *
 * Level 0 is the scenario as it is. Then come the levels of each assumption by itself, and then the runs
 * of a screening design. Every other axis gives variants, each with its own answer. All differences are
 * paired on seeds.
 *
 *   sensitivity.md     the tables, as they are printed
 *   sensitivity.json   format "fedrecsim-sensitivity-2": the data of a picture
 *     answer, unit, lower_is_better, replicates
 *     variants   [{name, base: figure, seeds: {sd}, assumptions: [{name, range, levels: [{label, figure,
 *                difference: interval}], effect: interval or null}]}], the largest range first
 *     design_factors  [{environment, best, levels: [{label, best, decided}]}]
 *     left_out   [{name, reason}]
 *   A figure is {mean, half_width, n, censored}, and an interval {mean, half_width}; null is what does not
 *   exist. */
#ifndef FRS_ANALYSIS_SENSITIVITY_SENSITIVITY_H
#define FRS_ANALYSIS_SENSITIVITY_SENSITIVITY_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct frs_assumption {
    char *name;
    char *labels[2]; /* of its levels */
    size_t n_levels; /* 1: the other is the scenario as it is */
    /* Its levels have further settings that only give these an effect, so its range is the difference
     * between its levels. */
    bool is_apart;
};

struct frs_left_out {
    char *name, *reason;
};

struct frs_sensitivity {
    const struct frs_assumption *assumptions; /* [n], those varied */
    size_t n;
    const struct frs_left_out *left_out; /* [n_left_out] */
    size_t n_left_out;
    size_t n_runs;      /* of the design; 0: none */
    const char *answer; /* a metric, or NULL: the time to the target if all runs reach it, otherwise the
                           simulated time */
};

/* Levels of the axis: 1, what assumptions have, and the design's runs. */
size_t frs_sensitivity_levels(const struct frs_sensitivity *sensitivity);

/* Reads the sweep in `folder`, writes both files there, and prints the tables to `out` (NULL: not). */
enum frs_status frs_sensitivity_write(const char *folder, const struct frs_sensitivity *sensitivity,
    FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
