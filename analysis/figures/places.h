/* Places: where the levels of an axis stand in a figure. */
#ifndef FRS_ANALYSIS_FIGURES_PLACES_H
#define FRS_ANALYSIS_FIGURES_PLACES_H

#include "analysis/figures/format.h"
#include "analysis/plan/plan.h"
#include "sim/base/status.h"

struct frs_places {
    enum frs_scale scale; /* not FRS_SCALE_ANY */
    size_t n;
    size_t *levels; /* [n] in the order of their places */
    double *at;     /* [n] place of levels[i]; of categories 1, 2 ... in the order of the plan */
};

/* Whether all labels are different numbers, percentages, or quantities of one dimension. A bare 0 fits any
 * of them. */
bool frs_places_are_numbers(const struct frs_axis *axis);

/* An error where the levels do not allow the scale that is asked for. */
enum frs_status frs_places_find(const struct frs_axis *axis, enum frs_scale asked, struct frs_places *places,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* How far along the axis a place is, from 0 to 1. */
double frs_places_share(const struct frs_places *places, size_t i);

void frs_places_fini(struct frs_places *places);

#endif
