/* Foresight: what the training of every client will come to, from a few that are really trained.
 *
 * Clients at even places of the order by data size are trained once, and whoever lies between two of them is
 * taken to lie between what they came to. With it a simulation can be played without training
 * (struct frs_training_setup, `foresight`). */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINING_ESTIMATE_H
#define FRS_ALGORITHMS_TRAINING_TRAINING_ESTIMATE_H

#include "sim/base/usage.h"
#include "algorithms/training/training_setup.h"

#define FRS_MAX_PROBES 17u

struct frs_foresight;

/* Trains clients until that has taken so much effort (effort.h), at least one; the model stays as it is. */
struct frs_foresight *frs_foresight_create(const struct frs_training_setup *setup, double effort_s);
void frs_foresight_destroy(struct frs_foresight *foresight);

/* What a participation comes to under the largest budget, after so many epochs (0: all); the sizes of its
 * download are left alone. */
void frs_foresight_tell(
    const struct frs_foresight *foresight, uint32_t client, uint32_t epochs_limit, struct frs_charge *charge);

/* Bytes that are kept of a client's training until its round is closed, and the time it took here. */
double frs_foresight_kept_bytes(const struct frs_foresight *foresight);
double frs_foresight_wall_s(const struct frs_foresight *foresight);

/* The effort that training a client takes, and the values of its upload; means over all clients. */
double frs_foresight_effort_s(const struct frs_foresight *foresight);
double frs_foresight_up_values(const struct frs_foresight *foresight);

/* The clients that were trained, in ascending data size, and the share of all clients that each stands for; at most
 * FRS_MAX_PROBES. */
uint32_t frs_foresight_clients(
    const struct frs_foresight *foresight, const uint32_t **clients, const double **weights);

#endif
