/* Entries: the objects of a comparison, from the arguments of `fedrecsim compare`.
 *
 * RUN (a run directory) is one entry. Several runs that differ only in the seed are replicates of one
 * entry (pooling.h). SWEEP (the folder of a sweep) has one entry per cell; SWEEP:axis=label,axis=label has
 * the cells with these levels. */
#ifndef FRS_ANALYSIS_ENTRIES_ENTRIES_H
#define FRS_ANALYSIS_ENTRIES_ENTRIES_H

#include "analysis/statistics/replicates.h"
#include "analysis/statistics/factors.h"
#include "analysis/target/target.h"

struct frs_entry {
    char *name, *title; /* as it is, and quoted for Markdown */
    char **labels;      /* a cell's levels, one for each axis of its sweep, ended by NULL; or NULL */
    size_t environment; /* whose number it is under (analysis/entries/environment.h) */
    size_t n, capacity;
    struct frs_run_results *runs;     /* [n] without their rounds */
    struct frs_replicates replicates; /* the same runs */
};

/* An axis of a sweep. */
struct frs_entry_axis {
    char *name;
    enum frs_role role;
    size_t n_keys;
    char **keys; /* what its levels set */
};

struct frs_entries {
    size_t n, capacity;
    struct frs_entry *list;
    struct frs_target target;
    size_t n_axes, axes_capacity;
    struct frs_entry_axis *axes; /* of all sweeps */
    bool one_sweep;              /* all entries are cells of one and the same */
    size_t n_environments;
    char **environments; /* [n_environments] "loss=none", named by what tells them apart */
    char *separators;    /* the axes or settings that do, "loss, network.model"; "" */
    char *across;        /* what makes them one, "--across loss --across network"; "" */
    size_t n_warnings, warnings_capacity;
    /* Obstacles to a comparison: another meaning of the qualities (analysis/read/quality_settings.h),
     * measured times beside computed ones, missing runs. */
    char **warnings;
};

/* `target` is a text for frs_target_spec_parse, or NULL for the target of the first sweep's plan or of the
 * first run. Puts entries under their default environments. On failure adds errors and leaves *entries
 * empty. */
enum frs_status frs_entries_read(const char *const *arguments, size_t n, const char *target,
    struct frs_entries *entries, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_entries_fini(struct frs_entries *entries);

/* "r1, r2 and r3": the run directories of an entry; freed with free(). */
char *frs_entry_runs_text(const struct frs_entry *entry);

/* "hr@10" or "rmse": the measure of quality of the target, or else of the first run; NULL without one.
 * *lower: smaller is better. Valid until the entries end. */
const char *frs_entries_quality(const struct frs_entries *entries, bool *lower);

/* Whether some of these entries reached the target in all of its runs: then the time to it is what counts. */
bool frs_entries_any_reaches(const struct frs_entries *entries, const size_t *members, size_t n);

/* Whether some run has a figure of this name. */
bool frs_entries_have(const struct frs_entries *entries, const char *metric);

/* The same; if there is none, adds an error that begins with `option`, suggests a name and lists what
 * exists. */
enum frs_status frs_entries_check_metric(const struct frs_entries *entries, const char *option,
    const char *metric, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
