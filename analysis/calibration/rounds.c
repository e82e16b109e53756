#include "analysis/calibration/rounds.h"
#include "analysis/statistics/transfer_law.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define OUTSIDE 0.1 /* on either side of the middle 80 % */

static bool is_within(const struct frs_log_row *row, size_t from, size_t to) {
    return row->round >= from && row->round < to;
}

static double median_of_client(
    const struct frs_log *logged, size_t client, size_t from, size_t to, double *room) {
    size_t n = 0;
    for (size_t i = 0; i < logged->n; i++)
        if (logged->rows[i].client == client && is_within(&logged->rows[i], from, to))
            room[n++] = logged->rows[i].duration_s;
    return n > 0 ? frs_median_of(room, n) : NAN;
}

void frs_round_times_fit(
    struct frs_round_times *times, const struct frs_log *logged, size_t from, size_t to) {
    *times = (struct frs_round_times){.n_clients = logged->n_clients};
    times->median_s = frs_alloc(logged->n_clients, sizeof *times->median_s);
    double *room = frs_alloc(logged->n, sizeof *room);
    for (size_t client = 0; client < logged->n_clients; client++) {
        times->median_s[client] = median_of_client(logged, client, from, to, room);
        times->n_measured += !isnan(times->median_s[client]);
    }
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

/* ---- rounds that were not fitted ----------------------------------------------------------------------- */

/* The clients of a round as they were foretold, and the slowest as it was. */
struct round_of {
    double *medians; /* [n] */
    size_t n;
    double slowest_s;
    bool all_known;
};

static void take_round(
    const struct frs_log *logged, const struct frs_round_times *times, size_t round, struct round_of *taken) {
    taken->n = 0;
    taken->slowest_s = 0;
    taken->all_known = true;
    for (size_t i = 0; i < logged->n; i++) {
        if (logged->rows[i].round != round)
            continue;
        double median_s = times->median_s[logged->rows[i].client];
        taken->all_known &= !isnan(median_s);
        taken->medians[taken->n++] = median_s;
        taken->slowest_s = fmax(taken->slowest_s, logged->rows[i].duration_s);
    }
}

/* P(the slowest takes at most t): the clients' deviations are independent. */
static double share_of_slowest(const struct round_of *taken, double sigma, double t_s) {
    double share = 1;
    for (size_t i = 0; i < taken->n; i++) {
        struct frs_transfer_law law = {.latency_s = taken->medians[i]};
        share *= frs_transfer_share(&law, sigma, &(struct frs_transfer){1, t_s});
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
           *foretold = frs_alloc(logged->n_rounds, sizeof *foretold),
           *sizes = frs_alloc(logged->n_rounds, sizeof *sizes);
    struct round_of taken = {.medians = frs_alloc(logged->n, sizeof *taken.medians)};
    for (size_t round = half; round < logged->n_rounds && times.sigma > 0; round++) {
        take_round(logged, &times, round, &taken);
        if (!taken.all_known)
            continue;
        double share = share_of_slowest(&taken, times.sigma, taken.slowest_s);
        *(share < OUTSIDE ? &errors.below : share > 1 - OUTSIDE ? &errors.above : &errors.within) += 1;
        sizes[n] = (double)taken.n;
        foretold[n] = median_of_slowest(&taken, times.sigma);
        slowest[n++] = taken.slowest_s;
    }
    errors.n_rounds = n;
    errors.below = n ? errors.below / (double)n : NAN;
    errors.within = n ? errors.within / (double)n : NAN;
    errors.above = n ? errors.above / (double)n : NAN;
    errors.clients = n ? frs_median_of(sizes, n) : NAN;
    errors.slowest_s = n ? frs_median_of(slowest, n) : NAN;
    errors.foretold_s = n ? frs_median_of(foretold, n) : NAN;
    errors.drift = drift_of(logged, &times, half);
    correlate(logged, &errors);
    free(slowest);
    free(foretold);
    free(sizes);
    free(taken.medians);
    frs_round_times_fini(&times);
    return errors;
}
