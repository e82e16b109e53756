#include "analysis/calibration/transfers.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>

enum {
    FOLDS = 5,
    GROUP = 20,              /* clients of a round whose slowest is predicted */
    LEAST_GROUP = 5,         /* fewer say nothing of a round */
    GROUPS = 40,             /* in each fold */
    DISTRIBUTION_STEPS = 16, /* quantiles of a log-normal that stand for it, each way */
    FITTED = 2,              /* parameters of a client */
    MOST_TRANSFERS =
        10000,         /* that are predicted in each fold: a share of them is then off by half a percent */
    MOST_CLIENTS = 500 /* that predict one; so that time does not grow with the square of the log */
};
#define OUTSIDE 0.1 /* on either side of the middle 80 % */

static size_t count_of(const struct frs_links *links, size_t client) {
    return links->starts[client + 1] - links->starts[client];
}

static const struct frs_transfer *transfers_of(const struct frs_links *links, size_t client) {
    return links->transfers + links->starts[client];
}

/* ---- fits ------------------------------------------------------------------------------------ */

static void group_by_client(
    struct frs_links *links, const struct frs_log *log, enum frs_log_direction direction) {
    struct frs_log_groups by_client = frs_log_by_client(log);
    size_t n = 0;
    links->starts = frs_alloc(log->n_clients + 1, sizeof *links->starts);
    links->transfers = frs_alloc(log->n + 1, sizeof *links->transfers);
    for (size_t client = 0; client < log->n_clients; client++) {
        for (size_t i = by_client.starts[client]; i < by_client.starts[client + 1]; i++) {
            const struct frs_log_row *row = &log->rows[by_client.rows[i]];
            if (row->direction == direction)
                links->transfers[n++] = (struct frs_transfer){row->bytes, row->duration_s};
        }
        links->starts[client + 1] = n;
    }
    frs_log_groups_fini(&by_client);
}

/* What single transfers of these clients deviate from their own client's distribution. */
static struct frs_transfer_jitters scatter(const struct frs_links *links, const size_t *clients, size_t n) {
    size_t n_transfers = 0;
    for (size_t i = 0; i < n; i++)
        n_transfers += count_of(links, clients[i]);
    struct frs_transfer_deviation *deviations = frs_alloc(n_transfers + 1, sizeof *deviations);
    size_t filled = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count_of(links, clients[i]); k++)
            deviations[filled++] = frs_transfer_deviation(
                &links->distributions[clients[i]], &transfers_of(links, clients[i])[k]);
    struct frs_transfer_jitters jitters = frs_transfer_jitters(deviations, filled, FITTED * n);
    free(deviations);
    return jitters;
}

void frs_links_fit(struct frs_links *links, const struct frs_log *log, enum frs_log_direction direction) {
    *links = (struct frs_links){.n_clients = log->n_clients};
    group_by_client(links, log, direction);
    links->distributions = frs_alloc(log->n_clients, sizeof *links->distributions);
    size_t *measured = frs_alloc(log->n_clients, sizeof *measured);
    for (size_t client = 0; client < log->n_clients; client++) {
        if (count_of(links, client) == 0)
            continue;
        links->distributions[client] = frs_transfer_fit(transfers_of(links, client), count_of(links, client));
        links->n_told_apart += links->distributions[client].told_apart;
        measured[links->n_measured++] = client;
    }
    links->jitters = scatter(links, measured, links->n_measured);
    free(measured);
}

void frs_links_fini(struct frs_links *links) {
    free(links->transfers);
    free(links->starts);
    free(links->distributions);
    *links = (struct frs_links){0};
}

