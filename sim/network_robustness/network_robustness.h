/* Network robustness: whether a comparison depends on how the network is modelled.
 *
 * Every run of every entry is repeated, from its manifest, under the kinds of networks of
 * network_robustness_kinds.h, except under the kind that it already has. A variant that cannot be run is
 * left out, and the table says why. */
#ifndef FRS_NETWORK_ROBUSTNESS_NETWORK_ROBUSTNESS_H
#define FRS_NETWORK_ROBUSTNESS_NETWORK_ROBUSTNESS_H

#include "analysis/entries/entries.h"
#include "sim/scenario/scenario.h"

#include <stdio.h>

struct frs_network_robustness_options {
    const struct frs_section *sections; /* the table that manifests are read by */
    const char *by;     /* metric to rank by, or NULL (analysis/tables/network_robustness.h) */
    const char *folder; /* where the runs stay, and are found again; NULL: a temporary one */
    size_t jobs;        /* runs at a time; 0: one per core */
};

/* Runs all variants that are missing, with progress on stderr, and prints the ranking to `out`. Paths in
 * the scenarios are relative to the working directory, as in the original runs. */
enum frs_status frs_network_robustness(const struct frs_entries *entries,
    const struct frs_network_robustness_options *options, FILE *out,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
