/* All clients are online at all times. */
#include "platforms/availability/availability.h"

#include <math.h>

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)values, (void)n_clients, (void)seed, (void)errors;
    *state = NULL;
    return true;
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)state, (void)client, (void)round, (void)attempt, (void)t_s;
    *until_s = INFINITY;
    return true;
}

const struct frs_availability_model frs_availability_always = {
    .plugin = {.name = "always", .summary = "all clients are online at all times"},
    .create = create,
    .at = at,
};