struct frs_links_distributions frs_links_distributions(
    const struct frs_links *links, const size_t *clients, size_t n) {
    double *logs = frs_alloc(n, sizeof *logs);
    size_t n_late = 0;
    for (size_t i = 0; i < n; i++)
        logs[i] = -log(links->distributions[clients[i]].s_per_byte);
    double rate_sigma = frs_transfer_sigma(logs, n, 1), middle = frs_median_of(logs, n);
    struct frs_links_distributions distributions = {
        .bytes_per_s = exp(middle), .rate_sigma = n > 1 ? rate_sigma : 0};
    for (size_t i = 0; i < n; i++)
        if (links->distributions[clients[i]].latency_s > 0)
            logs[n_late++] = log(links->distributions[clients[i]].latency_s);
    if (2 * n_late > n) { /* those without any are taken for the spread of the others */
        distributions.latency_sigma = n_late > 1 ? frs_transfer_sigma(logs, n_late, 1) : 0;
        distributions.latency_s = exp(frs_median_of(logs, n_late));
    }
    free(logs);
    return distributions;
}

/* ---- what was not fitted --------------------------------------------------------------------- */

static double median_error(
    const struct frs_transfer_distribution *distribution, const struct frs_transfer *transfers, size_t n) {
    double *errors = frs_alloc(n, sizeof *errors);
    for (size_t i = 0; i < n; i++)
        errors[i] =
            fabs(frs_transfer_median_s(distribution, transfers[i].bytes) / transfers[i].duration_s - 1);
    double median = frs_median_of(errors, n);
    free(errors);
    return median;
}

static void second_halves(
    const struct frs_links *links, const size_t *clients, size_t n, struct frs_links_errors *errors) {
    double *own = frs_alloc(n + 1, sizeof *own), *least_squares = frs_alloc(n + 1, sizeof *least_squares);
    size_t filled = 0;
    for (size_t i = 0; i < n; i++) {
        const struct frs_transfer *transfers = transfers_of(links, clients[i]);
        size_t all = count_of(links, clients[i]), half = all / 2;
        if (half < FITTED)
            continue;
        struct frs_transfer_distribution distribution = frs_transfer_fit(transfers, half),
                                         by_hand = frs_transfer_fit_least_squares(transfers, half);
        own[filled] = median_error(&distribution, transfers + half, all - half);
        least_squares[filled++] = median_error(&by_hand, transfers + half, all - half);
    }
    errors->second_half = filled ? frs_median_of(own, filled) : NAN;
    errors->second_half_least_squares = filled ? frs_median_of(least_squares, filled) : NAN;
    free(own);
    free(least_squares);
}

/* What predicts a client: distributions of equal weight. */
struct predicted {
    struct frs_transfer_distribution *distributions; /* [n] */
    size_t n;
    struct frs_transfer_jitters jitters;
};

static struct predicted predict_by_distributions(
    const struct frs_links_distributions *distribution, struct frs_transfer_jitters jitters) {
    struct predicted predicted = {
        .distributions = frs_alloc(DISTRIBUTION_STEPS * DISTRIBUTION_STEPS, sizeof *predicted.distributions),
        .n = DISTRIBUTION_STEPS * DISTRIBUTION_STEPS,
        .jitters = jitters};
    for (size_t i = 0; i < DISTRIBUTION_STEPS; i++)
        for (size_t k = 0; k < DISTRIBUTION_STEPS; k++) {
            double rate_z = frs_student_t_quantile(((double)i + 0.5) / DISTRIBUTION_STEPS, INFINITY),
                   latency_z = frs_student_t_quantile(((double)k + 0.5) / DISTRIBUTION_STEPS, INFINITY);
            predicted.distributions[i * DISTRIBUTION_STEPS + k] = (struct frs_transfer_distribution){
                .s_per_byte = exp(-distribution->rate_sigma * rate_z) / distribution->bytes_per_s,
                .latency_s = distribution->latency_s * exp(distribution->latency_sigma * latency_z)};
        }
    return predicted;
}

