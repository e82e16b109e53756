/* Each time a client is selected it answers with probability p, independently.
 *
 * Most papers use this availability. It belongs to a round, not to a time, so it does not say how long a
 * client stays, and no client drops out in the middle of a round because of it. The same uniform number
 * decides for every p: with a larger p the same clients answer, and some more. */
#include "platforms/availability/availability.h"
#include "platforms/availability/follows.h"
#include "platforms/chains/dynamics.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

struct bernoulli {
    double p, retry_s;
    struct frs_dynamics dynamics;
    struct frs_follows follows;
    const uint32_t *place; /* of each client among those of its kind; NULL: they do not differ */
    double *chances;       /* [places] */
    uint64_t seed;
};

static const struct frs_param params[] = {
    {.key = "p",
        .type = FRS_REAL,
        .by_class = true,
        .initial = "0.5",
        .min = 0,
        .max = 1,
        .help = "probability that a client answers when it is selected"},
    {.key = "retry",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "1 min",
        .min = 1e-3,
        .max = 1e9,
        .help = "after this time it makes sense to ask a client again that did not answer"},
    FRS_DYNAMICS_PARAMS,
    FRS_DYNAMICS_ROUNDS_PARAM,
    FRS_AVAILABILITY_FOLLOWS_PARAMS,
    {0},
};

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    struct frs_dynamics dynamics;
    *state = NULL;
    if (!frs_dynamics_read(&dynamics, values, errors))
        return false;
    struct bernoulli *bernoulli = frs_alloc(1, sizeof *bernoulli);
    *bernoulli = (struct bernoulli){.p = frs_values_real(values, "p"),
        .retry_s = frs_values_real(values, "retry"),
        .dynamics = dynamics,
        .follows = frs_follows_read(values),
        .seed = seed};
    if (bernoulli->p == 0) /* asking again is in vain */
        bernoulli->retry_s = INFINITY;
    *state = bernoulli;
    return true;
}

static void destroy(void *state) {
    struct bernoulli *bernoulli = state;
    free(bernoulli->chances);
    free(bernoulli);
}

static void follow(void *state, const uint32_t *place, uint32_t n) {
    struct bernoulli *bernoulli = state;
    bernoulli->place = place;
    free(bernoulli->chances);
    bernoulli->chances = frs_alloc(n, sizeof *bernoulli->chances);
    frs_personal_chances(bernoulli->p, bernoulli->follows.concentration, n, bernoulli->chances);
}

static double probability(const struct bernoulli *bernoulli, uint32_t client, uint32_t round, double t_s) {
    double p = bernoulli->place ? bernoulli->chances[bernoulli->place[client]] : bernoulli->p;
    return frs_dynamics_share(
        &bernoulli->dynamics, p, frs_dynamics_periods(&bernoulli->dynamics, round, t_s));
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    const struct bernoulli *bernoulli = state;
    double p = probability(bernoulli, client, round, t_s);
    *until_s = INFINITY;
    if (p >= 1) /* whatever is drawn */
        return true;
    struct frs_rng rng = frs_rng_stream(bernoulli->seed, client, round, attempt, FRS_RNG_ANSWERS);
    return frs_rng_unit(&rng) < p;
}

/* With time a probability of 0 ends, unless it is the client's own. */
static bool never(const void *state, uint32_t client, uint32_t round) {
    const struct bernoulli *bernoulli = state;
    bool passes = bernoulli->dynamics.kind != FRS_DYNAMICS_STATIONARY && !bernoulli->dynamics.in_rounds;
    if (!passes)
        return !(probability(bernoulli, client, round, 0) > 0);
    return bernoulli->place && !(bernoulli->chances[bernoulli->place[client]] > 0);
}

static double probability_in(const void *state, uint32_t client, uint32_t round) {
    const struct bernoulli *bernoulli = state;
    bool by_time = bernoulli->dynamics.kind != FRS_DYNAMICS_STATIONARY && !bernoulli->dynamics.in_rounds;
    return by_time ? NAN : probability(bernoulli, client, round, 0);
}

static double retry_s(const void *state) {
    return ((const struct bernoulli *)state)->retry_s;
}

const struct frs_availability_model frs_availability_bernoulli = {
    .plugin = {.name = "bernoulli",
        .summary = "a client answers with probability p, anew in every round",
        .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .retry_s = retry_s,
    .follow = follow,
    .never = never,
    .probability = probability_in,
};
