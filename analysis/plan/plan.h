/* Plan: every run of a sweep, numbered, and plan.json, from which each can be run on its own and results
 * are collected.
 *
 * Axes have levels; one level of each is a cell. Cells are numbered in row-major order, the last axis
 * fastest. A cell runs once per replicate, every time with another seed; replicates of the same number
 * have the same seed in all cells. One such run is a point. Points are numbered by cell, then replicate,
 * and points by which a sweep is extended follow the earlier ones.
 *
 *   format "fedrecsim-plan-2", name, version
 *   working_folder  where relative paths begin, from the root; absent in plans of earlier versions
 *   axes         [{name, role ("design" or "environment"), levels: [label], keys: [key]}]
 *   plugins      [{path, digest}] of shared objects that have brought plug-ins; absent: none
 *   replicates
 *   metrics      [name]; none: the tables that answer (analysis/tables/tables.h)
 *   baseline     "axis=label,axis=label"; null: the first level of every design factor
 *   target       null, or {metric, comparison ">=" or "<=", non_federated (name of a baseline, or null),
 *   value}
 *   early_stop   null, or {metric, width, min_replicates}
 *   settings     {key: text} common to all points
 *   points       [{index, cell, levels: [label], replicate, seed, hash, learning,
 *                  settings {those that differ}}] */
#ifndef FRS_ANALYSIS_PLAN_PLAN_H
#define FRS_ANALYSIS_PLAN_PLAN_H

#include "analysis/target/target_spec.h"
#include "analysis/statistics/factors.h"
#include "sim/base/arena.h"
#include "sim/base/files/digest.h"
#include "sim/base/settings/setting.h"

#include <stdio.h>

#define FRS_PLAN_FORMAT "fedrecsim-plan-2"

/* One value of an axis. */
struct frs_level {
    char *label;
    char **sets; /* [n] "key=value" as after --set; none in a plan that was read */
    size_t n;
};

struct frs_axis {
    char *name;
    struct frs_level *levels;
    size_t n;
    char **keys; /* that its levels set, each once; ended by NULL */
    enum frs_role role;
    bool on_command_line;
};

/* The axis of a sensitivity: its first level is the scenario as it is, and the others go through its
 * assumptions. */
#define FRS_ASSUMPTION_AXIS "assumption"
#define FRS_ASSUMPTION_NONE "as it is"

struct frs_axes {
    struct frs_axis *axes;
    size_t n, capacity;
};

/* Replicates of a cell end once the 95 % interval of the mean of `metric` is at most `width` wide. */
struct frs_stop {
    char *metric; /* NULL: they do not end early */
    double width; /* from end to end */
    size_t min_replicates;
};

struct frs_sweep {
    struct frs_axes axes;
    size_t replicates;
    char **metrics; /* ended by NULL; none: the tables that answer */
    char *baseline; /* "axis=label,axis=label", or NULL: the first level of every design factor */
    struct frs_target_spec target; /* metric NULL: there is none */
    struct frs_stop stop;
};

struct frs_sweep_point {
    size_t cell, replicate; /* replicate from 1 */
    uint64_t seed;
    char hash[FRS_DIGEST_TEXT];     /* of its scenario */
    char learning[FRS_DIGEST_TEXT]; /* the same for points that learn the same */
    struct frs_setting *settings;   /* [n_settings] those that are not common to all points */
    size_t n_settings;
};

/* A shared object whose plug-ins the points may use. */
struct frs_plan_plugin {
    char *path, digest[FRS_DIGEST_TEXT];
};

struct frs_sweep_plan {
    char *name;                      /* of the scenario */
    char *version;                   /* of the program that made the plan */
    char *working_folder;            /* where it was made and relative paths begin, or NULL: not known */
    struct frs_plan_plugin *plugins; /* [n_plugins] in the order in which they were loaded */
    size_t n_plugins;
    struct frs_sweep sweep;
    struct frs_setting *common; /* [n_common] */
    size_t n_common;
    struct frs_sweep_point *points; /* [cells × replicates] */
    size_t n_points;
    struct frs_arena texts; /* of all settings */
    char *path;             /* of the file it was read from, or NULL */
    const char *lacks;      /* what a file of an old version lacks and only running points needs, or NULL */
};

/* ---- the file ---- */

bool frs_sweep_plan_is(const char *folder); /* whether there is a plan.json */

/* Whether the sweep ends with report.html: output.report, which all points share. A plan of an earlier
 * version has no such setting. */
bool frs_sweep_plan_wants_page(const struct frs_sweep_plan *plan);

/* Reads a plan.json; on failure adds errors that name the file, and *out is NULL. */
enum frs_status frs_sweep_plan_load(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same of FOLDER/plan.json. */
enum frs_status frs_sweep_plan_in(
    const char *folder, struct frs_sweep_plan **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Under another name first, so that it is never half there. */
enum frs_status frs_sweep_plan_write(
    const struct frs_sweep_plan *plan, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_sweep_plan_destroy(struct frs_sweep_plan *plan);
void frs_sweep_fini(struct frs_sweep *sweep);

/* ---- cells ---- */

void frs_axis_fini(struct frs_axis *axis);
void frs_axes_fini(struct frs_axes *axes);

size_t frs_axis_keys(const struct frs_axis *axis); /* how many there are */

/* Number of combinations of levels, 1 without axes; SIZE_MAX when it is beyond counting. */
size_t frs_axes_cells(const struct frs_axes *axes);

/* The level of an axis in a cell, by its number and by its label. */
size_t frs_axes_level(const struct frs_axes *axes, size_t cell, size_t axis);
const char *frs_axes_label(const struct frs_axes *axes, size_t cell, size_t axis);

/* "method=colr, loss=none", or "all"; freed with free(). */
char *frs_sweep_plan_cell_name(const struct frs_sweep_plan *plan, size_t cell);

/* Prints the settings in which cells differ although they were not varied
 * (analysis/print/held_constant.h). Returns whether there are any. */
bool frs_sweep_plan_print_held_constant(const struct frs_sweep_plan *plan, FILE *out);

#define FRS_ANY_LEVEL SIZE_MAX

/* Reads "axis=label,axis=label" into levels[axes]; axes that are not named get FRS_ANY_LEVEL. Names and
 * labels may contain commas (zipped axes). Errors start with `where`. */
enum frs_status frs_sweep_plan_select(const struct frs_sweep_plan *plan, const char *text, const char *where,
    size_t *levels, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns the baseline of a sweep that names none, in the form of frs_sweep_plan_select: every design
 * factor has its first level, and every environment factor has FRS_ANY_LEVEL, the level of the compared
 * cell. *text, freed by the caller, names it; false when there is no design factor. */
bool frs_sweep_plan_first_designs(const struct frs_sweep_plan *plan, size_t *levels, char **text);

/* "loss, network.preset": the axes with a role, freed by the caller. */
char *frs_sweep_plan_axes_with(const struct frs_sweep_plan *plan, enum frs_role role);

/* Returns the cell with which a cell is compared: it has the levels that the baseline names, and otherwise
 * the cell's own. `fixed` as from frs_sweep_plan_select. */
size_t frs_sweep_plan_baseline_of(const struct frs_sweep_plan *plan, const size_t *fixed, size_t cell);

#endif