static struct predicted predict(const struct frs_links *links, const size_t *clients, size_t n,
    struct frs_transfer_jitters jitters, enum frs_unseen unseen) {
    if (unseen == FRS_UNSEEN_DISTRIBUTIONS) {
        struct frs_links_distributions distributions = frs_links_distributions(links, clients, n);
        return predict_by_distributions(&distributions, jitters);
    }
    size_t taken = n < MOST_CLIENTS ? n : MOST_CLIENTS; /* evenly from all of them */
    struct predicted predicted = {
        .distributions = frs_alloc(taken, sizeof *predicted.distributions), .n = taken, .jitters = jitters};
    for (size_t i = 0; i < taken; i++)
        predicted.distributions[i] = links->distributions[clients[i * n / taken]];
    return predicted;
}

static double share_of(const struct predicted *predicted, const struct frs_transfer *transfer) {
    double sum = 0;
    for (size_t i = 0; i < predicted->n; i++)
        sum += frs_transfer_share(&predicted->distributions[i], &predicted->jitters, transfer);
    return sum / (double)predicted->n;
}

static void count(double share, double *below, double *within, double *above) {
    *(share < OUTSIDE ? below : share > 1 - OUTSIDE ? above : within) += 1;
}

/* Different clients of the part, one transfer of each: whether the slowest took what was predicted. */
static void count_slowest(const struct frs_links *links, const struct predicted *predicted, size_t *clients,
    size_t n, size_t class, size_t fold, struct frs_links_errors *errors) {
    struct frs_rng rng = frs_rng_stream(1, (uint32_t) class, (uint32_t)fold, 0, FRS_RNG_CALIBRATION);
    for (size_t group = 0; group < GROUPS; group++) {
        struct frs_transfer taken[GROUP];
        double slowest_s = 0, share = 1;
        for (size_t i = 0; i < errors->group; i++) {
            size_t k = i + frs_rng_below(&rng, (uint32_t)(n - i)), client = clients[k];
            clients[k] = clients[i];
            clients[i] = client;
            taken[i] = transfers_of(links, client)[frs_rng_below(&rng, (uint32_t)count_of(links, client))];
            slowest_s = fmax(slowest_s, taken[i].duration_s);
        }
        for (size_t i = 0; i < errors->group; i++)
            share *= share_of(predicted, &(struct frs_transfer){taken[i].bytes, slowest_s});
        count(share, &errors->slowest_below, &errors->slowest_within, &errors->slowest_above);
        errors->n_groups++;
    }
}

/* The jitters of all clients except these, whatever their class: a scenario has one jitter of each kind.
 * `these` ascend. */
static struct frs_transfer_jitters scatter_without(
    const struct frs_links *links, const size_t *these, size_t n_these) {
    size_t *others = frs_alloc(links->n_clients + 1, sizeof *others), n = 0, next = 0;
    for (size_t client = 0; client < links->n_clients; client++) {
        if (next < n_these && these[next] == client)
            next++;
        else if (count_of(links, client) > 0)
            others[n++] = client;
    }
    struct frs_transfer_jitters jitters = scatter(links, others, n);
    free(others);
    return jitters;
}

static struct frs_links_size *size_of(struct frs_links_errors *errors, double bytes) {
    size_t i = 0;
    while (i + 1 < errors->n_sizes && bytes > errors->sizes[i].most)
        i++;
    return &errors->sizes[i];
}

/* At most MOST_TRANSFERS of these clients' transfers, evenly from all of them. */
static void count_transfers(const struct frs_links *links, const struct predicted *predicted,
    const size_t *clients, size_t n, struct frs_links_errors *errors) {
    size_t all = 0, place = 0;
    for (size_t i = 0; i < n; i++)
        all += count_of(links, clients[i]);
    size_t step = (all + MOST_TRANSFERS - 1) / MOST_TRANSFERS;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count_of(links, clients[i]); k++) {
            const struct frs_transfer *transfer = &transfers_of(links, clients[i])[k];
            /* cppcheck-suppress zerodiv ; this transfer is among `all`, so that step is at least 1 */
            if (place++ % step != 0)
                continue;
            double share = share_of(predicted, transfer);
            struct frs_links_size *size = size_of(errors, transfer->bytes);
            count(share, &errors->below, &errors->within, &errors->above);
            count(share, &size->below, &size->within, &size->above);
            errors->n_transfers++;
            size->n++;
        }
}

