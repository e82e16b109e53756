/* What becomes of rows before they are split, each step by hand, and their order. */
#include "algorithms/data/interactions.h"
#include "algorithms/data/scale.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint32_t user, item;
    float value;
    double time;
};

static struct frs_interactions prepared(
    const struct row *list, size_t n, struct frs_preparation preparation) {
    struct frs_rows rows = {0};
    struct frs_interactions out;
    frs_rows_reserve(&rows, n, true);
    rows.n = n;
    for (size_t i = 0; i < n; i++) {
        rows.users[i] = list[i].user;
        rows.items[i] = list[i].item;
        rows.values[i] = list[i].value;
        rows.times[i] = list[i].time;
        rows.n_users = list[i].user >= rows.n_users ? list[i].user + 1 : rows.n_users;
        rows.n_items = list[i].item >= rows.n_items ? list[i].item + 1 : rows.n_items;
    }
    frs_interactions_prepare(&rows, &preparation, &out);
    return out;
}

/* Leaves all rows; what is tested is set in a copy. */
static const struct frs_preparation all = {
    .unrated = NAN, .positive_from = NAN, .min_interactions = 1, .min_users_per_item = 1};

#define N(list) (sizeof(list) / sizeof *(list))

static const struct row rated[] = {{0, 0, -1, 1}, {0, 1, 3, 2}, {0, 2, 4, 3}, {1, 0, 5, 4}, {1, 1, 3.5f, 5}};

