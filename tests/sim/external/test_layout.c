/* The memory that a program shares: offsets by hand; stored values come back; values that are taken out
 * are checked copies. */
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

/* 21 floats take 128 bytes, 7 ids 64, 32 users of 5 floats 640, 4 floats and 1 id 64 each; then 8 items, 20
 * samples (128), 8 ratings, 8 scores; 32 clients 128, and 33 starts 192. */
START_TEST(places_by_hand) {
    ck_assert_uint_eq(layout.most_clients, 32);
    ck_assert_uint_eq(layout.values[0], 0);
    ck_assert_uint_eq(layout.ids[0], 128);
    ck_assert_uint_eq(layout.values[1], 192);
    ck_assert_uint_eq(layout.values[2], 832);
    ck_assert_uint_eq(layout.ids[2], 896);
    ck_assert_uint_eq(layout.items, 960);
    ck_assert_uint_eq(layout.samples, 1024);
    ck_assert_uint_eq(layout.ratings, 1152);
    ck_assert_uint_eq(layout.scores, 1216);
    ck_assert_uint_eq(layout.clients, 1280);
    ck_assert_uint_eq(layout.starts, 1408);
    ck_assert_uint_eq(layout.bytes, 1600);
    struct frs_layout other;
    ck_assert(frs_layout_init(&other, &tables, 8, 20, 1600));
    ck_assert(!frs_layout_init(&other, &tables, 8, 20, 1599));
}
END_TEST

/* Own tables of 8 MiB: eight of them are the 64 MiB that the copies of a block may take. Of one that is
 * larger than these there is a single copy. */
