/* Network robustness: whether entries in the same environment keep their order when the network is modelled
 * in another way. */
#ifndef FRS_ANALYSIS_TABLES_NETWORK_ROBUSTNESS_H
#define FRS_ANALYSIS_TABLES_NETWORK_ROBUSTNESS_H

#include "analysis/entries/entries.h"

#include <stdio.h>

/* The entries' runs once more, under one network. */
struct frs_variant {
    const char *name;
    struct frs_replicates *entries; /* [n entries]; empty where there are no results */
    char **reasons;                 /* [n entries] why there are none, or NULL */
};

/* ranks[i]: 1 for the best value, the same for equal ones (1, 2, 2, 4); 0 for NaN. */
void frs_ranks(const double *values, size_t n, bool lower, size_t *ranks);

/* Prints the table of all variants, the first of which is the runs as they are, and which pairs of entries
 * change their order in the others. `by` is the metric to rank by; NULL: time to target if all runs of all
 * variants reach it, otherwise quality. Figures other than quality are better when smaller. Returns the
 * number of pairs that change their order. */
size_t frs_ranking_print(const struct frs_entries *entries, const struct frs_variant *variants,
    size_t n_variants, const char *by, FILE *out);

#endif
