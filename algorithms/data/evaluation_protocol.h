/* Evaluation protocol: which items are never drawn as negatives in training (evaluation.protocol,
 * enum frs_protocol). */
#ifndef FRS_ALGORITHMS_DATA_EVALUATION_PROTOCOL_H
#define FRS_ALGORITHMS_DATA_EVALUATION_PROTOCOL_H

#include "algorithms/data/data.h"

/* Sets `excluded` of every client after data->protocol; for `lookahead`
 * the negatives must have been drawn. */
void frs_protocol_exclude(struct frs_data *data);
/* How many that are. */
size_t frs_protocol_excluded(const struct frs_data *data, uint32_t client);

#endif
