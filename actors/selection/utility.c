/* Guided selection in the manner of Oort (Lai, Zhu, Madhyastha, Chowdhury: Oort, OSDI 2021). In round R, a
 * client last selected in round L has the worth
 *
 *   |D_u| · loss (clipped at the 95th percentile, the largest being 1) + √(0.1 ln R / L)
 *
 * times (T / t)^penalty when its upload takes t longer than T (frs_observations_delivery_s). A share of
 * the cohort, which shrinks from round to round, explores clients of which no participation has ended yet.
 * The others are drawn with probability proportional to worth, from clients with at least 95 % of the
 * worth of the last one needed. A client that was aborted or lost before it reported a loss gets the mean
 * of the reported losses, as in the published code (register_feedback of stragglers). A client that was
 * selected too often is excluded (`blacklist`), up to 30 % of all clients, those selected most often
 * first.
 *
 * Differences: the server knows mean losses, not their root mean square. T is fixed, or the median of what
 * was seen, instead of Oort's pacer. For an aborted client, t is what the server can know, where the
 * published code reads its true duration. Clients to explore are drawn at random, not by device model. A
 * client's loss travels with its upload (4 bytes). */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

struct settings {
    double explore, explore_decay, explore_min, preferred_s;
    uint32_t penalty, blacklist;
};

static const struct frs_param params[] = {
    {.key = "explore",
        .type = FRS_REAL,
        .initial = "0.9",
        .min = 0,
        .max = 1,
        .help = "share of the first cohort taken from clients of which no participation has ended yet"},
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
        .help = "T; 0 s: the median over clients of which a participation has ended"},
    {.key = "blacklist",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "how often a client is selected at most, unless that were more than 30 % of all clients; 0: "
                "without a limit"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    *settings = (struct settings){.explore = frs_values_real(values, "explore"),
        .explore_decay = frs_values_real(values, "explore_decay"),
        .explore_min = frs_values_real(values, "explore_min"),
        .penalty = (uint32_t)frs_values_int(values, "penalty"),
        .blacklist = (uint32_t)frs_values_int(values, "blacklist"),
        .preferred_s = frs_values_real(values, "preferred_duration")};
    return settings;
}

/* Nearest rank; sorts the values. */
static double quantile(double *values, size_t n, double share) {
    qsort(values, n, sizeof *values, frs_compare_doubles);
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

/* NaN: it has reported no loss. */
static double statistical(const struct frs_seen *seen) {
    if (seen->measured == 0)
        return __builtin_nan("");
    return __builtin_isfinite(seen->loss) && seen->loss > 0 ? seen->samples * seen->loss : 0;
}

/* What is common to all: what counts for clients without a reported loss, where utility is clipped, and T. */
struct yardsticks {
    double mean, clip, preferred_s;
};

static struct yardsticks measure(const struct frs_selection_request *request, const uint32_t *explored,
    size_t n, const struct settings *settings) {
    double *values = frs_alloc(n, sizeof *values), sum = 0;
    struct yardsticks result = {.preferred_s = settings->preferred_s};
    size_t n_reported = 0;
    for (size_t i = 0; i < n; i++) {
        double value = statistical(frs_observations_client(request->observations, explored[i]));
        if (value != value)
            continue;
        values[n_reported++] = value;
        sum += value;
    }
    if (n_reported > 0) {
        result.mean = sum / (double)n_reported;
        result.clip = quantile(values, n_reported, 0.95);
    }
    for (size_t i = 0; i < n; i++)
        values[i] = frs_observations_delivery_s(request->observations, explored[i]);
    if (result.preferred_s == 0)
        result.preferred_s = quantile(values, n, 0.5);
    free(values);
    return result;
}

static double worth(const struct frs_selection_request *request, uint32_t client,
    const struct yardsticks *yardsticks, uint32_t penalty) {
    const struct frs_seen *seen = frs_observations_client(request->observations, client);
    double loss = statistical(seen), delivery_s = frs_observations_delivery_s(request->observations, client);
    loss = loss == loss ? loss : yardsticks->mean;
    double value = loss < yardsticks->clip ? loss / yardsticks->clip : 1;
    value += __builtin_sqrt(0.1 * logarithm(request->round + 1) / (seen->last_round + 1.0));
    if (delivery_s > yardsticks->preferred_s)
        value *= power(yardsticks->preferred_s / delivery_s, penalty);
    return value;
}

/* n of the explored clients, by worth. */
static uint32_t exploit(const struct frs_selection_request *request, struct frs_rng *rng,
    const uint32_t *explored, size_t n_explored, uint32_t n, uint32_t *clients) {
    const struct settings *settings = request->settings;
    if (n == 0 || n_explored == 0)
        return 0;
    struct frs_candidate *candidates = frs_alloc(n_explored, sizeof *candidates);
    struct yardsticks yardsticks = measure(request, explored, n_explored, settings);
    for (size_t i = 0; i < n_explored; i++)
        candidates[i] = (struct frs_candidate){
            .score = worth(request, explored[i], &yardsticks, settings->penalty), .client = explored[i]};
    size_t left = n_explored;
    uint32_t found = frs_ranking_take(request, candidates, &left, n, clients);
    if (found == n) {
        double cutoff = 0.95 * worth(request, clients[n - 1], &yardsticks, settings->penalty);
        size_t n_worthy = 0;
        for (size_t i = 0; i < n_explored; i++) {
            double value = worth(request, explored[i], &yardsticks, settings->penalty);
            double score = frs_ranking_draw(rng, value);
            if (value >= cutoff)
                candidates[n_worthy++] = (struct frs_candidate){.score = score, .client = explored[i]};
        }
        found = frs_ranking_take(request, candidates, &n_worthy, n, clients);
    }
    free(candidates);
    return found;
}

/* Explored clients, and the others as candidates for exploring. */
static size_t part(const struct frs_selection_request *request, struct frs_rng *rng, uint32_t *explored,
    struct frs_candidate *others, size_t *n_others) {
    size_t n_explored = 0;
    for (uint32_t i = 0; i < request->n_clients; i++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, i);
        double tie = frs_rng_unit(rng);
        if (frs_seen_is_explored(seen))
            explored[n_explored++] = i;
        else
            others[(*n_others)++] =
                (struct frs_candidate){.score = -(double)seen->times_selected, .tie = tie, .client = i};
    }
    return n_explored;
}

