#include "analysis/calibration/rounds.h"
#include "analysis/statistics/transfer_distribution.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

#define OUTSIDE 0.1 /* on either side of the middle 80 % */

static bool is_within(const struct frs_log_row *row, size_t from, size_t to) {
    return row->round >= from && row->round < to;
}

void frs_round_times_fit(
    struct frs_round_times *times, const struct frs_log *logged, size_t from, size_t to) {
    *times = (struct frs_round_times){.n_clients = logged->n_clients};
    times->median_s = frs_alloc(logged->n_clients, sizeof *times->median_s);
    double *room = frs_alloc(logged->n, sizeof *room);
    struct frs_log_groups by_client = frs_log_by_client(logged);
    for (size_t client = 0; client < logged->n_clients; client++) {
        size_t n = 0;
        for (size_t i = by_client.starts[client]; i < by_client.starts[client + 1]; i++)
            if (is_within(&logged->rows[by_client.rows[i]], from, to))
                room[n++] = logged->rows[by_client.rows[i]].duration_s;
        times->median_s[client] = n > 0 ? frs_median_of(room, n) : NAN;
        times->n_measured += n > 0;
    }
    frs_log_groups_fini(&by_client);
    size_t n = 0;
    for (size_t i = 0; i < logged->n; i++)
        if (is_within(&logged->rows[i], from, to))
            room[n++] = log(logged->rows[i].duration_s / times->median_s[logged->rows[i].client]);
    times->sigma = frs_transfer_sigma(room, n, times->n_measured);
    free(room);
}

void frs_round_times_fini(struct frs_round_times *times) {
    free(times->median_s);
    *times = (struct frs_round_times){0};
}

double frs_round_spread(const struct frs_round_times *times) {
    double *logs = frs_alloc(times->n_clients, sizeof *logs), within = times->sigma > 0 ? times->sigma : 0;
    size_t n = 0;
    for (size_t client = 0; client < times->n_clients; client++)
        if (!isnan(times->median_s[client]))
            logs[n++] = log(times->median_s[client]);
    double between = frs_transfer_sigma(logs, n, 1);
    free(logs);
    return hypot(between > 0 ? between : 0, within);
}

static void count_often(const struct frs_log *logged, struct frs_round_cohorts *cohorts) {
    struct frs_log_groups by_client = frs_log_by_client(logged);
    double mean = (double)logged->n / (double)logged->n_clients, squares = 0,
           share = mean / (double)logged->n_rounds;
    cohorts->least_often = SIZE_MAX;
    for (size_t client = 0; client < logged->n_clients; client++) {
        size_t often = by_client.starts[client + 1] - by_client.starts[client];
        cohorts->least_often = often < cohorts->least_often ? often : cohorts->least_often;
        cohorts->most_often = often > cohorts->most_often ? often : cohorts->most_often;
        squares += ((double)often - mean) * ((double)often - mean);
    }
    double freedom = (double)logged->n_clients - 1, variance = mean * (1 - share);
    cohorts->uneven =
        variance > 0 && freedom > 0 && squares / variance > freedom + 3.1 * sqrt(2 * freedom) + 3.1 * 3.1;
    frs_log_groups_fini(&by_client);
}

struct frs_round_cohorts frs_round_cohorts(const struct frs_log *logged) {
    struct frs_round_cohorts cohorts = {.least = SIZE_MAX, .distinct = true};
    struct frs_log_groups by_round = frs_log_by_round(logged);
    double *slowest = frs_alloc(logged->n_rounds, sizeof *slowest);
    size_t *sizes = frs_alloc(logged->n_rounds, sizeof *sizes),
           *last = frs_alloc(logged->n_clients, sizeof *last); /* round + 1 that a client was in last */
    for (size_t round = 0; round < logged->n_rounds; round++) {
        sizes[round] = by_round.starts[round + 1] - by_round.starts[round];
        for (size_t i = by_round.starts[round]; i < by_round.starts[round + 1]; i++) {
            const struct frs_log_row *row = &logged->rows[by_round.rows[i]];
            cohorts.distinct &= last[row->client] != round + 1;
            last[row->client] = round + 1;
            slowest[round] = fmax(slowest[round], row->duration_s);
        }
    }
    qsort(sizes, logged->n_rounds, sizeof *sizes, frs_compare_sizes);
    cohorts.least = sizes[0];
    cohorts.n = sizes[logged->n_rounds / 2];
    cohorts.most = sizes[logged->n_rounds - 1];
    frs_median_of(slowest, logged->n_rounds); /* sorts them */
    for (size_t i = 0; i < 3; i++)
        cohorts.slowest_s[i] =
            frs_quantile_of_sorted(slowest, logged->n_rounds, (const double[]){0.1, 0.5, 0.9}[i]);
    count_often(logged, &cohorts);
    free(slowest);
    free(sizes);
    free(last);
    frs_log_groups_fini(&by_round);
    return cohorts;
}

/* ---- rounds that were not fitted ------------------------------------------------------------- */

/* The clients of a round as predicted, and the slowest as measured. */
struct round_of {
    double *medians; /* [n] */
    size_t n;
    double slowest_s;
    bool all_known;
};

