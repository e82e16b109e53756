#include "algorithms/kernels/batch.h"
#include "algorithms/kernels/columns.h"

#include <stdbool.h>

struct frs_batch frs_batch_create(size_t n_rows, size_t size, struct frs_arena *arena) {
    size_t most = frs_lanes_pad(n_rows < size ? n_rows : size);
    return (struct frs_batch){
        .rows = frs_arena_take(arena, most, sizeof(uint32_t)),
        .count = frs_arena_take(arena, most, sizeof(float)),
        .positive = frs_arena_take(arena, most, sizeof(float)),
        .place = frs_arena_take_zeroed(arena, n_rows, sizeof(uint32_t)),
        .next_base = 1,
    };
}

void frs_batch_fill(struct frs_batch *batch, const uint32_t *samples, size_t n) {
    size_t distinct = 0, seen = batch->seen;
    uint32_t base = batch->next_base;
    for (size_t i = 0; i < n; i++) { /* without branches: whether a row is new cannot be foreseen */
        uint32_t row = samples[i] >> 1, place = batch->place[row];
        bool fresh = place < base;
        size_t at = fresh ? distinct : place - base;
        seen += place == 0;
        batch->place[row] = base + (uint32_t)at;
        batch->rows[at] = row;
        batch->count[at] = (fresh ? 0 : batch->count[at]) + 1;
        batch->positive[at] = (fresh ? 0 : batch->positive[at]) + (float)(samples[i] & 1);
        distinct += fresh;
    }
    for (size_t i = distinct; i < frs_lanes_pad(distinct); i++) {
        batch->rows[i] = batch->rows[0];
        batch->count[i] = batch->positive[i] = 0;
    }
    batch->n = distinct;
    batch->seen = seen;
    batch->base = base;
    batch->next_base = base + (uint32_t)distinct;
}
