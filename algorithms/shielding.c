#include "algorithms/shielding.h"

#include <string.h>

const float *frs_shielding_base(const struct frs_shielding *shielding, size_t part, size_t i) {
    const struct frs_rows *rows = &shielding->parts[part];
    if (!shielding->base)
        return NULL;
    return shielding->base->part[part] + (rows->ids ? rows->ids[i] : i) * rows->dim;
}

float *frs_shielding_own(const struct frs_shielding *shielding, size_t part) {
    struct frs_rows *rows = &shielding->parts[part];
    float *copy = frs_arena_take(shielding->arena, rows->n * rows->dim, sizeof *copy);
    if (rows->n > 0)
        memcpy(copy, rows->values, rows->n * rows->dim * sizeof *copy);
    rows->values = copy;
    return copy;
}

float *frs_shielding_whole(const struct frs_shielding *shielding, size_t part) {
    struct frs_rows *rows = &shielding->parts[part];
    size_t dim = rows->dim, n = rows->n_rows * dim;
    float *table = frs_arena_take_zeroed(shielding->arena, n, sizeof *table);
    if (shielding->base)
        memcpy(table, shielding->base->part[part], n * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + (rows->ids ? rows->ids[i] : i) * dim, rows->values + i * dim, dim * sizeof *table);
    *rows = (struct frs_rows){.n_rows = rows->n_rows, .dim = dim, .n = rows->n_rows, .values = table};
    return table;
}

void frs_shielding_spent(const struct frs_shielding *shielding, double each) {
    for (size_t part = 0; shielding->flop && part < shielding->n_parts; part++)
        *shielding->flop += each * (double)(shielding->parts[part].n * shielding->parts[part].dim);
}
