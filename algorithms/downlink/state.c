#include "algorithms/downlink/state.h"
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
    struct frs_rows rows[FRS_MAX_PARTS], passed[FRS_MAX_PARTS];
    struct frs_message_size size;
    frs_tables_rows(tables, state->shapes, state->n, rows);
    if (!frs_message_pass(&state->codec, rows, state->n, NULL, arena, &size, passed))
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

void frs_state_message_put(
    const struct frs_state_message *state, const struct frs_tables *from, const struct frs_tables *to) {
    for (size_t i = 0; i < state->n; i++)
        memcpy(to->part[i], from->part[i], state->shapes[i].n_rows * state->shapes[i].dim * sizeof(float));
}

struct frs_tables frs_state_message_copy(
    const struct frs_state_message *state, const struct frs_tables *tables) {
    struct frs_tables copy = {{0}};
    for (size_t i = 0; i < state->n; i++) {
        size_t n = state->shapes[i].n_rows * state->shapes[i].dim;
        copy.part[i] = frs_alloc_aligned_lazily(n, sizeof(float));
    }
    frs_state_message_put(state, tables, &copy);
    return copy;
}
