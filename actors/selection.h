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
    /* Which clients may be asked at all; NULL: every one. */
    bool (*eligible)(void *context, uint32_t client);
    void *context;
};

struct frs_selection {
    struct frs_plugin plugin;
    /* Fills `clients` (room for n) with distinct eligible ids in any order; returns how many: fewer than n
     * only when no more are eligible. */
    uint32_t (*select)(const struct frs_selection_request *request, uint32_t *clients);
};

extern const struct frs_plugin *const frs_selection_plugins[]; /* ended by NULL */

#endif
