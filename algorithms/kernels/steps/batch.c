#include "algorithms/kernels/steps/batch.h"
#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/levels.h"

struct frs_batch frs_batch_create(size_t n_rows, size_t size, struct frs_arena *arena) {
    size_t most = frs_lanes_pad(n_rows < size ? n_rows : size);
    return (struct frs_batch){
        .rows = frs_arena_take(arena, most + 1, sizeof(uint32_t)),
        .count = frs_arena_take(arena, most, sizeof(float)),
        .positive = frs_arena_take(arena, most, sizeof(float)),
        .tally = frs_arena_take_zeroed(arena, n_rows, sizeof(uint64_t)),
        .touched = frs_arena_take_zeroed(arena, n_rows, sizeof(bool)),
        .n_rows = n_rows,
    };
}

/* Without branches: whether a row is new cannot be predicted. */
static size_t collect(struct frs_batch *batch, const uint32_t *samples, size_t n) {
    uint64_t *tally = batch->tally;
    uint32_t *rows = batch->rows;
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = samples[i] >> 1;
        uint64_t before = tally[row];
        rows[distinct] = row; /* one place more than rows: what is not new is written over */
        distinct += before == 0;
        tally[row] = before + 1 + ((uint64_t)(samples[i] & 1) << 32);
    }
    return distinct;
}

/* Signed, since that converts faster. */
FRS_CLONES static void read_tally(const uint64_t *restrict tally, const uint32_t *restrict rows, size_t n,
    float *restrict count, float *restrict positive) {
    for (size_t i = 0; i < n; i++) {
        count[i] = (float)(int32_t)tally[rows[i]];
        positive[i] = (float)(int32_t)(tally[rows[i]] >> 32);
    }
}

static size_t count_touched(const struct frs_batch *batch) {
    size_t fresh = 0;
    for (size_t i = 0; i < batch->n; i++) {
        fresh += !batch->touched[batch->rows[i]];
        batch->touched[batch->rows[i]] = true;
    }
    return fresh;
}

void frs_batch_fill(struct frs_batch *batch, const uint32_t *samples, size_t n) {
    size_t distinct = batch->n = collect(batch, samples, n);
    read_tally(batch->tally, batch->rows, distinct, batch->count, batch->positive);
    for (size_t i = 0; i < distinct; i++)
        batch->tally[batch->rows[i]] = 0;
    for (size_t i = distinct; i < frs_lanes_pad(distinct); i++) {
        batch->rows[i] = batch->rows[0];
        batch->count[i] = batch->positive[i] = 0;
    }
    if (batch->seen < batch->n_rows)
        batch->seen += count_touched(batch);
}
