/* Names: each text once, in the order in which texts were added, however many there are. */
#include "sim/base/memory.h"
#include "sim/base/names.h"
#include "tests/support.h"

#include <stdint.h>
#include <stdlib.h>

START_TEST(each_name_is_kept_once) {
    struct frs_names names = {0};
    ck_assert_uint_eq(frs_names_find(&names, ""), SIZE_MAX);
    ck_assert_uint_eq(frs_names_add(&names, "b"), 0);
    ck_assert_uint_eq(frs_names_add(&names, ""), 1);
    ck_assert_uint_eq(frs_names_add(&names, "a"), 2);
    ck_assert_uint_eq(frs_names_add(&names, "b"), 0);
    ck_assert_uint_eq(frs_names_find(&names, "a"), 2);
    ck_assert_uint_eq(frs_names_find(&names, "c"), SIZE_MAX);
    ck_assert_uint_eq(names.n, 3);
    ck_assert_str_eq(names.texts[2], "a");
    frs_names_fini(&names);
    ck_assert_uint_eq(frs_names_find(&names, "a"), SIZE_MAX);
}
END_TEST

START_TEST(many_names_are_found) {
    enum { MANY = 100000 };
    struct frs_names names = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < MANY; i++) {
            char *text = frs_format("client-%zu", i);
            ck_assert_uint_eq(pass ? frs_names_find(&names, text) : frs_names_add(&names, text), i);
            free(text);
        }
    frs_names_fini(&names);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("names");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, each_name_is_kept_once);
    tcase_add_test(tests, many_names_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
