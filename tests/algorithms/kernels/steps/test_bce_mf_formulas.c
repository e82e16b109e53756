/* Local training of FedMF and CoLR on drawn problems: finite differences, the dense Adam, and alternating
 * steps, in double precision. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/kernels/steps/bce_mf_fixture.h"

#include <math.h>

/* Mean binary cross-entropy; `x` is p [BCE_DIM], then the rows [BCE_ROWS × e]. */
static double loss_at(const struct bce_input *input, bool low_rank, const double *x) {
    size_t e = low_rank ? BCE_RANK : BCE_DIM;
    double loss = 0;
    for (size_t i = 0; i < BCE_SAMPLES; i++) {
        size_t row = input->samples[i] >> 1;
        double s = 0;
        for (size_t k = 0; k < BCE_DIM; k++) {
            double q = low_rank ? (double)input->frozen[row * BCE_DIM + k] : x[BCE_DIM + row * e + k];
            for (size_t j = 0; low_rank && j < BCE_RANK; j++)
                q += (double)input->project[k * BCE_RANK + j] * x[BCE_DIM + row * e + j];
            s += x[k] * q;
        }
        loss += log1p(exp(-fabs(s))) + fmax(s, 0) - (input->samples[i] & 1 ? s : 0);
    }
    return loss / BCE_SAMPLES;
}

