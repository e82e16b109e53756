/* Dense Adam against steps by hand and the formulas of its paper. */
#include "algorithms/kernels/adam.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define N 64u

/* All [N], aligned as the kernel wants them. */
struct state {
    float *x, *m, *v, *coefficient, *decay;
};

static struct state make_state(void) {
    struct state s = {frs_alloc_aligned(N, sizeof(float)), frs_alloc_aligned(N, sizeof(float)),
        frs_alloc_aligned(N, sizeof(float)), frs_alloc_aligned(N, sizeof(float)),
        frs_alloc_aligned(N, sizeof(float))};
    struct frs_rng rng = test_rng(60);
    frs_rng_fill_normal(&rng, s.x, N, 1);
    return s;
}

static void free_state(struct state *s) {
    free(s->x);
    free(s->m);
    free(s->v);
    free(s->coefficient);
    free(s->decay);
}

/* One step of a table of one dimension, w = 1. */
static void step_all(const struct state *s, float scale, const float *decay, struct frs_adam_step step) {
    const float w = 1;
    struct frs_adam_rows rows = {.x = s->x, .m = s->m, .v = s->v, .dim = 1, .stride = N, .n = N};
    frs_adam_rows(&rows, s->coefficient, &w, scale, decay, step);
}

/* The first step: m̂ = g, v̂ = g², so x moves by rate · g / (|g| + ε), whatever the size of g. */
START_TEST(first_step_by_hand) {
    static const double gradients[] = {1, -1, 0.25, 1e-4, -1e-8, 1e-12, 1e6, 0};
    struct state s = make_state();
    memset(s.x, 0, N * sizeof *s.x);
    for (size_t i = 0; i < 8; i++)
        s.coefficient[i] = (float)(gradients[i] / 2);
    step_all(&s, 2, NULL, frs_adam_step(0.01, 1));
    for (size_t i = 0; i < 8; i++) {
        double expected = -0.01 * gradients[i] / (fabs(gradients[i]) + 1e-8);
        ck_assert_double_eq_tol(s.x[i], expected, 1e-5 * fabs(expected) + 1e-12);
    }
    free_state(&s);
}
END_TEST

/* A constant gradient moves x by the rate at every step; decay alone acts as the gradient decay · x. */
START_TEST(constant_gradient_moves_by_the_rate) {
    struct state s = make_state();
    for (size_t i = 0; i < N; i++) {
        s.x[i] = 5;
        s.coefficient[i] = i % 2 ? 3 : 0;
        s.decay[i] = i % 2 ? 0 : 3;
    }
    for (unsigned t = 1; t <= 10; t++)
        step_all(&s, 1, s.decay, frs_adam_step(0.001, t));
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq_tol(s.x[i], 5 - 10 * 0.001, 1e-5);
    free_state(&s);
}
END_TEST

/* Random gradients against algorithm 1 in double precision. Every third row has no gradient for the first 20
 * steps and must not move by a single bit; afterwards its moments start like those of any other row. */
START_TEST(many_steps_follow_the_paper) {
    struct state s = make_state();
    double x[N], m[N] = {0}, v[N] = {0};
    float before[N];
    struct frs_rng rng = test_rng(61);
    memcpy(before, s.x, sizeof before);
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)s.x[i];
        s.decay[i] = 0;
    }
    for (unsigned t = 1; t <= 60; t++) {
        frs_rng_fill_normal(&rng, s.coefficient, N, 0.1);
        for (size_t i = 0; i < N; i++) {
            bool rests = i % 3 == 0 && t <= 20;
            s.decay[i] = rests ? 0 : 0.02f;
            if (rests)
                s.coefficient[i] = 0;
            double g = 0.5 * (double)s.coefficient[i] + (double)s.decay[i] * x[i];
            m[i] = .9 * m[i] + .1 * g;
            v[i] = .999 * v[i] + .001 * g * g;
            x[i] -= .01 * (m[i] / (1 - pow(.9, t))) / (sqrt(v[i] / (1 - pow(.999, t))) + 1e-8);
        }
        step_all(&s, 0.5f, s.decay, frs_adam_step(0.01, t));
        for (size_t i = 0; i < N && t == 20; i += 3)
            ck_assert_mem_eq(&s.x[i], &before[i], sizeof before[i]);
    }
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq_tol(s.x[i], x[i], 1e-5 * fmax(1, fabs(x[i])));
    free_state(&s);
}
END_TEST

/* A row that rests keeps moving on its moments, as in a dense optimiser. */
START_TEST(momentum_outlives_the_gradient) {
    struct state s = make_state();
    memset(s.x, 0, N * sizeof *s.x);
    s.coefficient[0] = 1;
    step_all(&s, 1, NULL, frs_adam_step(0.01, 1));
    s.coefficient[0] = 0;
    step_all(&s, 1, NULL, frs_adam_step(0.01, 2));
    /* m = .09, v = .000999: m̂ = .09/.19, v̂ = .000999/.001999 */
    ck_assert_double_eq_tol(s.x[0], -0.01 - 0.01 * (.09 / .19) / sqrt(.000999 / .001999), 1e-7);
    ck_assert_float_eq(s.x[1], 0);
    free_state(&s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("adam");
    TCase *tests = tcase_create("adam");
    tcase_add_test(tests, first_step_by_hand);
    tcase_add_test(tests, constant_gradient_moves_by_the_rate);
    tcase_add_test(tests, many_steps_follow_the_paper);
    tcase_add_test(tests, momentum_outlives_the_gradient);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