#define MOST_BLACKLISTED 0.3 /* of all clients; blacklist_max_len of the published code */

/* [n_clients] whether a client is excluded; NULL: none is. */
static bool *blacklist(const struct frs_selection_request *request) {
    uint32_t most = ((const struct settings *)request->settings)->blacklist;
    if (most == 0)
        return NULL;
    const struct frs_selection_request everyone = {.n_clients = request->n_clients};
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    uint32_t *listed = frs_alloc(request->n_clients, sizeof *listed);
    bool *is_listed = frs_alloc(request->n_clients, sizeof *is_listed);
    size_t n = 0;
    for (uint32_t i = 0; i < request->n_clients; i++) {
        uint32_t times_selected = frs_observations_client(request->observations, i)->times_selected;
        if (times_selected >= most)
            candidates[n++] = (struct frs_candidate){.score = times_selected, .client = i};
    }
    uint32_t n_listed = frs_ranking_take(
        &everyone, candidates, &n, (uint32_t)(MOST_BLACKLISTED * request->n_clients), listed);
    for (uint32_t i = 0; i < n_listed; i++)
        is_listed[listed[i]] = true;
    free(candidates);
    free(listed);
    return is_listed;
}

struct unlisted {
    const struct frs_selection_request *request;
    const bool *is_listed;
};

static bool is_unlisted(void *context, uint32_t client) {
    const struct unlisted *unlisted = context;
    return !unlisted->is_listed[client] && frs_selection_eligible(unlisted->request, client);
}

static uint32_t select_unlisted(const struct frs_selection_request *request, uint32_t *clients) {
    const struct settings *settings = request->settings;
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_EXPLORE);
    uint32_t *explored = frs_alloc(request->n_clients, sizeof *explored);
    struct frs_candidate *others = frs_alloc(request->n_clients, sizeof *others);
    size_t n_others = 0, n_explored = part(request, &rng, explored, others, &n_others);
    double share = settings->explore * power(settings->explore_decay, request->round);
    if (share < settings->explore_min)
        share = settings->explore_min;
    uint32_t n_new = frs_ranking_share(&rng, request->n, share);
    uint32_t n = frs_ranking_take(request, others, &n_others, n_new, clients);
    n += exploit(request, &rng, explored, n_explored, request->n - n, clients + n);
    if (n < request->n) /* too few were explored */
        n += frs_ranking_take(request, others, &n_others, request->n - n, clients + n);
    free(others);
    free(explored);
    return n;
}

static uint32_t select_utility(const struct frs_selection_request *request, uint32_t *clients) {
    bool *is_listed = blacklist(request);
    if (!is_listed)
        return select_unlisted(request, clients);
    struct unlisted unlisted = {request, is_listed};
    struct frs_selection_request rest = *request;
    rest.eligible = is_unlisted;
    rest.context = &unlisted;
    uint32_t n = select_unlisted(&rest, clients);
    free(is_listed);
    return n;
}

static void worths(
    const struct frs_selection_request *request, const uint32_t *clients, size_t n, double *out) {
    const struct settings *settings = request->settings;
    uint32_t *explored = frs_alloc(request->n_clients, sizeof *explored);
    size_t n_explored = 0;
    for (uint32_t i = 0; i < request->n_clients; i++)
        if (frs_seen_is_explored(frs_observations_client(request->observations, i)))
            explored[n_explored++] = i;
    struct yardsticks yardsticks = {0};
    if (n_explored > 0)
        yardsticks = measure(request, explored, n_explored, settings);
    for (size_t i = 0; i < n; i++)
        out[i] = frs_seen_is_explored(frs_observations_client(request->observations, clients[i]))
                     ? worth(request, clients[i], &yardsticks, settings->penalty)
                     : 0;
    free(explored);
}

const struct frs_selection frs_selection_utility = {
    .plugin = {.name = "utility",
        .summary = "by training loss, data size and speed as observed, with exploration",
        .source = "Lai et al. 2021 (Oort)",
        .params = params},
    .observes = true,
    .uses_times = true,
    .uses_loss = true,
    .leaves_out = true,
    .create = create,
    .select = select_utility,
    .worths = worths,
};
