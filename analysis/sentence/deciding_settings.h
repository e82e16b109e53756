/* Deciding settings: defaults that account for more than a tenth of the time or of the bytes of the
 * compared runs, under which environments and by how much; those that decide who is missing; and cohorts
 * that were smaller than wanted. */
#ifndef FRS_ANALYSIS_SENTENCE_DECIDING_SETTINGS_H
#define FRS_ANALYSIS_SENTENCE_DECIDING_SETTINGS_H

#include "analysis/entries/entries.h"

/* "Under loss=0.3: 97–98 %, under loss=0.6: 98 % of the time is the server noticing lost clients, 30 s by
 * default (failures.detect)." A range goes from the smallest to the largest mean of an entry. Entries are
 * named if others of the environment have no such share. */
struct frs_decided_by {
    size_t n;
    char **lines; /* [n] the largest share first */
};

struct frs_decided_by frs_decided_by_of(const struct frs_entries *entries);
void frs_decided_by_fini(struct frs_decided_by *decided);

#endif
