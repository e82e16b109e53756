/* Point: one run of a plan. */
#ifndef FRS_SWEEP_POINT_H
#define FRS_SWEEP_POINT_H

#include "sim/sweep/plan.h"

struct frs_point_options {
    const struct frs_section *sections; /* the table that the point is read by */
    size_t threads;                     /* 0: all cores */
    const char *cache;                  /* folder for what is learnt, or NULL */
    bool no_reuse; /* without a cache frs_point_run takes that of the sweep; this leaves it out, too */
};

/* Runs point `index` of the plan file into points/ beside it; no-op if it is already finished. An
 * interrupted run leaves only its checkpoint, and returns FRS_INTERRUPTED. A run that ended because no
 * client could be reached any more counts as finished, and adds a line. A process can call this only once. */
enum frs_status frs_point_run(const char *plan, size_t index, const struct frs_point_options *options,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The scenario of a point of a plan that has been read, in `folder`; *out is NULL on failure. */
enum frs_status frs_point_read(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    const char *folder, size_t index, struct frs_scenario **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* frs_point_run for such a scenario. */
enum frs_status frs_point_run_of(const struct frs_sweep_plan *plan, const char *folder, size_t index,
    const struct frs_scenario *scenario, const struct frs_point_options *options,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Reads the plan file, loads the plug-ins that it was made with, and gives the folder that it is in. The
 * process moves to the working folder in which the plan was made, if that is here, because relative paths of
 * the scenario begin there; *folder is then from the root. After an error nothing is left; otherwise the
 * caller frees *folder and destroys *plan. */
enum frs_status frs_point_open_plan(
    const char *path, struct frs_sweep_plan **plan, char **folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the plan has such a point; adds an error if not. */
enum frs_status frs_point_check_index(const char *path, const struct frs_sweep_plan *plan, size_t index,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
