/* Which values look as if they meant "no rating", on scales as they circulate. */
#include "algorithms/data/preparation/left.h"
#include "algorithms/data/preparation/unrated.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

/* So many rows of each value. */
struct values {
    float value;
    size_t n;
};

static struct frs_unrated find(const struct values *list, double from, double except) {
    struct frs_rows rows = {0};
    for (const struct values *of = list; of->n > 0; of++)
        rows.n += of->n;
    rows.values = malloc(rows.n * sizeof *rows.values);
    size_t at = 0;
    for (const struct values *of = list; of->n > 0; of++)
        for (size_t i = 0; i < of->n; i++)
            rows.values[at++] = of->value;
    struct frs_unrated found = frs_unrated_find(&rows, from, except);
    free(rows.values);
    return found;
}

#define FIND(from, except, ...) find((const struct values[]){__VA_ARGS__, {0, 0}}, from, except)

START_TEST(zero_of_book_crossing_is_next_to_the_scale_and_frequent) {
    struct frs_unrated found = FIND(-INFINITY, NAN, {0, 62}, {1, 1}, {2, 1}, {5, 8}, {8, 16}, {10, 12});
    ck_assert_double_eq(found.value, 0);
    ck_assert_uint_eq(found.n, 62);
    ck_assert_double_eq(found.least, 1);
    ck_assert_double_eq(found.most, 10);
    /* Below twice the most frequent one it may be a rating. */
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {0, 31}, {1, 1}, {2, 1}, {5, 8}, {8, 16}, {10, 12}).n, 0);
}
END_TEST

START_TEST(minus_one_of_anime_is_apart) {
    struct frs_unrated found = FIND(-INFINITY, NAN, {-1, 19}, {1, 1}, {6, 9}, {7, 18}, {8, 21}, {10, 12});
    ck_assert_double_eq(found.value, -1);
    ck_assert_uint_eq(found.n, 19);
    /* Votes down, not at all and up are a scale of their own. */
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {-1, 19}, {0, 3}, {1, 8}).n, 0);
    /* Left out already: by the key, or since implicit feedback takes what is above 0. */
    ck_assert_uint_eq(FIND(-INFINITY, -1, {-1, 19}, {1, 1}, {2, 9}, {3, 18}).n, 0);
    ck_assert_uint_eq(FIND(1e-45, NAN, {-1, 19}, {1, 1}, {2, 9}, {3, 18}).n, 0);
}
END_TEST

START_TEST(ninety_nine_of_jester_is_apart_from_many_values) {
    struct values list[203] = {{99, 500}};
    for (size_t i = 1; i <= 201; i++)
        list[i] = (struct values){(float)(-10 + 0.1 * (double)(i - 1)), 2};
    struct frs_unrated found = find(list, -INFINITY, NAN);
    ck_assert_double_eq(found.value, 99);
    ck_assert_uint_eq(found.n, 500);
    ck_assert_double_eq(found.least, -10);
    list[0].n = 1; /* of 403 rows; fewer than one in a thousand are an outlier */
    ck_assert_uint_eq(find(list, -INFINITY, NAN).n, 1);
    for (size_t i = 1; i <= 201; i++)
        list[i].n = 5;
    ck_assert_uint_eq(find(list, -INFINITY, NAN).n, 0);
}
END_TEST

START_TEST(scales_without_such_a_value) {
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {1, 6}, {2, 11}, {3, 27}, {4, 34}, {5, 21}).n, 0);
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {0, 90}, {1, 10}).n, 0);                          /* likes */
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {0, 5}, {1, 6}, {2, 11}, {3, 27}, {4, 34}).n, 0); /* from 0 on */
    ck_assert_uint_eq(FIND(-INFINITY, NAN, {97, 5}, {98, 6}, {99, 11}, {96, 27}).n, 0);      /* up to 99 */
}
END_TEST

START_TEST(what_rows_leave) {
    uint32_t users[] = {0, 0, 2, 2}, items[] = {1, 3, 1, 1}, order[] = {0, 2, 3};
    struct frs_rows rows = {.n = 4, .n_users = 3, .n_items = 4, .users = users, .items = items};
    struct frs_left left = frs_left_of(&rows, order, 3);
    ck_assert_uint_eq(left.rows, 3);
    ck_assert_uint_eq(left.users, 2);
    ck_assert_uint_eq(left.items, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("unrated");
    TCase *tests = tcase_create("unrated");
    tcase_add_test(tests, zero_of_book_crossing_is_next_to_the_scale_and_frequent);
    tcase_add_test(tests, minus_one_of_anime_is_apart);
    tcase_add_test(tests, ninety_nine_of_jester_is_apart_from_many_values);
    tcase_add_test(tests, scales_without_such_a_value);
    tcase_add_test(tests, what_rows_leave);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
