/* Which points each shard of a sweep has, by hand. */
#include "sim/sweep/shard.h"
#include "tests/support.h"

/* The order by leaders is 0 2 5, 1 4, 3, 6 7, and eight points in three parts are 3, 3 and 2. */
START_TEST(points_that_learn_the_same_stay_together) {
    static const size_t leader[] = {0, 1, 0, 3, 1, 0, 6, 6}, expected[] = {1, 2, 1, 2, 2, 1, 3, 3};
    for (size_t number = 0; number <= 3; number++) {
        bool owns[8];
        frs_shard_points(&(struct frs_shard){number, number ? 3 : 0}, leader, 8, owns);
        for (size_t i = 0; i < 8; i++)
            ck_assert_int_eq(owns[i], number == 0 || expected[i] == number);
    }
}
END_TEST

/* Ten points that all learn the same are cut into 4, 3 and 3. */
START_TEST(cuts_go_through_points_that_learn_the_same) {
    static const size_t leader[10] = {0};
    static const size_t n[] = {4, 3, 3};
    for (size_t number = 1; number <= 3; number++) {
        bool owns[10];
        size_t found = 0;
        frs_shard_points(&(struct frs_shard){number, 3}, leader, 10, owns);
        for (size_t i = 0; i < 10; i++)
            found += owns[i];
        ck_assert_uint_eq(found, n[number - 1]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shards");
    TCase *tests = tcase_create("shards");
    tcase_add_test(tests, points_that_learn_the_same_stay_together);
    tcase_add_test(tests, cuts_go_through_points_that_learn_the_same);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
