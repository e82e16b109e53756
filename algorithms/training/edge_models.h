/* Edge models: what clients of an edge train on where edges aggregate several times for one aggregation at
 * the server (hierarchical federated averaging; Liu, Zhang, Song and Letaief 2020, algorithm 1).
 *
 * An edge's model is the server's, changed by the weighted mean of each of its edge rounds so far, in single
 * precision. It is a version of the tables that also knows by how much it has moved from the server's, in the
 * shape of an upload; for a method that sends updates, under the seed of the round. */
#ifndef FRS_ALGORITHMS_TRAINING_EDGE_MODELS_H
#define FRS_ALGORITHMS_TRAINING_EDGE_MODELS_H

#include "algorithms/aggregation.h"
#include "algorithms/training/trainer_internal.h"

/* Waits for these uploads of one edge [n], at least one, all trained on one version, and returns the version
 * that their mean leads to, with one user, the caller. */
struct frs_version *frs_edge_model_aggregate(struct frs_trainer *trainer, const size_t *handles, size_t n);

/* The size of the message in which such a model goes to a client, but for what it has to catch up with. */
struct frs_message_size frs_edge_model_size(
    struct frs_trainer *trainer, const struct frs_downlink *downlink, uint32_t client);

#endif
