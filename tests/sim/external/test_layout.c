/* The memory that a program shares: where things lie by hand, that what was put comes back, that what is
 * taken is a checked copy. */
#include "sim/external/layout.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct frs_external_tables tables = {.n = 3,
    .table = {{.name = "items", .shared = true, .rows = 7, .dim = 3}, {.name = "users", .rows = 1, .dim = 5},
        {.name = "network", .shared = true, .rows = 1, .dim = 4}}};

static struct frs_layout layout;
static uint8_t *memory;
static struct frs_arena arena;
static char why[512];

static void setup(void) {
    ck_assert(frs_layout_init(&layout, &tables, 8, 20, 1 << 20));
    memory = aligned_alloc(64, layout.bytes);
    memset(memory, 0, layout.bytes);
}

static void teardown(void) {
    free(memory);
    frs_arena_fini(&arena);
}

/* 21 floats take 128 bytes, 7 ids 64, 5 and 4 floats and 1 id 64 each; then 8 items, 20 samples (128), 8
 * ratings, 8 scores. */
START_TEST(places_by_hand) {
    ck_assert_uint_eq(layout.values[0], 0);
    ck_assert_uint_eq(layout.ids[0], 128);
    ck_assert_uint_eq(layout.values[1], 192);
    ck_assert_uint_eq(layout.values[2], 256);
    ck_assert_uint_eq(layout.ids[2], 320);
    ck_assert_uint_eq(layout.items, 384);
    ck_assert_uint_eq(layout.samples, 448);
    ck_assert_uint_eq(layout.ratings, 576);
    ck_assert_uint_eq(layout.scores, 640);
    ck_assert_uint_eq(layout.bytes, 704);
    struct frs_layout other;
    ck_assert(frs_layout_init(&other, &tables, 8, 20, 704));
    ck_assert(!frs_layout_init(&other, &tables, 8, 20, 703));
}
END_TEST

START_TEST(sizes_that_overflow_do_not_fit) {
    struct frs_external_tables large = {.n = 1,
        .table = {
            {.name = "items", .shared = true, .rows = FRS_EXTERNAL_MOST_ROWS, .dim = FRS_EXTERNAL_MOST_DIM}}};
    struct frs_layout other;
    ck_assert(!frs_layout_init(&other, &large, 8, 20, (size_t)1 << 40));
    large.table[0].rows = SIZE_MAX / 2;
    large.table[0].dim = 8;
    ck_assert(!frs_layout_init(&other, &large, 8, 20, SIZE_MAX));
    ck_assert(!frs_layout_init(&other, &tables, SIZE_MAX / 2, 20, SIZE_MAX));
}
END_TEST

static const float items[21] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
static const float network[4] = {1, 2, 3, 4}, user[5] = {5, 4, 3, 2, 1};

static void put(void) {
    static const uint32_t ids[3] = {1, 4, 6}, samples[4] = {0, 3, 5, 4};
    struct frs_tables shared = {{(float *)items, (float *)network}};
    struct frs_external_training training = {
        .tables = &shared, .rows = {user}, .n_rows = 3, .n_samples = 4, .ids = ids, .samples = samples};
    frs_layout_put_training(&layout, memory, &training);
}

static const struct frs_frame_trained three = {.n = {3, 1}, .all = {false, true}, .loss = 1, .flop = 1};

START_TEST(what_was_put_comes_back) {
    struct frs_external_trained trained;
    static const uint32_t ids[3] = {1, 4, 6};
    put();
    ck_assert_mem_eq(memory + layout.items, ids, sizeof ids);
    memcpy(memory + layout.ids[0], ids, sizeof ids);
    ck_assert(frs_layout_take_trained(&layout, memory, &three, &arena, &trained, why, sizeof why));
    ck_assert_uint_eq(trained.upload[0].n, 3);
    ck_assert_mem_eq(
        trained.upload[0].values, ((const float[]){3, 4, 5, 12, 13, 14, 18, 19, 20}), 9 * sizeof(float));
    ck_assert_ptr_null(trained.upload[1].ids);
    ck_assert_mem_eq(trained.upload[1].values, network, sizeof network);
    ck_assert_mem_eq(trained.kept[0], user, sizeof user);
    /* A copy: what the program writes afterwards changes nothing. */
    memset(memory, 0xff, layout.bytes);
    ck_assert_uint_eq(trained.upload[0].ids[2], 6);
    ck_assert_float_eq(trained.kept[0][0], 5);
}
END_TEST

static const struct {
    uint32_t ids[3];
    size_t nan_at; /* a value of items; SIZE_MAX: none */
    const char *reason;
} wrong[] = {
    {{1, 4, 7}, SIZE_MAX, "sends row 7 of table items, which has 7 rows"},
    {{1, 4, UINT32_MAX}, SIZE_MAX, "sends row 4294967295 of table items"},
    {{1, 1, 2}, SIZE_MAX, "sends rows of table items that do not ascend: 1 behind 1"},
    {{4, 1, 2}, SIZE_MAX, "sends rows of table items that do not ascend: 1 behind 4"},
    {{1, 4, 6}, 13, "sends a value that is not finite: row 4, column 1 of table items"},
};

START_TEST(what_is_wrong_is_refused) {
    struct frs_external_trained trained;
    const float nan = NAN;
    put();
    memcpy(memory + layout.ids[0], wrong[_i].ids, sizeof wrong[_i].ids);
    if (wrong[_i].nan_at < SIZE_MAX)
        memcpy(memory + layout.values[0] + wrong[_i].nan_at * sizeof nan, &nan, sizeof nan);
    ck_assert(!frs_layout_take_trained(&layout, memory, &three, &arena, &trained, why, sizeof why));
    ck_assert_msg(strstr(why, wrong[_i].reason), "%s", why);
}
END_TEST

/* A row that is not sent may hold anything. */
START_TEST(what_is_not_sent_is_not_looked_at) {
    static const uint32_t ids[3] = {1, 4, 6};
    struct frs_external_trained trained;
    const float nan = NAN;
    put();
    memcpy(memory + layout.ids[0], ids, sizeof ids);
    memcpy(memory + layout.values[0], &nan, sizeof nan);
    ck_assert(frs_layout_take_trained(&layout, memory, &three, &arena, &trained, why, sizeof why));
}
END_TEST

START_TEST(scores_and_first_values) {
    static const uint32_t asked[2] = {9, 4};
    float scores[2] = {0}, given[2] = {0.5F, INFINITY};
    memcpy(memory + layout.scores, given, sizeof given);
    ck_assert(!frs_layout_take_scores(&layout, memory, asked, 2, scores, why, sizeof why));
    ck_assert_str_eq(why, "gives item 4 a score that is not finite");
    ck_assert(frs_layout_take_scores(&layout, memory, asked, 1, scores, why, sizeof why));
    ck_assert_float_eq(scores[0], 0.5F);
    put();
    float *values = frs_layout_take_given(&layout, memory, 2, why, sizeof why);
    ck_assert_mem_eq(values, network, sizeof network);
    free(values);
    memcpy(memory + layout.values[2], given, sizeof given);
    ck_assert_ptr_null(frs_layout_take_given(&layout, memory, 2, why, sizeof why));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("layout");
    TCase *tests = tcase_create("layout");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, places_by_hand);
    tcase_add_test(tests, sizes_that_overflow_do_not_fit);
    tcase_add_test(tests, what_was_put_comes_back);
    tcase_add_loop_test(tests, what_is_wrong_is_refused, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tests, what_is_not_sent_is_not_looked_at);
    tcase_add_test(tests, scores_and_first_values);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
