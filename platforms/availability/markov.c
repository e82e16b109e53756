/* Sessions and gaps of exponential length, from a stationary start: a client is online at any time with
 * probability on / (on + off). */
#include "platforms/availability/availability.h"
#include "platforms/chains/two_state.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

struct markov {
    struct frs_two_state chain;
    double comes[3], goes[3]; /* rate, and its integral from 0 and over one piece */
};

static const struct frs_param params[] = {
    {.key = "on",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "1 h",
        .min = 1e-3,
        .max = INFINITY,
        .help = "mean length of a session"},
    {.key = "off",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "4 h",
        .min = 1e-3,
        .max = INFINITY,
        .help = "mean time between two sessions"},
    {0},
};

/* One piece as long as the mean time, in which one point falls on average. */
static struct frs_intensity once_per(double mean_s, double room[3]) {
    room[0] = 1 / mean_s;
    frs_intensity_sum(1, mean_s, &room[0], &room[1]);
    return (struct frs_intensity){.n = 1, .piece_s = mean_s, .per_s = &room[0], .cumulative = &room[1]};
}

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients, (void)errors;
    double on_s = frs_values_real(values, "on"), off_s = frs_values_real(values, "off");
    struct markov *markov = frs_alloc(1, sizeof *markov);
    markov->chain = (struct frs_two_state){.online = once_per(off_s, markov->comes),
        .offline = once_per(on_s, markov->goes),
        .initial_share = on_s / (on_s + off_s),
        .seed = seed,
        .streams = FRS_ONLINE_STREAMS};
    *state = markov;
    return true;
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)round, (void)attempt;
    return frs_two_state_at(&((const struct markov *)state)->chain, client, 0, t_s, until_s);
}

static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    (void)clients;
    frs_average_day_add(day, 0, 1, ((const struct markov *)state)->chain.initial_share * (double)n);
}

const struct frs_availability_model frs_availability_markov = {
    .plugin = {.name = "markov",
        .summary = "sessions and gaps of exponential length",
        .source = "two-state Markov chain (Gilbert 1960)",
        .params = params},
    .create = create,
    .destroy = free,
    .at = at,
    .average_day = average_day,
};
