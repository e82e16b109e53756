#include "algorithms/data/reading/data_rows.h"
#include "sim/base/memory.h"

#include <stdlib.h>

void frs_rows_reserve(struct frs_rows *rows, size_t n, bool timed) {
    if (n <= rows->capacity)
        return;
    size_t capacities[4] = {rows->capacity, rows->capacity, rows->capacity, rows->capacity};
    rows->users = frs_grow(rows->users, n, &capacities[0], sizeof *rows->users);
    rows->items = frs_grow(rows->items, n, &capacities[1], sizeof *rows->items);
    rows->values = frs_grow(rows->values, n, &capacities[2], sizeof *rows->values);
    if (timed)
        rows->times = frs_grow(rows->times, n, &capacities[3], sizeof *rows->times);
    rows->capacity = capacities[0];
}

void frs_rows_fini(struct frs_rows *rows) {
    free(rows->users);
    free(rows->items);
    free(rows->values);
    free(rows->times);
    free(rows->layout);
    free(rows->notes);
    free(rows->settings);
    free(rows->first_user);
    free(rows->first_item);
    *rows = (struct frs_rows){0};
}
