/* Partial sums: what edges send in place of the uploads of their clients (docs/topologies.md), where the
 * server only adds.
 *
 * An edge decodes the uploads of its clients, adds their weighted changes in the order of client ids and
 * sends the sum in single precision, with its weight beside it. The server then adds the sums of edges; the
 * result is that of single uploads up to rounding. */
#ifndef FRS_ALGORITHMS_TRAINING_PARTIAL_SUMS_H
#define FRS_ALGORITHMS_TRAINING_PARTIAL_SUMS_H

#include "algorithms/aggregation.h"
#include "algorithms/training/training_setup.h"

/* Beside the sum: the weight, a double. */
#define FRS_PARTIAL_SUM_WEIGHT_BYTES 8u

/* Why the edges of this setup cannot add the uploads of its clients, "…; allowed: …"; NULL: they can. */
const char *frs_partial_sums_why_not(const struct frs_training_setup *setup);

/* How the edges of this setup weight uploads, and the weight of one. */
enum frs_weighting frs_partial_sums_weighting(const struct frs_training_setup *setup);
double frs_partial_sums_weight(
    const struct frs_training_setup *setup, const struct frs_contribution *contribution);

/* The first contribution with a weight of each edge (setup->edge_of_client) then holds the edge's sum of
 * weighted changes, divided by its own weight, and the others hold their weights alone. Contributions are in
 * ascending client id; memory is from the arena. moved[c]: by how much the model that contribution c was
 * trained on had moved from the server's (frs_version.moved), the same for all of an edge; NULL: none had. */
void frs_partial_sums(const struct frs_training_setup *setup, struct frs_contribution *contributions,
    size_t n, double *const *const *moved, struct frs_arena *arena);

#endif
