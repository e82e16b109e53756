/* Rank one: every changed row has moved by one number times the same vector of signs.
 *
 *   row set · signs of the dim columns, 2 bits each (0: none, 1: plus, 2: minus) · n moves f32
 *
 * The receiver computes row_k = base_k + sign_k · move. Without any move all signs are 0, and the reverse.
 * PFedCLR's upload after its step 1 has this form. With epsilon = relative the message is lossless,
 * because the encoder searches for a move that rounds to the exact values; with epsilon = absolute the
 * error is what Adam's ε contributes. Other methods' updates are reduced to the mean change along the
 * signs. Ten operations for each value: four for the signs, six for the moves. The message shows the
 * server which items a client trained on, and which of them moved the same way: the positives, and the
 * negatives (docs/methods/pfedclr.md). */
#include "algorithms/codec.h"
#include "algorithms/codecs/bits.h"
#include "algorithms/codecs/row_set.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

enum sign { NONE, PLUS, MINUS, N_SIGNS };

static float sign_of(uint32_t sign) {
    return sign == NONE ? 0.0f : sign == PLUS ? 1.0f : -1.0f;
}

/* The row that moved furthest in any entry, the first of such rows. Bits of magnitudes are in their order. */
FRS_CLONES static const float *furthest(const float *changes, size_t n, size_t dim) {
    const float *pivot = changes;
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t size = 0, bits;
        for (size_t k = 0; k < dim; k++) {
            memcpy(&bits, &changes[i * dim + k], sizeof bits);
            bits &= 0x7fffffffu;
            size = bits > size ? bits : size;
        }
        if (size > most) {
            most = size;
            pivot = changes + i * dim;
        }
    }
    return pivot;
}

/* Rows summed, each the way round in which it agrees with the pivot. */
FRS_CLONES static void add_up(const float *changes, size_t n, size_t dim, const float *pivot, double *sums) {
    for (size_t i = 0; i < n; i++) {
        const float *change = changes + i * dim;
        double agreement = 0;
        for (size_t k = 0; k < dim; k++)
            agreement += (double)change[k] * ((pivot[k] > 0) - (pivot[k] < 0));
        double way = agreement > 0 ? 1 : agreement < 0 ? -1 : 0;
        for (size_t k = 0; k < dim; k++)
            sums[k] += way * (double)change[k];
    }
}

/* Finds the signs of the row that moved furthest. Rounding may have hidden a column there, so its sign is
 * taken from the sum over all rows, each of which is first turned so that it agrees with that row. */
static void find_signs(const float *changes, size_t n, size_t dim, struct frs_arena *arena, uint32_t *signs) {
    double *sums = frs_arena_take_zeroed(arena, dim, sizeof *sums);
    add_up(changes, n, dim, furthest(changes, n, dim), sums);
    for (size_t k = 0; k < dim; k++)
        signs[k] = sums[k] > 0 ? PLUS : sums[k] < 0 ? MINUS : NONE;
}

/* The next number above (step 1) or below (−1) a finite one, and an arbitrary result for any other: the
 * bits as integers in the order of their numbers, with negative ones from 0 down. */
FRS_INLINE float beside(float value, int32_t step) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (int32_t)((uint32_t)(bits < 0 ? INT32_MIN - bits : bits) + (uint32_t)step);
    bits = bits < 0 ? INT32_MIN - bits : bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The range of moves from low to high, up to its ends, whose sum with the base rounds to the value of the
 * row in each of its columns. Columns with sign 0 allow any move. */
FRS_INLINE void moves_to(
    const float *row, const float *base, const float *signs, size_t dim, double *low, double *high) {
    for (size_t k = 0; k < dim; k++) {
        double value = (double)row[k], from = base ? (double)base[k] : 0;
        double below = (value + (double)beside(row[k], -1)) / 2 - from;
        double above = (value + (double)beside(row[k], 1)) / 2 - from;
        low[k] = signs[k] > 0 ? below : signs[k] < 0 ? -above : -INFINITY;
        high[k] = signs[k] > 0 ? above : signs[k] < 0 ? -below : INFINITY;
    }
}

