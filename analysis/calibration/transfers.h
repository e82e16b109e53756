/* Calibration of links from a log of transfers: a distribution for each client, how much single transfers
 * deviate from it, and how well it predicts transfers that were not used for fitting. */
#ifndef FRS_ANALYSIS_CALIBRATION_TRANSFERS_H
#define FRS_ANALYSIS_CALIBRATION_TRANSFERS_H

#include "analysis/calibration/log.h"
#include "analysis/statistics/transfer_distribution.h"

/* The transfers of one direction, client by client. */
struct frs_links {
    struct frs_transfer *transfers;                  /* in the order of the log within a client */
    size_t *starts;                                  /* [n_clients + 1] */
    struct frs_transfer_distribution *distributions; /* [n_clients]; of those that have transfers */
    size_t n_clients;                                /* of the log */
    size_t n_measured;                               /* clients with transfers */
    size_t n_told_apart;                             /* of these, whose latency and rate are told apart */
    struct frs_transfer_jitters jitters;             /* of single transfers */
};

void frs_links_fit(struct frs_links *links, const struct frs_log *log, enum frs_log_direction direction);
void frs_links_fini(struct frs_links *links);

/* Errors of predicted times, for the clients of a class. NaN: there was nothing to predict. */
enum { FRS_LINKS_SIZES = 3 };

/* The errors for a third of the transfers, by size. */
struct frs_links_size {
    double least, most; /* bytes */
    size_t n;
    double below, within, above;
};

struct frs_links_errors {
    size_t n_clients, n_transfers, n_groups, group;
    struct frs_links_size sizes[FRS_LINKS_SIZES]; /* [n_sizes] ascending; 1 where sizes are alike */
    size_t n_sizes;
    /* Fitted on the first half of a client's transfers: the absolute relative error of the second half, as
     * the median over clients of each client's median; and the same by least squares. */
    double second_half, second_half_least_squares;
    /* Fitted on other clients, in five parts. The distribution predicts an interval for the middle 80 % of
     * the times of a transfer of this size; these are the shares of transfers below, within and above it,
     * by size. Also the same for the slowest transfer of `group` different clients. In a large log only a
     * part of the transfers is predicted, each by a part of the clients. */
    double below, within, above, slowest_below, slowest_within, slowest_above;
};

/* How unseen clients are predicted: as clients of the class, drawn with replacement; or by a log-normal
 * rate and a log-normal latency, independent of each other. */
enum frs_unseen { FRS_UNSEEN_ROWS, FRS_UNSEEN_DISTRIBUTIONS };

struct frs_links_errors frs_links_held_out(
    const struct frs_links *links, const struct frs_log *log, size_t class, enum frs_unseen unseen);

/* Medians and sigmas of the log-normal distributions of rates and latencies of a class; latency_s 0: it has
 * none. */
struct frs_links_distributions {
    double bytes_per_s, rate_sigma, latency_s, latency_sigma;
};

/* Fits the distributions to the clients whose number is in `clients` [n]; each has transfers. */
struct frs_links_distributions frs_links_distributions(
    const struct frs_links *links, const size_t *clients, size_t n);

#endif
