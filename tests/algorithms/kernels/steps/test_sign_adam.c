/* Adam over rows whose vector is frozen is the usual one; a step and its operations by hand. */
#include "algorithms/kernels/steps/sign_adam.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define ROWS 90u
#define DIM 7u
#define SAMPLES 240u
#define PITCH 16u

struct input {
    _Alignas(64) float p[PITCH], rows[ROWS * PITCH];
    uint32_t samples[SAMPLES];
};

/* Row 0 occurs in no sample. */
static struct input draw_input(void) {
    static struct input input;
    struct frs_rng rng = test_rng(70);
    input = (struct input){0};
    frs_rng_fill_normal(&rng, input.p, DIM, 1);
    for (size_t k = 0; k < DIM; k++) {
        float column[ROWS];
        frs_rng_fill_normal(&rng, column, ROWS, 1);
        for (size_t row = 0; row < ROWS; row++)
            input.rows[row * PITCH + k] = column[row];
    }
    for (size_t i = 0; i < SAMPLES; i++)
        input.samples[i] = (1 + frs_rng_below(&rng, ROWS - 1)) << 1 | frs_rng_below(&rng, 2);
    return input;
}

/* Scores of up to ±30, most of them right: gradients about and below ε / |p_k|. */
static struct input draw_settled_input(void) {
    struct input input = draw_input();
    static const float p[DIM] = {4, -3, .05f, 2, 1e-3f, 0, -5};
    memcpy(input.p, p, sizeof p);
    for (size_t i = 0; i < SAMPLES; i++) {
        const float *row = input.rows + (input.samples[i] >> 1) * PITCH;
        float score = 0;
        for (size_t k = 0; k < DIM; k++)
            score += p[k] * row[k];
        input.samples[i] = (input.samples[i] >> 1) << 1 | ((score > 0) != (i % 40 == 0));
    }
    return input;
}

static struct frs_bce_mf_result train(
    struct input *input, bool relative, const struct frs_bce_mf_settings *settings, struct frs_arena *arena) {
    struct frs_sign_adam model = {
        .dim = DIM, .n_rows = ROWS, .rows = input->rows, .p = input->p, .relative = relative};
    struct frs_samples samples = {.n = SAMPLES, .samples = input->samples};
    struct frs_rng shuffle = test_rng(1);
    return frs_sign_adam_train(&model, &samples, settings, &shuffle, arena);
}

static const struct frs_bce_mf_settings adam = {
    .epochs = 3, .batch = 16, .optimiser = FRS_ADAM, .item_rate = .01f, .gradient_scale = 1};

/* Adam of every element of every row in double precision, with ε or ε · |p_k|. */
static double naive_train(const struct input *input, bool relative, double q[ROWS][DIM]) {
    static double m[ROWS][DIM], v[ROWS][DIM];
    uint32_t order[SAMPLES];
    struct frs_samples samples = {.n = SAMPLES, .samples = order};
    struct frs_rng shuffle = test_rng(1);
    unsigned t = 0;
    double loss = 0;
    memset(m, 0, sizeof m);
    memset(v, 0, sizeof v);
    memcpy(order, input->samples, sizeof order);
    for (size_t epoch = 0; epoch < adam.epochs; epoch++) {
        frs_samples_shuffle(&samples, 16, &shuffle);
        loss = 0;
        for (size_t at = 0; at < SAMPLES; at += 16) {
            double c[ROWS] = {0};
            for (size_t i = at; i < at + 16; i++) {
                double s = 0;
                for (size_t k = 0; k < DIM; k++)
                    s += (double)input->p[k] * q[order[i] >> 1][k];
                c[order[i] >> 1] += (order[i] & 1 ? -1 / (1 + exp(s)) : 1 / (1 + exp(-s))) / 16;
                loss += log1p(exp(-fabs(s))) + fmax(s, 0) - (order[i] & 1 ? s : 0);
            }
            t++;
            for (size_t row = 0; row < ROWS; row++)
                for (size_t k = 0; k < DIM; k++) {
                    double p = (double)input->p[k], g = c[row] * p;
                    m[row][k] = .9 * m[row][k] + .1 * g;
                    v[row][k] = .999 * v[row][k] + .001 * g * g;
                    if (v[row][k] > 0)
                        q[row][k] -= (double)adam.item_rate * (m[row][k] / (1 - pow(.9, t))) /
                                     (sqrt(v[row][k] / (1 - pow(.999, t))) + 1e-8 * (relative ? fabs(p) : 1));
                }
        }
    }
    return loss / SAMPLES;
}

START_TEST(it_is_the_elementwise_adam) {
    bool relative = _i & 1;
    struct input input = _i & 2 ? draw_settled_input() : draw_input();
    struct frs_arena arena = {0};
    static double q[ROWS][DIM];
    float first = input.rows[0];
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < DIM; k++)
            q[row][k] = (double)input.rows[row * PITCH + k];
    double loss = naive_train(&input, relative, q);
    struct frs_bce_mf_result result = train(&input, relative, &adam, &arena);
    ck_assert_double_eq_tol(result.loss, loss, 1e-5);
    ck_assert_uint_eq(result.epochs, adam.epochs);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < PITCH; k++)
            ck_assert_double_eq_tol(input.rows[row * PITCH + k], k < DIM ? q[row][k] : 0, 2e-5);
    ck_assert_float_eq(input.rows[0], first);
    frs_arena_fini(&arena);
}
END_TEST

