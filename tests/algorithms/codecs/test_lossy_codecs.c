/* Codecs that leave something out: messages and operations worked out by hand. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/codecs/codec_fixture.h"

#include <math.h>

/* Rows 1, 4 and 9 of a 40 × 2 table; row 4 has not changed. */
static const uint32_t ids[] = {1, 4, 9};
static const float values[] = {1, -3, 0, 0, 0.5f, 2};
static const struct frs_rows small = {.n_rows = 40, .dim = 2, .n = 3, .ids = ids, .values = values};

/* 8 bytes of ids are longer than 5 of a map: bits 1 and 9. */
#define SET_OF_TWO 2, 0, 0, 0, 1, 2, 2, 0, 0, 0

static const struct {
    const char *codec, *settings[7];
    size_t nominal_bytes, n;
    uint8_t bytes[32];
    float decoded[4]; /* rows 1 and 9 */
} messages[] = {
    /* −3 at place 1, 2 at place 3; 0xc0400000 and 0x40000000. Nominal: 40 rows · 1 entry · 4 bytes. */
    {"topk", {"k", "1"}, 160, 30,
        {SET_OF_TWO, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x40, 0xc0, 3, 0, 0, 0, 0, 0, 0, 0x40}, {0, -3, 0, 2}},
    /* As CoLR counts, a place for each of the 40 entries as well; the message is the same. */
    {"topk", {"k", "1", "nominal", "colr"}, 320, 30,
        {SET_OF_TWO, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x40, 0xc0, 3, 0, 0, 0, 0, 0, 0, 0x40}, {0, -3, 0, 2}},
    /* 8 bits: scale 3 (0x40400000), 1/3 · 127 = 42.33 → 42 + 127 = 169, −127 + 127 = 0; scale 2, 31.75 → 159,
     * 254. Nominal: a byte for each of 80 values. */
    {"quantise", {"rounding", "nearest"}, 80, 22,
        {SET_OF_TWO, 0, 0, 0x40, 0x40, 169, 0, 0, 0, 0, 0x40, 159, 254},
        {42 * 3.0f / 127, -3, 32 * 2.0f / 127, 2}},
    /* 4 bits: 1/3 · 7 = 2.33 → 2 + 7 = 9, 0; 0.25 · 7 = 1.75 → 9, 14 = 0xe. */
    {"quantise", {"rounding", "nearest", "bits", "4"}, 40, 20,
        {SET_OF_TWO, 0, 0, 0x40, 0x40, 0x09, 0, 0, 0, 0x40, 0xe9}, {2 * 3.0f / 7, -3, 2 * 2.0f / 7, 2}},
    /* Two rows, two groups: as they are. */
    {"groups", {"groups", "2"}, 16, 30,
        {SET_OF_TWO, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0x40, 0xc0, 0, 0, 0, 0x3f, 0, 0, 0, 0x40},
        {1, -3, 0.5f, 2}},
    /* One group needs no index: the mean (0.75, −0.5). */
    {"groups", {"groups", "1"}, 8, 22, {SET_OF_TWO, 1, 0, 0, 0, 0, 0, 0x40, 0x3f, 0, 0, 0, 0xbf},
        {0.75f, -0.5f, 0.75f, -0.5f}},
    {"adaptive_groups", {"groups", "1"}, 8, 22, {SET_OF_TWO, 1, 0, 0, 0, 0, 0, 0x40, 0x3f, 0, 0, 0, 0xbf},
        {0.75f, -0.5f, 0.75f, -0.5f}},
};

START_TEST(lossy_messages_by_hand) {
    struct frs_codec_choice codec = choose_codec(messages[_i].codec, messages[_i].settings);
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows;
    ck_assert_uint_eq(encode_rows(codec, &small, NULL, &message), messages[_i].nominal_bytes);
    ck_assert_uint_eq(message.n, messages[_i].n);
    for (size_t i = 0; i < message.n; i++)
        ck_assert_msg(message.bytes[i] == messages[_i].bytes[i], "byte %zu is %u instead of %u", i,
            message.bytes[i], messages[_i].bytes[i]);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(codec.codec->decode(codec.settings, &in, 40, 2, NULL, &arena, &rows));
    ck_assert_uint_eq(in.at, message.n);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert(rows.ids[0] == 1 && rows.ids[1] == 9);
    for (size_t i = 0; i < 4; i++)
        ck_assert_float_eq_tol(rows.values[i], messages[_i].decoded[i], 1e-6f);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    free(codec.settings);
}
END_TEST

