/* Differences: the settings in which entries differ, in the words in which they were set: "uplink 3 → 30
 * Mbit/s". */
#ifndef FRS_ANALYSIS_SENTENCE_DIFFERENCES_H
#define FRS_ANALYSIS_SENTENCE_DIFFERENCES_H

#include "analysis/entries/entries.h"

/* Keys as in --set or a sweep's axes, which stand for everything that they imply: a preset for the medians
 * of its links. Runs with different files are distinguished by the settings themselves. */
struct frs_differences {
    size_t n, capacity, n_entries;
    char **keys;    /* [n] "network.uplink.median", or the axis of a sweep */
    char ***values; /* [n][n_entries] "3 Mbit/s"; "as in the file" */
};

struct frs_differences frs_differences_of(const struct frs_entries *entries);
void frs_differences_fini(struct frs_differences *differences);

/* "uplink 3 Mbit/s, failures.up 0": what tells entry i from others. "" without any; freed with free(). */
char *frs_differences_label(const struct frs_differences *differences, size_t i);

/* "uplink 3 → 30 Mbit/s": what changes from one entry to another; freed with free(). */
char *frs_differences_change(const struct frs_differences *differences, size_t from, size_t to);

#endif
