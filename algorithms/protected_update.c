#include "algorithms/protected_update.h"

#include <string.h>

const float *frs_protected_update_base(const struct frs_protected_update *protected, size_t part, size_t i) {
    const struct frs_rows *rows = &protected->parts[part];
    if (!protected->base)
        return NULL;
    return protected->base->part[part] + (rows->ids ? rows->ids[i] : i) * rows->dim;
}

float *frs_protected_update_own(const struct frs_protected_update *protected, size_t part) {
    struct frs_rows *rows = &protected->parts[part];
    float *copy = frs_arena_take(protected->arena, rows->n * rows->dim, sizeof *copy);
    if (rows->n > 0)
        memcpy(copy, rows->values, rows->n * rows->dim * sizeof *copy);
    rows->values = copy;
    return copy;
}

float *frs_protected_update_whole(const struct frs_protected_update *protected, size_t part) {
    struct frs_rows *rows = &protected->parts[part];
    size_t dim = rows->dim, n = rows->n_rows * dim;
    float *table = frs_arena_take_zeroed(protected->arena, n, sizeof *table);
    if (protected->base)
        memcpy(table, protected->base->part[part], n * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + (rows->ids ? rows->ids[i] : i) * dim, rows->values + i * dim, dim * sizeof *table);
    *rows = (struct frs_rows){.n_rows = rows->n_rows, .dim = dim, .n = rows->n_rows, .values = table};
    return table;
}

void frs_protected_update_spent(const struct frs_protected_update *protected, double each) {
    for (size_t part = 0; protected->flop && part < protected->n_parts; part++)
        *protected->flop += each * (double)(protected->parts[part].n * protected->parts[part].dim);
}
