/* Pooling: runs that were made by hand with several seeds become the replicates of one entry, like those
 * of a sweep's cell. */
#ifndef FRS_ANALYSIS_ENTRIES_POOLING_H
#define FRS_ANALYSIS_ENTRIES_POOLING_H

#include "analysis/entries/entries.h"

/* Whether `run` is a further replicate of the entry of a run directory. Both must be finished, with the
 * same data, engine and settings (except the seed and paths of files), and no run of the entry may have
 * its seed. */
bool frs_entry_takes(const struct frs_entry *entry, const struct frs_run_results *run);

/* Names an entry of several run directories: "r1 (3 seeds)". */
void frs_entry_name_runs(struct frs_entry *entry);

#endif
