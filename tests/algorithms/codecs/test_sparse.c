/* The codec for sparse tables: bytes worked out by hand, and tables of every density. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

extern const struct frs_codec frs_codec_sparse, frs_codec_touched_rows;

static size_t encode(
    const struct frs_codec *codec, const struct frs_rows *rows, const float *base, struct frs_buffer *out) {
    struct frs_arena arena = {0};
    struct frs_encoding how = {.base = base, .arena = &arena};
    frs_buffer_reset(out);
    size_t nominal_bytes = codec->encode(NULL, rows, &how, out);
    frs_arena_fini(&arena);
    return nominal_bytes;
}

static bool decode(const struct frs_buffer *message, const struct frs_rows *rows, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    return frs_codec_sparse.decode(NULL, &in, rows->n_rows, rows->dim, base, arena, out) && in.at == in.n;
}

/* 1 = 00 00 80 3f. Of 9 rows of 4 columns, row 0 has become zero, row 2 is as it was, row 5 holds one value,
 * row 8 all of them: 3 ids would be 12 bytes, the map is 2. Four columns: a map of one byte beats a list. */
START_TEST(bytes_by_hand) {
    static const uint32_t ids[] = {0, 2, 5, 8};
    static const float values[] = {0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 1, 0, 1, 1, 1, 1};
    static const uint8_t expected[] = {3, 0, 0, 0, 1, 0x21, 0x01, /* rows 0, 5, 8 */
        1, 0,                                                     /* no columns */
        2, 0x04, 0, 0, 0x80, 0x3f,                                /* column 2 */
        0, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f};
    float base[36];
    struct frs_rows rows = {.n_rows = 9, .dim = 4, .n = 4, .ids = ids, .values = values};
    struct frs_buffer message = {0};
    for (size_t i = 0; i < 36; i++)
        base[i] = 7;
    ck_assert_uint_eq(encode(&frs_codec_sparse, &rows, base, &message), 5 * sizeof(float));
    ck_assert_uint_eq(message.n, sizeof expected);
    ck_assert_mem_eq(message.bytes, expected, sizeof expected);
    frs_buffer_fini(&message);
}
END_TEST

/* Row form, its bytes before the values, for c values that are not zero among dim columns. */
START_TEST(forms_by_hand) {
    static const struct {
        size_t dim, c, form, overhead;
    } cases[] = {
        {1, 1, 0, 0},                                         /* as it is */
        {32, 0, 1, 1}, {32, 3, 1, 4}, {32, 4, 2, 4},          /* count and columns; map of 4 bytes */
        {32, 31, 0, 0}, {32, 30, 2, 4},                       /* a map costs one float */
        {256, 31, 1, 32}, {256, 32, 2, 32}, {256, 248, 0, 0}, /* map of 32 bytes, 8 floats */
        {257, 15, 1, 32}, {257, 16, 2, 33},                   /* columns of two bytes */
        {65537, 2, 1, 12},                                    /* of four */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *row = frs_alloc(cases[i].dim, sizeof *row);
        for (size_t k = 0; k < cases[i].c; k++)
            row[cases[i].dim - 1 - k] = 2;
        struct frs_rows rows = {
            .n_rows = 8, .dim = cases[i].dim, .n = 1, .ids = (const uint32_t[]){3}, .values = row};
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows out;
        float *base = frs_alloc(8 * cases[i].dim, sizeof *base);
        base[3 * cases[i].dim] = 1;
        size_t sent = encode(&frs_codec_sparse, &rows, base, &message) / sizeof(float);
        ck_assert_uint_eq(message.bytes[6], cases[i].form);
        ck_assert_uint_eq(sent, cases[i].form == 0 ? cases[i].dim : cases[i].c);
        ck_assert_uint_eq(message.n, 5 + 1 + 1 + cases[i].overhead + 4 * sent);
        ck_assert(decode(&message, &rows, base, &arena, &out));
        ck_assert_mem_eq(out.values, row, cases[i].dim * sizeof *row);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        free(base);
        free(row);
    }
}
END_TEST

/* Over shapes and densities: the decoded values equal the encoded ones bit for bit, and a message is never
 * longer than touched_rows by more than a byte a row. */
START_TEST(any_density_is_lossless_and_short) {
    struct frs_rng rng = test_rng(300);
    for (int repeat = 0; repeat < 400; repeat++) {
        size_t n_rows = 1 + frs_rng_below(&rng, 60), dim = 1 + frs_rng_below(&rng, repeat % 4 ? 40 : 600);
        uint32_t n = frs_rng_below(&rng, (uint32_t)n_rows + 1), dense = frs_rng_below(&rng, 11);
        uint32_t *ids = random_subset(&rng, (uint32_t)n_rows, n);
        float *values = frs_alloc(n * dim + 1, sizeof *values), *base = frs_alloc(n_rows * dim, sizeof *base);
        for (size_t i = 0; i < n * dim; i++)
            values[i] = frs_rng_below(&rng, 10) < dense ? (float)frs_rng_normal(&rng) : 0;
        frs_rng_fill_normal(&rng, base, n_rows * dim, 1);
        struct frs_rows rows = {.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values}, out;
        struct frs_buffer message = {0}, plain = {0};
        struct frs_arena arena = {0};
        encode(&frs_codec_sparse, &rows, base, &message);
        encode(&frs_codec_touched_rows, &rows, base, &plain);
        ck_assert_uint_le(message.n, plain.n + n);
        ck_assert(decode(&message, &rows, base, &arena, &out));
        ck_assert_uint_eq(out.n, n);
        ck_assert_mem_eq(out.ids, ids, n * sizeof *ids);
        ck_assert_mem_eq(out.values, values, n * dim * sizeof *values);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        frs_buffer_fini(&plain);
        free(ids);
        free(values);
        free(base);
    }
}
END_TEST

/* One row of 11 × 32: row set {1 row, id 3} as a map, then a row that is not what an encoder writes. */
START_TEST(other_forms_are_refused) {
    static const struct {
        uint8_t row[16];
        size_t n;
        bool sound;
    } cases[] = {
        {{1, 1, 5, 0, 0, 0x80, 0x3f}, 7, true}, {{1, 1, 32, 0, 0, 0x80, 0x3f}, 7, false}, /* no such column */
        {{1, 1, 5, 0, 0, 0, 0}, 7, false},                                                /* a zero is sent */
        {{1, 2, 5, 5, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}, 12, false},                    /* twice */
        {{1, 2, 5, 4, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}, 12, false},                    /* descending */
        {{1, 33}, 2, false},                              /* more than columns */
        {{2, 0x20, 0, 0, 0, 0, 0, 0x80, 0x3f}, 9, false}, /* a list is shorter */
        {{3, 0}, 2, false},                               /* unknown */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_rows shape = {.n_rows = 11, .dim = 32}, out;
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        frs_buffer_put(&message, (const uint8_t[]){1, 0, 0, 0, 1, 8, 0}, 7);
        frs_buffer_put(&message, cases[i].row, cases[i].n);
        ck_assert_msg(decode(&message, &shape, NULL, &arena, &out) == cases[i].sound, "case %zu", i);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sparse");
    TCase *tests = tcase_create("sparse");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, bytes_by_hand);
    tcase_add_test(tests, forms_by_hand);
    tcase_add_test(tests, any_density_is_lossless_and_short);
    tcase_add_test(tests, other_forms_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
