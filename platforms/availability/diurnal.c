/* Clients that come and go with the time of the day.
 *
 * A two-state Markov chain whose rates are constant on pieces of D = 5 min. At the edges of the pieces the
 * share of clients that is online is prescribed: the hourly values of `curve`, linear in between. Within a
 * piece with rates a (coming online) and b (going offline) the share m moves as
 *
 *   m(t) = q + (m₀ − q)·exp(−(a + b)·t),   q = a / (a + b)
 *
 * Sessions end at rate b = 1 / session. Then a is the root of m(D) = m₁, which exists and is unique because
 * m(D) grows with a from m₀·exp(−b·D) to 1. Where the share falls faster than that, m₁ < m₀·exp(−b·D), no
 * client comes online and sessions end early: a = 0, b = ln(m₀ / m₁) / D. A chain that starts at clock 0 with
 * m(0) = curve[0] is then on the curve at every edge, whatever the session length. */
#include "platforms/availability/availability.h"
#include "platforms/availability/curve.h"
#include "platforms/availability/two_state.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PER_HOUR = 12, PIECES = FRS_DAY_HOURS * PER_HOUR };
#define PIECE_S (3600.0 / PER_HOUR)

struct group {
    struct frs_two_state chain;
    double comes_per_s[PIECES], comes[PIECES + 1];
    double goes_per_s[PIECES], goes[PIECES + 1];
};

struct diurnal {
    uint64_t seed;
    double start_s, time_zones_s;
    double share[FRS_DAY_HOURS]; /* the curve */
    double speed_correlation;
    double (*speed_quantile)(const void *devices, uint64_t seed, uint32_t client);
    const void *devices;
    uint32_t n_groups;
    struct group groups[]; /* of equal size, the least available first */
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
    {.key = "time_zones",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "0 h",
        .min = 0,
        .max = 86400,
        .help = "the clients' clocks are spread evenly over this"},
    {.key = "start",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "0 h",
        .min = 0,
        .max = 86400,
        .help = "time of the day at which the run starts, in the westernmost time zone"},
    {0},
};

/* The share at the end of a piece that starts with share m0. */
static double share_after(double m0, double a, double b) {
    double q = a / (a + b);
    return q + (m0 - q) * exp(-(a + b) * PIECE_S);
}

static void solve(double m0, double m1, double session_s, double *a, double *b) {
    *b = 1 / session_s;
    *a = 0;
    if (m1 <= m0 * exp(-*b * PIECE_S)) {
        *b = log(m0 / m1) / PIECE_S;
        return;
    }
    double low = 0, high = *b;
    while (share_after(m0, high, *b) < m1)
        high *= 2;
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (share_after(m0, middle, *b) < m1)
            low = middle;
        else
            high = middle;
    }
    *a = high;
}

static void fill(struct group *group, const double share[FRS_DAY_HOURS], double session_s, uint64_t seed) {
    double edge[PIECES + 1];
    for (size_t i = 0; i <= PIECES; i++) {
        size_t hour = i / PER_HOUR % FRS_DAY_HOURS, next = (hour + 1) % FRS_DAY_HOURS;
        edge[i] = share[hour] + (share[next] - share[hour]) * (double)(i % PER_HOUR) / PER_HOUR;
    }
    for (size_t i = 0; i < PIECES; i++)
        solve(edge[i], edge[i + 1], session_s, &group->comes_per_s[i], &group->goes_per_s[i]);
    frs_intensity_sum(PIECES, PIECE_S, group->comes_per_s, group->comes);
    frs_intensity_sum(PIECES, PIECE_S, group->goes_per_s, group->goes);
    group->chain = (struct frs_two_state){
        .online = {PIECES, PIECE_S, group->comes_per_s, group->comes},
        .offline = {PIECES, PIECE_S, group->goes_per_s, group->goes},
        .initial_share = edge[0],
        .seed = seed,
    };
}

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    *state = NULL;
    double share[FRS_DAY_HOURS], split[FRS_PROPENSITIES][FRS_DAY_HOURS];
    if (!frs_curve_read(values, "curve", share, errors))
        return false;
    uint32_t n_groups = strcmp(frs_values_text(values, "propensity"), "equal") == 0 ? 1 : FRS_PROPENSITIES;
    if (n_groups > 1)
        frs_curve_split(share, split);
    struct diurnal *diurnal = frs_alloc(1, sizeof *diurnal + n_groups * sizeof diurnal->groups[0]);
    diurnal->seed = seed;
    memcpy(diurnal->share, share, sizeof share);
    diurnal->start_s = frs_values_real(values, "start");
    diurnal->time_zones_s = frs_values_real(values, "time_zones");
    diurnal->n_groups = n_groups;
    if (n_groups > 1)
        diurnal->speed_correlation = frs_values_real(values, "speed_correlation");
    for (size_t g = 0; g < n_groups; g++)
        fill(&diurnal->groups[g], n_groups > 1 ? split[g] : share, frs_values_real(values, "session"), seed);
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
    const struct diurnal *diurnal = state;
    if (!(diurnal->time_zones_s > 0))
        return diurnal->start_s;
    struct frs_rng rng = frs_rng_stream(diurnal->seed, client, 0, 0, FRS_RNG_TIME_ZONE);
    return diurnal->start_s + diurnal->time_zones_s * frs_rng_unit(&rng);
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)round, (void)attempt;
    const struct diurnal *diurnal = state;
    uint32_t group = diurnal->n_groups > 1 ? group_of(diurnal, client) : 0;
    return frs_two_state_at(&diurnal->groups[group].chain, client, clock_s(state, client), t_s, until_s);
}

/* The curve, linear between its hours. */
static double share_at(const struct diurnal *diurnal, double time_of_day_s) {
    double hours = time_of_day_s / 3600, whole = floor(hours);
    size_t hour = (size_t)whole % FRS_DAY_HOURS;
    double share = diurnal->share[hour], next = diurnal->share[(hour + 1) % FRS_DAY_HOURS];
    return share + (next - share) * (hours - whole);
}

/* Groups together are on the curve, each client by its own clock: the middles of pieces, and of parts of the
 * time zones no longer than a piece. */
static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct diurnal *diurnal = state;
    (void)clients;
    size_t zones = (size_t)ceil(diurnal->time_zones_s / PIECE_S);
    zones = zones > 0 ? zones : 1;
    for (size_t i = 0; i < PIECES; i++) {
        double from_s = (double)i * PIECE_S, sum = 0;
        for (size_t zone = 0; zone < zones; zone++)
            sum += share_at(diurnal, diurnal->start_s + from_s + PIECE_S / 2 +
                                         ((double)zone + 0.5) / (double)zones * diurnal->time_zones_s);
        frs_average_day_add(day, from_s, from_s + PIECE_S, (double)n * sum / (double)zones);
    }
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
