/* Negatives and batches: which may be drawn, and how evenly. */
#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static uint32_t item_of(const struct frs_samples *samples, size_t i) {
    ck_assert_uint_lt(samples->samples[i] >> 1, samples->n_rows);
    return samples->ids[samples->samples[i] >> 1];
}

static bool contains(const uint32_t *values, size_t n, uint32_t value) {
    return bsearch(&value, values, n, sizeof value, frs_compare_uint32s) != NULL;
}

/* What holds for every draw of `wanted` negatives per positive. */
static void check_draw(
    const struct frs_client_data *data, const struct frs_samples *samples, size_t n_items, size_t wanted) {
    bool *occurs = frs_alloc(n_items, sizeof *occurs);
    ck_assert_uint_eq(samples->n, data->n * (1 + wanted));
    for (size_t i = 0; i < samples->n; i++) {
        ck_assert_uint_eq(samples->samples[i] & 1, i < data->n);
        occurs[item_of(samples, i)] = true;
    }
    for (size_t i = 0; i < data->n; i++) {
        ck_assert_uint_eq(item_of(samples, i), data->items[i]);
        for (size_t j = 0; j < wanted; j++) {
            uint32_t item = item_of(samples, data->n + i * wanted + j);
            ck_assert(!contains(data->excluded, data->n_excluded, item));
            for (size_t other = 0; other < j; other++)
                ck_assert_uint_ne(item, item_of(samples, data->n + i * wanted + other));
        }
    }
    for (size_t row = 0; row < samples->n_rows; row++) {
        ck_assert(occurs[samples->ids[row]]); /* no idle local row */
        ck_assert(row == 0 || samples->ids[row] > samples->ids[row - 1]);
    }
    free(occurs);
}

/* Sparse and dense exclusions, so that both ways of drawing are taken,
 * and sizes around the words of a map. */
START_TEST(negatives_are_distinct_and_allowed) {
    static const struct {
        uint32_t n_items, n, n_excluded, wanted;
    } cases[] = {{1, 1, 1, 0}, {10, 2, 2, 4}, {63, 5, 20, 4}, {64, 5, 60, 4}, {65, 60, 60, 4},
        {1000, 200, 200, 4}, {1000, 980, 980, 4}, {1000, 100, 985, 14}, {129, 1, 1, 127}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct frs_arena arena = {0};
        struct frs_rng rng = test_rng(100 + (uint32_t)c);
        uint32_t *excluded = random_subset(&rng, cases[c].n_items, cases[c].n_excluded);
        struct frs_client_data data = {
            .items = excluded, .n = cases[c].n, .excluded = excluded, .n_excluded = cases[c].n_excluded};
        for (int repeat = 0; repeat < 20; repeat++) {
            struct frs_samples samples =
                frs_samples_draw(&data, cases[c].n_items, cases[c].wanted, &rng, &arena);
            check_draw(&data, &samples, cases[c].n_items, cases[c].wanted);
        }
        frs_arena_fini(&arena);
        free(excluded);
    }
}
END_TEST

START_TEST(takes_all_that_is_left) {
    static const uint32_t excluded[] = {0, 1, 3, 4, 5, 7};
    struct frs_client_data data = {.items = excluded, .n = 2, .excluded = excluded, .n_excluded = 6};
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(110);
    struct frs_samples samples = frs_samples_draw(&data, 8, 4, &rng, &arena);
    check_draw(&data, &samples, 8, 2); /* items 2 and 6 for either positive */
    ck_assert_uint_eq(samples.n_rows, 4);
    ck_assert_uint_eq(frs_samples_count(&data, 8, 4), 6);
    data.n = 1;
    data.n_excluded = 8; /* nothing left */
    static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    data.excluded = all;
    samples = frs_samples_draw(&data, 8, 4, &rng, &arena);
    check_draw(&data, &samples, 8, 0);
    frs_arena_fini(&arena);
}
END_TEST

START_TEST(no_positives_no_samples) {
    struct frs_client_data data = {0};
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(111);
    struct frs_samples samples = frs_samples_draw(&data, 100, 4, &rng, &arena);
    ck_assert_uint_eq(samples.n, 0);
    ck_assert_uint_eq(samples.n_rows, 0);
    frs_samples_shuffle(&samples, 10, &rng);
    frs_arena_fini(&arena);
}
END_TEST

/* Σ (observed − expected)² / expected over `bins`, all equally likely. */
static double chi_square(const size_t *counts, size_t bins, double expected) {
    double sum = 0;
    for (size_t i = 0; i < bins; i++)
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    return sum;
}

/* Of 50 items 30, or 5, are free. χ² with f − 1 degrees of freedom exceeds 58.3 (f 30) or 18.5 (f 5) once in
 * 1000 seeds; draws without replacement scatter less. */
START_TEST(negatives_are_uniform) {
    static const uint32_t n_excluded[] = {20, 45};
    static const double limits[] = {58.3, 18.5};
    for (size_t c = 0; c < 2; c++) {
        struct frs_arena arena = {0};
        struct frs_rng rng = test_rng(120 + (uint32_t)c);
        uint32_t *excluded = random_subset(&rng, 50, n_excluded[c]);
        struct frs_client_data data = {
            .items = excluded, .n = 10, .excluded = excluded, .n_excluded = n_excluded[c]};
        size_t counts[50] = {0}, of_free[50], n_free = 0, draws = 1000;
        for (size_t d = 0; d < draws; d++) {
            frs_arena_reset(&arena);
            struct frs_samples samples = frs_samples_draw(&data, 50, 4, &rng, &arena);
            for (size_t i = 10; i < samples.n; i++)
                counts[item_of(&samples, i)]++;
        }
        for (uint32_t item = 0; item < 50; item++)
            if (!contains(excluded, n_excluded[c], item))
                of_free[n_free++] = counts[item];
        double expected = (double)(draws * 40) / (double)n_free;
        ck_assert_double_lt(chi_square(of_free, n_free, expected), limits[c]);
        frs_arena_fini(&arena);
        free(excluded);
    }
}
END_TEST

