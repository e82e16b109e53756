#include "sim/forecast/releases.h"

#include <math.h>

struct frs_release_counts frs_release_counts(const uint32_t *counts, uint32_t n_clients, double rounds) {
    struct frs_release_counts all = {.rounds = rounds};
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n_clients; i++) {
        all.most = fmax(all.most, counts[i]);
        sum += counts[i];
        squares += (double)counts[i] * counts[i];
    }
    all.mean = sum / n_clients;
    all.variance = fmax(squares / n_clients - all.mean * all.mean, 0);
    all.width = (uint32_t)all.most / FRS_RELEASE_BINS + 1;
    for (uint32_t i = 0; i < n_clients; i++)
        all.n_clients[counts[i] / all.width]++;
    return all;
}

/* The probability that a count of this mean and variance exceeds k. The count is negative binomial where
 * it varies more than Poisson's, and binomial where it varies less. */
static double beyond(double mean, double variance, double k) {
    double ratio = fmax(variance / mean, 1e-3);
    if (fabs(ratio - 1) < 1e-6)
        ratio = 1 + 1e-6;
    double n = mean / (1 - ratio); /* trials; below 0: minus the successes waited for */
    double log_probability = n * log(ratio), below = 0;
    if (k < 0)
        return 1;
    for (double i = 0; i <= k; i++) {
        double step = (n - i) / (i + 1) * (1 - ratio) / ratio;
        below += exp(log_probability);
        if (!(step > 0))
            return 0;
        log_probability += log(step);
    }
    return fmax(1 - below, 0);
}

/* How many clients are expected to have more than k. */
static double clients_beyond(const struct frs_release_counts *counts, double scale, bool goes_on, double k) {
    double by_chance = fmin(counts->variance, counts->mean), apart = counts->variance - by_chance;
    double trust = apart > 0 ? apart / counts->variance : 0, n = 0;
    for (uint32_t i = 0; i < FRS_RELEASE_BINS; i++) {
        if (counts->n_clients[i] == 0)
            continue;
        double count = i * (double)counts->width + (counts->width - 1) / 2.0;
        double rate = counts->mean + trust * (count - counts->mean), mean = scale * rate;
        double variance = mean * by_chance / counts->mean + scale * scale * trust * by_chance;
        n += counts->n_clients[i] * beyond(mean, variance, k - (goes_on ? count : 0));
    }
    return n;
}

double frs_releases_most(const struct frs_release_counts *counts, double one_in, double n_rounds) {
    bool goes_on = one_in <= 1;
    double scale = one_in * n_rounds / counts->rounds - goes_on;
    if (!(counts->mean > 0) || !(scale > 0))
        return counts->most;
    /* Between counts that are too low and those that are high enough. Abandoned rounds are tried again. */
    double low = counts->most - 1, high = n_rounds * fmax(counts->most / counts->rounds, 1);
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        *(clients_beyond(counts, scale, goes_on, middle) < M_LN2 ? &high : &low) = middle;
    }
    return high;
}
