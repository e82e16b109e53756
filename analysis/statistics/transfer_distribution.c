#include "analysis/statistics/transfer_distribution.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

/* The quotients tried: 0, and from a hundredth of the median size to thirty times it; then more densely
 * around the best. */
enum { PER_DECADE = 8, DECADES_BELOW = 2, STEPS = 29, CLOSER = 8 };

/* Half of the chi-square of one degree of freedom at 95 %. */
#define PROFILE 1.92
/* Quotients of the two jitters that are tried, and how many deviations they are tried on. */
enum { ANGLES = 81, MOST_DEVIATIONS = 10000 };
#define LARGEST_QUOTIENT 50.0
/* Deviations below this are the rounding of a log. */
#define RESOLUTION 1e-6
/* Range of latency's share beyond which the split is anybody's guess. */
#define WIDEST_SPLIT 0.5

double frs_quantile_of_sorted(const double *values, size_t n, double share) {
    double place = share * (double)(n - 1);
    size_t below = (size_t)floor(place);
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

double frs_median_of(double *values, size_t n) {
    qsort(values, n, sizeof *values, frs_compare_doubles);
    return frs_quantile_of_sorted(values, n, 0.5);
}

double frs_transfer_sigma(double *values, size_t n, size_t n_fitted) {
    if (n <= n_fitted || n < 2)
        return NAN;
    qsort(values, n, sizeof *values, frs_compare_doubles);
    double wide = frs_quantile_of_sorted(values, n, 0.9) - frs_quantile_of_sorted(values, n, 0.1);
    double freedom = (double)n / (double)(n - n_fitted);
    return wide / (2 * frs_student_t_quantile(0.9, INFINITY)) * sqrt(freedom);
}

/* ---- the fit --------------------------------------------------------------------------------- */

struct search {
    const struct frs_transfer *transfers;
    size_t n;
    double *logs; /* [n] */
};

struct found {
    double quotient; /* bytes that would take as long as the latency */
    double s_per_byte, mean_deviation;
};

static struct found at(const struct search *search, double quotient) {
    struct found found = {.quotient = quotient};
    for (size_t i = 0; i < search->n; i++)
        search->logs[i] = log(search->transfers[i].duration_s / (quotient + search->transfers[i].bytes));
    double middle = frs_median_of(search->logs, search->n);
    for (size_t i = 0; i < search->n; i++)
        found.mean_deviation += fabs(search->logs[i] - middle);
    found.mean_deviation = found.mean_deviation / (double)search->n + RESOLUTION;
    found.s_per_byte = exp(middle);
    return found;
}

static double median_bytes(const struct search *search) {
    for (size_t i = 0; i < search->n; i++)
        search->logs[i] = search->transfers[i].bytes;
    return frs_median_of(search->logs, search->n);
}

/* The quotient of a step; the first is none. */
static double quotient_of(double median, double step) {
    return step < 1 ? 0 : median * pow(10, (step - 1) / PER_DECADE - DECADES_BELOW);
}

struct frs_transfer_distribution frs_transfer_fit(const struct frs_transfer *transfers, size_t n) {
    struct search search = {transfers, n, frs_alloc(n, sizeof(double))};
    double median = median_bytes(&search), least_share = 1, largest_share = 0;
    struct found steps[STEPS + 1], best = at(&search, 0);
    int best_step = 0;
    for (int step = 0; step <= STEPS; step++) {
        steps[step] = at(&search, quotient_of(median, step));
        if (steps[step].mean_deviation < best.mean_deviation * (1 - 1e-12)) {
            best = steps[step];
            best_step = step;
        }
    }
    for (int part = 1 - CLOSER; best_step > 0 && part < CLOSER; part++) {
        struct found near = at(&search, quotient_of(median, fmax(1, best_step + (double)part / CLOSER)));
        if (near.mean_deviation < best.mean_deviation * (1 - 1e-12))
            best = near;
    }
    for (int step = 0; step <= STEPS; step++)
        if ((double)n * log(steps[step].mean_deviation / best.mean_deviation) <= PROFILE) {
            double share = steps[step].quotient / (steps[step].quotient + median);
            least_share = fmin(least_share, share);
            largest_share = fmax(largest_share, share);
        }
    free(search.logs);
    return (struct frs_transfer_distribution){
        .latency_s = best.quotient * best.s_per_byte,
        .s_per_byte = best.s_per_byte,
        .told_apart = n > 2 && largest_share - least_share <= WIDEST_SPLIT,
    };
}

struct frs_transfer_distribution frs_transfer_fit_least_squares(
    const struct frs_transfer *transfers, size_t n) {
    double mean_bytes = 0, mean_s = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        mean_bytes += transfers[i].bytes / (double)n;
        mean_s += transfers[i].duration_s / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double from_mean = transfers[i].bytes - mean_bytes;
        squares += from_mean * from_mean;
        products += from_mean * (transfers[i].duration_s - mean_s);
    }
    double slope = squares > 0 && products > 0 ? products / squares : 0;
    return (struct frs_transfer_distribution){.latency_s = mean_s - slope * mean_bytes, .s_per_byte = slope};
}

