/* Pooling: runs made by hand with several seeds are the replicates of one entry, as those of a sweep's cell
 * are. */
#ifndef FRS_ANALYSIS_ENTRIES_POOLING_H
#define FRS_ANALYSIS_ENTRIES_POOLING_H

#include "analysis/entries/entries.h"

/* Whether `run` is a further replicate of the entry of a run directory: both are finished, on the same data
 * and the same engine, with the same settings but for the seed and where files are, and no run of the entry
 * has its seed. */
bool frs_entry_takes(const struct frs_entry *entry, const struct frs_run_results *run);

/* Names an entry of several run directories: "r1 (3 seeds)". */
void frs_entry_name_runs(struct frs_entry *entry);

#endif
