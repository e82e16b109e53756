/* Encoded rows from an untrusted sender: every codec refuses them, or returns rows of the table; and what
 * a lossless codec has accepted it encodes and decodes to the same rows again.
 *
 *   codec u8 · n_rows − 1 u8 · (dim − 1) % 16, bit 7: with a base, bit 6: edited u8 · the encoded rows
 *
 * Edited: the target encodes rows itself. In place of them the input has their number u8 and edits of
 * their bytes, each a place u8 and the value u8 that is added to the byte there. */
#include "algorithms/codec.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CODECS = 128 };

static struct frs_codec_choice choices[MOST_CODECS];
static size_t n_choices;

/* Every codec with its defaults, for all inputs. */
static void choose(void) {
    for (; frs_codecs[n_choices]; n_choices++) {
        const struct frs_codec *codec = frs_codecs[n_choices];
        struct frs_values values = frs_values_of(codec->plugin.params, NULL);
        choices[n_choices] = (struct frs_codec_choice){
            .codec = codec, .settings = codec->create ? codec->create(&values) : NULL};
        frs_values_fini(&values);
    }
}

static bool decode(const struct frs_codec_choice *choice, const void *bytes, size_t n,
    const struct frs_part *shape, const float *base, struct frs_arena *arena, struct frs_rows *rows) {
    struct frs_reader in = frs_reader_init(bytes, n);
    *rows = (struct frs_rows){0};
    return choice->codec->decode(choice->settings, &in, shape->n_rows, shape->dim, base, arena, rows) &&
           !in.failed && in.at == in.n;
}

static void check_rows(const struct frs_rows *rows, const struct frs_part *shape) {
    FRS_INVARIANT(rows->n_rows == shape->n_rows && rows->dim == shape->dim && rows->n <= rows->n_rows,
        "%zu rows of %zu × %zu", rows->n, rows->n_rows, rows->dim);
    FRS_INVARIANT(rows->ids || rows->n == rows->n_rows, "%zu of %zu rows without ids", rows->n, rows->n_rows);
    for (size_t i = 0; rows->ids && i < rows->n; i++)
        FRS_INVARIANT(rows->ids[i] < rows->n_rows && (i == 0 || rows->ids[i] > rows->ids[i - 1]), "id %u",
            rows->ids[i]);
}

/* The base with the rows in place of its own. */
static float *applied(
    const struct frs_rows *rows, const struct frs_part *shape, const float *base, struct frs_arena *arena) {
    float *table = frs_arena_take_zeroed(arena, shape->n_rows * shape->dim, sizeof *table);
    if (base)
        memcpy(table, base, shape->n_rows * shape->dim * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + (rows->ids ? rows->ids[i] : i) * shape->dim, rows->values + i * shape->dim,
            shape->dim * sizeof *table);
    return table;
}

/* Encoded and decoded once more, the rows lead to the same table. A sender may send rows that equal the
 * base, which an encoder leaves out. */
static void check_again(const struct frs_codec_choice *choice, const struct frs_rows *rows,
    const struct frs_part *shape, const float *base, struct frs_arena *arena) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    struct frs_buffer out = {0};
    struct frs_rows again;
    void *memory = frs_arena_take_zeroed(arena, choice->codec->memory_bytes + 1, 1);
    struct frs_encoding how = {.base = base, .rng = &rng, .memory = memory, .arena = arena};
    choice->codec->encode(choice->settings, rows, &how, &out);
    FRS_INVARIANT(
        decode(choice, out.bytes, out.n, shape, base, arena, &again), "what was encoded is refused");
    FRS_INVARIANT(
        again.n <= rows->n && memcmp(applied(rows, shape, base, arena), applied(&again, shape, base, arena),
                                  shape->n_rows * shape->dim * sizeof(float)) == 0,
        "%zu rows, and %zu others", rows->n, again.n);
    frs_buffer_fini(&out);
}

/* Some rows of the table, encoded and edited. */
static void encode_edited(const struct frs_codec_choice *choice, const struct frs_part *shape,
    const float *base, const uint8_t *data, size_t size, struct frs_arena *arena, struct frs_buffer *out) {
    struct frs_rng rng = frs_rng_stream(2, 0, 0, 0, FRS_RNG_TEST);
    size_t n = size > 0 ? data[0] % (shape->n_rows + 1) : 0;
    uint32_t *ids = frs_arena_take(arena, n + 1, sizeof *ids);
    float *values = frs_arena_take(arena, n * shape->dim + 1, sizeof *values);
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)(i * shape->n_rows / n);
    frs_rng_fill_normal(&rng, values, n * shape->dim, 1);
    const struct frs_rows rows = {
        .n_rows = shape->n_rows, .dim = shape->dim, .n = n, .ids = ids, .values = values};
    void *memory = frs_arena_take_zeroed(arena, choice->codec->memory_bytes + 1, 1);
    struct frs_encoding how = {.base = base, .rng = &rng, .memory = memory, .arena = arena};
    choice->codec->encode(choice->settings, &rows, &how, out);
    for (size_t i = 1; i + 1 < size && out->n > 0; i += 2)
        out->bytes[data[i] % out->n] += data[i + 1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static float base[256 * 16];
    struct frs_arena arena = {0};
    struct frs_buffer message = {0};
    struct frs_rows rows;
    if (n_choices == 0) {
        choose();
        for (size_t i = 0; i < sizeof base / sizeof *base; i++)
            base[i] = (float)i / 7;
    }
    if (size < 3)
        return 0;
    const struct frs_codec_choice *choice = &choices[data[0] % n_choices];
    const struct frs_part shape = {"items", (size_t)data[1] + 1, (size_t)(data[2] & 63) % 16 + 1};
    const float *of = data[2] & 128 ? base : NULL;
    if (data[2] & 64)
        encode_edited(choice, &shape, of, data + 3, size - 3, &arena, &message);
    else
        frs_buffer_put(&message, data + 3, size - 3);
    /* Of exact size, so that a sanitizer sees every byte behind it. */
    uint8_t *bytes = frs_alloc(message.n + !message.n, 1);
    if (message.n > 0)
        memcpy(bytes, message.bytes, message.n);
    if (decode(choice, bytes, message.n, &shape, of, &arena, &rows)) {
        check_rows(&rows, &shape);
        if (choice->codec->lossless)
            check_again(choice, &rows, &shape, of, &arena);
    }
    free(bytes);
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
    return 0;
}
