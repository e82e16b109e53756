/* Circumstances: which entries can be compared with each other.
 *
 * Cells of one sweep are under the same circumstance when they have the same levels of its axes of
 * circumstances. Otherwise (runs, several sweeps) entries are when the first run of each has the same
 * settings that are circumstances (analysis/statistics/role.h; for what an axis sets, the axis says). */
#ifndef FRS_ANALYSIS_ENTRIES_ENVIRONMENT_H
#define FRS_ANALYSIS_ENTRIES_ENVIRONMENT_H

#include "analysis/entries/entries.h"

/* Axes of the sweeps, or settings or sections of them where there are other entries than cells of one sweep.
 */
struct frs_grouping {
    const char *const *within; /* [n_within] are circumstances */
    size_t n_within;
    const char *const *across; /* [n_across] are choices */
    size_t n_across;
};

/* Puts every entry under its circumstance, and names them. May be called again. An error quotes what is no
 * axis. */
enum frs_status frs_environments_find(struct frs_entries *entries, const struct frs_grouping *grouping,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* How many entries are under a circumstance; members[n entries] are their numbers. */
size_t frs_environments_members(const struct frs_entries *entries, size_t environment, size_t *members);

#endif