double frs_transfer_median_s(const struct frs_transfer_distribution *distribution, double bytes) {
    return distribution->latency_s + bytes * distribution->s_per_byte;
}

/* ---- jitters --------------------------------------------------------------------------------- */

struct frs_transfer_deviation frs_transfer_deviation(
    const struct frs_transfer_distribution *distribution, const struct frs_transfer *transfer) {
    double median_s = frs_transfer_median_s(distribution, transfer->bytes);
    return (struct frs_transfer_deviation){
        .share = distribution->latency_s / median_s, .log = log(transfer->duration_s / median_s)};
}

/* What a sigma of 1 of both, in the proportion of the angle, makes of a transfer with this share. */
static double width(double share, double angle) {
    return hypot(share * cos(angle), (1 - share) * sin(angle));
}

/* The mean logarithm of the inverse likelihood, up to a constant: the best-fitting scale is the mean
 * deviation. */
static double misfit(const struct frs_transfer_deviation *deviations, size_t n, double angle) {
    size_t step = n / MOST_DEVIATIONS + 1, taken = 0;
    double log_width = 0, deviation = 0, along = cos(angle), across = sin(angle);
    for (size_t i = 0; i < n; i += step, taken++) {
        double share = deviations[i].share, x = share * along, y = (1 - share) * across,
               wide = sqrt(x * x + y * y);
        log_width += log(wide);
        deviation += fabs(deviations[i].log) / wide;
    }
    return log_width / (double)taken + log(deviation / (double)taken + RESOLUTION);
}

static double angle_of(size_t step) {
    double widest = log(LARGEST_QUOTIENT), log_quotient = widest * (2 * (double)step / (ANGLES - 1) - 1);
    return atan(exp(log_quotient)); /* rate over latency */
}

struct frs_transfer_jitters frs_transfer_jitters(
    const struct frs_transfer_deviation *deviations, size_t n, size_t n_fitted) {
    if (n <= n_fitted || n < 2)
        return (struct frs_transfer_jitters){.latency = NAN, .rate = NAN};
    double misfits[ANGLES];
    size_t best = 0, first = ANGLES, last = 0;
    for (size_t i = 0; i < ANGLES; i++) {
        misfits[i] = misfit(deviations, n, angle_of(i));
        if (misfits[i] < misfits[best])
            best = i;
    }
    for (size_t i = 0; i < ANGLES; i++)
        if ((double)(n - n_fitted) * (misfits[i] - misfits[best]) <= PROFILE) {
            first = first < i ? first : i;
            last = i;
        }
    bool told_apart = tan(angle_of(last)) / tan(angle_of(first)) <= FRS_JITTERS_WIDEST;
    double angle = told_apart ? angle_of(best) : atan(1), *scaled = frs_alloc(n, sizeof *scaled);
    for (size_t i = 0; i < n; i++)
        scaled[i] = deviations[i].log / width(deviations[i].share, angle);
    double scale = frs_transfer_sigma(scaled, n, n_fitted);
    free(scaled);
    return (struct frs_transfer_jitters){
        .latency = scale * cos(angle), .rate = scale * sin(angle), .told_apart = told_apart};
}

double frs_transfer_share(const struct frs_transfer_distribution *distribution,
    const struct frs_transfer_jitters *jitters, const struct frs_transfer *transfer) {
    struct frs_transfer_deviation deviation = frs_transfer_deviation(distribution, transfer);
    double latency = deviation.share * jitters->latency, rate = (1 - deviation.share) * jitters->rate,
           sigma = sqrt(latency * latency + rate * rate);
    if (sigma == 0)
        return deviation.log >= 0;
    return 0.5 * erfc(-deviation.log / sigma * M_SQRT1_2);
}
