/* Scaled pilot: how long a round of very many clients takes, from rounds of few.
 *
 * Where not even one round can be played in time, rounds are played in which only one client in k is
 * selected, by a server whose links and processor have the k-th part of their capacity. A client then
 * meets the same contention. But the slowest of many clients is slower than the slowest of few, and rounds
 * that are scaled down once more show by how much. If a round grows by a factor g when 8 times as many
 * clients are selected, it is expected to grow by about g^(ln k / ln 8) from the played size to that of
 * the scenario. A bounded tail does not grow, and that of a log-normal grows ever more slowly, so the
 * forecast assumes somewhat less. */
#ifndef FRS_FORECAST_SCALED_PILOT_H
#define FRS_FORECAST_SCALED_PILOT_H

#include "sim/forecast/extrapolation.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* By how much `thinner` is thinner. */
#define FRS_SCALED_PILOT_STEP 8

/* Both hold the rounds that were played; empty where playing them failed. */
struct frs_scaled_pilot {
    uint32_t k; /* of `rounds` */
    struct frs_pilot rounds, thinner;
};

/* A round of `rounds` selects about n_asked clients. ceiling_s: as for frs_pilot_play. */
struct frs_scaled_pilot frs_scaled_pilot_play(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, double n_asked, double ceiling_s);
void frs_scaled_pilot_fini(struct frs_scaled_pilot *scaled);

bool frs_scaled_pilot_is_known(const struct frs_scaled_pilot *scaled);

/* By how much longer a round of the scenario is expected to take than one of `rounds`. */
double frs_scaled_pilot_growth(const struct frs_scaled_pilot *scaled);

/* The extrapolation to n_rounds. */
struct frs_extrapolation frs_scaled_pilot_outlook(
    const struct frs_scaled_pilot *scaled, double n_rounds, double stop_s);

#endif
