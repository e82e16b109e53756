/* Selection: which clients form the cohort of a round. One file in actors/selection/ and one line in
 * actors/selections.def. */
#ifndef FRS_ACTORS_SELECTION_H
#define FRS_ACTORS_SELECTION_H

#include "sim/base/params.h"

struct frs_selection_request {
    uint64_t seed;
    uint32_t round, attempt;
    uint32_t n_clients;
    uint32_t n; /* cohort size, at most n_clients */
};

struct frs_selection {
    struct frs_plugin plugin;
    /* Fills clients[n] with distinct ids in any order. */
    void (*select)(const struct frs_selection_request *request, uint32_t *clients);
};

extern const struct frs_plugin *const frs_selection_plugins[]; /* ended by NULL */

#endif
