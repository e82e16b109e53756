/* Clients that come and go with the time of the day: a chain that follows `curve`
 * (platforms/chains/day_chain.h), by each client's clock. */
#include "platforms/availability/availability.h"
#include "platforms/chains/day_chain.h"
#include "platforms/chains/dynamics.h"
#include "platforms/availability/day_clock.h"
#include "platforms/availability/follows.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The curve and the dynamics repeat together after so many days at most. */
enum { MOST_DAYS = 28, MOST_GROUPS = 32 };
#define DAY_S 86400.0
#define PERIOD_STEP_S (2 * FRS_PIECE_S) /* half a period ends at the edge of a piece */

struct diurnal {
    uint64_t seed;
    struct frs_day_clock clock;
    double share[FRS_DAY_HOURS]; /* the curve */
    double session_s;
    double speed_correlation;
    double (*speed_quantile)(const void *devices, uint64_t seed, uint32_t client);
    const void *devices;
    struct frs_dynamics dynamics;
    size_t n_days;
    struct frs_follows follows;
    const uint32_t *place; /* of each client among the n of its kind; NULL: they do not differ by it */
    size_t n;
    uint32_t n_groups;
    double (*curves)[FRS_DAY_HOURS]; /* [n_groups]; of nearly equal size, the least available first */
    struct frs_share_chain *groups;  /* [n_groups] */
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
    FRS_DYNAMICS_PARAMS,
    FRS_DYNAMICS_PERIOD_PARAM,
    FRS_AVAILABILITY_FOLLOWS_PARAMS,
    {0},
};

/* The dynamics go by the clients' clocks, as the curve does. */
static void fill(
    const struct diurnal *diurnal, const double curve[FRS_DAY_HOURS], struct frs_share_chain *chain) {
    double day[FRS_DAY_PIECES + 1];
    size_t n = diurnal->n_days * FRS_DAY_PIECES;
    double *edge = frs_alloc(n + 1, sizeof *edge);
    frs_day_edges(curve, day);
    bool as_read = !diurnal->place && diurnal->dynamics.kind == FRS_DYNAMICS_STATIONARY;
    for (size_t i = 0; i <= n; i++) {
        double share = frs_dynamics_share(&diurnal->dynamics, day[i % FRS_DAY_PIECES],
            frs_dynamics_periods(&diurnal->dynamics, 0, (double)i * FRS_PIECE_S));
        edge[i] = as_read ? share : frs_share_within(share);
    }
    frs_share_chain_fill(chain, n, FRS_PIECE_S, edge, diurnal->session_s, diurnal->seed, FRS_ONLINE_STREAMS);
    free(edge);
}

static void end_groups(struct diurnal *diurnal) {
    for (size_t g = 0; g < diurnal->n_groups; g++)
        frs_share_chain_fini(&diurnal->groups[g]);
    free(diurnal->groups);
    free(diurnal->curves);
}

/* Groups with these curves, which now belong to the model. */
static void begin_groups(struct diurnal *diurnal, uint32_t n_groups, double (*curves)[FRS_DAY_HOURS]) {
    diurnal->n_groups = n_groups;
    diurnal->curves = curves;
    diurnal->groups = frs_alloc(n_groups, sizeof *diurnal->groups);
    for (size_t g = 0; g < n_groups; g++)
        fill(diurnal, curves[g], &diurnal->groups[g]);
}

static bool read_dynamics(
    struct diurnal *diurnal, const struct frs_values *values, struct frs_errors *errors) {
    diurnal->n_days = 1;
    if (!frs_dynamics_read(&diurnal->dynamics, values, errors))
        return false;
    if (diurnal->dynamics.kind == FRS_DYNAMICS_STATIONARY)
        return true;
    double steps = diurnal->dynamics.period / PERIOD_STEP_S, of_day = DAY_S / PERIOD_STEP_S;
    bool whole = steps == floor(steps);
    while (whole && diurnal->n_days <= MOST_DAYS && fmod((double)diurnal->n_days * of_day, steps) != 0)
        diurnal->n_days++;
    if (whole && diurnal->n_days <= MOST_DAYS)
        return true;
    frs_values_error(values, "dynamics_period", errors,
        "the curve of a day and the dynamics do not repeat together within %d days; allowed: a multiple of "
        "10 "
        "min that goes into a whole number of days, such as 1 h, 1 d or 7 d",
        MOST_DAYS);
    return false;
}

