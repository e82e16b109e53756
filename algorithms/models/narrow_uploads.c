#include "algorithms/models/narrow_uploads.h"

/* Rows whose columns end before `dim`, with zeros behind them; `marks`: 1 for every value that was sent. */
static void widen(struct frs_rows *rows, size_t dim, struct frs_arena *arena, float **marks) {
    float *values = frs_arena_take_zeroed(arena, rows->n * dim + 1, sizeof *values);
    *marks = frs_arena_take_zeroed(arena, rows->n * dim + 1, sizeof **marks);
    for (size_t r = 0; r < rows->n; r++)
        for (size_t k = 0; k < rows->dim; k++) {
            values[r * dim + k] = rows->values[r * rows->dim + k];
            (*marks)[r * dim + k] = 1;
        }
    rows->dim = dim;
    rows->values = values;
}

struct frs_rows frs_mean_of_columns(struct frs_model *model, const struct frs_contribution *contributions,
    size_t n, size_t part, size_t dim, struct frs_arena *arena) {
    enum frs_weighting weighting = frs_model_weighting(model, part);
    struct frs_contribution *wide = frs_arena_take(arena, n, sizeof *wide),
                            *marked = frs_arena_take(arena, n, sizeof *marked);
    for (size_t c = 0; c < n; c++) {
        float *marks;
        wide[c] = contributions[c];
        widen(&wide[c].parts[part], dim, arena, &marks);
        marked[c] = wide[c];
        marked[c].staleness_scale = 0; /* a stale client has sent its columns all the same */
        marked[c].parts[part].values = marks;
    }
    struct frs_rows mean = frs_aggregate_changes(wide, n, part, weighting, model->pool, arena);
    if (weighting != FRS_PER_ITEM)
        return mean;
    struct frs_rows share = frs_aggregate_changes(marked, n, part, weighting, model->pool, arena);
    return frs_rows_divided(&mean, &share, arena);
}
