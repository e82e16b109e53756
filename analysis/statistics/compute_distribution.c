#include "analysis/statistics/compute_distribution.h"

#include <math.h>

/* The time of an operation is never 0: it is at least this fraction of the time from a fit without
 * samples. */
#define LEAST 1e-3

struct frs_compute_distribution frs_compute_fit(const struct frs_compute_time *times, size_t n) {
    double ff = 0, fs = 0, ss = 0, f = 0, s = 0;
    for (size_t i = 0; i < n; i++) {
        double flop = times[i].flop / times[i].seconds, samples = times[i].samples / times[i].seconds;
        ff += flop * flop;
        fs += flop * samples;
        ss += samples * samples;
        f += flop;
        s += samples;
    }
    double alone = f / ff, determinant = ff * ss - fs * fs;
    double per_flop = alone, per_sample = 0;
    if (n > 1 && determinant > 1e-9 * ff * ss) {
        per_flop = (f * ss - s * fs) / determinant;
        per_sample = (s * ff - f * fs) / determinant;
        if (per_sample < 0) {
            per_flop = alone;
            per_sample = 0;
        } else if (per_flop < LEAST * alone) {
            per_flop = LEAST * alone;
            per_sample = (s - per_flop * fs) / ss;
        }
    }
    return (struct frs_compute_distribution){1 / per_flop, fmax(per_sample, 0)};
}

double frs_compute_distribution_s(
    const struct frs_compute_distribution *distribution, const struct frs_compute_time *time) {
    return time->flop / distribution->flop_per_s + time->samples * distribution->s_per_sample;
}
