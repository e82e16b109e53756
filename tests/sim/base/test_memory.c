/* Allocation: zeros, alignment, growth, and the end of a program that asks for too much. */
#include "sim/base/memory.h"
#include "tests/sim/base/death.h"
#include "tests/support.h"

#include <stdint.h>

static volatile size_t huge = SIZE_MAX; /* volatile: the compiler must not see the impossible sizes */

static void assert_zero(const unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(bytes[i], 0);
}

START_TEST(allocated_memory_is_zero) {
    for (size_t n = 0; n < 300; n += 7) {
        unsigned char *memory = frs_alloc(n, 3);
        assert_zero(memory, 3 * n);
        memset(memory, 0xff, 3 * n); /* so that recycled memory is dirty */
        free(memory);
    }
}
END_TEST

START_TEST(aligned_to_a_cache_line) {
    for (size_t n = 0; n < 300; n += 7) {
        unsigned char *memory = frs_alloc_aligned(n, 4);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        assert_zero(memory, 4 * n);
        memset(memory, 0xff, 4 * n);
        free(memory);
        memory = frs_alloc_aligned_lazily(n, 4);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        memset(memory, 0xff, 4 * n);
        free(memory);
    }
}
END_TEST

START_TEST(arrays_grow_twofold) {
    static const size_t rows[][2] = {{0, 8}, {1, 8}, {8, 8}, {9, 16}, {16, 16}, {17, 32}, {1000, 1024}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        size_t capacity = 0;
        int *array = frs_grow(NULL, rows[row][0], &capacity, sizeof *array);
        ck_assert_uint_eq(capacity, rows[row][1]);
        free(array);
    }
}
END_TEST

START_TEST(growth_keeps_content) {
    size_t capacity = 0;
    uint32_t *array = NULL;
    for (uint32_t i = 0; i < 5000; i++) {
        array = frs_grow(array, i + 1, &capacity, sizeof *array);
        array[i] = i;
    }
    for (uint32_t i = 0; i < 5000; i++)
        ck_assert_uint_eq(array[i], i);
    uint32_t *same = frs_grow(array, 10, &capacity, sizeof *array);
    ck_assert_ptr_eq(same, array); /* large enough: untouched */
    ck_assert_uint_eq(capacity, 8192);
    free(same);
}
END_TEST

START_TEST(strings_are_copied_and_formatted) {
    char *copy = frs_strdup("text");
    ck_assert_str_eq(copy, "text");
    free(copy);
    char *text = frs_format("%s: %d of %.1f %%", "α", 3, 4.5);
    ck_assert_str_eq(text, "α: 3 of 4.5 %");
    free(text);
    text = frs_format("%*d", 10000, 7);
    ck_assert_uint_eq(strlen(text), 10000);
    ck_assert_int_eq(text[9999], '7');
    free(text);
}
END_TEST

static void alloc_overflows(void) {
    free(frs_alloc(huge, 2));
}

static void alloc_aligned_overflows(void) {
    free(frs_alloc_aligned(huge / 2, 4));
}

static void alloc_aligned_rounds_over(void) {
    free(frs_alloc_aligned(huge - 5, 1));
}

static void alloc_is_too_large(void) {
    free(frs_alloc(huge / 2 - 100, 1));
}

static void grow_overflows(void) {
    size_t capacity = 0;
    free(frs_grow(NULL, huge / 2, &capacity, 4));
}

static void grow_cannot_double(void) {
    size_t capacity = 0;
    free(frs_grow(NULL, huge, &capacity, 1));
}

START_TEST(impossible_sizes_end_the_program) {
    static void (*const calls[])(void) = {alloc_overflows, alloc_aligned_overflows, alloc_aligned_rounds_over,
        alloc_is_too_large, grow_overflows, grow_cannot_double};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char said[4096];
        int status = frs_test_death(calls[i], said, sizeof said);
        ck_assert_msg(
            WIFEXITED(status) && WEXITSTATUS(status) == 1, "call %zu: status %d: %s", i, status, said);
        ck_assert_msg(strstr(said, "fedrecsim: out of memory: cannot get "), "call %zu: %s", i, said);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, allocated_memory_is_zero);
    tcase_add_test(tests, aligned_to_a_cache_line);
    tcase_add_test(tests, arrays_grow_twofold);
    tcase_add_test(tests, growth_keeps_content);
    tcase_add_test(tests, strings_are_copied_and_formatted);
    tcase_add_test(tests, impossible_sizes_end_the_program);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
