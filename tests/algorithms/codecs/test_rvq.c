/* Codec rvq: a message by hand, and messages beside an independent reader (tests/oracle/rvq.py), which finds
 * each code to be the mean of what earlier levels left of its rows. What every codec has to keep to is in
 * tests/contract. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/codecs/codec_fixture.h"
#include "tests/folder.h"

#include <math.h>
#include <stdio.h>

/* Rows 0, 1, 3 of 4 × 3 with two levels of one code: the mean of 1, 2, 6 in the first column is 3, and what
 * is left, −2, −1, 3, has the mean 0. As they are they would take 3 · 3 · 4 bytes, coded they take 2 · (4 + 3
 * · 4). */
START_TEST(message_by_hand) {
    static const float values[] = {1, 0, 0, 2, 0, 0, 6, 0, 0};
    static const uint32_t ids[] = {0, 1, 3};
    static const uint8_t expected[] = {3, 0, 0, 0, 1, 0x0b, 2, 1, 0, 0, 0, 0, 0, 0x40, 0x40, 0, 0, 0, 0, 0, 0,
        0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct frs_rows rows = {.n_rows = 4, .dim = 3, .n = 3, .ids = ids, .values = values}, received;
    struct frs_codec_choice codec = choose_codec("rvq", SETTINGS("levels", "2", "codes", "1"));
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    ck_assert_uint_eq(encode_rows(codec, &rows, NULL, &message), 24);
    ck_assert_uint_eq(message.n, sizeof expected);
    ck_assert_mem_eq(message.bytes, expected, sizeof expected);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(codec.codec->decode(codec.settings, &in, 4, 3, NULL, &arena, &received));
    ck_assert_uint_eq(received.n, 3);
    for (size_t i = 0; i < 9; i++)
        ck_assert_float_eq(received.values[i], i % 3 == 0 ? 3 : 0);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    free(codec.settings);
}
END_TEST

/* 66 rows of 16 with 4 levels of 16 codes: 4 · 66 · 16 = 4,224 bytes as they are, 4 · (4 + 33 + 1,024) =
 * 4,244 coded. 11 levels of 8 codes for 100 rows of 8: 3,200 beside 11 · (4 + 38 + 256) = 3,278, under 10
 * levels 2,980. */
START_TEST(rows_go_as_they_are_where_codes_are_longer) {
    struct frs_codec_choice codec = choose_codec("rvq", SETTINGS("levels", "4", "codes", "16"));
    size_t head = 5 + 9 + 1;
    ck_assert_uint_eq(
        codec.codec->predicted_bytes(codec.settings, &(struct frs_part){"items", 66, 16}, 4), head + 4224);
    float values[66 * 16];
    struct frs_rng rng = test_rng(433);
    frs_rng_fill_normal(&rng, values, 66 * 16, 1);
    struct frs_rows rows = {.n_rows = 66, .dim = 16, .n = 66, .values = values};
    struct frs_buffer message = {0};
    ck_assert_uint_eq(encode_rows(codec, &rows, NULL, &message), 4224);
    ck_assert_uint_eq(message.n, head + 4224);
    frs_buffer_fini(&message);
    free(codec.settings);
    codec = choose_codec("rvq", SETTINGS("levels", "16", "codes", "8"));
    struct frs_part shape = {"items", 100, 8};
    head = 5 + 13 + 1;
    ck_assert_uint_eq(codec.codec->predicted_bytes(codec.settings, &shape, 10), head + 2980);
    ck_assert_uint_eq(codec.codec->predicted_bytes(codec.settings, &shape, 11), head + 3200);
    ck_assert_uint_eq(codec.codec->predicted_bytes(codec.settings, &shape, 16), head + 3200);
    free(codec.settings);
}
END_TEST

/* What adaptations search by: predictions of any shape that grow with the levels. */
START_TEST(predictions_grow_with_the_budget) {
    struct frs_rng rng = test_rng(434);
    for (int repeat = 0; repeat < 500; repeat++) {
        char codes[16];
        snprintf(codes, sizeof codes, "%u", 1 + frs_rng_below(&rng, 300));
        struct frs_codec_choice codec = choose_codec("rvq", SETTINGS("levels", "16", "codes", codes));
        struct frs_part shape = {"items", 1 + frs_rng_below(&rng, 3000), 1 + frs_rng_below(&rng, 70)};
        size_t before = 0;
        for (uint32_t level = 1; level <= 16; level++) {
            size_t bytes = codec.codec->predicted_bytes(codec.settings, &shape, level);
            ck_assert_uint_ge(bytes, before);
            before = bytes;
        }
        free(codec.settings);
    }
}
END_TEST

static double error_of(const struct frs_rows *sent, const struct frs_rows *received) {
    double sum = 0;
    for (size_t i = 0; i < sent->n * sent->dim; i++)
        sum += pow((double)(sent->values[i] - received->values[i]), 2);
    return sum;
}

/* The larger the budget, the longer the message and the smaller the error; and both ends of docs/messages.md
 * agree with the program beside. */
START_TEST(levels_beside_an_independent_reader) {
    enum { N = 60, DIM = 3, LEVELS = 4 };
    float values[N * DIM];
    struct frs_rng rng = test_rng(431);
    for (size_t i = 0; i < N * DIM; i++)
        values[i] = (float)frs_rng_unit(&rng) - .5F;
    struct frs_rows rows = {.n_rows = N, .dim = DIM, .n = N, .values = values}, received;
    struct frs_codec_choice codec = choose_codec("rvq", SETTINGS("levels", "4", "codes", "5"));
    struct frs_part shape = {"items", N, DIM};
    struct frs_arena arena = {0};
    double before = INFINITY;
    FILE *in = fopen("in.txt", "w"), *ours = fopen("ours.txt", "w");
    for (uint32_t level = 1; level <= LEVELS; level++) {
        struct frs_buffer message = {0};
        struct frs_encoding how = {.budget = level, .rng = &rng, .arena = &arena};
        codec.codec->encode(codec.settings, &rows, &how, &message);
        ck_assert_uint_eq(message.n, codec.codec->predicted_bytes(codec.settings, &shape, level));
        struct frs_reader reader = frs_reader_init(message.bytes, message.n);
        ck_assert(codec.codec->decode(codec.settings, &reader, N, DIM, NULL, &arena, &received));
        double error = error_of(&rows, &received);
        ck_assert_double_lt(error, before);
        before = error;
        fprintf(in, "%d %d ", N, DIM);
        for (size_t i = 0; i < message.n; i++)
            fprintf(in, "%02x", message.bytes[i]);
        for (size_t i = 0; i < N * DIM; i++) {
            fprintf(in, " %.9g", (double)values[i]);
            fprintf(ours, "%.4f%c", (double)received.values[i], i + 1 < N * DIM ? ' ' : '\n');
        }
        fputc('\n', in);
        frs_buffer_fini(&message);
    }
    ck_assert_int_eq(fclose(in) + fclose(ours), 0);
    char *command = frs_format("cd '%s' && python3 '%s/tests/oracle/rvq.py' <'%s/in.txt' >'%s/theirs.txt' && "
                               "cmp '%s/ours.txt' '%s/theirs.txt'",
        frs_before, frs_test_source_dir(), frs_folder, frs_folder, frs_folder, frs_folder);
    if (system("command -v python3 >/dev/null") == 0)
        ck_assert_int_eq(system(command), 0);
    free(command);
    frs_arena_fini(&arena);
    free(codec.settings);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rvq");
    TCase *tests = tcase_create("rvq");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, message_by_hand);
    tcase_add_test(tests, rows_go_as_they_are_where_codes_are_longer);
    tcase_add_test(tests, predictions_grow_with_the_budget);
    tcase_add_test(tests, levels_beside_an_independent_reader);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
