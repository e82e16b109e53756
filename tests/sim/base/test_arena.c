/* An arena: what was taken stays where it is until it is given back, all of it or down to a mark. */
#include "sim/base/arena.h"
#include "tests/support.h"

#include <stdint.h>
#include <string.h>

enum { THINGS = 30000 };

START_TEST(things_stay_where_they_are) {
    static unsigned char *things[THINGS];
    unsigned char expected[50];
    struct frs_arena arena = {0};
    for (size_t i = 0; i < THINGS; i++) {
        size_t n = i == 20000 ? 1000000 : i % 50; /* one is larger than a block */
        things[i] = frs_arena_take_packed(&arena, n);
        ck_assert_uint_eq((uintptr_t)things[i] % _Alignof(max_align_t), 0);
        memset(things[i], (int)(i % 256), n);
    }
    for (size_t i = 0; i < THINGS; i++) {
        memset(expected, (int)(i % 256), sizeof expected);
        ck_assert(memcmp(things[i], expected, i % 50) == 0);
    }
    frs_arena_fini(&arena);
    ck_assert_uint_eq(arena.total, 0);
    ck_assert_ptr_null(arena.blocks);
}
END_TEST

START_TEST(release_gives_back_what_was_taken_after_the_mark) {
    struct frs_arena arena = {0};
    unsigned char *first = frs_arena_take_packed(&arena, 100);
    memset(first, 7, 100);
    struct frs_arena_mark mark = frs_arena_mark(&arena);
    unsigned char *second = frs_arena_take_packed(&arena, 16);
    for (size_t i = 0; i < 100; i++)
        frs_arena_take_packed(&arena, 100000);
    ck_assert_uint_eq(arena.total, 112 + 16 + 100 * 100000);
    frs_arena_release(&arena, mark);
    ck_assert_uint_eq(arena.total, 112);
    ck_assert_ptr_eq(frs_arena_take_packed(&arena, 16), second);
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(first[i], 7);
    frs_arena_fini(&arena);
}
END_TEST

/* 3 bytes packed take 16; the aligned ones begin at 64, of which 48 are lost, and 5 · 4 bytes take 64. */
START_TEST(packed_and_aligned_in_one_arena) {
    struct frs_arena arena = {0};
    unsigned char *packed = frs_arena_take_packed(&arena, 3);
    unsigned char *aligned = frs_arena_take(&arena, 5, 4);
    ck_assert_int_eq(aligned - packed, 64);
    ck_assert_uint_eq((uintptr_t)aligned % 64, 0);
    ck_assert_uint_eq(arena.total, 128);
    ck_assert_int_eq((unsigned char *)frs_arena_take_packed(&arena, 1) - packed, 128);
    frs_arena_fini(&arena);
}
END_TEST

START_TEST(reset_keeps_one_block_for_as_much_again) {
    struct frs_arena arena = {0};
    for (size_t i = 0; i < 50; i++)
        frs_arena_take(&arena, 100000, 1);
    frs_arena_reset(&arena);
    ck_assert_uint_eq(arena.total, 0);
    struct frs_arena_block *block = arena.blocks;
    unsigned char *first = frs_arena_take(&arena, 100000, 1);
    for (size_t i = 1; i < 50; i++)
        ck_assert_int_eq((unsigned char *)frs_arena_take(&arena, 100000, 1) - first, (long)i * 100032);
    ck_assert_ptr_eq(arena.blocks, block);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("arena");
    TCase *tests = tcase_create("arena");
    tcase_add_test(tests, things_stay_where_they_are);
    tcase_add_test(tests, release_gives_back_what_was_taken_after_the_mark);
    tcase_add_test(tests, packed_and_aligned_in_one_arena);
    tcase_add_test(tests, reset_keeps_one_block_for_as_much_again);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
