/* Guided selection in the manner of Oort (Lai, Zhu, Madhyastha, Chowdhury: Oort, OSDI 2021): a client
 * last asked in round L is in round R worth
 *
 *   |D_u| · loss (clipped at the 95th percentile, the largest being 1) + √(0.1 ln R / L)
 *
 * times (T / t)^penalty when its participations take t longer than T. Of the cohort, a share that shrinks
 * from round to round explores clients never measured; the others are drawn with probability proportional to
 * worth from those worth at least 95 % of the last one needed.
 *
 * Differences: the server knows mean losses, not their root mean square; T is fixed or the median of what was
 * measured instead of Oort's pacer; clients to explore are drawn at random, not by device model. A client's
 * loss travels with its upload (4 bytes). */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct settings {
    double explore, explore_decay, explore_min, preferred_s;
    uint32_t penalty;
};

static const struct frs_param params[] = {
    {.key = "explore",
        .type = FRS_REAL,
        .initial = "0.9",
        .min = 0,
        .max = 1,
        .help = "share of the first cohort taken from clients never measured"},
    {.key = "explore_decay",
        .type = FRS_REAL,
        .initial = "0.98",
        .min = 0,
        .max = 1,
        .help = "factor of that share from round to round"},
    {.key = "explore_min", .type = FRS_REAL, .initial = "0.2", .min = 0, .max = 1, .help = "where it ends"},
    {.key = "penalty",
        .type = FRS_INT,
        .initial = "2",
        .min = 0,
        .max = 20,
        .help = "exponent of T/t for clients slower than the preferred duration T; 0: speed does not matter"},
    {.key = "preferred_duration",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = 1e9,
        .help = "T; 0 s: the median of what was measured"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    *settings = (struct settings){.explore = frs_values_real(values, "explore"),
        .explore_decay = frs_values_real(values, "explore_decay"),
        .explore_min = frs_values_real(values, "explore_min"),
        .penalty = (uint32_t)frs_values_int(values, "penalty"),
        .preferred_s = frs_values_real(values, "preferred_duration")};
    return settings;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nearest rank; sorts the values. */
static double quantile(double *values, size_t n, double share) {
    qsort(values, n, sizeof *values, by_number);
    return values[(size_t)(share * (double)(n - 1) + 0.5)];
}

static double power(double base, uint32_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

/* ln n, linear between powers of two: what follows from it grows slowly. */
static double logarithm(uint32_t n) {
    unsigned below = 31u - (unsigned)__builtin_clz(n);
    return 0.6931471805599453 * (below + (n / (double)(1u << below) - 1));
}

static double statistical(const struct frs_seen *seen) {
    return __builtin_isfinite(seen->loss) && seen->loss > 0 ? seen->samples * seen->loss : 0;
}

/* What is common to all: where utility is clipped, and T. */
struct yardsticks {
    double clip, preferred_s;
};

static struct yardsticks measure(const struct frs_selection_request *request, const uint32_t *measured,
    size_t n, const struct settings *settings) {
    double *values = frs_alloc(n, sizeof *values);
    struct yardsticks result = {.preferred_s = settings->preferred_s};
    for (size_t i = 0; i < n; i++)
        values[i] = statistical(frs_observations_client(request->observations, measured[i]));
    result.clip = quantile(values, n, 0.95);
    for (size_t i = 0; i < n; i++)
        values[i] = frs_observations_client(request->observations, measured[i])->duration_s;
    if (result.preferred_s == 0)
        result.preferred_s = quantile(values, n, 0.5);
    free(values);
    return result;
}

static double worth(const struct frs_selection_request *request, uint32_t client,
    const struct yardsticks *yardsticks, uint32_t penalty) {
    const struct frs_seen *seen = frs_observations_client(request->observations, client);
    double loss = statistical(seen);
    double value = loss < yardsticks->clip ? loss / yardsticks->clip : 1;
    value += __builtin_sqrt(0.1 * logarithm(request->round + 1) / (seen->last_round + 1.0));
    if (seen->duration_s > yardsticks->preferred_s)
        value *= power(yardsticks->preferred_s / seen->duration_s, penalty);
    return value;
}

/* n of the measured clients, by worth. */
static uint32_t exploit(const struct frs_selection_request *request, struct frs_rng *rng,
    const uint32_t *measured, size_t n_measured, uint32_t n, uint32_t *clients) {
    const struct settings *settings = request->settings;
    if (n == 0 || n_measured == 0)
        return 0;
    struct frs_candidate *candidates = frs_alloc(n_measured, sizeof *candidates);
    struct yardsticks yardsticks = measure(request, measured, n_measured, settings);
    for (size_t i = 0; i < n_measured; i++)
        candidates[i] = (struct frs_candidate){
            .score = worth(request, measured[i], &yardsticks, settings->penalty), .client = measured[i]};
    size_t left = n_measured;
    uint32_t found = frs_ranking_take(request, candidates, &left, n, clients);
    if (found == n) {
        double cutoff = 0.95 * worth(request, clients[n - 1], &yardsticks, settings->penalty);
        size_t n_worthy = 0;
        for (size_t i = 0; i < n_measured; i++) {
            double value = worth(request, measured[i], &yardsticks, settings->penalty);
            double score = frs_ranking_draw(rng, value);
            if (value >= cutoff)
                candidates[n_worthy++] = (struct frs_candidate){.score = score, .client = measured[i]};
        }
        found = frs_ranking_take(request, candidates, &n_worthy, n, clients);
    }
    free(candidates);
    return found;
}

/* Measured clients, and the others as candidates for exploring. */
static size_t part(const struct frs_selection_request *request, struct frs_rng *rng, uint32_t *measured,
    struct frs_candidate *others, size_t *n_others) {
    size_t n_measured = 0;
    for (uint32_t i = 0; i < request->n_clients; i++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, i);
        double tie = frs_rng_unit(rng);
        if (seen->measured)
            measured[n_measured++] = i;
        else
            others[(*n_others)++] =
                (struct frs_candidate){.score = -(double)seen->asked, .tie = tie, .client = i};
    }
    return n_measured;
}

static uint32_t select_utility(const struct frs_selection_request *request, uint32_t *clients) {
    const struct settings *settings = request->settings;
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_EXPLORE);
    uint32_t *measured = frs_alloc(request->n_clients, sizeof *measured);
    struct frs_candidate *others = frs_alloc(request->n_clients, sizeof *others);
    size_t n_others = 0, n_measured = part(request, &rng, measured, others, &n_others);
    double share = settings->explore * power(settings->explore_decay, request->round);
    if (share < settings->explore_min)
        share = settings->explore_min;
    uint32_t n_new = frs_ranking_share(&rng, request->n, share);
    uint32_t n = frs_ranking_take(request, others, &n_others, n_new, clients);
    n += exploit(request, &rng, measured, n_measured, request->n - n, clients + n);
    if (n < request->n) /* too few were measured */
        n += frs_ranking_take(request, others, &n_others, request->n - n, clients + n);
    free(others);
    free(measured);
    return n;
}

static void worths(
    const struct frs_selection_request *request, const uint32_t *clients, size_t n, double *out) {
    const struct settings *settings = request->settings;
    uint32_t *measured = frs_alloc(request->n_clients, sizeof *measured);
    size_t n_measured = 0;
    for (uint32_t i = 0; i < request->n_clients; i++)
        if (frs_observations_client(request->observations, i)->measured)
            measured[n_measured++] = i;
    struct yardsticks yardsticks = {0};
    if (n_measured > 0)
        yardsticks = measure(request, measured, n_measured, settings);
    for (size_t i = 0; i < n; i++)
        out[i] = frs_observations_client(request->observations, clients[i])->measured
                     ? worth(request, clients[i], &yardsticks, settings->penalty)
                     : 0;
    free(measured);
}

const struct frs_selection frs_selection_utility = {
    .plugin = {.name = "utility",
        .summary = "by training loss, data size and speed as observed, with exploration",
        .source = "Lai et al. 2021 (Oort)",
        .params = params},
    .observes = true,
    .uses_times = true,
    .uses_loss = true,
    .create = create,
    .select = select_utility,
    .worths = worths,
};
