/* The distinct rows of a batch, and how often each occurs, by hand. */
#include "algorithms/kernels/steps/batch.h"
#include "tests/algorithms/fixture.h"

#define SAMPLE(row, label) ((uint32_t)(row) << 1 | (label))

/* Rows in order of their first sample; what a row was in an earlier batch is forgotten. */
START_TEST(batches_by_hand) {
    static const uint32_t first[] = {SAMPLE(4, 1), SAMPLE(2, 0), SAMPLE(4, 0), SAMPLE(2, 0), SAMPLE(4, 1)},
                          second[] = {SAMPLE(0, 1), SAMPLE(4, 0)};
    struct frs_arena arena = {0};
    struct frs_batch batch = frs_batch_create(6, 5, &arena);
    frs_batch_fill(&batch, first, 5);
    ck_assert_uint_eq(batch.n, 2);
    ck_assert_mem_eq(batch.rows, ((const uint32_t[]){4, 2}), 2 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.count, ((const float[16]){3, 2}), 16 * sizeof(float));
    ck_assert_mem_eq(batch.positive, ((const float[16]){2, 0}), 16 * sizeof(float));
    ck_assert_uint_eq(batch.rows[15], 4);
    ck_assert_uint_eq(batch.seen, 2);
    frs_batch_fill(&batch, second, 2);
    ck_assert_uint_eq(batch.n, 2);
    ck_assert_mem_eq(batch.rows, ((const uint32_t[]){0, 4}), 2 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.count, ((const float[16]){1, 1}), 16 * sizeof(float));
    ck_assert_mem_eq(batch.positive, ((const float[16]){1, 0}), 16 * sizeof(float));
    ck_assert_uint_eq(batch.seen, 3);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("batch");
    TCase *tests = tcase_create("batch");
    tcase_add_test(tests, batches_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
