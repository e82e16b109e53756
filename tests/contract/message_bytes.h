/* What a message weighs, from docs/messages.md alone: none of the code that encodes is used here. */
#ifndef FRS_TESTS_CONTRACT_MESSAGE_BYTES_H
#define FRS_TESTS_CONTRACT_MESSAGE_BYTES_H

#include "algorithms/codec.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>

enum { MAX_DIM = 1 << 16 };

struct weight {
    size_t bytes, nominal;
};

/* What the formulas speak of. `groups` is G, which the message tells. */
struct weighed {
    const char *codec;
    const struct frs_values *settings; /* of the scenario; NULL: no keys */
    const struct frs_rows *rows;
    const float *base; /* NULL: an update */
    size_t budget;     /* 0: the settings' */
    size_t groups;
    const uint8_t *levels; /* what follows the row set of `rvq`, which tells how many codes a level has */
};

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static inline const float *base_row(const struct weighed *w, size_t i) {
    static const float zeros[MAX_DIM];
    size_t row = w->rows->ids ? w->rows->ids[i] : i;
    return w->base ? w->base + row * w->rows->dim : zeros;
}

static inline bool has_changed(const struct weighed *w, size_t i) {
    return memcmp(w->rows->values + i * w->rows->dim, base_row(w, i), w->rows->dim * sizeof(float)) != 0;
}

/* n of the formulas. */
static inline size_t changed_rows(const struct weighed *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->rows->n; i++)
        n += has_changed(w, i);
    return n;
}

/* Values of row i that differ from the base's. */
static inline size_t changed_values(const struct weighed *w, size_t i) {
    size_t n = 0;
    for (size_t k = 0; k < w->rows->dim; k++)
        n += w->rows->values[i * w->rows->dim + k] != base_row(w, i)[k];
    return n;
}

static inline size_t set_bytes(size_t n, size_t m) {
    return 5 + least(4 * n, (m + 7) / 8);
}

static inline size_t budget_or(const struct weighed *w, const char *key) {
    return w->budget ? w->budget : (size_t)frs_values_int(w->settings, key);
}

static inline struct weight weigh_topk(const struct weighed *w, size_t n) {
    size_t m = w->rows->n_rows, d = w->rows->dim, k = budget_or(w, "k"), entries = 0;
    bool per_row = frs_values_choice(w->settings, "scope") == 0;
    for (size_t i = 0; i < w->rows->n; i++)
        entries += per_row ? least(k, changed_values(w, i)) : changed_values(w, i);
    entries = per_row ? entries : least(entries, k * m);
    size_t nominal = frs_values_choice(w->settings, "nominal") == 0 ? 4 : 8;
    return (struct weight){set_bytes(n, m) + 4 + 8 * entries, nominal * least(k, d) * m};
}

static inline struct weight weigh_sparse(const struct weighed *w, size_t n) {
    size_t d = w->rows->dim, width = d <= 256 ? 1 : d <= 65536 ? 2 : 4;
    struct weight weight = {.bytes = set_bytes(n, w->rows->n_rows)};
    for (size_t i = 0; i < w->rows->n; i++) {
        size_t c = 0;
        if (!has_changed(w, i))
            continue;
        for (size_t k = 0; k < d; k++) {
            float value = w->rows->values[i * d + k];
            c += value != 0 || signbit(value);
        }
        size_t shortest = least(4 * d, least(width * (1 + c), (d + 7) / 8) + 4 * c);
        weight.bytes += 1 + shortest;
        weight.nominal += shortest == 4 * d ? 4 * d : 4 * c;
    }
    return weight;
}

static inline size_t expected_groups(const struct weighed *w) {
    size_t m = w->rows->n_rows, groups = (size_t)frs_values_int(w->settings, "groups");
    if (groups == 0)
        groups = (size_t)lround((double)m * (1 - frs_values_real(w->settings, "compression_rate")));
    return least(m, most(1, groups));
}

static inline struct weight weigh_groups(const struct weighed *w, size_t n) {
    size_t m = w->rows->n_rows, d = w->rows->dim, expected = expected_groups(w), bits = 0;
    bool adapts = strcmp(w->codec, "adaptive_groups") == 0;
    size_t limit = w->budget ? w->budget : expected;
    while ((size_t)1 << bits < limit)
        bits++;
    if ((m * bits + 7) / 8 + 4 * limit * d >= 4 * m * d) /* as many groups of a whole table save nothing */
        limit = m;
    bits = 0;
    if (n <= limit)
        return (struct weight){set_bytes(n, m) + 4 + 4 * n * d, 4 * n * d};
    double alpha = adapts && !w->budget ? frs_values_real(w->settings, "alpha") : 0;
    ck_assert_uint_ge(w->groups, 1);
    ck_assert_uint_le(w->groups, (size_t)((double)limit * (1 + alpha)));
    while ((size_t)1 << bits < w->groups)
        bits++;
    return (struct weight){set_bytes(n, m) + 4 + (n * bits + 7) / 8 + 4 * w->groups * d, 4 * w->groups * d};
}

