/* Lossy codecs at their limits: budgets that lose nothing, roundings, assigned budgets, and what papers
 * count.
 */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/codecs/codec_fixture.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *name, *settings[5];
    double tolerance; /* of the largest value of a row */
} generous[] = {{"topk", {"k", "40"}, 0}, {"topk", {"k", "40", "scope", "table"}, 0},
    {"svd", {"rank", "40"}, 2e-6}, {"groups", {"groups", "150"}, 0},
    {"groups", {"groups", "150", "of", "values"}, 0}, {"adaptive_groups", {"groups", "150"}, 0},
    {"quantise", {"rounding", "nearest"}, 0.5 / 127},
    {"quantise", {"bits", "4", "rounding", "nearest"}, 0.5 / 7}, {"quantise", {NULL}, 1.0 / 127},
    {"quantise", {"bits", "4"}, 1.0 / 7}};

/* Where the budget suffices nothing is lost but roundings. */
START_TEST(generous_budgets_lose_nothing) {
    struct frs_codec_choice codec = choose_codec(generous[_i].name, generous[_i].settings);
    struct frs_rng rng = test_rng(403);
    for (int repeat = 0; repeat < 100; repeat++) {
        struct codec_table t = codec_random_table(&rng, repeat % 2);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        encode_rows(codec, &t.rows, t.base, &message);
        ck_assert(codec_decode(codec, message.bytes, message.n, &t, &arena, &rows));
        for (size_t i = 0; i < rows.n; i++) {
            float largest = 0, rounding = t.base ? 4e-7f : 0;
            for (size_t k = 0; k < rows.dim; k++)
                largest = fmaxf(largest, fabsf(t.values[i * rows.dim + k]) +
                                             (t.base ? fabsf(t.base[rows.ids[i] * rows.dim + k]) : 0));
            for (size_t k = 0; k < rows.dim; k++)
                ck_assert_double_le(
                    fabs((double)rows.values[i * rows.dim + k] - (double)t.values[i * rows.dim + k]),
                    (generous[_i].tolerance * 1.000001 + (double)rounding) * (double)largest *
                        (_i == 2 ? 20 : 1));
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        codec_free_table(&t);
    }
    free(codec.settings);
}
END_TEST

/* Right on average: 4 bits, 0.3 of the scale is between 2/7 and 3/7. */
START_TEST(stochastic_rounding_is_unbiased) {
    struct frs_codec_choice codec = choose_codec("quantise", SETTINGS("bits", "4"));
    float row[1001] = {1};
    double sum = 0;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows = {.n_rows = 1, .dim = 1001, .n = 1, .values = row}, decoded;
    for (size_t i = 1; i <= 1000; i++)
        row[i] = 0.3f;
    encode_rows(codec, &rows, NULL, &message);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(codec.codec->decode(codec.settings, &in, 1, 1001, NULL, &arena, &decoded));
    for (size_t i = 1; i <= 1000; i++)
        sum += decoded.values[i];
    ck_assert_double_eq_tol(sum / 1000, 0.3, 4 * 0.0433 / sqrt(1000)); /* sd of a draw: √(.1 · .9)/7 */
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    free(codec.settings);
}
END_TEST

/* An assigned budget takes the place of the setting, and is predicted to weigh what a whole table then does.
 */
START_TEST(budgets_are_kept) {
    static const struct {
        const char *name, *settings[3];
        uint32_t most;
    } kinds[] = {{"topk", {"k", "9"}, 9}, {"topk", {"k", "40"}, 12}, {"svd", {"rank", "9"}, 9},
        {"svd_quantised", {"rank", "9"}, 9}, {"groups", {"groups", "50"}, 50},
        {"adaptive_groups", {"groups", "50"}, 50}};
    struct frs_codec_choice codec = choose_codec(kinds[_i].name, kinds[_i].settings);
    struct frs_part shape = {.name = "items", .n_rows = 80, .dim = 12};
    struct frs_budgets range = codec.codec->budgets(codec.settings, &shape);
    float table[80 * 12];
    struct frs_rng rng = test_rng(404);
    frs_rng_fill_normal(&rng, table, 80 * 12, 1);
    struct frs_rows rows = {.n_rows = 80, .dim = 12, .n = 80, .values = table};
    size_t before = 0;
    ck_assert_uint_eq(range.min, 1);
    ck_assert_uint_eq(range.max, kinds[_i].most);
    for (uint32_t budget = 1; budget <= range.max; budget++) {
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_encoding how = {.budget = budget, .rng = &rng, .arena = &arena};
        codec.codec->encode(codec.settings, &rows, &how, &message);
        size_t predicted = codec.codec->predicted_bytes(codec.settings, &shape, budget);
        ck_assert_uint_le(message.n, predicted); /* groups on a line may run empty */
        ck_assert_uint_ge(message.n, predicted - predicted / 4);
        ck_assert_uint_gt(predicted, before);
        before = predicted;
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
    }
    free(codec.settings);
}
END_TEST

/* Of 80 rows of 12 values no more than these are counted, be k 40. A message that has an entry twice, or not
 * in the order of places, is none. */
START_TEST(entries_are_counted_and_taken_once) {
    struct frs_codec_choice codec = choose_codec("topk", SETTINGS("k", "40"));
    float values[80 * 12], *two = values;
    struct frs_rng rng = test_rng(407);
    frs_rng_fill_normal(&rng, values, 80 * 12, 1);
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows decoded, rows = {.n_rows = 80, .dim = 12, .n = 80, .values = values};
    ck_assert_uint_eq(encode_rows(codec, &rows, NULL, &message), 4 * 80 * 12);
    message.n = 0;
    struct codec_table t = {.rows = {.n_rows = 1, .dim = 2, .n = 1, .values = two}};
    encode_rows(codec, &t.rows, NULL, &message);
    uint8_t *second = message.bytes + message.n - 8; /* the last entry: its place, and its value */
    ck_assert(codec_decode(codec, message.bytes, message.n, &t, &arena, &decoded));
    second[0] = 0;
    ck_assert(!codec_decode(codec, message.bytes, message.n, &t, &arena, &decoded));
    second[-8] = 1;
    ck_assert(!codec_decode(codec, message.bytes, message.n, &t, &arena, &decoded));
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    free(codec.settings);
}
END_TEST

/* CoLR, table 2: the minutes of 1000 rounds that SVD and TopK take at about the same rate; and FedRAS,
 * table 6: seconds of one download of 12454 × 64 at CR 93.75 %. Both count MiB, and values only. */
START_TEST(bytes_are_those_published) {
    static const struct {
        const char *name, *settings[5];
        size_t n_rows;
        double published, real; /* with ids, places, factors */
    } rows[] = {{"svd", {"rank", "4"}, 3706, 5.03, 5.15}, {"svd", {"rank", "1"}, 3706, 1.26, 1.32},
        {"svd", {"rank", "32"}, 3706, 40.21, 40.95}, {"topk", {"k", "4"}, 3706, 5.03, 10.09},
        {"svd", {"rank", "4"}, 12454, 0.25, 0.26}, {"topk", {"k", "4"}, 12454, 0.25, 0.51},
        {"groups", {"compression_rate", "0.9375", "kmeans", "lloyd"}, 12454, 0.25, 0.28}};
    struct frs_codec_choice codec = choose_codec(rows[_i].name, rows[_i].settings);
    size_t n_rows = rows[_i].n_rows;
    float *table = frs_alloc(n_rows * 64, sizeof *table);
    struct frs_rng rng = test_rng(405);
    struct frs_buffer message = {0};
    frs_rng_fill_normal(&rng, table, n_rows * 64, 1);
    struct frs_rows whole = {.n_rows = n_rows, .dim = 64, .n = n_rows, .values = table};
    double nominal = (double)encode_rows(codec, &whole, NULL, &message) / 1048576;
    double real = (double)message.n / 1048576;
    /* Down at 0.75 MiB/s and up at 0.25, 1000 times, in minutes; or down once. */
    double factor = n_rows == 3706 ? (1 / 0.75 + 1 / 0.25) * 1000 / 60 : 1 / 0.75;
    printf("%s on %zu rows: nominal %.2f (published %.2f), real %.2f\n", rows[_i].name, n_rows,
        nominal * factor, rows[_i].published, real * factor);
    ck_assert_double_eq_tol(nominal * factor, rows[_i].published, 0.0051);
    ck_assert_double_eq_tol(real * factor, rows[_i].real, 0.0051);
    frs_buffer_fini(&message);
    free(table);
    free(codec.settings);
}
END_TEST

/* 20 rows of 2 values: 160 bytes as they are. 18 groups take ⌈20 · 5/8⌉ = 13 bytes of indices and 144 of
 * centres, 3 less; 19 take 165, and so do not pay: the rows go as they are, as under 20. In front of them are
 * 5 + 3 bytes of a bit map and 4 of the number of groups. A larger budget is never predicted to take fewer
 * bytes. */
START_TEST(groups_that_save_nothing_are_rows) {
    static const char *const names[] = {"groups", "adaptive_groups"};
    static const struct {
        uint32_t budget;
        size_t bytes;
    } cases[] = {{18, 12 + 157}, {19, 12 + 160}, {20, 12 + 160}};
    struct frs_codec_choice codec = choose_codec(names[_i], SETTINGS("compression_rate", "0"));
    const struct frs_part shape = {"items", 20, 2};
    float values[40];
    struct frs_rng rng = test_rng(406);
    frs_rng_fill_normal(&rng, values, 40, 1);
    struct frs_rows rows = {.n_rows = 20, .dim = 2, .n = 20, .values = values},
                    decoded = {.n_rows = 20, .dim = 2};
    ck_assert_uint_eq(codec.codec->budgets(codec.settings, &shape).max, 20);
    for (size_t i = 0; i < 3; i++) {
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rng draws = test_rng(1);
        struct frs_encoding how = {.budget = cases[i].budget, .rng = &draws, .arena = &arena};
        ck_assert_uint_eq(
            codec.codec->predicted_bytes(codec.settings, &shape, cases[i].budget), cases[i].bytes);
        codec.codec->encode(codec.settings, &rows, &how, &message);
        ck_assert_uint_le(message.n, cases[i].bytes);
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        ck_assert(codec.codec->decode(codec.settings, &in, 20, 2, NULL, &arena, &decoded));
        ck_assert(cases[i].budget < 19 ||
                  (message.n == cases[i].bytes && memcmp(decoded.values, values, sizeof values) == 0));
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
    }
    for (uint32_t budget = 2; budget <= 20; budget++)
        ck_assert_uint_ge(codec.codec->predicted_bytes(codec.settings, &shape, budget),
            codec.codec->predicted_bytes(codec.settings, &shape, budget - 1));
    free(codec.settings);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("limits of lossy codecs");
    TCase *tests = tcase_create("limits of lossy codecs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, generous_budgets_lose_nothing, 0, sizeof generous / sizeof *generous);
    tcase_add_test(tests, stochastic_rounding_is_unbiased);
    tcase_add_loop_test(tests, budgets_are_kept, 0, 6);
    tcase_add_test(tests, entries_are_counted_and_taken_once);
    tcase_add_loop_test(tests, groups_that_save_nothing_are_rows, 0, 2);
    tcase_add_loop_test(tests, bytes_are_those_published, 0, 7);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
