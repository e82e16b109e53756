/* How many processors a process may use, by affinity and control groups. */
#include "sim/base/threads/processors.h"
#include "tests/support.h"

#include <sched.h>

START_TEST(control_groups_limit_processors) {
    ck_assert_uint_eq(frs_processors_within("max 100000\n", 8), 8);
    ck_assert_uint_eq(frs_processors_within("200000 100000\n", 8), 2);
    ck_assert_uint_eq(frs_processors_within("150000 100000\n", 8), 2);
    ck_assert_uint_eq(frs_processors_within("10000 100000\n", 8), 1);
    ck_assert_uint_eq(frs_processors_within("1600000 100000\n", 8), 8);
    ck_assert_uint_eq(frs_processors_within("", 8), 8);
}
END_TEST

START_TEST(affinity_limits_processors) {
    cpu_set_t all, one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    size_t first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ck_assert_uint_le(frs_processors(), (size_t)CPU_COUNT(&all));
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_uint_eq(frs_processors(), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("processors");
    TCase *tests = tcase_create("processors");
    tcase_add_test(tests, control_groups_limit_processors);
    tcase_add_test(tests, affinity_limits_processors);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