static inline struct weight weigh_rvq(const struct weighed *w, size_t n) {
    size_t m = w->rows->n_rows, d = w->rows->dim, levels = budget_or(w, "levels");
    size_t most_codes = (size_t)frs_values_int(w->settings, "codes"), at = 1;
    struct weight weight = {set_bytes(n, m) + 1, 0};
    size_t bits_each = 0;
    while ((size_t)1 << bits_each < most_codes)
        bits_each++;
    if (4 * n * d <= levels * (4 + (n * bits_each + 7) / 8 + 4 * most_codes * d))
        return (struct weight){weight.bytes + 4 * n * d, 4 * n * d};
    ck_assert_uint_ge(w->levels[0], 1);
    ck_assert_uint_le(w->levels[0], levels);
    for (size_t level = 0; level < w->levels[0]; level++) {
        uint32_t codes;
        size_t bits = 0;
        memcpy(&codes, w->levels + at, sizeof codes);
        ck_assert_uint_ge(codes, 1);
        ck_assert_uint_le(codes, most_codes);
        while ((size_t)1 << bits < codes)
            bits++;
        size_t payload = (n * bits + 7) / 8 + 4 * codes * d;
        weight.nominal += payload;
        at += 4 + payload;
    }
    weight.bytes += at - 1;
    return weight;
}

/* Rows that are missing are the base's, or zeros. */
static inline struct weight weigh_binary(const struct weighed *w) {
    size_t m = w->rows->n_rows, d = w->rows->dim;
    bool binary = w->base || w->rows->n == m;
    for (size_t i = 0; i < w->rows->n * d; i++)
        binary = binary && fabsf(w->rows->values[i]) == 1;
    for (size_t i = 0; w->base && i < m * d; i++)
        if (fabsf(w->base[i]) != 1) {
            size_t row = 0; /* which may have been replaced */
            while (row < w->rows->n && (w->rows->ids ? w->rows->ids[row] : row) != i / d)
                row++;
            binary = binary && row < w->rows->n;
        }
    return binary ? (struct weight){1 + (m * d + 7) / 8, (m * d + 7) / 8}
                  : (struct weight){1 + 4 * m * d, 4 * m * d};
}

/* A codec without a formula fails the test. */
static inline struct weight weigh(const struct weighed *w) {
    size_t m = w->rows->n_rows, d = w->rows->dim, n = changed_rows(w);
    ck_assert_uint_le(d, MAX_DIM);
    if (strcmp(w->codec, "dense") == 0)
        return (struct weight){4 * m * d, 4 * m * d};
    if (strcmp(w->codec, "touched_rows") == 0)
        return (struct weight){set_bytes(n, m) + 4 * n * d, 4 * n * d};
    if (strcmp(w->codec, "sparse") == 0)
        return weigh_sparse(w, n);
    if (strcmp(w->codec, "topk") == 0)
        return weigh_topk(w, n);
    if (strcmp(w->codec, "groups") == 0 || strcmp(w->codec, "adaptive_groups") == 0)
        return weigh_groups(w, n);
    if (strcmp(w->codec, "rvq") == 0)
        return weigh_rvq(w, n);
    if (strcmp(w->codec, "binary") == 0)
        return weigh_binary(w);
    if (strcmp(w->codec, "rank_one") == 0)
        return (struct weight){set_bytes(n, m) + (2 * d + 7) / 8 + 4 * n, (2 * d + 7) / 8 + 4 * n};
    if (strcmp(w->codec, "svd") == 0) {
        size_t rank = least(budget_or(w, "rank"), d), r = least(rank, n);
        return (struct weight){set_bytes(n, m) + 4 + 4 * r * (n + d), 4 * rank * m};
    }
    if (strcmp(w->codec, "quantise") == 0) {
        size_t bits = frs_values_choice(w->settings, "bits") == 0 ? 8 : 4;
        return (struct weight){set_bytes(n, m) + n * (4 + (d * bits + 7) / 8), m * d * bits / 8};
    }
    if (strcmp(w->codec, "svd_quantised") == 0) {
        size_t bits = frs_values_choice(w->settings, "bits") == 0 ? 8 : 4;
        size_t rank = least(budget_or(w, "rank"), d), r = least(rank, n);
        size_t bytes = set_bytes(n, m) + 4 + r * (8 + (n * bits + 7) / 8 + (d * bits + 7) / 8);
        return (struct weight){bytes, rank * m * bits / 8};
    }
    ck_abort_msg("docs/messages.md has no formula for codec \"%s\"", w->codec);
    return (struct weight){0};
}

#endif