static bool read_follows(
    struct diurnal *diurnal, const struct frs_values *values, bool equal, struct frs_errors *errors) {
    diurnal->follows = frs_follows_read(values);
    if (diurnal->follows.by == FRS_HEARD_BY_NOTHING || equal)
        return true;
    frs_values_error(values, "follows", errors,
        "clients differ as measured devices do already (propensity); allowed: none, or propensity = "
        "\"equal\"");
    return false;
}

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    *state = NULL;
    struct diurnal read = {.seed = seed};
    bool equal = strcmp(frs_values_text(values, "propensity"), "equal") == 0;
    if (!frs_curve_read(values, "curve", "fedscale", NULL, read.share, errors) ||
        !read_dynamics(&read, values, errors) || !read_follows(&read, values, equal, errors))
        return false;
    uint32_t n_groups = equal ? 1 : FRS_PROPENSITIES;
    double(*curves)[FRS_DAY_HOURS] = frs_alloc(n_groups, sizeof *curves);
    if (equal)
        memcpy(curves[0], read.share, sizeof read.share);
    else
        frs_curve_split(read.share, curves);
    read.clock = frs_day_clock_read(values, seed);
    if (!equal)
        read.speed_correlation = frs_values_real(values, "speed_correlation");
    read.session_s = frs_values_real(values, "session");
    struct diurnal *diurnal = frs_alloc(1, sizeof *diurnal);
    *diurnal = read;
    begin_groups(diurnal, n_groups, curves);
    *state = diurnal;
    return true;
}

static void destroy(void *state) {
    end_groups(state);
    free(state);
}

/* At every hour the shares of the groups are spread around the curve, which is their mean. */
static void follow(void *state, const uint32_t *place, uint32_t n) {
    struct diurnal *diurnal = state;
    uint32_t n_groups = n < MOST_GROUPS ? n : MOST_GROUPS;
    double(*curves)[FRS_DAY_HOURS] = frs_alloc(n_groups, sizeof *curves), shares[MOST_GROUPS];
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++) {
        frs_personal_groups(diurnal->share[hour], diurnal->follows.concentration, n, n_groups, shares);
        for (size_t g = 0; g < n_groups; g++)
            curves[g][hour] = shares[g];
    }
    end_groups(diurnal);
    diurnal->place = place;
    diurnal->n = n;
    begin_groups(diurnal, n_groups, curves);
}

static size_t group_of(const struct diurnal *diurnal, uint32_t client) {
    if (diurnal->place)
        return frs_personal_group(diurnal->n, diurnal->n_groups, diurnal->place[client]);
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
    size_t group = diurnal->n_groups > 1 ? group_of(diurnal, client) : 0;
    return frs_two_state_at(&diurnal->groups[group].chain, client, clock_s(state, client), t_s, until_s);
}

/* Groups together are on the curve, times the dynamics; of several days that with the most clients counts. */
static double share_at(const void *context, double time_of_day_s) {
    const struct diurnal *diurnal = context;
    double most = 0;
    if (diurnal->dynamics.kind == FRS_DYNAMICS_STATIONARY)
        return frs_day_share_at(diurnal->share, time_of_day_s);
    for (size_t day = 0; day < diurnal->n_days; day++) {
        double periods = frs_dynamics_periods(&diurnal->dynamics, 0, time_of_day_s + (double)day * DAY_S);
        double sum = 0;
        for (size_t g = 0; g < diurnal->n_groups; g++)
            sum += frs_dynamics_share(
                &diurnal->dynamics, frs_day_share_at(diurnal->curves[g], time_of_day_s), periods);
        most = fmax(most, sum / diurnal->n_groups);
    }
    return most;
}

static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct diurnal *diurnal = state;
    (void)clients;
    frs_day_clock_average(&diurnal->clock, share_at, diurnal, n, day);
}

const struct frs_availability_model frs_availability_diurnal = {
    .plugin = {.name = "diurnal",
        .summary = "clients come and go with the time of the day",
        .source =
            "curve and propensities: FedScale (Lai et al., ICML 2022), digitised from published figures",
        .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .follow = follow,
    .tie_to_speed = tie_to_speed,
    .average_day = average_day,
    .clock_s = clock_s,
};
