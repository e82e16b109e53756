/* Plan reader: what a sweep was going to run (study.json).
 *
 * Axes have levels; one level of each is a cell. Cells are numbered in row-major order, the last axis
 * fastest. A cell runs once per replicate, every time with another seed; replicates of the same number have
 * the same seed in all cells. One such run is a point. */
#ifndef FRS_ANALYSIS_READ_STUDY_H
#define FRS_ANALYSIS_READ_STUDY_H

#include "analysis/read/goal.h"
#include "analysis/statistics/role.h"
#include "analysis/print/unvaried.h"

struct frs_study_axis {
    char *name;
    size_t n_levels;
    char **levels; /* labels */
    size_t n_keys;
    char **keys; /* what its levels set */
    enum frs_role role;
};

struct frs_study_point {
    size_t cell, replicate; /* replicate counts from 1 */
    uint64_t seed;
    char *hash;                        /* of its scenario */
    struct frs_side_setting *settings; /* [n_settings], owned; those that not all points have alike */
    size_t n_settings;
};

struct frs_study {
    char *path, *name;
    size_t n_axes, n_cells, n_points, n_metrics, replicates;
    struct frs_study_axis *axes;
    struct frs_study_point *points; /* in the order of their numbers */
    char **metrics;                 /* what the tables are about; none: the tables that answer */
    char *baseline;                 /* "axis=label, axis=label", or NULL: the first level of every choice */
    struct frs_goal goal;           /* metric NULL: the plan names no target */
    bool stops_early;               /* cells may have fewer replicates than `replicates` */
};

bool frs_study_is(const char *folder); /* whether there is a plan.json */

/* Reads FOLDER/plan.json; on failure adds errors that name the file, and leaves nothing. */
enum frs_status frs_study_read(
    const char *folder, struct frs_study *study, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_study_fini(struct frs_study *study);

/* The level of an axis in a cell, and the cell that differs from `cell` by having `level` there. */
size_t frs_study_level(const struct frs_study *study, size_t cell, size_t axis);
size_t frs_study_cell_at(const struct frs_study *study, size_t cell, size_t axis, size_t level);

/* "method=colr, loss=none"; freed with free(). */
char *frs_study_cell_name(const struct frs_study *study, size_t cell);

/* What differs between cells without having been varied. Whether anything does. */
bool frs_study_print_unvaried(const struct frs_study *study, FILE *out);

#define FRS_ANY_LEVEL SIZE_MAX

/* Reads "axis=label,axis=label" into levels[n_axes]; axes that are not named get FRS_ANY_LEVEL. Names and
 * labels may contain commas (zipped axes). Errors start with `where`. */
enum frs_status frs_study_select(const struct frs_study *study, const char *text, const char *where,
    size_t *levels, struct frs_errors *errors) FRS_MUST_CHECK;

/* The baseline of a sweep that names none, as from frs_study_select: every choice has its first level, and every
 * circumstance is the cell's own. *text, freed by the caller, names it; false when there is no choice. */
bool frs_study_first_choices(const struct frs_study *study, size_t *levels, char **text);

/* "loss, network.preset": the axes with a role, freed by the caller. */
char *frs_study_axes_with(const struct frs_study *study, enum frs_role role);

/* The cell that a cell is compared with: the levels that the baseline names, the others its own. `fixed` as
 * from frs_study_select. */
size_t frs_study_baseline_of(const struct frs_study *study, const size_t *fixed, size_t cell);

#endif
