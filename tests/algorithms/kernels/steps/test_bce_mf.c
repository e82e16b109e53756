/* Local training of FedMF and CoLR: steps and operations by hand. */
#include "tests/algorithms/kernels/steps/bce_mf_fixture.h"

#include <math.h>

/* ∂p = Σ c q = −½(1, −2) + (½, −1) − ½(−1, 2) = (½, −1); ∂q = c·p = (−1, −½), (2, 1), (−1, −½).
 *   sum         q −= .1 ∂q                p −= .2 ∂p = (.1, −.2)
 *   batch_mean  a quarter of both
 *   row_mean    row 1 by half of ∂q (two occurrences), rows 0 and 2 by all of it; p as batch_mean
 * Weight decay ½ takes off a further .1 · ½ · q from the rows of the batch and .2 · ½ · p. */
START_TEST(sgd_of_fedmf_by_hand) {
    static const float q[] = {1, -2, .5f, -1, -1, 2, 7, 8};
    static const struct {
        enum frs_sgd_scaling scaling;
        float rows[3][2], p[2];
    } cases[] = {
        {FRS_SUM, {{1.1f, -1.95f}, {.3f, -1.1f}, {-.9f, 2.05f}}, {1.9f, 1.2f}},
        {FRS_BATCH_MEAN, {{1.025f, -1.9875f}, {.45f, -1.025f}, {-.975f, 2.0125f}}, {1.975f, 1.05f}},
        {FRS_ROW_MEAN, {{1.1f, -1.95f}, {.4f, -1.05f}, {-.9f, 2.05f}}, {1.975f, 1.05f}},
    };
    for (size_t c = 0; c < 3; c++)
        for (int decays = 0; decays < 2; decays++) {
            struct bce_problem problem = bce_problem(2, 2, 4, bce_hand_p, q, NULL, NULL);
            bce_take_samples(&problem, bce_hand_samples, 4);
            struct frs_bce_mf_settings settings = bce_sgd(cases[c].scaling, decays ? .5f : 0);
            struct frs_bce_mf_result result = bce_train(&problem, &settings);
            for (size_t row = 0; row < 3; row++) {
                float expected[2];
                for (size_t k = 0; k < 2; k++)
                    expected[k] = cases[c].rows[row][k] - (decays ? .05f * q[row * 2 + k] : 0);
                bce_check_row(&problem, row, expected);
            }
            bce_check_row(&problem, 3, (const float[]){7, 8});
            for (size_t k = 0; k < 2; k++)
                ck_assert_float_eq_tol(
                    problem.model.p[k], cases[c].p[k] - (decays ? .1f * bce_hand_p[k] : 0), 1e-6f);
            ck_assert_double_eq_tol(result.loss, log(2), 1e-6);
            /* b = 3, d = e = 2: scores 12, ∂p 12, sigmoid 18, step 12 + 4, decay 12 */
            ck_assert_double_eq(result.flop, decays ? 70 : 58);
            frs_arena_fini(&problem.arena);
        }
}
END_TEST

/* The same step with μ = 2: .1 · 2 · (q − received) goes off the rows of the batch, beside the decay and
 * whatever the scaling, and nothing off p. Received is q − (1, −½) in row 0, so (.2, −.1) goes off there; q
 * itself in row 1; q + (½, 0) in row 2, so (−.1, 0). Row 3 is not in the batch and stays. */
START_TEST(proximal_sgd_by_hand) {
    static const float q[] = {1, -2, .5f, -1, -1, 2, 7, 8}, received[] = {0, -1.5f, .5f, -1, -.5f, 2, 0, 0};
    static const float pull[3][2] = {{.2f, -.1f}, {0, 0}, {-.1f, 0}};
    static const enum frs_sgd_scaling scalings[] = {FRS_SUM, FRS_BATCH_MEAN, FRS_ROW_MEAN};
    for (size_t c = 0; c < 3; c++)
        for (int decays = 0; decays < 2; decays++) {
            struct bce_problem problem = bce_problem(2, 2, 4, bce_hand_p, q, NULL, NULL),
                               without = bce_problem(2, 2, 4, bce_hand_p, q, NULL, NULL);
            struct frs_bce_mf_settings settings = bce_sgd(scalings[c], decays ? .5f : 0);
            bce_take_samples(&problem, bce_hand_samples, 4);
            bce_take_samples(&without, bce_hand_samples, 4);
            struct frs_bce_mf_result before = bce_train(&without, &settings);
            settings.proximal = 2;
            problem.model.received = bce_rows_of(&problem, received, 2);
            struct frs_bce_mf_result result = bce_train(&problem, &settings);
            for (size_t row = 0; row < 3; row++) {
                float expected[2];
                for (size_t k = 0; k < 2; k++)
                    expected[k] = bce_value_of(&without, row, k) - pull[row][k];
                bce_check_row(&problem, row, expected);
            }
            bce_check_row(&problem, 3, (const float[]){7, 8});
            ck_assert_mem_eq(problem.model.p, without.model.p, 2 * sizeof(float));
            ck_assert_double_eq(result.loss, before.loss);
            /* b = 3, e = 2: a difference, a product and a subtraction for each value of the batch's rows */
            ck_assert_double_eq(result.flop, before.flop + 18);
            frs_arena_fini(&problem.arena);
            frs_arena_fini(&without.arena);
        }
}
END_TEST

