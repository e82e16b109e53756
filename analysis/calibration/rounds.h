/* Calibration of clients from a log of rounds: how long each takes, how much a round deviates from that,
 * and how well the fit predicts the slowest client of rounds that were not used for fitting. */
#ifndef FRS_ANALYSIS_CALIBRATION_ROUNDS_H
#define FRS_ANALYSIS_CALIBRATION_ROUNDS_H

#include "analysis/calibration/log.h"

struct frs_round_times {
    double *median_s; /* [n_clients]; NaN: not in these rounds */
    size_t n_clients, n_measured;
    double sigma; /* of log(duration / median), from the middle 80 %; NaN: too few to tell */
};

/* From the rounds with from ≤ number < to, in the order of the log. */
void frs_round_times_fit(struct frs_round_times *times, const struct frs_log *log, size_t from, size_t to);
void frs_round_times_fini(struct frs_round_times *times);

/* The rounds themselves. */
struct frs_round_cohorts {
    size_t n;                       /* participations of a round, the median */
    size_t least, most;             /* participations of a round */
    double slowest_s[3];            /* of the rounds' slowest: 10 %, 50 %, 90 % */
    size_t least_often, most_often; /* in how many rounds a client was */
    bool distinct;                  /* no client is twice in a round */
    bool uneven;                    /* beyond what clients drawn at random would be in 999 of 1000 logs */
};

struct frs_round_cohorts frs_round_cohorts(const struct frs_log *log);

/* Sigma of the clients' medians and of what a round deviates from them, taken together. */
double frs_round_spread(const struct frs_round_times *times);

/* How well the first half of the rounds predicts the second. NaN: there was nothing to predict. */
struct frs_round_errors {
    size_t n_rounds; /* of the second half, whose clients are all known from the first */
    double clients;  /* how many a round has, the median */
    double slowest_s,
        predicted_s; /* medians over these rounds of the slowest client, and of its predicted median */
    double below, within, above; /* shares of the slowest, by the predicted middle 80 % */
    double drift; /* how much longer a client takes in the second half, the median over clients */
    /* Correlation between the deviations of two clients in one round, over all rounds; and the size that
     * it does not exceed by chance alone in 95 of 100 logs. A scenario draws the deviations independently. */
    double correlation, chance;
};

struct frs_round_errors frs_rounds_held_out(const struct frs_log *log);

#endif
