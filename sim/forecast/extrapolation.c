#include "sim/forecast/extrapolation.h"
#include "analysis/statistics/student_t.h"

#include <math.h>

/* Consecutive rounds resemble each other (a day, a cohort that repeats). Their spread is therefore taken from
 * the means of at most this many stretches of rounds. */
#define STRETCHES 10u

/* One or two rounds do not show the spread, so a usual value is assumed, with lost clients and without.
 * Rounds of which so few can be played have many clients. */
#define USUAL_SPREAD_LOST 0.3
#define USUAL_SPREAD 0.08

/* A run can depart from the course of its first rounds (the hour of the day, training that takes fewer
 * epochs). This is the further share by which the rounds that are left may be off. */
#define DRIFT 0.05

/* By what share of their mean rounds are taken to be shorter at most, where time ends the run. */
#define MOST_FASTER 0.8

struct pace {
    double mean_s; /* of a round */
    double se_s;   /* standard error of the mean */
    double long_s; /* long-run standard deviation: of a sum of n rounds, over √n */
    double t;      /* quantile for 95 % */
};

static struct pace pace_of(const double *ends_s, size_t n, bool loses) {
    size_t first = n / 3, m = n - first; /* rounds first … n − 1 */
    double start_s = first > 0 ? ends_s[first - 1] : 0;
    struct pace pace = {.mean_s = (ends_s[n - 1] - start_s) / (double)m, .t = 1};
    size_t k = m < STRETCHES ? m : STRETCHES;
    if (m < 3) {
        pace.long_s = pace.se_s = (loses ? USUAL_SPREAD_LOST : USUAL_SPREAD) * pace.mean_s;
        return pace;
    }
    double sum = 0, from_s = start_s;
    for (size_t i = 0, at = first; i < k; i++) {
        size_t next = first + (i + 1) * m / k;
        double to_s = ends_s[next - 1], length = (double)(next - at);
        double off = (to_s - from_s) / length - pace.mean_s;
        sum += off * off * length; /* each estimates the long-run variance */
        from_s = to_s;
        at = next;
    }
    pace.long_s = sqrt(sum / (double)(k - 1));
    pace.se_s = pace.long_s / sqrt((double)m);
    pace.t = frs_student_t_quantile(0.975, (double)(k - 1));
    return pace;
}

/* The first round to end so late is the last one; there are no more than `all`. */
static double rounds_until(double seconds, double round_s, double all) {
    return fmin(ceil(seconds / fmax(round_s, 1e-300)), all);
}

struct frs_extrapolation frs_extrapolation_of(
    const double *ends_s, size_t n_played, size_t n_rounds, double stop_s, double slack, bool loses) {
    double played_s = ends_s[n_played - 1], left = (double)(n_rounds - n_played);
    struct frs_extrapolation extrapolation = {.middle_s = played_s, .n_rounds = (double)n_played};
    extrapolation.n_low = extrapolation.n_high = extrapolation.n_rounds;
    double spread_s = 0;
    if (left > 0 && played_s < stop_s) {
        struct pace pace = pace_of(ends_s, n_played, loses);
        double all = left, spread;
        if (played_s + left * pace.mean_s > stop_s)
            left = rounds_until(stop_s - played_s, pace.mean_s, left);
        spread_s = pace.t * sqrt(left * pace.long_s * pace.long_s + left * left * pace.se_s * pace.se_s);
        spread_s += DRIFT * left * pace.mean_s;
        extrapolation.middle_s += left * pace.mean_s;
        extrapolation.n_rounds += left;
        spread = fmin(spread_s / fmax(left * pace.mean_s, 1e-300), MOST_FASTER);
        extrapolation.n_low =
            (double)n_played + rounds_until(stop_s - played_s, pace.mean_s * (1 + spread), all);
        extrapolation.n_high =
            (double)n_played + rounds_until(stop_s - played_s, pace.mean_s * (1 - spread), all);
        if (isfinite(stop_s) &&
            extrapolation.middle_s >= stop_s) /* what varies is how many rounds that takes */
            spread_s = fmin(spread_s, pace.mean_s + pace.t * pace.long_s);
    }
    extrapolation.low_s = fmax(extrapolation.middle_s - spread_s, played_s) * (1 - slack);
    extrapolation.high_s = (extrapolation.middle_s + spread_s) * (1 + slack);
    return extrapolation;
}
