/* What a client holds, and the population of all clients: views, borrowed by every method. */
#ifndef FRS_ALGORITHMS_CLIENT_DATA_H
#define FRS_ALGORITHMS_CLIENT_DATA_H

#include <stddef.h>
#include <stdint.h>

struct frs_client_data {
    uint32_t client;
    const uint32_t *items; /* training items, ascending, distinct */
    const float *ratings;  /* of the same items; all 1 for implicit feedback */
    size_t n;
    const uint32_t *excluded; /* items never drawn as training negatives, ascending, a superset of `items`:
                                 what is in it is the evaluation protocol (honest, leaky, lookahead) */
    size_t n_excluded;
};

struct frs_population {
    uint32_t n_clients, n_items;
    const struct frs_client_data *clients; /* [n_clients] */
    uint64_t seed;
};

#endif
