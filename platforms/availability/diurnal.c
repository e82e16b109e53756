/* Clients that come and go with the time of the day: a chain that follows `curve`
 * (platforms/chains/day_chain.h), by each client's clock. */
#include "platforms/availability/availability.h"
#include "platforms/chains/day_chain.h"
#include "platforms/availability/day_clock.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct diurnal {
    uint64_t seed;
    struct frs_day_clock clock;
    double share[FRS_DAY_HOURS]; /* the curve */
    double speed_correlation;
    double (*speed_quantile)(const void *devices, uint64_t seed, uint32_t client);
    const void *devices;
    uint32_t n_groups;
    struct frs_day_chain groups[]; /* of equal size, the least available first */
};

static const char *const spreads[] = {"equal", "fedscale", NULL};

static const struct frs_param params[] = {
    {.key = "curve",
        .type = FRS_TEXT,
        .by_class = true,
        .initial = "fedscale",
        .help = "shares of clients online at 0:00, 1:00, …, 23:00 (24 numbers from 0 to 1 or percentages, "
                "commas), or "
                "\"fedscale\": measured; by class with semicolons: \"a 0.1, …; others fedscale\""},
    {.key = "session",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "30 min",
        .min = 1,
        .max = 1e9,
        .help = "mean length of a session (assumed); shorter only where the curve falls faster than that"},
    {.key = "propensity",
        .type = FRS_CHOICE,
        .choices = spreads,
        .initial = "equal",
        .help = "equal: all clients alike; fedscale: they differ as measured devices do, with the same curve "
                "for all together"},
    {.key = "speed_correlation",
        .type = FRS_REAL,
        .by_class = true,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "propensity = fedscale: between how much a client is online and the speed of its device, as "
                "quantiles"},
    FRS_DAY_CLOCK_PARAMS,
    {0},
};

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    *state = NULL;
    double share[FRS_DAY_HOURS], split[FRS_PROPENSITIES][FRS_DAY_HOURS];
    if (!frs_curve_read(values, "curve", "fedscale", NULL, share, errors))
        return false;
    uint32_t n_groups = strcmp(frs_values_text(values, "propensity"), "equal") == 0 ? 1 : FRS_PROPENSITIES;
    if (n_groups > 1)
        frs_curve_split(share, split);
    struct diurnal *diurnal = frs_alloc(1, sizeof *diurnal + n_groups * sizeof diurnal->groups[0]);
    diurnal->seed = seed;
    memcpy(diurnal->share, share, sizeof share);
    diurnal->clock = frs_day_clock_read(values, seed);
    diurnal->n_groups = n_groups;
    if (n_groups > 1)
        diurnal->speed_correlation = frs_values_real(values, "speed_correlation");
    for (size_t g = 0; g < n_groups; g++)
        frs_day_chain_fill(&diurnal->groups[g], n_groups > 1 ? split[g] : share,
            frs_values_real(values, "session"), seed, FRS_ONLINE_STREAMS);
    *state = diurnal;
    return true;
}

static uint32_t group_of(const struct diurnal *diurnal, uint32_t client) {
    struct frs_rng rng = frs_rng_stream(diurnal->seed, client, 0, 0, FRS_RNG_PROPENSITY);
    if (diurnal->speed_correlation == 0 || !diurnal->speed_quantile)
        return frs_rng_below(&rng, diurnal->n_groups);
    double speed = diurnal->speed_quantile(diurnal->devices, diurnal->seed, client);
    double own = frs_quantile_draw(diurnal->seed, client, FRS_RNG_PROPENSITY);
    double place = frs_quantile_correlate(own, speed, diurnal->speed_correlation);
    uint32_t group = (uint32_t)(place * diurnal->n_groups);
    return group < diurnal->n_groups ? group : diurnal->n_groups - 1;
}

static void tie_to_speed(void *state, double (*quantile)(const void *devices, uint64_t seed, uint32_t client),
    const void *devices) {
    struct diurnal *diurnal = state;
    diurnal->speed_quantile = quantile;
    diurnal->devices = devices;
}

static double clock_s(const void *state, uint32_t client) {
    return frs_day_clock_s(&((const struct diurnal *)state)->clock, client);
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)round, (void)attempt;
    const struct diurnal *diurnal = state;
    uint32_t group = diurnal->n_groups > 1 ? group_of(diurnal, client) : 0;
    return frs_two_state_at(&diurnal->groups[group].chain, client, clock_s(state, client), t_s, until_s);
}

/* Groups together are on the curve. */
static double share_at(const void *context, double time_of_day_s) {
    return frs_day_share_at(context, time_of_day_s);
}

static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct diurnal *diurnal = state;
    (void)clients;
    frs_day_clock_average(&diurnal->clock, share_at, diurnal->share, n, day);
}

const struct frs_availability_model frs_availability_diurnal = {
    .plugin = {.name = "diurnal",
        .summary = "clients come and go with the time of the day",
        .source =
            "curve and propensities: FedScale (Lai et al., ICML 2022), digitised from published figures",
        .params = params},
    .create = create,
    .destroy = free,
    .at = at,
    .tie_to_speed = tie_to_speed,
    .average_day = average_day,
    .clock_s = clock_s,
};
