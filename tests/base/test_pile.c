/* A pile: what is on it stays where it is, and what was put on top is taken away again. */
#include "sim/base/pile.h"
#include "tests/support.h"

#include <stdint.h>
#include <string.h>

enum { THINGS = 30000 };

START_TEST(things_stay_where_they_are) {
    static unsigned char *things[THINGS];
    unsigned char expected[50];
    struct frs_pile pile = {0};
    for (size_t i = 0; i < THINGS; i++) {
        size_t n = i == 20000 ? 1000000 : i % 50; /* one is larger than a block */
        things[i] = frs_pile_put(&pile, n);
        ck_assert_uint_eq((uintptr_t)things[i] % _Alignof(max_align_t), 0);
        memset(things[i], (int)(i % 256), n);
    }
    for (size_t i = 0; i < THINGS; i++) {
        memset(expected, (int)(i % 256), sizeof expected);
        ck_assert(memcmp(things[i], expected, i % 50) == 0);
    }
    frs_pile_fini(&pile);
    ck_assert_uint_eq(pile.n, 0);
    ck_assert_ptr_null(pile.top);
}
END_TEST

START_TEST(what_is_on_top_is_taken_away) {
    struct frs_pile pile = {0};
    unsigned char *first = frs_pile_put(&pile, 100);
    memset(first, 7, 100);
    struct frs_pile before = pile;
    unsigned char *second = frs_pile_put(&pile, 16);
    for (size_t i = 0; i < 100; i++)
        frs_pile_put(&pile, 100000);
    ck_assert_uint_eq(pile.n, 112 + 16 + 100 * 100000);
    frs_pile_cut(&pile, &before);
    ck_assert_uint_eq(pile.n, 112);
    ck_assert_ptr_eq(frs_pile_put(&pile, 16), second);
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(first[i], 7);
    frs_pile_fini(&pile);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pile");
    TCase *tests = tcase_create("pile");
    tcase_add_test(tests, things_stay_where_they_are);
    tcase_add_test(tests, what_is_on_top_is_taken_away);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
