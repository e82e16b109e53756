#include "algorithms/downlink/state.h"
#include "algorithms/kernels/compare.h"
#include "sim/base/memory.h"

#include <string.h>

void frs_state_message_encode(
    struct frs_state_message *state, const struct frs_tables *tables, struct frs_encoding how) {
    struct frs_rows rows[FRS_MAX_PARTS];
    frs_tables_rows(tables, state->shapes, state->n, rows);
    frs_buffer_reset(&state->encoded);
    state->flop = 0;
    how.flop = &state->flop;
    state->nominal_bytes = frs_message_put_parts(&state->encoded, &state->codec, rows, state->n, NULL, how);
    state->bytes = state->encoded.n;
}

bool frs_state_message_pass(
    struct frs_state_message *state, const struct frs_tables *tables, struct frs_arena *arena) {
    struct frs_rows rows[FRS_MAX_PARTS];
    struct frs_message_size size;
    frs_tables_rows(tables, state->shapes, state->n, rows);
    if (!frs_message_weigh(&state->codec, rows, state->n, arena, &size))
        return false;
    frs_buffer_reset(&state->encoded);
    state->bytes = size.bytes;
    state->nominal_bytes = size.nominal_bytes;
    state->flop = 0;
    return true;
}

bool frs_state_message_decode(const struct frs_state_message *state, struct frs_reader *in,
    const struct frs_tables *tables, struct frs_arena *arena, bool *finite) {
    return frs_message_tables(in, &state->codec, state->shapes, state->n, tables->part, arena, finite);
}

/* Where few rows of a large table have changed, reading both is quicker than writing all. */
static bool put_part(const struct frs_part *shape, const float *from, float *to, struct frs_arena *arena) {
    size_t dim = shape->dim, n_rows = shape->n_rows;
    uint32_t *changed = frs_arena_take(arena, n_rows + 1, sizeof *changed);
    size_t n = frs_rows_changed((const uint8_t *)from, NULL, n_rows, dim, to, changed);
    bool finite = true;
    if (n > n_rows / 4) {
        memcpy(to, from, n_rows * dim * sizeof *to);
        return frs_all_finite(to, n_rows * dim);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(to + changed[i] * dim, from + changed[i] * dim, dim * sizeof *to);
        finite &= frs_all_finite(to + changed[i] * dim, dim);
    }
    return finite;
}

bool frs_state_message_put(const struct frs_state_message *state, const struct frs_tables *from,
    const struct frs_tables *to, struct frs_arena *arena) {
    bool finite = true;
    for (size_t i = 0; i < state->n; i++)
        finite &= put_part(&state->shapes[i], from->part[i], to->part[i], arena);
    return finite;
}

bool frs_state_message_is_finite(const struct frs_state_message *state, const struct frs_tables *tables) {
    bool finite = true;
    for (size_t i = 0; i < state->n; i++)
        finite &= frs_all_finite(tables->part[i], state->shapes[i].n_rows * state->shapes[i].dim);
    return finite;
}

struct frs_tables frs_state_message_copy(
    const struct frs_state_message *state, const struct frs_tables *tables) {
    struct frs_tables copy = {{0}};
    for (size_t i = 0; i < state->n; i++) {
        size_t n = state->shapes[i].n_rows * state->shapes[i].dim;
        copy.part[i] = frs_alloc_aligned_lazily(n, sizeof(float));
        memcpy(copy.part[i], tables->part[i], n * sizeof(float));
    }
    return copy;
}