/* B = (1, 2)ᵀ, Bᵀp = 4; scores f·p + 4a = −2 + 2, 0, 1 − 1. f + B a = (−½, 1), (½, −1), (−¼, ½), so
 * ∂p = (.25 + .5 + .125, −.5 − 1 − .25) = (.875, −1.75); ∂a = ½ · 4 · c = (−1, 2, −1) under gradient_scale ½.
 * batch_mean: a −= .1/4 ∂a, p −= .2/4 ∂p; weight decay ½: a −= .05 a, p −= .1 p. */
START_TEST(sgd_of_colr_by_hand) {
    static const float frozen[] = {-1, 0, .5f, -1, 0, 1}, a[] = {.5f, 0, -.25f}, b[] = {1, 2};
    static const float stepped[] = {.525f, -.05f, -.225f}, p[] = {1.95625f, 1.0875f};
    for (int decays = 0; decays < 2; decays++) {
        struct bce_problem problem = bce_problem(2, 1, 3, bce_hand_p, a, frozen, b);
        bce_take_samples(&problem, bce_hand_samples, 4);
        struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, decays ? .5f : 0);
        settings.gradient_scale = .5f;
        struct frs_bce_mf_result result = bce_train(&problem, &settings);
        for (size_t row = 0; row < 3; row++)
            bce_check_row(&problem, row, (const float[]){stepped[row] - (decays ? .05f * a[row] : 0)});
        for (size_t k = 0; k < 2; k++)
            ck_assert_float_eq_tol(problem.model.p[k], p[k] - (decays ? .1f * bce_hand_p[k] : 0), 1e-6f);
        ck_assert_float_eq(problem.model.frozen[0], -1);
        /* b = 3, d = 2, e = 1: scores 6 + 12 + 4, ∂p the same, sigmoid 18, step 6 + 4, decay 6 */
        ck_assert_double_eq(result.flop, decays ? 78 : 72);
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* The same with decay ½ of f + B a as a whole: BᵀB = 5, Bᵀ(f + B a) = (1.5, −1.5, .75), so a −= .1 · ½ · ½
 * times that under any scaling, and p −= .1 p as before. Operations: Bᵀf of three rows 12, and 6 more than
 * with decay of a. */
START_TEST(decay_of_whole_rows_by_hand) {
    static const float frozen[] = {-1, 0, .5f, -1, 0, 1}, a[] = {.5f, 0, -.25f}, b[] = {1, 2};
    static const float stepped[] = {.525f - .0375f, -.05f + .0375f, -.225f - .01875f},
                       p[] = {1.95625f, 1.0875f};
    struct bce_problem problem = bce_problem(2, 1, 3, bce_hand_p, a, frozen, b);
    bce_take_samples(&problem, bce_hand_samples, 4);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, .5f);
    settings.gradient_scale = .5f;
    settings.whole_decay = 5;
    struct frs_bce_mf_result result = bce_train(&problem, &settings);
    for (size_t row = 0; row < 3; row++)
        bce_check_row(&problem, row, &stepped[row]);
    for (size_t k = 0; k < 2; k++)
        ck_assert_float_eq_tol(problem.model.p[k], p[k] - .1f * bce_hand_p[k], 1e-6f);
    ck_assert_double_eq(result.flop, 78 + 12 + 6);
    frs_arena_fini(&problem.arena);
}
END_TEST

/* Two batches of one row each, d = e = 1, Adam: scores 2, ∂p 2, sigmoid 6, user 14, rows 14 · seen (1, then
 * 2; in the second epoch 2 and 2). */
START_TEST(flops_of_adam_by_hand) {
    struct bce_problem problem = bce_problem(1, 1, 2, bce_hand_p, bce_hand_p, NULL, NULL);
    bce_take_samples(&problem, (const uint32_t[]){BCE_POSITIVE(0), BCE_NEGATIVE(1)}, 2);
    struct frs_bce_mf_settings settings = bce_sgd(0, 0);
    settings.optimiser = FRS_ADAM;
    settings.batch = 1;
    ck_assert_double_eq(bce_train(&problem, &settings).flop, 2 * 24 + 14 * 3);
    settings.epochs = 2;
    ck_assert_double_eq(bce_train(&problem, &settings).flop, 4 * 24 + 14 * 7);
    settings.proximal = .5f; /* three for the one row of each batch */
    problem.model.received = bce_rows_of(&problem, bce_hand_p, 1);
    ck_assert_double_eq(bce_train(&problem, &settings).flop, 4 * 27 + 14 * 7);
    frs_arena_fini(&problem.arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bce_mf by hand");
    TCase *tests = tcase_create("bce_mf by hand");
    tcase_add_test(tests, sgd_of_fedmf_by_hand);
    tcase_add_test(tests, proximal_sgd_by_hand);
    tcase_add_test(tests, sgd_of_colr_by_hand);
    tcase_add_test(tests, decay_of_whole_rows_by_hand);
    tcase_add_test(tests, flops_of_adam_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
