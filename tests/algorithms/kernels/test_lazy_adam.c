/* Adam that skips rows without a gradient is the dense one. */
#include "algorithms/kernels/lazy_adam.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/steps/bce_mf.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define PITCH 16u
#define RATE .01

/* Algorithm 1 of the paper for one number, in double precision. */
struct dense {
    double x, m, v;
    double way; /* the sum of all moves, whatever their sign */
};

static void step_dense(struct dense *d, double g, unsigned t) {
    double beta1 = (double)FRS_ADAM_BETA1, beta2 = (double)FRS_ADAM_BETA2;
    d->m = beta1 * d->m + (1 - beta1) * g;
    d->v = beta2 * d->v + (1 - beta2) * g * g;
    double move =
        RATE * (d->m / (1 - pow(beta1, t))) / (sqrt(d->v / (1 - pow(beta2, t))) + (double)FRS_ADAM_EPSILON);
    d->x -= move;
    d->way += fabs(move);
}

struct table {
    struct frs_lazy_rows rows;
    struct frs_lazy_adam adam;
    struct frs_arena arena;
};

static struct table make_table(size_t n_rows, size_t n_steps, size_t reach) {
    struct table table = {0};
    table.adam = frs_lazy_adam_create(RATE, n_steps, reach, &table.arena);
    table.rows = (struct frs_lazy_rows){.pitch = PITCH,
        .x = frs_arena_take_zeroed(&table.arena, n_rows * PITCH, sizeof(float)),
        .m = frs_arena_take_zeroed(&table.arena, n_rows * PITCH, sizeof(float)),
        .v = frs_arena_take_zeroed(&table.arena, n_rows * PITCH, sizeof(float)),
        .marks = frs_arena_take_zeroed(&table.arena, n_rows, sizeof(struct frs_lazy_mark))};
    return table;
}

/* A gradient at step t, which has begun, for rows that have caught up. */
static void add_gradient(struct table *table, uint32_t row, const float *g, uint32_t t) {
    struct frs_lazy_mark *mark = &table->rows.marks[row];
    const struct frs_lazy_window *window = &table->adam.windows[mark->last];
    *mark = (struct frs_lazy_mark){.last = t, .least = INFINITY};
    for (size_t k = row * PITCH; k < (row + 1) * PITCH; k++) {
        float gradient = *g++ / FRS_ADAM_EPSILON;
        table->rows.m[k] = window->beta1 * table->rows.m[k] + gradient;
        table->rows.v[k] = window->beta2 * table->rows.v[k] + gradient * gradient;
        mark->least = fminf(mark->least, table->rows.v[k]);
    }
}

/* One gradient of 1 at step 1, then a rest: m̂ = .1/.1 and then .09/.19, v̂ = 1 and then .000999/.001999. */
START_TEST(two_steps_by_hand) {
    struct table table = make_table(1, 2, 2);
    float g[PITCH];
    for (size_t k = 0; k < PITCH; k++)
        g[k] = k % 2 ? 1 : -1;
    frs_lazy_adam_begin(&table.adam, 1);
    frs_lazy_adam_catch_up(&table.adam, &table.rows, (const uint32_t[]){0}, 1);
    ck_assert_float_eq(table.rows.x[0], 0);
    add_gradient(&table, 0, g, 1);
    frs_lazy_adam_begin(&table.adam, 3);
    frs_lazy_adam_catch_up(&table.adam, &table.rows, (const uint32_t[]){0}, 1);
    double moved = RATE * (1 + .09 / .19 / sqrt(.000999 / .001999));
    for (size_t k = 0; k < PITCH; k++)
        ck_assert_double_eq_tol(table.rows.x[k], k % 2 ? -moved : moved, 1e-7);
    frs_arena_fini(&table.arena);
}
END_TEST

/* Rows rest for 1, 2, 3 … steps between gradients from 1e2 down to far below ε, in the lanes of one row
 * and in separate rows: on both sides of the floor the result equals that of taking every step. */