static void one_fold(const struct frs_links *links, const size_t *clients, size_t n, size_t class,
    size_t fold, enum frs_unseen unseen, struct frs_links_errors *errors) {
    size_t *others = frs_alloc(n + 1, sizeof *others), *these = frs_alloc(n + 1, sizeof *these), n_others = 0,
           n_these = 0;
    for (size_t i = 0; i < n; i++)
        if (i % FOLDS == fold)
            these[n_these++] = clients[i];
        else
            others[n_others++] = clients[i];
    struct predicted predicted =
        predict(links, others, n_others, scatter_without(links, these, n_these), unseen);
    if (isfinite(predicted.jitters.rate)) {
        count_transfers(links, &predicted, these, n_these, errors);
        if (errors->group > 0)
            count_slowest(links, &predicted, these, n_these, class, fold, errors);
    }
    free(predicted.distributions);
    free(others);
    free(these);
}

/* Thirds of the transfers by size; fewer where one size is that of many. */
static void divide_sizes(
    const struct frs_links *links, const size_t *clients, size_t n, struct frs_links_errors *errors) {
    size_t n_transfers = 0;
    for (size_t i = 0; i < n; i++)
        n_transfers += count_of(links, clients[i]);
    double *bytes = frs_alloc(n_transfers + 1, sizeof *bytes);
    size_t filled = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count_of(links, clients[i]); k++)
            bytes[filled++] = transfers_of(links, clients[i])[k].bytes;
    if (filled > 0)
        frs_median_of(bytes, filled); /* sorts them */
    size_t first = 0;
    for (size_t third = 1; third <= FRS_LINKS_SIZES && first < filled; third++) {
        size_t last = third * filled / FRS_LINKS_SIZES;
        last = last > first ? last - 1 : first;
        while (last + 1 < filled && bytes[last + 1] == bytes[last])
            last++;
        errors->sizes[errors->n_sizes++] =
            (struct frs_links_size){.least = bytes[first], .most = bytes[last]};
        first = last + 1;
    }
    free(bytes);
}

static void make_shares(double *below, double *within, double *above, size_t n) {
    *below = n ? *below / (double)n : NAN;
    *within = n ? *within / (double)n : NAN;
    *above = n ? *above / (double)n : NAN;
}

struct frs_links_errors frs_links_held_out(
    const struct frs_links *links, const struct frs_log *log, size_t class, enum frs_unseen unseen) {
    struct frs_links_errors errors = {0};
    size_t *clients = frs_alloc(log->n_clients, sizeof *clients), n = 0;
    for (size_t client = 0; client < log->n_clients; client++)
        if (log->class_of[client] == class && count_of(links, client) > 0)
            clients[n++] = client;
    errors.n_clients = n;
    second_halves(links, clients, n, &errors);
    divide_sizes(links, clients, n, &errors);
    size_t smallest_fold = n / FOLDS;
    errors.group = smallest_fold < LEAST_GROUP ? 0 : smallest_fold < GROUP ? smallest_fold : GROUP;
    for (size_t fold = 0; fold < FOLDS && n >= FOLDS; fold++)
        one_fold(links, clients, n, class, fold, unseen, &errors);
    make_shares(&errors.below, &errors.within, &errors.above, errors.n_transfers);
    make_shares(&errors.slowest_below, &errors.slowest_within, &errors.slowest_above, errors.n_groups);
    for (size_t i = 0; i < errors.n_sizes; i++)
        make_shares(
            &errors.sizes[i].below, &errors.sizes[i].within, &errors.sizes[i].above, errors.sizes[i].n);
    free(clients);
    return errors;
}
