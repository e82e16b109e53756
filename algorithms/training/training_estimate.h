/* Training estimate: the usage of every client's training, from a few that are really trained.
 *
 * Clients at evenly spaced places of the order by data size are trained once, and the usage of the others
 * is interpolated between them. With it a simulation runs without training (struct frs_training_setup,
 * `estimate`). */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINING_ESTIMATE_H
#define FRS_ALGORITHMS_TRAINING_TRAINING_ESTIMATE_H

#include "sim/base/usage.h"
#include "algorithms/training/training_setup.h"

#define FRS_MAX_PROBES 17u

struct frs_training_estimate;

/* Trains clients until that has taken so much effort (effort.h), at least one; the model stays as it is. */
struct frs_training_estimate *frs_training_estimate_create(
    const struct frs_training_setup *setup, double effort_s);
void frs_training_estimate_destroy(struct frs_training_estimate *estimate);

/* Fills in the usage of a participation under the largest budget, after this many epochs (0: all); leaves
 * the sizes of its download alone. */
void frs_training_estimate_tell(const struct frs_training_estimate *estimate, uint32_t client,
    uint32_t epochs_limit, struct frs_usage *usage);

/* Bytes that are kept of a client's training until its round is closed, and the time it took here. */
double frs_training_estimate_kept_bytes(const struct frs_training_estimate *estimate);
double frs_training_estimate_wall_s(const struct frs_training_estimate *estimate);

/* The effort that training a client takes, and the values of its upload; means over all clients. */
double frs_training_estimate_effort_s(const struct frs_training_estimate *estimate);
double frs_training_estimate_up_values(const struct frs_training_estimate *estimate);

/* The clients that were trained, in ascending data size, and the share of all clients that each stands for;
 * at most FRS_MAX_PROBES. */
uint32_t frs_training_estimate_clients(
    const struct frs_training_estimate *estimate, const uint32_t **clients, const double **weights);

#endif