/* The general kernel with p frozen, every element with moments of its own. */
START_TEST(it_is_the_usual_adam) {
    struct input input = draw_input(), same = draw_input();
    struct frs_arena arena = {0};
    struct frs_bce_mf usual = {.dim = DIM, .n_rows = ROWS, .p = same.p};
    struct frs_samples samples = {.n = SAMPLES, .samples = same.samples};
    struct frs_rng shuffle = test_rng(1);
    usual.rows = frs_arena_take(&arena, ROWS * PITCH, sizeof(float));
    memcpy(usual.rows, same.rows, sizeof same.rows);
    struct frs_bce_mf_result expected = frs_bce_mf_train(&usual, &samples, &adam, &shuffle, &arena);
    ck_assert_mem_eq(usual.p, input.p, sizeof input.p); /* user_rate 0 */
    struct frs_bce_mf_result result = train(&input, false, &adam, &arena);
    for (size_t i = 0; i < ROWS * PITCH; i++)
        ck_assert_float_eq_tol(input.rows[i], usual.rows[i], 1e-5f);
    ck_assert_double_eq_tol(result.loss, expected.loss, 1e-6);
    ck_assert_double_eq_tol(result.first_loss, expected.first_loss, 1e-6);
    ck_assert_double_eq(result.flop, expected.flop);
    frs_arena_fini(&arena);
}
END_TEST

/* The first step of Adam is its rate against the gradient, whatever that is: a positive of score 0 moves
 * along sign(p). Relative ε leaves out nothing that matters; an absolute one of 1e-8 beside ½ |p_k| does so
 * where p_k is 2e-8, which moves by half the rate; p_k = 0 has no gradient. */
START_TEST(a_step_by_hand) {
    _Alignas(64) float p[PITCH] = {2, -1, 2e-8f}, row[PITCH] = {0};
    uint32_t sample = 1;
    struct frs_arena arena = {0};
    struct frs_samples samples = {.n = 1, .samples = &sample};
    struct frs_rng shuffle = test_rng(1);
    struct frs_bce_mf_settings once = adam;
    struct frs_sign_adam model = {.dim = 4, .n_rows = 1, .rows = row, .p = p, .relative = _i};
    once.epochs = 1;
    ck_assert_double_eq_tol(
        frs_sign_adam_train(&model, &samples, &once, &shuffle, &arena).loss, log(2), 1e-6);
    ck_assert_float_eq_tol(row[0], .01f, 1e-8f);
    ck_assert_float_eq_tol(row[1], -.01f, 1e-8f);
    ck_assert_float_eq_tol(row[2], _i ? .01f : .005f, 1e-8f);
    for (size_t k = 3; k < PITCH; k++)
        ck_assert_float_eq(row[k], 0);
    frs_arena_fini(&arena);
}
END_TEST

/* One batch with b = 80 distinct rows takes 6 · 80 + 16 · 80, in the second epoch the same. */
START_TEST(flops_by_hand) {
    struct input input = draw_input();
    struct frs_arena arena = {0};
    struct frs_bce_mf_settings whole = adam;
    for (size_t i = 0; i < SAMPLES; i++)
        input.samples[i] = (uint32_t)(i % 80) << 1;
    whole.batch = 256;
    whole.epochs = 2;
    ck_assert_double_eq(train(&input, true, &whole, &arena).flop, 2 * 22 * 80);
    frs_arena_fini(&arena);
}
END_TEST

START_TEST(what_is_not_finite_shows_in_the_loss) {
    struct input input = draw_input();
    struct frs_arena arena = {0};
    input.rows[(input.samples[5] >> 1) * PITCH] = NAN;
    ck_assert(!isfinite(train(&input, _i & 1, &adam, &arena).loss));
    frs_arena_fini(&arena);
}
END_TEST

/* Nor does it write where no rows are. */
START_TEST(a_vector_that_is_not_finite) {
    static const float values[] = {NAN, -NAN, INFINITY};
    enum { FEW = 3 };
    for (size_t i = 0; i < 3; i++) {
        struct input input = draw_input();
        struct frs_arena arena = {0};
        uint32_t few[] = {0, 3, 4, 1};
        input.p[0] = values[i];
        for (size_t k = FEW * PITCH; k < ROWS * PITCH; k++)
            input.rows[k] = 7;
        struct frs_sign_adam model = {
            .dim = DIM, .n_rows = FEW, .rows = input.rows, .p = input.p, .relative = _i & 1};
        struct frs_samples samples = {.n = 4, .samples = few};
        struct frs_bce_mf_settings settings = adam;
        settings.batch = 2;
        struct frs_rng shuffle = test_rng(1);
        ck_assert(!isfinite(frs_sign_adam_train(&model, &samples, &settings, &shuffle, &arena).loss));
        for (size_t k = FEW * PITCH; k < ROWS * PITCH; k++)
            ck_assert_float_eq(input.rows[k], 7);
        frs_arena_fini(&arena);
    }
}
END_TEST

START_TEST(early_stop_stops) {
    struct input input = draw_input();
    struct frs_arena arena = {0};
    struct frs_bce_mf_settings settings = adam;
    settings.epochs = 50;
    settings.early_stop = .5f;
    ck_assert_uint_eq(train(&input, _i & 1, &settings, &arena).epochs, 2);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sign_adam");
    TCase *tests = tcase_create("sign_adam");
    tcase_add_loop_test(tests, it_is_the_elementwise_adam, 0, 4);
    tcase_add_test(tests, it_is_the_usual_adam);
    tcase_add_loop_test(tests, a_step_by_hand, 0, 2);
    tcase_add_test(tests, flops_by_hand);
    tcase_add_loop_test(tests, what_is_not_finite_shows_in_the_loss, 0, 2);
    tcase_add_loop_test(tests, a_vector_that_is_not_finite, 0, 2);
    tcase_add_loop_test(tests, early_stop_stops, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
