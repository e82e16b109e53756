/* The memory that a process may have: limits of control groups of both versions, in folders made for the
 * test, and of the address space. */
#include "sim/setup/memory_limit.h"
#include "tests/folder.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void make_groups(
    const char *folder, const char *file, const char *inner, const char *outer, const char *root) {
    char *inside = frs_format("%s/a/b", folder), *command = frs_format("mkdir -p %s", inside);
    const char *const limits[] = {root, outer, inner}, *const places[] = {"", "/a", "/a/b"};
    ck_assert_int_eq(system(command), 0);
    for (size_t i = 0; i < 3; i++) {
        char *name = frs_format("%s%s/%s", folder, places[i], file);
        if (limits[i])
            write_file(name, limits[i]);
        free(name);
    }
    free(command);
    free(inside);
}

START_TEST(the_least_of_a_group_and_those_around_it) {
    make_groups("v2", "memory.max", "max\n", "3000\n", NULL);
    ck_assert_double_eq(frs_memory_limit_of_groups("0::/a/b\n", "v2"), 3000);
    ck_assert_double_eq(frs_memory_limit_of_groups("0::/a\n", "v2"), 3000);
    ck_assert(isinf(frs_memory_limit_of_groups("0::/\n", "v2")));
    make_groups("container", "memory.max", NULL, NULL, "5000\n"); /* its group is not visible inside */
    ck_assert_double_eq(frs_memory_limit_of_groups("0::/elsewhere/42\n", "container"), 5000);
    make_groups("v1/memory", "memory.limit_in_bytes", "7000\n", "9000\n", "9223372036854771712\n");
    ck_assert_double_eq(frs_memory_limit_of_groups("5:cpu,memory:/a/b\n0::/\n", "v1"), 7000);
    ck_assert_double_eq(frs_memory_limit_of_groups("5:cpu,memory:/a\n0::/\n", "v1"), 9000);
}
END_TEST

START_TEST(without_a_limit_there_is_none) {
    ck_assert(isinf(frs_memory_limit_of_groups("", "nothing")));
    ck_assert(isinf(frs_memory_limit_of_groups("0::/a\n3:memory:/a\n", "nothing")));
    ck_assert(isinf(frs_memory_limit_of_groups("no line of this kind\n:\n", "nothing")));
    make_groups("other", "memory.limit_in_bytes", "1", "1", "1");
    ck_assert(isinf(frs_memory_limit_of_groups("3:memory_other:/a\n4:rdma\n", "other")));
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which need terabytes of it */
START_TEST(address_space_counts) {
    struct rlimit before, limit;
    double unlimited = frs_memory_limit();
    ck_assert(unlimited > 0 && unlimited <= frs_memory_of_machine());
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    limit = (struct rlimit){.rlim_cur = (rlim_t)(unlimited / 2), .rlim_max = before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    ck_assert_double_eq(frs_memory_limit(), (double)limit.rlim_cur);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
}
END_TEST
#endif

int main(void) {
    Suite *suite = suite_create("memory_limit");
    TCase *tests = tcase_create("memory_limit");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, the_least_of_a_group_and_those_around_it);
    tcase_add_test(tests, without_a_limit_there_is_none);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(tests, address_space_counts);
#endif
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