START_TEST(values_that_mean_no_rating) {
    struct frs_preparation without = all;
    without.unrated = -1;
    struct frs_interactions out = prepared(rated, N(rated), without);
    ck_assert_uint_eq(out.n, 4);
    ck_assert_uint_eq(out.n_unrated, 1);
    ck_assert_float_eq(out.values[0], 3);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(a_positive_begins_at_the_threshold) {
    struct frs_preparation above = all;
    above.implicit = true;
    above.positive_from = 3.5;
    struct frs_interactions out = prepared(rated, N(rated), above);
    static const float values[] = {4, 5, 3.5f};
    ck_assert_uint_eq(out.n, 3);
    ck_assert_mem_eq(out.values, values, sizeof values);
    ck_assert_uint_eq(out.n_ignored, 2);
    ck_assert_uint_eq(out.n_items_dropped, 0);
    frs_interactions_fini(&out);
    struct frs_preparation from_below = all;
    from_below.implicit = true;
    from_below.positive_from = -1;
    /* A negative threshold takes what plain implicit data leave out; of ratings it is not read. */
    out = prepared(rated, N(rated), from_below);
    ck_assert_uint_eq(out.n, 5);
    frs_interactions_fini(&out);
}
END_TEST

/* Users 0 to 3, items 0 to 3. Item 3 has one user; without it user 3 has one item; without user 3 item 2 has
 * one user; without that user 2 has one item; what is left are users 0 and 1 with items 0 and 1. */
static const struct row chain[] = {{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 1}, {2, 1, 1, 1},
    {2, 2, 1, 1}, {3, 2, 1, 1}, {3, 3, 1, 1}};

START_TEST(a_core_is_found_in_turns) {
    struct frs_preparation two = all;
    two.min_interactions = two.min_users_per_item = 2;
    struct frs_interactions out = prepared(chain, N(chain), two);
    ck_assert_uint_eq(out.n_users, 2);
    ck_assert_uint_eq(out.n_items, 2);
    ck_assert_uint_eq(out.n, 4);
    ck_assert_uint_eq(out.n_users_dropped, 2);
    ck_assert_uint_eq(out.n_items_dropped, 2);
    frs_interactions_fini(&out);
    two.min_users_per_item = 1; /* users alone */
    out = prepared(chain, N(chain), two);
    ck_assert_uint_eq(out.n_users, 4);
    frs_interactions_fini(&out);
    struct frs_preparation three = all;
    three.min_users_per_item = 3;
    out = prepared(chain, N(chain), three); /* item 1 alone */
    ck_assert_uint_eq(out.n_items, 1);
    ck_assert_uint_eq(out.n, 3);
    frs_interactions_fini(&out);
}
END_TEST

/* The pair (0, 0) three times, the middle row the newest. */
static const struct row again[] = {{0, 0, 4, 2}, {0, 0, 2, 9}, {0, 0, 3, 5}, {0, 1, 5, 1}, {0, 1, 1, 1}};

START_TEST(one_row_of_a_pair_stays) {
    static const struct {
        enum frs_repeated repeated;
        float first, second;
        uint32_t first_row, second_row;
    } hand[] = {{FRS_REPEATED_NEWEST, 2, 1, 1, 4}, {FRS_REPEATED_OLDEST, 4, 5, 0, 3},
        {FRS_REPEATED_MEAN, 3, 3, 1, 4}};
    for (size_t i = 0; i < N(hand); i++) {
        struct frs_preparation kept = all;
        kept.repeated = hand[i].repeated;
        struct frs_interactions out = prepared(again, N(again), kept);
        ck_assert_uint_eq(out.n, 2);
        ck_assert_uint_eq(out.n_duplicates, 3);
        ck_assert_float_eq(out.values[0], hand[i].first);
        ck_assert_float_eq(out.values[1], hand[i].second);
        ck_assert_uint_eq(out.rows[0], hand[i].first_row);
        ck_assert_uint_eq(out.rows[1], hand[i].second_row);
        frs_interactions_fini(&out);
    }
}
END_TEST

/* User 0: item 0 rated 5 and later 99 (no rating); item 1 rated 4 and later 2; item 2 rated 5 twice. User 1:
 * items 0 and 2 rated 5, item 1 rated 1. No rating goes first, then what is below 4, so that the older 5 and
 * 4 stay; a core of two counts pairs, so that item 1, which one user likes, goes though it has three rows,
 * and item 2 with two users stays. */
static const struct row steps[] = {{0, 0, 5, 1}, {0, 0, 99, 2}, {0, 1, 4, 1}, {0, 1, 2, 2}, {0, 2, 5, 1},
    {0, 2, 5, 3}, {1, 0, 5, 1}, {1, 2, 5, 1}, {1, 1, 1, 1}};

START_TEST(the_order_of_the_steps) {
    struct frs_interactions out = prepared(steps, N(steps),
        (struct frs_preparation){.unrated = 99,
            .implicit = true,
            .positive_from = 4,
            .min_interactions = 2,
            .min_users_per_item = 2});
    static const uint32_t items[] = {0, 1, 0, 1}, rows[] = {0, 5, 6, 7};
    ck_assert_uint_eq(out.n_unrated, 1);
    ck_assert_uint_eq(out.n_ignored, 2);
    ck_assert_uint_eq(out.n_duplicates, 1);
    ck_assert_uint_eq(out.n_items_dropped, 1);
    ck_assert_uint_eq(out.n, 4);
    ck_assert_mem_eq(out.items, items, sizeof items);
    ck_assert_mem_eq(out.rows, rows, sizeof rows);
    /* Behind each step: rows, users, items. User 1 keeps items 0 and 2 without the value 1. */
    static const struct frs_left left[FRS_PREPARED_STEPS] = {
        {9, 2, 3}, {8, 2, 3}, {6, 2, 3}, {5, 2, 3}, {5, 2, 3}, {4, 2, 2}};
    for (size_t i = 0; i < FRS_PREPARED_STEPS; i++) {
        ck_assert_uint_eq(out.left[i].rows, left[i].rows);
        ck_assert_uint_eq(out.left[i].users, left[i].users);
        ck_assert_uint_eq(out.left[i].items, left[i].items);
    }
    frs_interactions_fini(&out);
}
END_TEST

/* Two rows of pair (0, 0) are for training, the second of them the newest of all, and one is for the test.
 * Whatever rule there is for repeated rows, the pair is a test interaction. User 1 has no training. */
START_TEST(a_pair_of_two_files_is_in_the_last) {
    for (enum frs_repeated repeated = FRS_REPEATED_NEWEST; repeated <= FRS_REPEATED_MEAN; repeated++) {
        struct frs_rows rows = {0};
        struct frs_interactions out;
        static const uint32_t users[] = {0, 0, 0, 0, 1}, items[] = {0, 0, 1, 0, 1};
        static const float values[] = {1, 2, 3, 4, 5};
        static const double times[] = {1, 9, 1, 5, 1};
        struct frs_preparation kept = all;
        kept.repeated = repeated;
        frs_rows_reserve(&rows, 5, true);
        rows.n = 5;
        rows.n_users = rows.n_items = 2;
        memcpy(rows.users, users, sizeof users);
        memcpy(rows.items, items, sizeof items);
        memcpy(rows.values, values, sizeof values);
        memcpy(rows.times, times, sizeof times);
        rows.given_starts[1] = 3;
        frs_interactions_prepare(&rows, &kept, &out);
        ck_assert_uint_eq(out.n, 2);
        ck_assert_uint_eq(out.n_given_twice, 1);
        ck_assert_uint_eq(out.rows[0], 3);
        ck_assert_float_eq(out.values[0], 4);
        ck_assert_uint_eq(frs_interactions_given_part(&out, 0), 2);
        ck_assert_uint_eq(out.left[FRS_PREPARED_REPEATED].users, 2);
        ck_assert_uint_eq(out.left[FRS_PREPARED_TRAINED].users, 1);
        frs_interactions_fini(&out);
    }
}
END_TEST

/* Before 5: user 0 has one of two, user 1 none, user 2 both. */
static const struct row timed[] = {
    {0, 0, 1, 4}, {0, 1, 2, 5}, {1, 0, 3, 5}, {1, 1, 4, 6}, {2, 0, 5, 1}, {2, 1, 6, 2}};

START_TEST(users_with_nothing_older_go) {
    struct frs_interactions out = prepared(timed, N(timed), all);
    frs_interactions_keep_before(&out, 5);
    static const size_t start[] = {0, 2, 4};
    static const float values[] = {1, 2, 5, 6};
    ck_assert_uint_eq(out.n_users, 2);
    ck_assert_uint_eq(out.n_users_late, 1);
    ck_assert_uint_eq(out.user_numbers[0], 0);
    ck_assert_uint_eq(out.user_numbers[1], UINT32_MAX);
    ck_assert_uint_eq(out.user_numbers[2], 1);
    ck_assert_mem_eq(out.start, start, sizeof start);
    ck_assert_mem_eq(out.values, values, sizeof values);
    frs_interactions_keep_before(&out, 1);
    ck_assert_uint_eq(out.n, 0);
    frs_interactions_fini(&out);
}
END_TEST

START_TEST(ends_and_gaps_of_a_scale) {
    static const struct row gaps[] = {
        {0, 0, -1, 1}, {0, 1, 0.5f, 1}, {0, 2, 1, 1}, {0, 3, 1.5f, 1}, {0, 4, 1.5f, 1}};
    struct frs_interactions out = prepared(gaps, N(gaps), all);
    char *text = frs_describe_scale(&out);
    ck_assert_str_eq(text, "ratings from -1 (1) to 1.5 (2), none between -1 and 0.5");
    free(text);
    frs_interactions_fini(&out);
    struct frs_preparation rated_alone = all;
    rated_alone.unrated = -1;
    out = prepared(gaps, N(gaps), rated_alone);
    text = frs_describe_scale(&out);
    ck_assert_str_eq(text, "ratings from 0.5 (1) to 1.5 (2)");
    free(text);
    frs_interactions_fini(&out);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("preparation");
    TCase *tests = tcase_create("preparation");
    tcase_add_test(tests, values_that_mean_no_rating);
    tcase_add_test(tests, a_positive_begins_at_the_threshold);
    tcase_add_test(tests, a_core_is_found_in_turns);
    tcase_add_test(tests, one_row_of_a_pair_stays);
    tcase_add_test(tests, the_order_of_the_steps);
    tcase_add_test(tests, a_pair_of_two_files_is_in_the_last);
    tcase_add_test(tests, users_with_nothing_older_go);
    tcase_add_test(tests, ends_and_gaps_of_a_scale);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
