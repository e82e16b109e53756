/* Settings of a sweep: the section `sweep` of a scenario, and what the command line adds. */
#ifndef FRS_SWEEP_SETTINGS_H
#define FRS_SWEEP_SETTINGS_H

#include "sim/base/settings/param.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/axis.h"

/* Own keys of the section `sweep`. */
extern const struct frs_param frs_sweep_params[];

/* A figure that an option of the command line asks for. */
struct frs_selected {
    const char *option, *metric; /* "--answer"; NULL: it asks for none */
};

enum { FRS_ASKED_MOST = 2 };

/* What a sweep is made from. */
struct frs_sweep_request {
    const struct frs_section *sections; /* the table that scenarios are read by */
    const char *file;
    const char *const *sets; /* as after --set, in every point */
    size_t n_sets;
    const char *const *vary; /* axes of the command line */
    size_t n_vary;
    struct frs_selected asked[FRS_ASKED_MOST];
};

/* Reads the section and the axes of `request`. Collects every problem, including a figure that no run can
 * have; on failure the result is empty. */
enum frs_status frs_sweep_read(const struct frs_scenario *scenario, const struct frs_sweep_request *request,
    struct frs_sweep *sweep, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
