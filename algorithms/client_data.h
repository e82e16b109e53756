/* The data of a client, and the population of all clients: views that every method borrows.
 *
 * A client is a user, unless a scenario puts several users behind every client (`data.clients`): then
 * clients take part, and users rate. Client c holds users c·k … c·k + k − 1, and its data are the
 * concatenation of theirs. */
#ifndef FRS_ALGORITHMS_CLIENT_DATA_H
#define FRS_ALGORITHMS_CLIENT_DATA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct frs_client_data {
    uint32_t client;
    const uint32_t *items; /* training items, ascending, distinct (of several users: of each of them) */
    const float *ratings;  /* of the same items; all 1 for implicit feedback */
    size_t n;
    const uint32_t *excluded; /* items never drawn as training negatives, ascending, a superset of `items`;
                                 the evaluation protocol (honest, leaky, lookahead) decides what is in it */
    size_t n_excluded;
};

struct frs_population {
    uint32_t n_clients, n_items;
    const struct frs_client_data *clients; /* [n_clients] */
    float rating_min, rating_max; /* the ends of the rating scale, held-out ratings included; both 1 under
                                     implicit feedback */
    uint64_t seed;
    uint32_t users_per_client;           /* k; only where there are `users` */
    const struct frs_client_data *users; /* [n_clients × k]; NULL: every client is one user */
    struct frs_initial_values *starts;   /* of its models' tables; NULL: each draws its own */
};

static inline uint32_t frs_users_per_client(const struct frs_population *population) {
    return population->users ? population->users_per_client : 1;
}

/* User number 0 … k − 1 of a client. */
static inline const struct frs_client_data *frs_client_user(
    const struct frs_population *population, uint32_t client, uint32_t number) {
    return population->users ? &population->users[client * population->users_per_client + number]
                             : &population->clients[client];
}

/* A predicted rating, clipped to the scale; a value that is not finite stays so. */
static inline float frs_rating_clip(const struct frs_population *population, float rating) {
    if (!isfinite(rating))
        return rating;
    return rating < population->rating_min   ? population->rating_min
           : rating > population->rating_max ? population->rating_max
                                             : rating;
}

#endif