/* A step of SGD with rate 1 is minus the gradient. */
START_TEST(steps_follow_finite_differences) {
    bool low_rank = _i == 1;
    size_t e = low_rank ? BCE_RANK : BCE_DIM;
    struct bce_input input = bce_draw_input(30 + (uint32_t)_i);
    struct bce_problem problem = bce_random_problem(&input, low_rank);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
    settings.item_rate = settings.user_rate = 1;
    double x[BCE_DIM + BCE_ROWS * BCE_DIM];
    for (size_t k = 0; k < BCE_DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < BCE_ROWS * e; i++)
        x[BCE_DIM + i] = (double)input.rows[i];
    double before = loss_at(&input, low_rank, x);
    ck_assert_double_eq_tol(bce_train(&problem, &settings).loss, before, 1e-6);
    for (size_t i = 0; i < BCE_DIM + BCE_ROWS * e; i++) {
        const double h = 1e-5;
        double at = x[i], after;
        x[i] = at + h;
        double up = loss_at(&input, low_rank, x);
        x[i] = at - h;
        double gradient = (up - loss_at(&input, low_rank, x)) / (2 * h);
        x[i] = at;
        if (i < BCE_DIM)
            after = (double)problem.model.p[i];
        else
            after = (double)bce_value_of(&problem, (i - BCE_DIM) / e, (i - BCE_DIM) % e);
        ck_assert_double_eq_tol(at - after, gradient, 2e-6);
    }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* With the term the objective is the loss plus μ/2 times the squared distance of the rows that occur. */
START_TEST(proximal_steps_follow_finite_differences) {
    struct bce_input input = bce_draw_input(34), other = bce_draw_input(35);
    struct bce_problem problem = bce_random_problem(&input, false);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
    double x[BCE_DIM + BCE_ROWS * BCE_DIM];
    bool occurs[BCE_ROWS] = {false};
    settings.item_rate = settings.user_rate = 1;
    settings.proximal = .75f;
    problem.model.received = bce_rows_of(&problem, other.rows, BCE_DIM);
    for (size_t i = 0; i < BCE_SAMPLES; i++)
        occurs[input.samples[i] >> 1] = true;
    for (size_t k = 0; k < BCE_DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < BCE_ROWS * BCE_DIM; i++)
        x[BCE_DIM + i] = (double)input.rows[i];
    bce_train(&problem, &settings);
    for (size_t i = 0; i < BCE_ROWS * BCE_DIM; i++) {
        const double h = 1e-5;
        double at = x[BCE_DIM + i], received = (double)other.rows[i], value[2];
        for (int side = 0; side < 2; side++) {
            double away = at + (side ? h : -h) - received;
            x[BCE_DIM + i] = at + (side ? h : -h);
            value[side] = loss_at(&input, false, x) + (occurs[i / BCE_DIM] ? .375 * away * away : 0);
        }
        x[BCE_DIM + i] = at;
        ck_assert_double_eq_tol(at - (double)bce_value_of(&problem, i / BCE_DIM, i % BCE_DIM),
            (value[1] - value[0]) / (2 * h), 4e-6);
    }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* A trained projection moves with the vector and the rows, all by gradients at the same point. */
START_TEST(trained_projections_follow_finite_differences) {
    struct bce_input input = bce_draw_input(33);
    struct bce_problem problem = bce_random_problem(&input, true), frozen = bce_random_problem(&input, true);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
    float project[BCE_DIM * BCE_RANK];
    double x[BCE_DIM + BCE_ROWS * BCE_DIM];
    settings.item_rate = settings.user_rate = settings.project_rate = 1;
    memcpy(project, input.project, sizeof project);
    problem.model.project = problem.model.trained_project = project;
    bce_train(&problem, &settings);
    bce_train(&frozen, &settings);
    ck_assert_mem_eq(problem.model.p, frozen.model.p, BCE_DIM * sizeof(float));
    ck_assert_mem_eq(
        problem.model.factors, frozen.model.factors, BCE_RANK * problem.model.stride * sizeof(float));
    for (size_t k = 0; k < BCE_DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < BCE_ROWS * BCE_RANK; i++)
        x[BCE_DIM + i] = (double)input.rows[i];
    for (size_t i = 0; i < BCE_DIM * BCE_RANK; i++) {
        float before = input.project[i], up = before + 1e-3f, down = before - 1e-3f;
        input.project[i] = up;
        double gradient = loss_at(&input, true, x);
        input.project[i] = down;
        gradient = (gradient - loss_at(&input, true, x)) / ((double)up - (double)down);
        input.project[i] = before;
        ck_assert_double_eq_tol((double)before - (double)project[i], gradient, 1e-5);
    }
    frs_arena_fini(&problem.arena);
    frs_arena_fini(&frozen.arena);
}
END_TEST

/* With rate 0 the vector stays, and nothing is computed for it: b = 3, d = e = 2: scores 12, sigmoid 18,
 * step 12.
 */
START_TEST(rate_zero_freezes_the_vector) {
    static const float q[] = {1, -2, .5f, -1, -1, 2};
    struct bce_problem problem = bce_problem(2, 2, 3, bce_hand_p, q, NULL, NULL);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_SUM, 0);
    settings.user_rate = 0;
    bce_take_samples(&problem, bce_hand_samples, 4);
    ck_assert_double_eq(bce_train(&problem, &settings).flop, 42);
    ck_assert_mem_eq(problem.model.p, bce_hand_p, sizeof bce_hand_p);
    bce_check_row(&problem, 0, (const float[]){1.1f, -1.95f});
    frs_arena_fini(&problem.arena);
}
END_TEST

/* Adam as the paper prints it, every row of the table at every batch, in double precision. */
struct naive {
    double received[BCE_ROWS][BCE_DIM], p[BCE_DIM], q[BCE_ROWS][BCE_DIM], pm[BCE_DIM], pv[BCE_DIM],
        m[BCE_ROWS][BCE_DIM], v[BCE_ROWS][BCE_DIM];
    unsigned t;
};

static void naive_step(double *x, double *m, double *v, double g, double rate, unsigned t) {
    *m = .9 * *m + .1 * g;
    *v = .999 * *v + .001 * g * g;
    *x -= rate * (*m / (1 - pow(.9, t))) / (sqrt(*v / (1 - pow(.999, t))) + 1e-8);
}

static void naive_batch(
    struct naive *naive, const uint32_t *samples, size_t n, const struct frs_bce_mf_settings *settings) {
    double c[BCE_ROWS] = {0}, count[BCE_ROWS] = {0}, gradient[BCE_DIM] = {0}, p[BCE_DIM],
           decay = (double)settings->weight_decay, pull = (double)settings->proximal;
    for (size_t i = 0; i < n; i++) {
        size_t row = samples[i] >> 1;
        double s = 0;
        for (size_t k = 0; k < BCE_DIM; k++)
            s += naive->p[k] * naive->q[row][k];
        double error = (1 / (1 + exp(-s)) - (samples[i] & 1)) / (double)n;
        c[row] += error;
        count[row]++;
        for (size_t k = 0; k < BCE_DIM; k++)
            gradient[k] += error * naive->q[row][k];
    }
    naive->t++;
    memcpy(p, naive->p, sizeof p);
    for (size_t k = 0; k < BCE_DIM; k++) {
        naive_step(&naive->p[k], &naive->pm[k], &naive->pv[k], gradient[k] + decay * p[k],
            (double)settings->user_rate, naive->t);
        for (size_t row = 0; row < BCE_ROWS; row++)
            naive_step(&naive->q[row][k], &naive->m[row][k], &naive->v[row][k],
                c[row] * p[k] + (count[row] > 0 ? decay * naive->q[row][k] +
                                                      pull * (naive->q[row][k] - naive->received[row][k])
                                                : 0),
                (double)settings->item_rate, naive->t);
    }
}

static void naive_train(
    struct naive *naive, const struct bce_input *input, const struct frs_bce_mf_settings *settings) {
    uint32_t order[BCE_SAMPLES];
    struct frs_samples samples = {.n = BCE_SAMPLES, .samples = order};
    struct frs_rng shuffle = test_rng(1); /* as bce_train() */
    memcpy(order, input->samples, sizeof order);
    for (size_t k = 0; k < BCE_DIM; k++)
        naive->p[k] = (double)input->p[k];
    for (size_t i = 0; i < BCE_ROWS * BCE_DIM; i++)
        naive->q[i / BCE_DIM][i % BCE_DIM] = naive->received[i / BCE_DIM][i % BCE_DIM] =
            (double)input->rows[i];
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        frs_samples_shuffle(&samples, settings->batch, &shuffle);
        for (size_t at = 0; at < BCE_SAMPLES; at += settings->batch)
            naive_batch(naive, order + at,
                BCE_SAMPLES - at < settings->batch ? BCE_SAMPLES - at : settings->batch, settings);
    }
}

