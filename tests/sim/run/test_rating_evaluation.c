/* Explicit feedback: what an evaluation finds is worked out by hand. */
#include "algorithms/training/evaluation.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

/* Four ratings for each of two users, on a scale from 1 to 5: a random quarter of each is test. */
static const char csv[] = "a,1,5\na,2,5\na,3,5\na,4,5\nb,1,1\nb,2,1\nb,3,1\nb,4,1\n";

/* Whatever the item, user 0 gets the first, user 1 the second. */
static void constant(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const float *predicted = context;
    (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = predicted[client];
}

static struct frs_quality constant_quality(float first, float second) {
    char *path = write_file(csv, sizeof csv - 1);
    struct frs_data *data = load(SETTINGS("format", "csv", "path", path, "csv_header", "false", "csv_value",
                                     "3", "feedback", "explicit", "split", "ratio", "test_ratio", "0.25",
                                     "validation_ratio", "0.25", "min_interactions", "2"),
        NO_SETTINGS, 1);
    struct frs_pool *pool = frs_pool_create(1);
    struct frs_evaluation *evaluation =
        frs_evaluation_create(data, &(struct frs_list_rules){.n = 1, .k = {10}}, pool);
    float predicted[] = {first, second};
    frs_evaluation_run(evaluation, &(struct frs_scorer){.context = predicted, .score = constant});
    struct frs_quality quality = frs_evaluation_quality(evaluation, NULL);
    ck_assert(isnan(frs_evaluation_rank(evaluation, 0)));
    frs_evaluation_destroy(evaluation);
    frs_pool_destroy(pool);
    frs_data_destroy(data);
    remove_file(path);
    return quality;
}

START_TEST(errors_by_hand) {
    struct frs_quality quality = constant_quality(4, 4); /* wrong by 1 and by 3 */
    ck_assert_uint_eq(quality.test.n, 2);
    ck_assert_uint_eq(quality.validation.n, 2);
    ck_assert_double_eq_tol(quality.test.mae, 2, 1e-12);
    ck_assert_double_eq_tol(quality.test.rmse, sqrt(5), 1e-12);
    ck_assert_double_eq_tol(quality.validation.rmse, sqrt(5), 1e-12);
    ck_assert(isnan(frs_scores_hit(&quality.test)));
}
END_TEST

START_TEST(predictions_beyond_the_scale) {
    ck_assert_double_eq_tol(constant_quality(7, -3).test.rmse, 0, 1e-12);
    ck_assert_double_eq_tol(constant_quality(0, 9).test.rmse, 4, 1e-12);
}
END_TEST

/* Clipping makes no rating of what is not a number. */
START_TEST(not_a_number_stays_so) {
    ck_assert(isnan(constant_quality(NAN, 1).test.rmse));
    ck_assert(isinf(constant_quality(5, INFINITY).test.rmse));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rating evaluation");
    TCase *tests = tcase_create("rating evaluation");
    tcase_add_test(tests, errors_by_hand);
    tcase_add_test(tests, predictions_beyond_the_scale);
    tcase_add_test(tests, not_a_number_stays_so);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
