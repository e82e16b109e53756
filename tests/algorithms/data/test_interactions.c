/* Arranging interactions by client, by hand. */
#include "sim/base/memory.h"
#include "algorithms/data/interactions.h"
#include "tests/support.h"

#include <string.h>

/* Users 0 … 3, items 0 … 5; user 1 has item 5 twice, user 2 has one item,
 * user 3 a row that is not positive. */
static uint32_t users[] = {3, 1, 0, 1, 2, 0, 1, 3, 1, 3};
static uint32_t items[] = {4, 5, 2, 0, 3, 1, 5, 0, 2, 5};
static float values[] = {1, 2, 3, 4, 5, 1, 2, 0, 4, 5};
static double times[] = {9, 50, 2, 7, 1, 3, 40, 1, 7, 9};

static void *copy_of(const void *bytes, size_t n) {
    return bytes ? memcpy(frs_alloc(n, 1), bytes, n) : NULL;
}

/* Rows of their own; the function that arranges them takes ownership. */
static struct frs_rows rows_of(
    const uint32_t *their_users, const uint32_t *their_items, const float *ratings, const double *ages) {
    return (struct frs_rows){.n = 10,
        .n_users = 4,
        .n_items = 6,
        .users = copy_of(their_users, sizeof users),
        .items = copy_of(their_items, sizeof items),
        .values = copy_of(ratings, sizeof values),
        .times = copy_of(ages, sizeof times)};
}

static struct frs_rows all_rows(const double *with_times) {
    return rows_of(users, items, values, with_times);
}

START_TEST(arranged_by_hand) {
    struct frs_rows rows = all_rows(NULL);
    struct frs_interactions out;
    frs_interactions_arrange(&rows, true, 2, &out);
    ck_assert_ptr_null(rows.users); /* taken */
    ck_assert_uint_eq(rows.n, 0);
    ck_assert_uint_eq(out.n_users, 3); /* 0, 1, 3 */
    ck_assert_uint_eq(out.n_users_dropped, 1);
    ck_assert_uint_eq(out.n_items, 5); /* item 3 has gone with user 2 */
    ck_assert_uint_eq(out.n_items_dropped, 1);
    ck_assert_uint_eq(out.n_rows, 10);
    ck_assert_uint_eq(out.n_ignored, 1);
    ck_assert_uint_eq(out.n_duplicates, 1);
    static const size_t start[] = {0, 2, 5, 7};
    static const uint32_t expected[] = {1, 2, 0, 2, 4, 3, 4}, row_numbers[] = {5, 2, 3, 8, 6, 0, 9};
    ck_assert_uint_eq(out.n, 7);
    ck_assert_mem_eq(out.start, start, sizeof start);
    ck_assert_mem_eq(out.items, expected, sizeof expected);
    ck_assert_mem_eq(
        out.rows, row_numbers, sizeof row_numbers); /* without time the later row of a pair stays */
    ck_assert_float_eq(out.values[0], 1);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(the_newest_of_a_pair_stays) {
    struct frs_rows rows = all_rows(times);
    struct frs_interactions out;
    frs_interactions_arrange(&rows, true, 2, &out);
    ck_assert_uint_eq(out.rows[4], 1); /* time 50 in row 1 beats 40 in row 6 */
    ck_assert_double_eq(out.times[4], 50);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(explicit_feedback_keeps_low_ratings) {
    struct frs_rows rows = all_rows(times);
    struct frs_interactions out;
    frs_interactions_arrange(&rows, false, 3, &out);
    ck_assert_uint_eq(out.n_users, 2); /* 1 and 3: duplicates do not count towards the minimum */
    ck_assert_uint_eq(out.n, 6);
    ck_assert_uint_eq(out.n_ignored, 0);
    ck_assert_float_eq(out.values[3], 0);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(nothing_is_left_below_the_minimum) {
    struct frs_rows rows = all_rows(times);
    struct frs_interactions out;
    frs_interactions_arrange(&rows, true, 100, &out);
    ck_assert_uint_eq(out.n, 0);
    ck_assert_uint_eq(out.n_users, 0);
    ck_assert_uint_eq(out.n_items, 0);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(age_is_time_then_file_order) {
    struct frs_rows rows = all_rows(times);
    struct frs_interactions out;
    frs_interactions_arrange(&rows, true, 2, &out);
    /* user 1: items 0 (time 7, row 3), 2 (time 7, row 8), 4 (time 50) */
    ck_assert(frs_interactions_older(&out, 2, 3));
    ck_assert(!frs_interactions_older(&out, 3, 2));
    ck_assert(frs_interactions_older(&out, 3, 4));
    frs_interactions_fini(&out);
}
END_TEST

static void hash_of(struct frs_rows rows, char hex[17]) {
    struct frs_interactions out;
    frs_interactions_arrange(&rows, true, 2, &out);
    frs_interactions_hash(&out, hex);
    frs_interactions_fini(&out);
}

START_TEST(hash_sees_content_and_not_file_order) {
    char first[17], second[17];
    hash_of(all_rows(times), first);
    uint32_t swapped_users[10], swapped_items[10];
    float swapped_values[10];
    double swapped_times[10];
    for (int i = 0; i < 10; i++) {
        swapped_users[i] = users[9 - i];
        swapped_items[i] = items[9 - i];
        swapped_values[i] = values[9 - i];
        swapped_times[i] = times[9 - i];
    }
    hash_of(rows_of(swapped_users, swapped_items, swapped_values, swapped_times), second);
    ck_assert_str_eq(first, second);
    swapped_values[0] = 4;
    hash_of(rows_of(swapped_users, swapped_items, swapped_values, swapped_times), second);
    ck_assert_str_ne(first, second);
    ck_assert_uint_eq(strlen(first), 16);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("interactions");
    TCase *tests = tcase_create("interactions");
    tcase_add_test(tests, arranged_by_hand);
    tcase_add_test(tests, the_newest_of_a_pair_stays);
    tcase_add_test(tests, explicit_feedback_keeps_low_ratings);
    tcase_add_test(tests, nothing_is_left_below_the_minimum);
    tcase_add_test(tests, age_is_time_then_file_order);
    tcase_add_test(tests, hash_sees_content_and_not_file_order);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
