/* Keeping the largest: by hand, and as plain insertion and Hoare's quickselect do it, comparison by
 * comparison. */
#include "algorithms/kernels/select.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* Two of 3, 1, 2, 3, 1 by insertion: 2 + 1 + 1 + 1 comparisons within the list and five with its end, and
 * four operations for each value. The first of three equal ones is kept. */
START_TEST(selection_counts_its_comparisons) {
    float values[] = {3, -1, 2, -3, 1}, equal[] = {1, -1, 1}, scratch[16];
    ck_assert_double_eq(frs_keep_largest(values, 5, 2, scratch), 4 * 5 + 5 + 5);
    ck_assert_mem_eq(values, ((const float[]){3, 0, 0, -3, 0}), sizeof values);
    frs_keep_largest(equal, 3, 1, scratch);
    ck_assert_mem_eq(equal, ((const float[]){1, 0, 0}), sizeof equal);
    ck_assert_double_eq(frs_keep_largest(equal, 3, 3, scratch), 0); /* nothing to choose */
}
END_TEST

static size_t insert_plainly(const float *magnitudes, size_t n, size_t k) {
    float list[16];
    size_t comparisons = n;
    for (size_t i = 0; i < k; i++)
        list[i] = -1;
    for (size_t i = 0; i < n; i++) {
        size_t at = k - 1;
        if (!(magnitudes[i] > list[at]))
            continue;
        for (; at > 0 && magnitudes[i] > list[at - 1]; at--)
            list[at] = list[at - 1];
        list[at] = magnitudes[i];
        comparisons += k - at;
    }
    return comparisons;
}

static void swap(float *a, float *b) {
    float t = *a;
    *a = *b;
    *b = t;
}

static size_t quickselect_plainly(float *values, size_t n, size_t k) {
    size_t first = 0, last = n, comparisons = 0;
    while (last - first > 1) {
        float pivot = values[first + (last - first) / 2];
        size_t larger = first, i = first, smaller = last;
        comparisons += last - first;
        while (i < smaller)
            if (values[i] > pivot)
                swap(&values[larger++], &values[i++]);
            else if (values[i] < pivot)
                swap(&values[i], &values[--smaller]);
            else
                i++;
        if (k - 1 < larger)
            last = larger;
        else if (k - 1 >= smaller)
            first = smaller;
        else
            break;
    }
    return comparisons;
}

/* One after the other the first of the largest of those that are left. */
static void keep_plainly(float *values, size_t n, size_t k) {
    bool *kept = frs_alloc(n, sizeof *kept);
    for (size_t round = 0; round < k; round++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (!kept[i] && (best == n || fabsf(values[i]) > fabsf(values[best])))
                best = i;
        kept[best] = true;
    }
    for (size_t i = 0; i < n; i++)
        values[i] = kept[i] ? values[i] : 0;
    free(kept);
}

/* `distinct`: of how many magnitudes there are, 0: all different ones. */
static void draw_values(struct frs_rng *rng, uint32_t distinct, float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] = distinct ? (float)frs_rng_below(rng, distinct) - (float)(distinct / 2)
                             : (float)frs_rng_normal(rng);
}

static double keep_and_count_plainly(float *values, size_t n, size_t k) {
    float *magnitudes = frs_alloc(n, sizeof *magnitudes);
    for (size_t i = 0; i < n; i++)
        magnitudes[i] = fabsf(values[i]);
    size_t comparisons = k >= n    ? 0
                         : k <= 16 ? insert_plainly(magnitudes, n, k)
                                   : quickselect_plainly(magnitudes, n, k);
    keep_plainly(values, n, k < n ? k : n);
    free(magnitudes);
    return k >= n ? 0 : (double)(4 * n + comparisons);
}

static void assert_same(const float *values, const float *expected, size_t n) {
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(
            values[i] == expected[i], "value %zu is %g, not %g", i, (double)values[i], (double)expected[i]);
}

START_TEST(as_plain_search_does) {
    enum { MOST = 600 };
    static float values[MOST], expected[MOST], scratch[2 * MOST + 3];
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    for (int trial = 0; trial < 400; trial++) {
        static const uint32_t distinct[] = {0, 0, 2, 9, 300};
        size_t n = 1 + frs_rng_below(&rng, MOST), k = 1 + frs_rng_below(&rng, (uint32_t)n + 2);
        draw_values(&rng, distinct[trial % 5], values, n);
        memcpy(expected, values, sizeof values);
        double flop = keep_and_count_plainly(expected, n, k);
        ck_assert_double_eq(frs_keep_largest(values, n, k, scratch), flop);
        assert_same(values, expected, n);
    }
}
END_TEST

START_TEST(rows_are_as_each_by_itself) {
    enum { ROWS = 40, DIM = 70 };
    static float values[ROWS * DIM], expected[ROWS * DIM], scratch[2 * DIM + 3];
    struct frs_rng rng = frs_rng_stream(2, 0, 0, 0, FRS_RNG_TEST);
    for (int trial = 0; trial < 200; trial++) {
        static const uint32_t distinct[] = {0, 2, 7};
        size_t n = frs_rng_below(&rng, ROWS + 1), dim = 1 + frs_rng_below(&rng, DIM);
        size_t k = 1 + frs_rng_below(&rng, 20);
        draw_values(&rng, distinct[trial % 3], values, n * dim);
        memcpy(expected, values, sizeof values);
        double flop = 0;
        for (size_t i = 0; i < n; i++)
            flop += keep_and_count_plainly(expected + i * dim, dim, k);
        ck_assert_double_eq(frs_keep_largest_of_rows(values, n, dim, k, scratch), flop);
        assert_same(values, expected, n * dim);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("select");
    TCase *tests = tcase_create("select");
    tcase_add_test(tests, selection_counts_its_comparisons);
    tcase_add_test(tests, as_plain_search_does);
    tcase_add_test(tests, rows_are_as_each_by_itself);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