/* Batches of 16 leave most rows untouched at first; the last batch is short. With decay, with a proximal
 * term, and with both. */
START_TEST(adam_is_the_dense_adam) {
    struct bce_input input = bce_draw_input(40 + (uint32_t)_i);
    struct bce_problem problem = bce_random_problem(&input, false);
    struct frs_bce_mf_settings settings = bce_sgd(0, _i & 1 ? .05f : 0);
    settings.proximal = _i & 2 ? .5f : 0;
    problem.model.received = _i & 2 ? bce_rows_of(&problem, input.rows, BCE_DIM) : NULL;
    settings.optimiser = FRS_ADAM;
    settings.epochs = 3;
    settings.batch = 16;
    settings.item_rate = .01f;
    settings.user_rate = .02f;
    struct naive naive = {0};
    naive_train(&naive, &input, &settings);
    bce_train(&problem, &settings);
    for (size_t k = 0; k < BCE_DIM; k++)
        ck_assert_double_eq_tol(problem.model.p[k], naive.p[k], 1e-5 * fmax(1, fabs(naive.p[k])));
    for (size_t row = 0; row < BCE_ROWS; row++)
        for (size_t k = 0; k < BCE_DIM; k++) {
            float x = bce_value_of(&problem, row, k);
            ck_assert_double_eq_tol(x, naive.q[row][k], 1e-5 * fmax(1, fabs(naive.q[row][k])));
            if (row == 0 || row == BCE_ROWS - 1)
                ck_assert_mem_eq(&x, &input.rows[row * BCE_DIM + k], sizeof x);
        }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* Scores of a batch under p, rows and bias; c[row] = Σ (σ − y) / n over the occurrences. */
static double naive_coefficients(const double *p, double q[BCE_ROWS][BCE_DIM], double bias,
    const uint32_t *samples, size_t n, double c[BCE_ROWS]) {
    double loss = 0;
    memset(c, 0, BCE_ROWS * sizeof *c);
    for (size_t i = 0; i < n; i++) {
        size_t row = samples[i] >> 1;
        double s = bias;
        for (size_t k = 0; k < BCE_DIM; k++)
            s += p[k] * q[row][k];
        c[row] += (1 / (1 + exp(-s)) - (samples[i] & 1)) / (double)n;
        loss += log1p(exp(-fabs(s))) + fmax(s, 0) - (samples[i] & 1 ? s : 0);
    }
    return loss;
}

/* SGD on p and bias, then on the rows with the new p and bias, batch after batch; the loss is the one
 * before the rows move. */
START_TEST(alternating_steps_with_a_bias) {
    struct bce_input input = bce_draw_input(45);
    struct bce_problem problem = bce_random_problem(&input, false);
    struct frs_bce_mf_settings settings = bce_sgd(FRS_BATCH_MEAN, 0);
    float bias = .3f;
    double p[BCE_DIM], q[BCE_ROWS][BCE_DIM], c[BCE_ROWS], b = (double)bias, loss = 0;
    uint32_t order[BCE_SAMPLES];
    struct frs_samples samples = {.n = BCE_SAMPLES, .samples = order};
    struct frs_rng shuffle = test_rng(1); /* as bce_train() */
    memcpy(order, input.samples, sizeof order);
    settings.batch = 50;
    settings.item_rate = 40;
    settings.alternates = true;
    problem.model.bias = &bias;
    for (size_t k = 0; k < BCE_DIM; k++)
        p[k] = (double)input.p[k];
    for (size_t i = 0; i < BCE_ROWS * BCE_DIM; i++)
        q[i / BCE_DIM][i % BCE_DIM] = (double)input.rows[i];
    frs_samples_shuffle(&samples, settings.batch, &shuffle);
    for (size_t at = 0; at < BCE_SAMPLES; at += 50) {
        size_t n = BCE_SAMPLES - at < 50 ? BCE_SAMPLES - at : 50;
        naive_coefficients(p, q, b, order + at, n, c);
        for (size_t row = 0; row < BCE_ROWS; row++)
            for (size_t k = 0; k < BCE_DIM; k++)
                p[k] -= .2 * c[row] * q[row][k];
        for (size_t row = 0; row < BCE_ROWS; row++)
            b -= .2 * c[row];
        loss += naive_coefficients(p, q, b, order + at, n, c);
        for (size_t row = 0; row < BCE_ROWS; row++)
            for (size_t k = 0; k < BCE_DIM; k++)
                q[row][k] -= 40 * c[row] * p[k];
    }
    ck_assert_double_eq_tol(bce_train(&problem, &settings).loss, loss / BCE_SAMPLES, 1e-5);
    ck_assert_double_eq_tol(bias, b, 1e-5);
    for (size_t k = 0; k < BCE_DIM; k++)
        ck_assert_double_eq_tol(problem.model.p[k], p[k], 1e-5);
    for (size_t i = 0; i < BCE_ROWS * BCE_DIM; i++)
        ck_assert_double_eq_tol(
            bce_value_of(&problem, i / BCE_DIM, i % BCE_DIM), q[i / BCE_DIM][i % BCE_DIM], 2e-5);
    frs_arena_fini(&problem.arena);
}
END_TEST

/* A P that restricts nothing, here twice a permutation. f + P a moves like separate rows, whose gradient
 * is a quarter as large (PᵀP = 4). This also holds where all of it decays: SGD and Adam (which does not
 * see the scale), several epochs of small batches. */
START_TEST(whole_rows_decay_as_rows_do) {
    bool adam = _i % 2;
    struct bce_input input = bce_draw_input(40 + (uint32_t)_i);
    float project[BCE_DIM * BCE_DIM] = {0}, none[BCE_ROWS * BCE_DIM] = {0};
    for (size_t k = 0; k < BCE_DIM; k++)
        project[k * BCE_DIM + (k + 3) % BCE_DIM] = 2;
    struct frs_bce_mf_settings settings = bce_sgd((enum frs_sgd_scaling)(_i / 2 % 2), .03f);
    settings.optimiser = adam ? FRS_ADAM : FRS_SGD;
    settings.epochs = 3;
    settings.batch = 50;
    struct bce_problem own = bce_problem(BCE_DIM, BCE_DIM, BCE_ROWS, input.p, input.frozen, NULL, NULL),
                       low = bce_problem(BCE_DIM, BCE_DIM, BCE_ROWS, input.p, none, input.frozen, project);
    bce_take_samples(&own, input.samples, BCE_SAMPLES);
    bce_take_samples(&low, input.samples, BCE_SAMPLES);
    bce_train(&own, &settings);
    settings.whole_decay = 4;
    settings.gradient_scale = .25f;
    if (adam)
        settings.item_rate /= 2; /* of a, which is half as long as what it stands for */
    bce_train(&low, &settings);
    for (size_t i = 0; i < BCE_ROWS; i++)
        for (size_t k = 0; k < BCE_DIM; k++) {
            double row =
                (double)input.frozen[i * BCE_DIM + k] + 2 * (double)bce_value_of(&low, i, (k + 3) % BCE_DIM);
            ck_assert_double_eq_tol(row, (double)bce_value_of(&own, i, k), adam ? 5e-4 : 5e-6);
        }
    for (size_t k = 0; k < BCE_DIM; k++)
        ck_assert_float_eq_tol(low.model.p[k], own.model.p[k], adam ? 5e-4f : 5e-6f);
    frs_arena_fini(&own.arena);
    frs_arena_fini(&low.arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bce_mf and formulas");
    TCase *tests = tcase_create("bce_mf and formulas");
    tcase_add_loop_test(tests, steps_follow_finite_differences, 0, 2);
    tcase_add_test(tests, proximal_steps_follow_finite_differences);
    tcase_add_test(tests, trained_projections_follow_finite_differences);
    tcase_add_test(tests, rate_zero_freezes_the_vector);
    tcase_add_loop_test(tests, adam_is_the_dense_adam, 0, 4);
    tcase_add_test(tests, alternating_steps_with_a_bias);
    tcase_add_loop_test(tests, whole_rows_decay_as_rows_do, 0, 4);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
