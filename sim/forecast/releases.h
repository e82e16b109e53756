/* Releases: how often the most active client will take part, from the counts of the first rounds. */
#ifndef FRS_FORECAST_RELEASES_H
#define FRS_FORECAST_RELEASES_H

#include <stdbool.h>
#include <stdint.h>

#define FRS_RELEASE_BINS 64u

/* Over all clients, after so many rounds. */
struct frs_release_counts {
    double rounds, most, mean, variance;
    uint32_t width;                       /* of a bin: bin i holds counts from i·width on */
    uint32_t n_clients[FRS_RELEASE_BINS]; /* in each of them */
};

/* counts [n_clients], after so many rounds. */
struct frs_release_counts frs_release_counts(const uint32_t *counts, uint32_t n_clients, double rounds);

/* The median of the largest count after n_rounds. Future selections of each client are drawn by its own
 * rate: the mean of all, moved towards the client's count by as much as counts differ beyond chance.
 * `one_in`: only one client in so many was selected in the rounds that were counted. */
double frs_releases_most(const struct frs_release_counts *counts, double one_in, double n_rounds);

#endif
