/* Environments: which entries can be compared with each other.
 *
 * Cells of one sweep have the same environment when they have the same levels of its environment factors.
 * Other entries (runs, several sweeps) have the same environment when the first run of each has the same
 * settings of environment factors (analysis/statistics/factors.h); where an axis sets them, the axis
 * decides. */
#ifndef FRS_ANALYSIS_ENTRIES_ENVIRONMENT_H
#define FRS_ANALYSIS_ENTRIES_ENVIRONMENT_H

#include "analysis/entries/entries.h"

/* Axes of the sweeps; or their settings or sections, where there are entries other than cells of one
 * sweep. */
struct frs_grouping {
    const char *const *within; /* [n_within] are environment factors */
    size_t n_within;
    const char *const *across; /* [n_across] are design factors */
    size_t n_across;
};

/* Puts every entry under its environment, and names the environments. May be called again. An error quotes
 * a name that is no axis. */
enum frs_status frs_environments_find(struct frs_entries *entries, const struct frs_grouping *grouping,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether each entry has an environment of its own, so that nothing can be ranked, but entries can still
 * be set side by side: on the same data, by the same protocol. */
bool frs_environments_are_apart(const struct frs_entries *entries);

/* Puts all entries under one environment without a name: side by side. */
void frs_environments_join(struct frs_entries *entries);

/* How many entries are in an environment; members[n entries] are their numbers. */
size_t frs_environments_members(const struct frs_entries *entries, size_t environment, size_t *members);

#endif
