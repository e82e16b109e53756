/* Negatives by hand: what is left of a small pool, and that the pool stays as it was. */
#include "algorithms/negatives.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

/* Of eight items all but 2 and 6 are excluded: both positives get these two, in their order. */
START_TEST(all_that_is_left_is_taken) {
    uint64_t excluded[] = {0xbb};
    const struct frs_negative_pool pool = {.excluded = excluded, .n_items = 8, .n = 2};
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(140);
    uint32_t samples[4];
    ck_assert_uint_eq(frs_negatives_draw(&pool, 2, 4, &rng, &arena, samples), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(samples[i], i % 2 ? 6 << 1 : 2 << 1);
    ck_assert_uint_eq(excluded[0], 0xbb);
    frs_arena_fini(&arena);
}
END_TEST

/* Few and many negatives for each positive, of many and of few free items. */
START_TEST(negatives_are_in_the_pool) {
    static const size_t per_positive[] = {1, 4, 5, 12};
    for (size_t c = 0; c < 8; c++) {
        uint64_t excluded[] = {c < 4 ? 0xf : ~(UINT64_C(0x7fff) << 3), c < 4 ? 0 : ~UINT64_C(0)};
        uint64_t before[] = {excluded[0], excluded[1]};
        const struct frs_negative_pool pool = {.excluded = excluded, .n_items = 128, .n = c < 4 ? 124 : 15};
        struct frs_arena arena = {0};
        struct frs_rng rng = test_rng(150 + (uint32_t)c);
        uint32_t samples[12];
        size_t n = per_positive[c % 4];
        ck_assert_uint_eq(frs_negatives_draw(&pool, 1, n, &rng, &arena, samples), n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_eq(samples[i] & 1, 0);
            ck_assert_uint_lt(samples[i] >> 1, 128);
            ck_assert(!(before[samples[i] >> 7] >> (samples[i] >> 1) % 64 & 1));
            for (size_t j = 0; j < i; j++)
                ck_assert_uint_ne(samples[i], samples[j]);
        }
        ck_assert_mem_eq(excluded, before, sizeof before);
        frs_arena_fini(&arena);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("negatives");
    TCase *tc = tcase_create("negatives");
    tcase_add_test(tc, all_that_is_left_is_taken);
    tcase_add_test(tc, negatives_are_in_the_pool);
    suite_add_tcase(suite, tc);
    return frs_test_run(suite);
}
