/* Assumptions: what a scenario assumes and could be otherwise, each with one or two other values.
 *
 * The usual ones are those of assumption_kinds.h.
 *
 * An assumption is left out, with the reason, if it has no effect in the scenario or in one of the cells
 * of what is varied besides, or if it is itself varied; so are kinds that have no usual value. */
#ifndef FRS_SENSITIVITY_SENSITIVITY_DESIGN_H
#define FRS_SENSITIVITY_SENSITIVITY_DESIGN_H

#include "analysis/sensitivity/sensitivity.h"
#include "sim/sweep/settings.h"

struct frs_sensitivity_design {
    struct frs_axes axes;        /* one for each assumption that is varied; its levels are the other values */
    struct frs_assumption *list; /* [axes.n], the same by name; texts are those of the axes */
    struct frs_left_out *left_out;
    size_t n_left_out;
    size_t n_runs; /* of the design; 0: there is none */
    char *axis;    /* all of it as one axis, as after --vary */
    char *name;    /* of the scenario */
};

struct frs_sensitivity_design_request {
    struct frs_sweep_request sweep;
    const char *const *assume; /* [n_assume] "NAME | LABEL: KEY=V | LABEL: KEY=V": replaces the assumption of
                                  this name, or is added */
    size_t n_assume;
    const char *const *without; /* [n_without] names to leave out */
    size_t n_without;
    const char *const *only; /* [n_only] names of those that are varied; none: all */
    size_t n_only;
    bool no_design;
};

/* Tries every value on the scenario; writes nothing. On failure the result is empty. */
enum frs_status frs_sensitivity_design_find(const struct frs_sensitivity_design_request *request,
    struct frs_sensitivity_design *assumptions, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_sensitivity_design_fini(struct frs_sensitivity_design *assumptions);

#endif