START_TEST(large_tables_make_small_blocks) {
    struct frs_external_tables large = {
        .n = 1, .table = {{.name = "items", .shared = true, .own = true, .rows = 1 << 17, .dim = 16}}};
    struct frs_layout other;
    ck_assert(frs_layout_init(&other, &large, 8, 20, (size_t)1 << 30));
    ck_assert_uint_eq(other.most_clients, 8);
    ck_assert_uint_eq(other.ids[0], (size_t)64 << 20);
    large.table[0].rows = 1 << 21;
    ck_assert(frs_layout_init(&other, &large, 8, 20, (size_t)1 << 30));
    ck_assert_uint_eq(other.most_clients, 1);
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

static const struct frs_external_tables personal = {.n = 2,
    .table = {{.name = "items", .shared = true, .own = true, .rows = 7, .dim = 3},
        {.name = "notes", .rows = 4, .dim = 2}}};

static const float items[21] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
static const float network[4] = {1, 2, 3, 4}, user[5] = {5, 4, 3, 2, 1};

/* What client c has of its own: c + 1 times what is shared, or the user above. */
static void write(
    const void *context, uint32_t client, size_t i, const struct frs_tables *shared, float *to) {
    const struct frs_external_tables *of = context;
    const struct frs_external_table *table = &of->table[i];
    for (size_t k = 0; k < table->rows * table->dim; k++)
        to[k] = (float)(client + 1) * (table->shared ? shared->part[0][k] : user[k % 5]);
}

static const struct frs_external_copies copies = {&tables, write}, own_copies = {&personal, write};

static void put(void) {
    static const uint32_t ids[3] = {1, 4, 6}, samples[4] = {0, 3, 5, 4};
    struct frs_tables shared = {{(float *)items, (float *)network}};
    struct frs_external_training training = {
        .tables = &shared, .n_rows = 3, .n_samples = 4, .ids = ids, .samples = samples};
    frs_layout_put_training(&layout, memory, &training, &copies);
}

static const struct frs_frame_trained three = {
    .n = {3, 1, 1}, .all = {false, true, true}, .loss = 1, .flop = 1};

START_TEST(what_was_put_comes_back) {
    struct frs_external_trained trained;
    static const uint32_t ids[3] = {1, 4, 6};
    put();
    ck_assert_mem_eq(memory + layout.items, ids, sizeof ids);
    memcpy(memory + layout.ids[0], ids, sizeof ids);
    ck_assert(frs_layout_take_trained(&layout, memory, &three, 0, &arena, &trained, why, sizeof why));
    ck_assert_uint_eq(trained.upload[0].n, 3);
    ck_assert_mem_eq(
        trained.upload[0].values, ((const float[]){3, 4, 5, 12, 13, 14, 18, 19, 20}), 9 * sizeof(float));
    ck_assert_ptr_null(trained.upload[1].ids);
    ck_assert_mem_eq(trained.upload[1].values, network, sizeof network);
    ck_assert_mem_eq(trained.kept[1].values, user, sizeof user);
    /* A copy: what the program writes afterwards changes nothing. */
    memset(memory, 0xff, layout.bytes);
    ck_assert_uint_eq(trained.upload[0].ids[2], 6);
    ck_assert_float_eq(trained.kept[1].values[0], 5);
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
    {{1, 4, 6}, 13,
        "sends a value that is not finite: row 4, column 1 of table items (has training diverged?)"},
};

START_TEST(what_is_wrong_is_refused) {
    struct frs_external_trained trained;
    const float nan = NAN;
    put();
    memcpy(memory + layout.ids[0], wrong[_i].ids, sizeof wrong[_i].ids);
    if (wrong[_i].nan_at < SIZE_MAX)
        memcpy(memory + layout.values[0] + wrong[_i].nan_at * sizeof nan, &nan, sizeof nan);
    ck_assert(!frs_layout_take_trained(&layout, memory, &three, 0, &arena, &trained, why, sizeof why));
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
    ck_assert(frs_layout_take_trained(&layout, memory, &three, 0, &arena, &trained, why, sizeof why));
}
END_TEST

/* Of a table by budget the first columns are sent: the shape of the rows is the budget's. */
START_TEST(a_budget_sends_the_first_columns) {
    static const uint32_t ids[3] = {1, 4, 6};
    struct frs_external_tables narrow = tables;
    struct frs_external_trained trained;
    narrow.table[0].by_budget = true;
    put();
    layout.tables = &narrow;
    memcpy(memory + layout.ids[0], ids, sizeof ids);
    ck_assert(frs_layout_take_trained(&layout, memory, &three, 2, &arena, &trained, why, sizeof why));
    ck_assert_uint_eq(trained.upload[0].dim, 2);
    ck_assert_mem_eq(trained.upload[0].values, ((const float[]){3, 4, 12, 13, 18, 19}), 6 * sizeof(float));
    ck_assert_uint_eq(trained.upload[1].dim, 4);
}
END_TEST

START_TEST(a_block_of_clients) {
    static const uint32_t first[2] = {9, 4}, second[3] = {1, 2, 3};
    float scores[5] = {0}, given[5] = {0.5F, 1, 2, INFINITY, 3};
    const struct frs_scoring block[2] = {{0, first, 2, scores}, {3, second, 3, scores + 2}};
    struct frs_tables shared = {{(float *)items, (float *)network}};
    frs_layout_put_scoring(&layout, memory, &shared, &copies, block, 2);
    ck_assert_mem_eq(memory + layout.items, ((const uint32_t[]){9, 4, 1, 2, 3}), 5 * sizeof(uint32_t));
    ck_assert_mem_eq(memory + layout.clients, ((const uint32_t[]){0, 3}), 2 * sizeof(uint32_t));
    ck_assert_mem_eq(memory + layout.starts, ((const uint32_t[]){0, 2, 5}), 3 * sizeof(uint32_t));
    ck_assert_mem_eq(memory + layout.values[1], ((const float[]){5, 4, 3, 2, 1, 20, 16, 12, 8, 4}), 40);
    ck_assert_mem_eq(memory + layout.values[0], items, sizeof items);
    memcpy(memory + layout.scores, given, sizeof given);
    ck_assert(!frs_layout_take_scores(&layout, memory, block, 2, why, sizeof why));
    ck_assert_str_eq(why, "gives item 2 of client 3 a score that is not finite");
    ck_assert(frs_layout_take_scores(&layout, memory, block, 1, why, sizeof why));
    ck_assert_float_eq(scores[1], 1);
}
END_TEST

/* A client trains on the table that it received, and predicts with its own version. What it keeps of several
 * rows has ids, also where all rows changed. */
START_TEST(personal_tables) {
    static const struct frs_frame_trained frame = {.n = {2, 4}, .all = {false, true}, .loss = 1, .flop = 1};
    static const uint32_t ids[2] = {0, 6}, item = 1;
    struct frs_external_trained trained;
    struct frs_tables shared = {{(float *)items}};
    struct frs_external_training training = {
        .client = 2, .tables = &shared, .n_rows = 1, .n_samples = 1, .ids = &item, .samples = &item};
    float score;
    const struct frs_scoring block = {2, &item, 1, &score};
    ck_assert(frs_layout_init(&layout, &personal, 8, 20, 1 << 20));
    memory = realloc(memory, layout.bytes);
    frs_layout_put_scoring(&layout, memory, &shared, &own_copies, &block, 1);
    ck_assert_float_eq(((float *)(void *)(memory + layout.values[0]))[20], 60);
    frs_layout_put_training(&layout, memory, &training, &own_copies);
    ck_assert_mem_eq(memory + layout.values[0], items, sizeof items);
    memcpy(memory + layout.ids[0], ids, sizeof ids);
    ck_assert(frs_layout_take_trained(&layout, memory, &frame, 0, &arena, &trained, why, sizeof why));
    ck_assert_mem_eq(trained.upload[0].ids, ids, sizeof ids);
    ck_assert_mem_eq(trained.kept[1].ids, ((const uint32_t[]){0, 1, 2, 3}), 4 * sizeof *ids);
    ck_assert_mem_eq(trained.kept[1].values, ((const float[]){15, 12, 9, 6, 3, 15, 12, 9}), 32);
}
END_TEST

START_TEST(first_values) {
    const float given[2] = {0.5F, INFINITY};
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
    tcase_add_test(tests, large_tables_make_small_blocks);
    tcase_add_test(tests, a_budget_sends_the_first_columns);
    tcase_add_test(tests, a_block_of_clients);
    tcase_add_test(tests, personal_tables);
    tcase_add_test(tests, first_values);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
