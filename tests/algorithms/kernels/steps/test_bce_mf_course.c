/* The course of local training: batches and epochs, where it stops, reproducible to the bit, and the
 * effect on the loss of a value that is not a number. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/kernels/steps/bce_mf_fixture.h"

#include <math.h>

static struct frs_bce_mf_result train_epochs(
    const struct bce_input *input, size_t epochs, float early_stop, float *p) {
    struct bce_problem problem = bce_random_problem(input, false);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
    settings.epochs = epochs;
    settings.batch = 50;
    settings.early_stop = early_stop;
    struct frs_bce_mf_result result = bce_train(&problem, &settings);
    memcpy(p, problem.model.p, BCE_DIM * sizeof *p);
    frs_arena_fini(&problem.arena);
    return result;
}

/* SGD keeps nothing from batch to batch: an epoch of several batches is one training after the other. */
START_TEST(batches_follow_each_other) {
    struct bce_input input = bce_draw_input(49);
    struct bce_problem whole = bce_random_problem(&input, _i == 1),
                       parts = bce_random_problem(&input, _i == 1);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_ROW_MEAN, .1f);
    struct frs_rng shuffle = test_rng(1); /* as bce_train() */
    uint32_t order[BCE_SAMPLES];
    settings.batch = 50;
    bce_train(&whole, &settings);
    frs_samples_shuffle(&parts.samples, settings.batch, &shuffle);
    memcpy(order, parts.samples.samples, sizeof order);
    for (size_t at = 0; at < BCE_SAMPLES; at += settings.batch) {
        bce_take_samples(
            &parts, order + at, BCE_SAMPLES - at < settings.batch ? BCE_SAMPLES - at : settings.batch);
        bce_train(&parts, &settings);
    }
    ck_assert_mem_eq(whole.model.p, parts.model.p, BCE_DIM * sizeof(float));
    for (size_t i = 0; i < BCE_ROWS * BCE_RANK; i++)
        ck_assert_float_eq(bce_value_of(&whole, i / BCE_RANK, i % BCE_RANK),
            bce_value_of(&parts, i / BCE_RANK, i % BCE_RANK));
    frs_arena_fini(&whole.arena);
    frs_arena_fini(&parts.arena);
}
END_TEST

/* The first epoch e ≥ 2 whose loss differs from the one before by less than the share. */
START_TEST(early_stop_takes_the_first_small_change) {
    struct bce_input input = bce_draw_input(50);
    float p[BCE_DIM], stopped[BCE_DIM], share = 5e-3f;
    double losses[60];
    size_t expected = 0;
    for (size_t e = 1; e < 60 && !expected; e++) {
        struct frs_bce_mf_result result = train_epochs(&input, e, 0, p);
        ck_assert_uint_eq(result.epochs, e);
        losses[e] = result.loss;
        ck_assert_double_eq(result.first_loss, losses[1]);
        if (e >= 2 && fabs(losses[e - 1] - losses[e]) < (double)share * losses[e - 1])
            expected = e;
    }
    ck_assert_uint_gt(expected, 3);
    struct frs_bce_mf_result result = train_epochs(&input, 60, share, stopped);
    ck_assert_uint_eq(result.epochs, expected);
    ck_assert_mem_eq(p, stopped, sizeof p);
}
END_TEST

START_TEST(training_is_reproducible_and_restores_denormals) {
    struct bce_input input = bce_draw_input(51);
    float first[BCE_DIM], second[BCE_DIM];
    volatile float tiny = 1e-30f, product;
    train_epochs(&input, 3, 0, first);
    product = tiny * 1e-10f;
    ck_assert_float_gt(product, 0);
    train_epochs(&input, 3, 0, second);
    ck_assert_mem_eq(first, second, sizeof first);
}
END_TEST

/* Scores of ±10⁴ count as ±80: a wrong one costs 80 and has gradient ±1, a right one costs nothing. */
START_TEST(logits_are_clamped) {
    static const float p[] = {100}, q[] = {100, -100};
    static const struct {
        uint32_t sample;
        double loss;
        float p;
    } cases[] = {{BCE_NEGATIVE(0), 80, 80}, {BCE_POSITIVE(0), 0, 100}, {BCE_POSITIVE(1), 80, 80},
        {BCE_NEGATIVE(1), 0, 100}};
    for (size_t c = 0; c < 4; c++) {
        struct bce_problem problem = bce_problem(1, 1, 2, p, q, NULL, NULL);
        bce_take_samples(&problem, &cases[c].sample, 1);
        struct frs_bce_mf_settings settings = bce_sgd(FRS_SUM, 0);
        ck_assert_double_eq_tol(bce_train(&problem, &settings).loss, cases[c].loss, 1e-6);
        ck_assert_float_eq_tol(problem.model.p[0], cases[c].p, 1e-4f);
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* Wherever the NaN sits, the loss shows it. */
START_TEST(nan_makes_the_loss_not_finite) {
    for (int place = 0; place < 3; place++) {
        struct bce_input input = bce_draw_input(52);
        size_t row = input.samples[3] >> 1;
        *(place == 0     ? &input.p[2]
            : place == 1 ? &input.rows[row * BCE_DIM]
                         : &input.frozen[row * BCE_DIM]) = NAN;
        struct bce_problem problem = bce_random_problem(&input, place == 2);
        struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
        ck_assert(!isfinite(bce_train(&problem, &settings).loss));
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* The last step has no loss after it: if it leaves the range of floats, the loss says so nevertheless. */
START_TEST(overflow_makes_the_loss_not_finite) {
    static const float q[] = {2, -4, 1, -2, -2, 4};
    for (int place = 0; place < 3; place++) {
        struct bce_problem problem = bce_problem(2, 2, 3, bce_hand_p, q, NULL, NULL);
        bce_take_samples(&problem, bce_hand_samples, 4);
        struct frs_bce_mf_settings settings = bce_sgd(FRS_SUM, 0);
        *(place ? &settings.item_rate : &settings.user_rate) = place == 2 ? 1e38f : 3e38f;
        struct frs_bce_mf_result result = bce_train(&problem, &settings);
        ck_assert_int_eq(isfinite(result.loss) != 0, place == 2); /* 2 · 1e38 is a float, 2 · 3e38 is none */
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

START_TEST(nothing_to_train_on) {
    struct bce_problem problem = bce_problem(2, 2, 0, bce_hand_p, bce_hand_p, NULL, NULL);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_SUM, .5f);
    struct frs_bce_mf_result result = bce_train(&problem, &settings);
    ck_assert_uint_eq(result.epochs, 0);
    ck_assert_double_eq(result.flop, 0);
    ck_assert_double_eq(result.loss, 0);
    ck_assert_mem_eq(problem.model.p, bce_hand_p, sizeof bce_hand_p);
    frs_arena_fini(&problem.arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("course of bce_mf");
    TCase *tests = tcase_create("course of bce_mf");
    tcase_add_loop_test(tests, batches_follow_each_other, 0, 2);
    tcase_add_test(tests, early_stop_takes_the_first_small_change);
    tcase_add_test(tests, training_is_reproducible_and_restores_denormals);
    tcase_add_test(tests, logits_are_clamped);
    tcase_add_test(tests, nan_makes_the_loss_not_finite);
    tcase_add_test(tests, overflow_makes_the_loss_not_finite);
    tcase_add_test(tests, nothing_to_train_on);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