/* Operations of encoding the two rows of two values above. TopK: 4 for each value, one for each comparison
 * with the list of one, and both values of a row enter it: 2 · (8 + 2 + 2). Quantised to nearest: 5 each,
 * at random 7. One group on a line: 12 · 4 for the direction, 2 · log2 2 for sorting, 6 · 2 + (2 + 4) for
 * sums and cuts, (2 + 1) · 2 for the mean. SVD of rank 1: 2 · 3 · 2 for the products, 4/3 · 8 + 2 · 4 for
 * the eigenvector, and 2 · 4 for U. */
static const struct {
    const char *codec, *settings[5];
    double flop;
} operations[] = {
    {"topk", {"k", "1"}, 24},
    {"quantise", {"rounding", "nearest"}, 20},
    {"quantise", {NULL}, 28},
    {"rank_one", {NULL}, 40},
    {"groups", {"groups", "1"}, 48 + 2 + 18 + 6},
    {"groups", {"groups", "2"}, 0},
    {"svd", {"rank", "1"}, 12 + 32.0 / 3 + 8 + 8},
    {"svd_quantised", {"rank", "1", "rounding", "nearest"}, 12 + 32.0 / 3 + 8 + 8 + 5 * 4},
    {"touched_rows", {NULL}, 0},
};

START_TEST(operations_by_hand) {
    struct frs_codec_choice codec = choose_codec(operations[_i].codec, operations[_i].settings);
    struct frs_arena arena = {0};
    struct frs_buffer message = {0};
    struct frs_rng rng = test_rng(406);
    double flop = 100; /* added to */
    struct frs_encoding how = {.rng = &rng, .arena = &arena, .flop = &flop};
    codec.codec->encode(codec.settings, &small, &how, &message);
    ck_assert_double_eq_tol(flop, 100 + operations[_i].flop, 1e-9);
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
    free(codec.settings);
}
END_TEST

/* (1, −3), (0.5, 2): AᵀA = [1.25 −2; −2 13], larger eigenvalue 7.125 + √(5.875² + 4) = 13.3311, vector
 * (−2, 12.0811)/12.2455 = (−.16333, .98657) up to sign: scores −3.12305 and 1.89148. */
START_TEST(svd_by_hand) {
    struct frs_codec_choice codec = choose_codec("svd", SETTINGS("rank", "1"));
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows;
    ck_assert_uint_eq(encode_rows(codec, &small, NULL, &message), 4 * 1 * 40);
    ck_assert_uint_eq(message.n, 10 + 4 + 4 * 1 * (2 + 2));
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(codec.codec->decode(codec.settings, &in, 40, 2, NULL, &arena, &rows));
    static const float hand[] = {0.51009f, -3.08111f, -0.30894f, 1.86608f};
    for (size_t i = 0; i < 4; i++)
        ck_assert_float_eq_tol(rows.values[i], hand[i], 1e-4f);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    free(codec.settings);
}
END_TEST

/* (3, 4) and its negative: U = ±(5, −5), V = ±(.6, .8). 8 bits: ±127 for both of U; .6 is .75 of the scale,
 * .75 · 127 = 95.25 → 95, so that 3 becomes 4 · 95/127. Of 4 bits .75 · 7 = 5.25 → 5. */
START_TEST(quantised_svd_by_hand) {
    static const float opposite[] = {3, 4, 0, 0, -3, -4};
    struct frs_rows sent = small;
    sent.values = opposite;
    for (int bits = 8; bits >= 4; bits -= 4) {
        struct frs_codec_choice codec = choose_codec(
            "svd_quantised", SETTINGS("rank", "1", "rounding", "nearest", "bits", bits == 8 ? "8" : "4"));
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        ck_assert_uint_eq(encode_rows(codec, &sent, NULL, &message), 40 * (size_t)bits / 8);
        ck_assert_uint_eq(message.n, 10 + 4 + 2 * (4 + 2 * (size_t)bits / 8));
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        ck_assert(codec.codec->decode(codec.settings, &in, 40, 2, NULL, &arena, &rows));
        float three = bits == 8 ? 4 * 95.0f / 127 : 4 * 5.0f / 7, hand[] = {three, 4, -three, -4};
        for (size_t i = 0; i < 4; i++)
            ck_assert_float_eq_tol(rows.values[i], hand[i], 1e-5f);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        free(codec.settings);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lossy codecs by hand");
    TCase *tests = tcase_create("lossy codecs by hand");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, lossy_messages_by_hand, 0, sizeof messages / sizeof *messages);
    tcase_add_loop_test(tests, operations_by_hand, 0, sizeof operations / sizeof *operations);
    tcase_add_test(tests, svd_by_hand);
    tcase_add_test(tests, quantised_svd_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