static void take_round(const struct frs_log *logged, const struct frs_log_groups *by_round,
    const struct frs_round_times *times, size_t round, struct round_of *taken) {
    taken->n = 0;
    taken->slowest_s = 0;
    taken->all_known = true;
    for (size_t i = by_round->starts[round]; i < by_round->starts[round + 1]; i++) {
        const struct frs_log_row *row = &logged->rows[by_round->rows[i]];
        double median_s = times->median_s[row->client];
        taken->all_known &= !isnan(median_s);
        taken->medians[taken->n++] = median_s;
        taken->slowest_s = fmax(taken->slowest_s, row->duration_s);
    }
}

/* P(the slowest takes at most t): the clients' deviations are independent. */
static double share_of_slowest(const struct round_of *taken, double sigma, double t_s) {
    struct frs_transfer_jitters jitters = {.latency = sigma, .rate = sigma};
    double share = 1;
    for (size_t i = 0; i < taken->n; i++) {
        struct frs_transfer_distribution distribution = {.latency_s = taken->medians[i]};
        share *= frs_transfer_share(&distribution, &jitters, &(struct frs_transfer){1, t_s});
    }
    return share;
}

static double median_of_slowest(const struct round_of *taken, double sigma) {
    double low = 0, high = 0;
    for (size_t i = 0; i < taken->n; i++)
        high = fmax(high, taken->medians[i]);
    low = high;
    while (share_of_slowest(taken, sigma, high) < 0.5)
        high *= 2;
    while (share_of_slowest(taken, sigma, low) > 0.5)
        low /= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(share_of_slowest(taken, sigma, middle) < 0.5 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* Deviations over all rounds, each from its own client's median; rounds of a log mostly stand together. */
static void correlate(const struct frs_log *logged, struct frs_round_errors *errors) {
    struct frs_round_times times;
    frs_round_times_fit(&times, logged, 0, logged->n_rounds);
    double *sums = frs_alloc(logged->n_rounds, sizeof *sums),
           *squares = frs_alloc(logged->n_rounds, sizeof *squares), products = 0, variance = 0, n_pairs = 0;
    size_t *n = frs_alloc(logged->n_rounds, sizeof *n);
    for (size_t i = 0; i < logged->n; i++) {
        double deviation = log(logged->rows[i].duration_s / times.median_s[logged->rows[i].client]);
        sums[logged->rows[i].round] += deviation;
        squares[logged->rows[i].round] += deviation * deviation;
        n[logged->rows[i].round]++;
        variance += deviation * deviation / (double)logged->n;
    }
    for (size_t round = 0; round < logged->n_rounds; round++) {
        products += (sums[round] * sums[round] - squares[round]) / 2;
        n_pairs += (double)n[round] * (double)(n[round] - 1) / 2;
    }
    errors->correlation = n_pairs > 0 && variance > 0 ? products / n_pairs / variance : NAN;
    errors->chance = n_pairs > 0 ? 1.96 / sqrt(n_pairs) : NAN;
    free(sums);
    free(squares);
    free(n);
    frs_round_times_fini(&times);
}

static double drift_of(const struct frs_log *logged, const struct frs_round_times *first, size_t half) {
    struct frs_round_times second;
    frs_round_times_fit(&second, logged, half, logged->n_rounds);
    double *ratios = frs_alloc(logged->n_clients, sizeof *ratios);
    size_t n = 0;
    for (size_t client = 0; client < logged->n_clients; client++)
        if (!isnan(first->median_s[client]) && !isnan(second.median_s[client]))
            ratios[n++] = second.median_s[client] / first->median_s[client];
    double drift = n > 0 ? frs_median_of(ratios, n) - 1 : NAN;
    free(ratios);
    frs_round_times_fini(&second);
    return drift;
}

struct frs_round_errors frs_rounds_held_out(const struct frs_log *logged) {
    struct frs_round_errors errors = {0};
    size_t half = logged->n_rounds / 2, n = 0;
    struct frs_round_times times;
    frs_round_times_fit(&times, logged, 0, half);
    double *slowest = frs_alloc(logged->n_rounds, sizeof *slowest),
           *predicted = frs_alloc(logged->n_rounds, sizeof *predicted),
           *sizes = frs_alloc(logged->n_rounds, sizeof *sizes);
    struct round_of taken = {.medians = frs_alloc(logged->n, sizeof *taken.medians)};
    struct frs_log_groups by_round = frs_log_by_round(logged);
    for (size_t round = half; round < logged->n_rounds && times.sigma > 0; round++) {
        take_round(logged, &by_round, &times, round, &taken);
        if (!taken.all_known)
            continue;
        double share = share_of_slowest(&taken, times.sigma, taken.slowest_s);
        *(share < OUTSIDE ? &errors.below : share > 1 - OUTSIDE ? &errors.above : &errors.within) += 1;
        sizes[n] = (double)taken.n;
        predicted[n] = median_of_slowest(&taken, times.sigma);
        slowest[n++] = taken.slowest_s;
    }
    errors.n_rounds = n;
    errors.below = n ? errors.below / (double)n : NAN;
    errors.within = n ? errors.within / (double)n : NAN;
    errors.above = n ? errors.above / (double)n : NAN;
    errors.clients = n ? frs_median_of(sizes, n) : NAN;
    errors.slowest_s = n ? frs_median_of(slowest, n) : NAN;
    errors.predicted_s = n ? frs_median_of(predicted, n) : NAN;
    errors.drift = drift_of(logged, &times, half);
    correlate(logged, &errors);
    frs_log_groups_fini(&by_round);
    free(slowest);
    free(predicted);
    free(sizes);
    free(taken.medians);
    frs_round_times_fini(&times);
    return errors;
}
