/* What the parts of a sensitivity share: the sweep as a table of variants by levels of the assumptions. */
#ifndef FRS_ANALYSIS_SENSITIVITY_SENSITIVITY_INTERNAL_H
#define FRS_ANALYSIS_SENSITIVITY_SENSITIVITY_INTERNAL_H

#include "analysis/print/present.h"
#include "analysis/read/json.h"
#include "analysis/entries/sweep_reader.h"
#include "analysis/sensitivity/sensitivity.h"

struct frs_sensitivity_table {
    const struct frs_sensitivity *what;
    struct frs_sweep_results sweep;
    const char *answer;
    bool lower;                          /* is better */
    size_t n_levels, n_variants, n_axes; /* n_axes: without that of the assumptions */
    struct frs_style style;
};

/* The effect of an assumption on the answer of a variant. */
struct frs_sensitivity_bar {
    size_t assumption;
    double least, most, range; /* of the answer, that of the scenario as it is included unless it is apart */
};

/* ---- the table ---- */

/* Both return an index of a level on the plan's axis: of level `own` of an assumption, and of a run of the
 * design. */
size_t frs_sensitivity_level(const struct frs_sensitivity *what, size_t assumption, size_t own);
size_t frs_sensitivity_level_of_run(const struct frs_sensitivity *what, size_t run);

const struct frs_replicates *frs_sensitivity_cell(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level);
struct frs_figure frs_sensitivity_figure(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level);

/* To the scenario as it is, paired. */
struct frs_estimate frs_sensitivity_difference(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level);

/* "method.name=colr" of a variant, by its design factors, its environment factors, or both; "" without
 * any. Freed with free(). */
char *frs_sensitivity_name(
    const struct frs_sensitivity_table *writer, size_t variant, bool design_factors, bool environments);
const char *frs_sensitivity_label(const struct frs_sensitivity_table *writer, size_t level);

/* ---- what decides ---- */

/* bars [n assumptions], the widest first. */
void frs_sensitivity_bars(
    const struct frs_sensitivity_table *writer, size_t variant, struct frs_sensitivity_bar *bars);

/* The effect of an assumption in the design, seed by seed, over the seeds for which all runs of the design
 * have an answer. */
struct frs_estimate frs_sensitivity_effect(
    const struct frs_sensitivity_table *writer, size_t variant, size_t assumption);

/* The best of the variants in the environment of `like`, at a level; SIZE_MAX: none has an answer. */
size_t frs_sensitivity_best(const struct frs_sensitivity_table *writer, size_t like, size_t level);

/* Whether the difference of two variants at a level is more than its interval. */
bool frs_sensitivity_decides(const struct frs_sensitivity_table *writer, size_t a, size_t b, size_t level);
bool frs_sensitivity_best_is_ahead(const struct frs_sensitivity_table *writer, size_t best, size_t level);

/* Whether it is the first variant of its environment, which has others to be compared with. */
bool frs_sensitivity_begins_design_factor(const struct frs_sensitivity_table *writer, size_t variant);

/* ---- what is written ---- */

void frs_sensitivity_print(const struct frs_sensitivity_table *writer, FILE *out); /* sensitivity.md */
json_t *frs_sensitivity_json(const struct frs_sensitivity_table *writer);          /* sensitivity.json */

#endif
