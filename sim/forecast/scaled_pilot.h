/* Thinning: what a round of very many clients takes, from rounds of few.
 *
 * Where not even one round can be played in time, rounds are played in which only one client in k is asked, by a server
 * whose links and processor have the k-th part of their capacity. What a client meets is the same then, but the slowest of
 * many is slower than the slowest of few. By how much is told by rounds that are thinned once more: if rounds grow by
 * a factor g when 8 times as many clients are asked, they are expected to grow by about g^(ln k / ln 8) from
 * those that were played to those of the scenario. A tail that is bounded does not grow; that of a log-normal
 * grows ever more slowly, so that some less is taken. */
#ifndef FRS_FORECAST_SCALED_PILOT_H
#define FRS_FORECAST_SCALED_PILOT_H

#include "sim/forecast/extrapolation.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* By how much `thinner` is thinner. */
#define FRS_THINNED_STEP 8

/* Both hold the rounds that were played; empty where playing them failed. */
struct frs_thinned {
    uint32_t k; /* of `rounds` */
    struct frs_rehearsal rounds, thinner;
};

/* A round of `rounds` asks about n_asked clients. ceiling_s: as for frs_rehearse. */
struct frs_thinned frs_thinned_play(
    const struct frs_setup *setup, const struct frs_foresight *foresight, double n_asked, double ceiling_s);
void frs_thinned_fini(struct frs_thinned *thinned);

bool frs_thinned_is_known(const struct frs_thinned *thinned);

/* By how much longer a round of the scenario is expected to take than one of `rounds`. */
double frs_thinned_growth(const struct frs_thinned *thinned);

/* Of so many rounds. */
struct frs_outlook frs_thinned_outlook(const struct frs_thinned *thinned, double n_rounds, double stop_s);

#endif