START_TEST(it_is_the_dense_adam_whatever_the_gradients) {
    enum { ROWS = 9, STEPS = 120 };
    struct table table = make_table(ROWS, STEPS, STEPS);
    static struct dense dense[ROWS][PITCH];
    struct frs_rng rng = test_rng(62);
    memset(dense, 0, sizeof dense);
    for (uint32_t t = 1; t <= STEPS; t++) {
        frs_lazy_adam_begin(&table.adam, t);
        for (uint32_t row = 0; row < ROWS; row++) {
            float g[PITCH] = {0};
            bool has = t % (row + 1) == 0 || frs_rng_below(&rng, 20) == 0;
            frs_rng_fill_normal(&rng, g, PITCH, 1);
            for (size_t k = 0; k < PITCH; k++) {
                g[k] *= (float)pow(10, 2 - 12 * (double)k / (PITCH - 1) - (row == 8 ? 5 : 0));
                step_dense(&dense[row][k], has ? (double)g[k] : 0, t);
            }
            if (!has)
                continue;
            frs_lazy_adam_catch_up(&table.adam, &table.rows, &row, 1);
            add_gradient(&table, row, g, t);
        }
    }
    uint32_t all[ROWS];
    for (uint32_t row = 0; row < ROWS; row++)
        all[row] = row;
    frs_lazy_adam_begin(&table.adam, STEPS + 1);
    frs_lazy_adam_catch_up(&table.adam, &table.rows, all, ROWS);
    for (size_t i = 0; i < ROWS * PITCH; i++) {
        const struct dense *d = &dense[i / PITCH][i % PITCH];
        ck_assert_double_eq_tol(table.rows.x[i], d->x, 3e-6 * d->way);
    }
    frs_arena_fini(&table.arena);
}
END_TEST

/* A gradient that is exactly zero leaves a value exactly where it is. */
START_TEST(what_has_no_gradient_stays) {
    struct table table = make_table(1, 4, 4);
    float g[PITCH] = {[1] = 1, [2] = 1e-18f};
    table.rows.x[0] = .1f;
    for (uint32_t t = 1; t <= 5; t++) {
        frs_lazy_adam_begin(&table.adam, t);
        frs_lazy_adam_catch_up(&table.adam, &table.rows, (const uint32_t[]){0}, 1);
        if (t < 5)
            add_gradient(&table, 0, g, t);
    }
    ck_assert_float_eq(table.rows.x[0], .1f);
    ck_assert_float_eq_tol(table.rows.x[1], -.04f, 1e-6f);
    ck_assert(table.rows.x[2] <= 0 && table.rows.x[2] > -1e-10f);
    frs_arena_fini(&table.arena);
}
END_TEST

/* Adam's clock is the step of its powers. */
START_TEST(clock_and_powers_agree) {
    struct frs_adam_clock clock = {0};
    for (unsigned t = 1; t <= 3000; t++) {
        struct frs_adam_step step = frs_adam_clock_next(&clock, .5), same = frs_adam_step(.5, t);
        ck_assert_float_eq_tol(step.rate, same.rate, 1e-6f * same.rate);
        ck_assert_float_eq_tol(step.epsilon, same.epsilon, 1e-6f * same.epsilon);
    }
}
END_TEST

/* Columns that are not there must not spoil the others, however often v has decayed in them. */
START_TEST(adam_takes_very_many_steps) {
    enum { WIDTH = 3, MANY = 60000 };
    _Alignas(64) float p[16] = {0.3f, -0.2f, 0.1f};
    _Alignas(64) float rows[2 * 16] = {0.1f, 0.2f, -0.1f};
    uint32_t samples[] = {0 << 1 | 1, 0 << 1, 1 << 1};
    struct frs_arena arena = {0};
    struct frs_bce_mf model = {.dim = WIDTH, .n_rows = 2, .p = p, .rows = rows};
    struct frs_bce_mf_settings settings = {.epochs = MANY,
        .batch = 256,
        .optimiser = FRS_ADAM,
        .item_rate = 1e-6f,
        .user_rate = 1e-6f,
        .gradient_scale = 1};
    struct frs_samples set = {.samples = samples, .n = 3, .n_rows = 2};
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    struct frs_bce_mf_result result = frs_bce_mf_train(&model, &set, &settings, &rng, &arena);
    ck_assert_uint_eq(result.epochs, MANY);
    ck_assert(isfinite(result.loss) && result.loss < result.first_loss);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = WIDTH; k < 16; k++)
            ck_assert_float_eq(rows[i * 16 + k], 0);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lazy_adam");
    TCase *tests = tcase_create("lazy_adam");
    tcase_add_test(tests, two_steps_by_hand);
    tcase_add_test(tests, it_is_the_dense_adam_whatever_the_gradients);
    tcase_add_test(tests, what_has_no_gradient_stays);
    tcase_add_test(tests, clock_and_powers_agree);
    tcase_add_test(tests, adam_takes_very_many_steps);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
