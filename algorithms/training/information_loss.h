/* Information loss: what lossy codecs leave out, as FedRAS measures it (Lu et al. 2025, section 5.3), round
 * by round.
 *
 *   client: mean squared error between the aggregate of what the server decoded and that of what the clients
 *           meant to send
 *   server: mean squared error between what the server meant to send (its table, or its update) and what its
 *           clients decoded
 *
 * Means over all values of the item table, or of the update of it. */
#ifndef FRS_ALGORITHMS_TRAINING_INFORMATION_LOSS_H
#define FRS_ALGORITHMS_TRAINING_INFORMATION_LOSS_H

#include "sim/base/files/archive.h"
#include "algorithms/training/training_setup.h"

struct frs_information_loss {
    double client, server; /* sums over rounds */
    uint64_t n_client, n_server;
};

/* `decoded` and `exact` are the same n contributions; the model is left as it was. */
void frs_information_loss_client(struct frs_information_loss *loss, const struct frs_training_setup *setup,
    const struct frs_contribution *decoded, const struct frs_contribution *exact, size_t n);

/* Rows of the first part, as meant and as decoded. */
void frs_information_loss_server(
    struct frs_information_loss *loss, const struct frs_rows *meant, const struct frs_rows *decoded);

/* Means over the rounds so far; NaN before the first. */
double frs_information_loss_mean(double sum, uint64_t n);

void frs_information_loss_archive(struct frs_information_loss *loss, struct frs_archive *archive);

#endif
