#include "sim/selftest/draws.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_rng frs_check_rng(uint32_t stream) {
    return frs_rng_stream(20, stream, 0, 0, FRS_RNG_TEST);
}

uint32_t *frs_random_subset(struct frs_rng *rng, uint32_t n, uint32_t k) {
    uint32_t *values = frs_alloc(k + 1, sizeof *values);
    frs_rng_sample(rng, n, k, values);
    qsort(values, k, sizeof *values, frs_compare_uint32s);
    return values;
}

static void fill_values(struct frs_rng *rng, struct frs_random_rows *random, bool is_special) {
    static const float special[] = {0, -0.0f, NAN, -INFINITY, 1e-42f, 1};
    struct frs_rows *rows = &random->rows;
    frs_rng_fill_normal(rng, random->values, rows->n * rows->dim, 1);
    for (size_t i = 0; is_special && i < rows->n * rows->dim; i++)
        if (frs_rng_below(rng, 8) == 0)
            random->values[i] = special[frs_rng_below(rng, 6)];
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        if (frs_rng_below(rng, 4) > 0)
            continue;
        if (random->base)
            memcpy(random->values + i * rows->dim, random->base + row * rows->dim, rows->dim * sizeof(float));
        else
            memset(random->values + i * rows->dim, 0, rows->dim * sizeof(float));
    }
}

struct frs_random_rows frs_random_rows(
    struct frs_rng *rng, size_t n_rows, size_t dim, size_t n, bool has_base, bool special) {
    struct frs_random_rows random = {0};
    if (n != SIZE_MAX)
        random.ids = frs_random_subset(rng, (uint32_t)n_rows, (uint32_t)n);
    else
        n = n_rows;
    random.values = frs_alloc(n * dim + !n, sizeof(float));
    random.rows =
        (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = random.ids, .values = random.values};
    if (has_base) {
        random.base = frs_alloc(n_rows * dim, sizeof(float));
        frs_rng_fill_normal(rng, random.base, n_rows * dim, 1);
    }
    fill_values(rng, &random, special);
    return random;
}

struct frs_random_rows frs_random_rows_of_any_shape(struct frs_rng *rng, bool special) {
    size_t n_rows = 1 + frs_rng_below(rng, 200), dim = 1 + frs_rng_below(rng, 70);
    size_t n = frs_rng_below(rng, (uint32_t)n_rows + 1);
    switch (frs_rng_below(rng, 6)) {
    case 0:
        n = 0;
        break;
    case 1:
        n = n_rows;
        break;
    case 2:
        n = SIZE_MAX;
        break;
    }
    return frs_random_rows(rng, n_rows, dim, n, frs_rng_below(rng, 2), special);
}

void frs_random_rows_fini(struct frs_random_rows *random) {
    free(random->ids);
    free(random->values);
    free(random->base);
}

float *frs_rows_applied(const struct frs_rows *rows, const float *base) {
    float *table = frs_alloc(rows->n_rows * rows->dim, sizeof *table);
    if (base)
        memcpy(table, base, rows->n_rows * rows->dim * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + (rows->ids ? rows->ids[i] : i) * rows->dim, rows->values + i * rows->dim,
            rows->dim * sizeof *table);
    return table;
}

size_t frs_encode_rows(struct frs_codec_choice codec, const struct frs_rows *rows, const float *base,
    double *flop, size_t *values, struct frs_buffer *out) {
    struct frs_arena arena = {0};
    struct frs_rng rng = frs_check_rng(1);
    void *memory = frs_alloc(codec.codec->memory_bytes + 1, 1);
    struct frs_encoding how = {
        .base = base, .rng = &rng, .memory = memory, .arena = &arena, .flop = flop, .values = values};
    size_t nominal_bytes = codec.codec->encode(codec.settings, rows, &how, out);
    frs_arena_fini(&arena);
    free(memory);
    return nominal_bytes;
}