enum { EPOCHS = FRS_TEST_CASES(20000) };
#define N 23u

/* Values 0 … N−1 as samples; batches of 5 leave a short one of 3. */
static void shuffle_counts(size_t batch, size_t counts[N][N]) {
    uint32_t order[N];
    struct frs_samples samples = {.n = N, .samples = order};
    struct frs_rng rng = test_rng(130);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        bool seen[N] = {false};
        for (uint32_t i = 0; i < N; i++)
            order[i] =
                i; /* from the same order again and again, or one epoch would hide what another lacks */
        frs_samples_shuffle(&samples, batch, &rng);
        for (size_t i = 0; i < N; i++) {
            ck_assert_uint_lt(order[i], N);
            ck_assert(!seen[order[i]]);
            seen[order[i]] = true;
            counts[i / batch][order[i]]++;
        }
    }
}

/* Every sample is in every batch equally often, wherever it was before: EPOCHS · |batch| / N, with 22
 * degrees of freedom; χ² exceeds 48.3 once in 1000 seeds. */
START_TEST(batches_are_uniform) {
    size_t counts[N][N] = {{0}};
    shuffle_counts(5, counts);
    for (size_t b = 0; b < 5; b++)
        ck_assert_double_lt(chi_square(counts[b], N, EPOCHS * (b < 4 ? 5.0 : 3.0) / N), 48.3);
}
END_TEST

/* Which samples share a batch is random too: 0 and 1 meet in a given epoch with probability
 * (4 · 5 · 4 + 3 · 2) / (23 · 22) = .170, standard deviation .00266 over 20000 epochs. */
START_TEST(batch_mates_change) {
    uint32_t order[N];
    struct frs_samples samples = {.n = N, .samples = order};
    struct frs_rng rng = test_rng(131);
    double meetings = 0;
    for (uint32_t i = 0; i < N; i++)
        order[i] = i;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        size_t place[N];
        frs_samples_shuffle(&samples, 5, &rng);
        for (size_t i = 0; i < N; i++)
            place[order[i]] = i / 5;
        meetings += place[0] == place[1];
    }
    ck_assert_double_eq_tol(meetings / EPOCHS, 86.0 / 506, 4 * 0.00266 * sqrt(20000.0 / EPOCHS));
}
END_TEST

/* All in one batch: nothing to draw, nothing moves. */
START_TEST(one_batch_costs_nothing) {
    uint32_t order[] = {3, 1, 2};
    struct frs_samples samples = {.n = 3, .samples = order};
    struct frs_rng rng = test_rng(132), before = rng;
    frs_samples_shuffle(&samples, 3, &rng);
    frs_samples_shuffle(&samples, 1000, &rng);
    ck_assert_mem_eq(order, ((const uint32_t[]){3, 1, 2}), sizeof order);
    ck_assert_mem_eq(&rng, &before, sizeof rng);
}
END_TEST

/* Ten samples in batches of four: three steps a pass. */
START_TEST(how_far_a_client_goes) {
    static const struct {
        double epochs;
        size_t steps, n, batch, passes, last;
    } hand[] = {{2, 0, 10, 4, 2, 10}, {0.5, 0, 10, 4, 1, 5}, {0.25, 0, 10, 4, 1, 3}, {1.1, 0, 10, 4, 2, 1},
        {0.001, 0, 10, 4, 1, 1}, {2.5, 0, 10, 4, 3, 5}, {1.1, 0, 50, 4, 2, 5}, {0, 1, 10, 4, 1, 4},
        {0, 3, 10, 4, 1, 10}, {0, 4, 10, 4, 2, 4}, {0, 20, 10, 4, 7, 8}, {0, 2, 10, 100, 2, 10},
        {0, 5, 3, 1, 2, 2}, {2, 0, 0, 4, 0, 0}, {0, 5, 0, 4, 0, 0}};
    for (size_t i = 0; i < sizeof hand / sizeof *hand; i++) {
        struct frs_extent extent = frs_extent_of(hand[i].epochs, hand[i].steps, hand[i].n, hand[i].batch);
        ck_assert_uint_eq(extent.passes, hand[i].passes);
        ck_assert_uint_eq(extent.last, hand[i].last);
    }
    struct frs_extent extent = frs_extent_of(0, 20, 10, 4); /* 6 · 10 + 8 samples */
    ck_assert_uint_eq(frs_extent_samples(extent, 7, 10), 68);
    ck_assert_uint_eq(frs_extent_samples(extent, 6, 10), 60);
    ck_assert_uint_eq(frs_extent_of_pass(extent, 5, 10), 10);
    ck_assert_uint_eq(frs_extent_of_pass(extent, 6, 10), 8);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("samples");
    TCase *tests = tcase_create("samples");
    tcase_add_test(tests, negatives_are_distinct_and_allowed);
    tcase_add_test(tests, takes_all_that_is_left);
    tcase_add_test(tests, no_positives_no_samples);
    tcase_add_test(tests, negatives_are_uniform);
    tcase_add_test(tests, batches_are_uniform);
    tcase_add_test(tests, batch_mates_change);
    tcase_add_test(tests, one_batch_costs_nothing);
    tcase_add_test(tests, how_far_a_client_goes);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
