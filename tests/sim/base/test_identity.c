/* What differs between two identities, in words. */
#include "sim/base/identity.h"
#include "sim/base/buffer.h"
#include "tests/support.h"

#include <stdlib.h>

START_TEST(first_difference_is_named_and_others_are_counted) {
    static const struct {
        const char *was, *is, *says;
    } cases[] = {
        {"", "", NULL},
        {"a\t1\nb\t2\n", "a\t1\nb\t2\n", NULL},
        {"a\t1\nb\t2\n", "b\t2\na\t1\n", NULL},
        {"a\t1\nb\t2\n", "a\t1\nb\t3\n", "b was 2 and is 3"},
        {"a\t1\nb\t2\n", "a\t5\nb\t\n", "a was 1 and is 5, and 1 more differ"},
        {"a\t1\nb\t2\n", "a\t1\n", "b was 2 and is not there"},
        {"a\t1\n", "a\t1\nb\t2\nc\t\n", "b was not there and is 2, and 1 more differ"},
        {"a\t1\n", "a\t\n", "a was 1 and is \"\""},
        /* What is no line is the end. */
        {"a\t1\nb\nc\t2\n", "a\t1\nb 2\n", NULL},
        {"a", "b\t1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *says = frs_identity_difference(cases[i].was, cases[i].is);
        if (cases[i].says)
            ck_assert_str_eq(says, cases[i].says);
        else
            ck_assert_ptr_null(says);
        free(says);
    }
}
END_TEST

START_TEST(lines_stay_lines) {
    struct frs_buffer identity = {0};
    frs_identity_add(&identity, "a\tb", "1\n2");
    frs_identity_add(&identity, "c", "");
    frs_buffer_put_u8(&identity, 0);
    ck_assert_str_eq((const char *)identity.bytes, "a b\t1 2\nc\t\n");
    frs_buffer_fini(&identity);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("identity");
    TCase *tests = tcase_create("identity");
    tcase_add_test(tests, first_difference_is_named_and_others_are_counted);
    tcase_add_test(tests, lines_stay_lines);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