FRS_INLINE bool explains(const float *row, const float *base, const float *signs, size_t dim, float move) {
    uint32_t others = 0;
    for (size_t k = 0; k < dim; k++) {
        float value = (base ? base[k] : 0) + signs[k] * move;
        others |= (uint32_t)(signs[k] != 0) & (uint32_t)(value != row[k]);
    }
    return !others;
}

static float mean_move(const float *change, const float *signs, size_t dim) {
    double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < dim; k++) {
        sum += (double)(signs[k] * change[k]);
        n += signs[k] != 0;
    }
    float move = n > 0 ? (float)(sum / (double)n) : 0;
    return isfinite(move) ? move : 0;
}

/* Finds a move that explains every entry, if there is one; otherwise returns the mean. If a float lies
 * between low and high, so does the rounded middle. An end itself may be valid or not, so its neighbours
 * are tried, too. `room`: 2 · dim. */
FRS_CLONES static float find_move(
    const float *row, const float *base, const float *change, const float *signs, size_t dim, double *room) {
    double *lows = room, *highs = room + dim, low = -INFINITY, high = INFINITY;
    moves_to(row, base, signs, dim, lows, highs);
    for (size_t k = 0; k < dim; k++) {
        low = lows[k] > low ? lows[k] : low;
        high = highs[k] < high ? highs[k] : high;
    }
    float middle = (float)((low + high) / 2);
    if (isfinite(middle)) {
        const float candidates[] = {middle, beside(middle, -1), beside(middle, 1)};
        for (size_t i = 0; i < 3; i++)
            if (explains(row, base, signs, dim, candidates[i]))
                return candidates[i];
    }
    return mean_move(change, signs, dim);
}

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    size_t dim = rows->dim;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    const float *changes = frs_touched_changes(rows, &touched, how->base, how->arena);
    uint32_t *signs = frs_arena_take_zeroed(how->arena, dim, sizeof *signs);
    find_signs(changes, touched.n, dim, how->arena, signs);
    frs_encoding_spent(how, 10.0 * (double)(touched.n * dim));
    float *moves = frs_arena_take(how->arena, touched.n, sizeof *moves);
    float *along = frs_arena_take(how->arena, dim, sizeof *along);
    double *room = frs_arena_take(how->arena, 2 * dim, sizeof *room);
    for (size_t k = 0; k < dim; k++)
        along[k] = sign_of(signs[k]);
    bool moved = false;
    for (size_t i = 0; i < touched.n; i++) {
        const float *from = how->base ? how->base + touched.ids[i] * dim : NULL;
        moves[i] = find_move(rows->values + touched.at[i] * dim, from, changes + i * dim, along, dim, room);
        moves[i] = moves[i] != 0 ? moves[i] : 0; /* no −0 */
        moved |= moves[i] != 0;
    }
    if (!moved)
        memset(signs, 0, dim * sizeof *signs);
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    frs_bits_put(out, signs, dim, 2);
    frs_buffer_put_floats(out, moves, touched.n);
    return (2 * dim + 7) / 8 + touched.n * sizeof(float);
}

static bool take_signs(struct frs_reader *in, size_t dim, uint32_t *signs, bool *any) {
    bool ok = frs_bits_take(in, signs, dim, 2);
    *any = false;
    for (size_t k = 0; ok && k < dim; k++) {
        ok = signs[k] < N_SIGNS;
        *any |= signs[k] != NONE;
    }
    return ok;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    const uint32_t *ids;
    size_t n;
    uint32_t *signs = frs_arena_take(arena, dim, sizeof *signs);
    bool any, moved = false;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n) || !take_signs(in, dim, signs, &any))
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values), move;
    for (size_t i = 0; i < n; i++) {
        frs_reader_floats(in, &move, 1);
        if (move == 0 && signbit(move))
            return false;
        moved |= move != 0;
        for (size_t k = 0; k < dim; k++) {
            float from = base ? base[ids[i] * dim + k] : 0;
            values[i * dim + k] = signs[k] == NONE ? from : from + sign_of(signs[k]) * move;
        }
    }
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed && any == moved;
}

const struct frs_codec frs_codec_rank_one = {
    .plugin = {.name = "rank_one",
        .summary = "one number for every row that changed, and one vector of signs",
        .source = "structure of PFedCLR's upload"},
    .reveals_rows = true,
    .changes_only = true,
    .encode = encode,
    .decode = decode,
};
