/* Narrow uploads: of each row a client sends the first columns, as many as the server has assigned it. */
#ifndef FRS_ALGORITHMS_MODELS_NARROW_UPLOADS_H
#define FRS_ALGORITHMS_MODELS_NARROW_UPLOADS_H

#include "algorithms/model.h"

/* The weighted mean of updates of a part, `dim` columns wide. A column that a client does not send counts as
 * no change; under FRS_PER_ITEM each column of a row is divided by the clients that sent it. */
struct frs_rows frs_mean_of_columns(struct frs_model *model, const struct frs_contribution *contributions,
    size_t n, size_t part, size_t dim, struct frs_arena *arena);

#endif
