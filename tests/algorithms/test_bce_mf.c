/* Local training of FedMF and CoLR: steps by hand, finite differences, and the dense Adam. */
#include "algorithms/kernels/bce_mf.h"
#include "algorithms/kernels/columns.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* A local problem: `rows` rows, sample lists, and a model that owns its tables. */
struct problem {
    struct frs_bce_mf model;
    struct frs_samples samples;
    struct frs_arena arena;
};

#define POSITIVE(row) ((uint32_t)(row) << 1 | 1)
#define NEGATIVE(row) ((uint32_t)(row) << 1)

static float *rows_of(struct problem *problem, const float *table, size_t dim) {
    size_t n_rows = problem->model.n_rows, pitch = frs_lanes_pad(dim);
    float *rows = frs_arena_take_zeroed(&problem->arena, n_rows * pitch, sizeof *rows);
    for (size_t i = 0; i < n_rows * dim; i++)
        rows[i / dim * pitch + i % dim] = table[i];
    return rows;
}

static float *factors_of(struct problem *problem, const float *table, size_t rank) {
    size_t n_rows = problem->model.n_rows, stride = problem->model.stride;
    float *factors = frs_arena_take_zeroed(&problem->arena, rank * stride, sizeof *factors);
    for (size_t i = 0; i < n_rows * rank; i++)
        factors[i % rank * stride + i / rank] = table[i];
    return factors;
}

static float value_of(const struct problem *problem, size_t row, size_t k) {
    const struct frs_bce_mf *model = &problem->model;
    return model->rows ? model->rows[row * frs_lanes_pad(model->dim) + k]
                       : model->factors[k * model->stride + row];
}

static void take_samples(struct problem *problem, const uint32_t *samples, size_t n) {
    problem->samples.n = n;
    problem->samples.samples = frs_arena_take(&problem->arena, n, sizeof *samples);
    memcpy(problem->samples.samples, samples, n * sizeof *samples);
}

/* `rows` [n_rows × train_dim]: factors where there is a projection [dim × train_dim]; frozen [n_rows × dim].
 * Both may be NULL. */
static struct problem make_problem(size_t dim, size_t train_dim, size_t n_rows, const float *p,
    const float *rows, const float *frozen, const float *project) {
    struct problem problem = {.model = {.dim = dim, .n_rows = n_rows, .project = project}};
    if (project) {
        problem.model.rank = train_dim;
        problem.model.stride = frs_lanes_pad(n_rows);
        problem.model.factors = factors_of(&problem, rows, train_dim);
    } else {
        problem.model.rows = rows_of(&problem, rows, dim);
    }
    problem.model.frozen = frozen ? rows_of(&problem, frozen, dim) : NULL;
    problem.model.p = frs_arena_take_zeroed(&problem.arena, frs_lanes_pad(dim), sizeof(float));
    memcpy(problem.model.p, p, dim * sizeof(float));
    return problem;
}

static struct frs_bce_mf_result train(struct problem *problem, const struct frs_bce_mf_settings *settings) {
    struct frs_rng shuffle = test_rng(1);
    return frs_bce_mf_train(&problem->model, &problem->samples, settings, &shuffle, &problem->arena);
}

static void check_row(const struct problem *problem, size_t row, const float *expected) {
    for (size_t k = 0; k < (problem->model.rows ? problem->model.dim : problem->model.rank); k++)
        ck_assert_float_eq_tol(value_of(problem, row, k), expected[k], 1e-6f);
}

static struct frs_bce_mf_settings sgd(enum frs_sgd_scaling scaling, float decay) {
    return (struct frs_bce_mf_settings){.epochs = 1,
        .batch = 256,
        .optimiser = FRS_SGD,
        .scaling = scaling,
        .item_rate = 0.1f,
        .user_rate = 0.2f,
        .weight_decay = decay,
        .gradient_scale = 1};
}

/* Every score is 0, so σ = ½: row 0 is one positive, c = −½; row 1 two negatives, c = 1; row 2 a positive.
 * Row 3 is not in the batch. */
static const uint32_t hand_samples[] = {POSITIVE(0), NEGATIVE(1), NEGATIVE(1), POSITIVE(2)};
static const float hand_p[] = {2, 1};

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
            struct problem problem = make_problem(2, 2, 4, hand_p, q, NULL, NULL);
            take_samples(&problem, hand_samples, 4);
            struct frs_bce_mf_settings settings = sgd(cases[c].scaling, decays ? .5f : 0);
            struct frs_bce_mf_result result = train(&problem, &settings);
            for (size_t row = 0; row < 3; row++) {
                float expected[2];
                for (size_t k = 0; k < 2; k++)
                    expected[k] = cases[c].rows[row][k] - (decays ? .05f * q[row * 2 + k] : 0);
                check_row(&problem, row, expected);
            }
            check_row(&problem, 3, (const float[]){7, 8});
            for (size_t k = 0; k < 2; k++)
                ck_assert_float_eq_tol(
                    problem.model.p[k], cases[c].p[k] - (decays ? .1f * hand_p[k] : 0), 1e-6f);
            ck_assert_double_eq_tol(result.loss, log(2), 1e-6);
            /* b = 3, d = e = 2: scores 12, ∂p 12, sigmoid 18, step 12 + 4, decay 12 */
            ck_assert_double_eq(result.flop, decays ? 70 : 58);
            frs_arena_fini(&problem.arena);
        }
}
END_TEST

/* The same step with μ = 2: .1 · 2 · (q − received) goes off the rows of the batch, beside the decay and whatever
 * the scaling, and nothing off p. Received is q − (1, −½) in row 0, so (.2, −.1) goes off there; q itself in row 1;
 * q + (½, 0) in row 2, so (−.1, 0). Row 3 is not in the batch and stays. */
START_TEST(proximal_sgd_by_hand) {
    static const float q[] = {1, -2, .5f, -1, -1, 2, 7, 8}, received[] = {0, -1.5f, .5f, -1, -.5f, 2, 0, 0};
    static const float pull[3][2] = {{.2f, -.1f}, {0, 0}, {-.1f, 0}};
    static const enum frs_sgd_scaling scalings[] = {FRS_SUM, FRS_BATCH_MEAN, FRS_ROW_MEAN};
    for (size_t c = 0; c < 3; c++)
        for (int decays = 0; decays < 2; decays++) {
            struct problem problem = make_problem(2, 2, 4, hand_p, q, NULL, NULL),
                           without = make_problem(2, 2, 4, hand_p, q, NULL, NULL);
            struct frs_bce_mf_settings settings = sgd(scalings[c], decays ? .5f : 0);
            take_samples(&problem, hand_samples, 4);
            take_samples(&without, hand_samples, 4);
            struct frs_bce_mf_result before = train(&without, &settings);
            settings.proximal = 2;
            problem.model.received = rows_of(&problem, received, 2);
            struct frs_bce_mf_result result = train(&problem, &settings);
            for (size_t row = 0; row < 3; row++) {
                float expected[2];
                for (size_t k = 0; k < 2; k++)
                    expected[k] = value_of(&without, row, k) - pull[row][k];
                check_row(&problem, row, expected);
            }
            check_row(&problem, 3, (const float[]){7, 8});
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
        struct problem problem = make_problem(2, 1, 3, hand_p, a, frozen, b);
        take_samples(&problem, hand_samples, 4);
        struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, decays ? .5f : 0);
        settings.gradient_scale = .5f;
        struct frs_bce_mf_result result = train(&problem, &settings);
        for (size_t row = 0; row < 3; row++)
            check_row(&problem, row, (const float[]){stepped[row] - (decays ? .05f * a[row] : 0)});
        for (size_t k = 0; k < 2; k++)
            ck_assert_float_eq_tol(problem.model.p[k], p[k] - (decays ? .1f * hand_p[k] : 0), 1e-6f);
        ck_assert_float_eq(problem.model.frozen[0], -1);
        /* b = 3, d = 2, e = 1: scores 6 + 12 + 4, ∂p the same, sigmoid 18, step 6 + 4, decay 6 */
        ck_assert_double_eq(result.flop, decays ? 78 : 72);
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* Two batches of one row each, d = e = 1, Adam: scores 2, ∂p 2, sigmoid 6, user 14, rows 14 · seen (1, then
 * 2; in the second epoch 2 and 2). */
START_TEST(flops_of_adam_by_hand) {
    struct problem problem = make_problem(1, 1, 2, hand_p, hand_p, NULL, NULL);
    take_samples(&problem, (const uint32_t[]){POSITIVE(0), NEGATIVE(1)}, 2);
    struct frs_bce_mf_settings settings = sgd(0, 0);
    settings.optimiser = FRS_ADAM;
    settings.batch = 1;
    ck_assert_double_eq(train(&problem, &settings).flop, 2 * 24 + 14 * 3);
    settings.epochs = 2;
    ck_assert_double_eq(train(&problem, &settings).flop, 4 * 24 + 14 * 7);
    settings.proximal = .5f; /* three for the one row of each batch */
    problem.model.received = rows_of(&problem, hand_p, 1);
    ck_assert_double_eq(train(&problem, &settings).flop, 4 * 27 + 14 * 7);
    frs_arena_fini(&problem.arena);
}
END_TEST

/* ---- random problems against formulas in double precision -------------------------------------------------
 */

#define ROWS 90u /* more than one block of columns, and a rest */
#define DIM 7u
#define RANK 3u
#define SAMPLES 240u

struct random_input {
    float p[DIM], rows[ROWS * DIM], frozen[ROWS * DIM], project[DIM * RANK];
    uint32_t samples[SAMPLES];
};

/* Row 0 and the last one occur in no sample. */
static struct random_input draw_input(uint32_t stream) {
    struct random_input input;
    struct frs_rng rng = test_rng(stream);
    frs_rng_fill_normal(&rng, input.p, DIM, 1);
    frs_rng_fill_normal(&rng, input.rows, ROWS * DIM, 1);
    frs_rng_fill_normal(&rng, input.frozen, ROWS * DIM, 1);
    frs_rng_fill_normal(&rng, input.project, DIM * RANK, 1);
    for (size_t i = 0; i < SAMPLES; i++)
        input.samples[i] = (1 + frs_rng_below(&rng, ROWS - 2)) << 1 | frs_rng_below(&rng, 2);
    return input;
}

static struct problem random_problem(const struct random_input *input, bool low_rank) {
    struct problem problem =
        low_rank ? make_problem(DIM, RANK, ROWS, input->p, input->rows, input->frozen, input->project)
                 : make_problem(DIM, DIM, ROWS, input->p, input->rows, NULL, NULL);
    take_samples(&problem, input->samples, SAMPLES);
    return problem;
}

/* Mean binary cross-entropy; `x` is p [DIM], then the rows [ROWS × e]. */
static double loss_at(const struct random_input *input, bool low_rank, const double *x) {
    size_t e = low_rank ? RANK : DIM;
    double loss = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t row = input->samples[i] >> 1;
        double s = 0;
        for (size_t k = 0; k < DIM; k++) {
            double q = low_rank ? (double)input->frozen[row * DIM + k] : x[DIM + row * e + k];
            for (size_t j = 0; low_rank && j < RANK; j++)
                q += (double)input->project[k * RANK + j] * x[DIM + row * e + j];
            s += x[k] * q;
        }
        loss += log1p(exp(-fabs(s))) + fmax(s, 0) - (input->samples[i] & 1 ? s : 0);
    }
    return loss / SAMPLES;
}

/* A step of SGD with rate 1 is minus the gradient. */
START_TEST(steps_follow_finite_differences) {
    bool low_rank = _i == 1;
    size_t e = low_rank ? RANK : DIM;
    struct random_input input = draw_input(30 + (uint32_t)_i);
    struct problem problem = random_problem(&input, low_rank);
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
    settings.item_rate = settings.user_rate = 1;
    double x[DIM + ROWS * DIM];
    for (size_t k = 0; k < DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < ROWS * e; i++)
        x[DIM + i] = (double)input.rows[i];
    double before = loss_at(&input, low_rank, x);
    ck_assert_double_eq_tol(train(&problem, &settings).loss, before, 1e-6);
    for (size_t i = 0; i < DIM + ROWS * e; i++) {
        const double h = 1e-5;
        double at = x[i], after;
        x[i] = at + h;
        double up = loss_at(&input, low_rank, x);
        x[i] = at - h;
        double gradient = (up - loss_at(&input, low_rank, x)) / (2 * h);
        x[i] = at;
        if (i < DIM)
            after = (double)problem.model.p[i];
        else
            after = (double)value_of(&problem, (i - DIM) / e, (i - DIM) % e);
        ck_assert_double_eq_tol(at - after, gradient, 2e-6);
    }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* With the term the objective is the loss plus μ/2 times the squared distance of the rows that occur. */
START_TEST(proximal_steps_follow_finite_differences) {
    struct random_input input = draw_input(34), other = draw_input(35);
    struct problem problem = random_problem(&input, false);
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
    double x[DIM + ROWS * DIM];
    bool occurs[ROWS] = {false};
    settings.item_rate = settings.user_rate = 1;
    settings.proximal = .75f;
    problem.model.received = rows_of(&problem, other.rows, DIM);
    for (size_t i = 0; i < SAMPLES; i++)
        occurs[input.samples[i] >> 1] = true;
    for (size_t k = 0; k < DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < ROWS * DIM; i++)
        x[DIM + i] = (double)input.rows[i];
    train(&problem, &settings);
    for (size_t i = 0; i < ROWS * DIM; i++) {
        const double h = 1e-5;
        double at = x[DIM + i], received = (double)other.rows[i], value[2];
        for (int side = 0; side < 2; side++) {
            double away = at + (side ? h : -h) - received;
            x[DIM + i] = at + (side ? h : -h);
            value[side] = loss_at(&input, false, x) + (occurs[i / DIM] ? .375 * away * away : 0);
        }
        x[DIM + i] = at;
        ck_assert_double_eq_tol(
            at - (double)value_of(&problem, i / DIM, i % DIM), (value[1] - value[0]) / (2 * h), 4e-6);
    }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* A trained projection moves with the vector and the rows, all by gradients at the same point. */
START_TEST(trained_projections_follow_finite_differences) {
    struct random_input input = draw_input(33);
    struct problem problem = random_problem(&input, true), frozen = random_problem(&input, true);
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
    float project[DIM * RANK];
    double x[DIM + ROWS * DIM];
    settings.item_rate = settings.user_rate = settings.project_rate = 1;
    memcpy(project, input.project, sizeof project);
    problem.model.project = problem.model.trained_project = project;
    train(&problem, &settings);
    train(&frozen, &settings);
    ck_assert_mem_eq(problem.model.p, frozen.model.p, DIM * sizeof(float));
    ck_assert_mem_eq(
        problem.model.factors, frozen.model.factors, RANK * problem.model.stride * sizeof(float));
    for (size_t k = 0; k < DIM; k++)
        x[k] = (double)input.p[k];
    for (size_t i = 0; i < ROWS * RANK; i++)
        x[DIM + i] = (double)input.rows[i];
    for (size_t i = 0; i < DIM * RANK; i++) {
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
    struct problem problem = make_problem(2, 2, 3, hand_p, q, NULL, NULL);
    struct frs_bce_mf_settings settings = sgd(FRS_SUM, 0);
    settings.user_rate = 0;
    take_samples(&problem, hand_samples, 4);
    ck_assert_double_eq(train(&problem, &settings).flop, 42);
    ck_assert_mem_eq(problem.model.p, hand_p, sizeof hand_p);
    check_row(&problem, 0, (const float[]){1.1f, -1.95f});
    frs_arena_fini(&problem.arena);
}
END_TEST

/* Adam as the paper prints it, every row of the table at every batch, in double precision. */
struct naive {
    double received[ROWS][DIM], p[DIM], q[ROWS][DIM], pm[DIM], pv[DIM], m[ROWS][DIM], v[ROWS][DIM];
    unsigned t;
};

static void naive_step(double *x, double *m, double *v, double g, double rate, unsigned t) {
    *m = .9 * *m + .1 * g;
    *v = .999 * *v + .001 * g * g;
    *x -= rate * (*m / (1 - pow(.9, t))) / (sqrt(*v / (1 - pow(.999, t))) + 1e-8);
}

static void naive_batch(
    struct naive *naive, const uint32_t *samples, size_t n, const struct frs_bce_mf_settings *settings) {
    double c[ROWS] = {0}, count[ROWS] = {0}, gradient[DIM] = {0}, p[DIM],
           decay = (double)settings->weight_decay, pull = (double)settings->proximal;
    for (size_t i = 0; i < n; i++) {
        size_t row = samples[i] >> 1;
        double s = 0;
        for (size_t k = 0; k < DIM; k++)
            s += naive->p[k] * naive->q[row][k];
        double error = (1 / (1 + exp(-s)) - (samples[i] & 1)) / (double)n;
        c[row] += error;
        count[row]++;
        for (size_t k = 0; k < DIM; k++)
            gradient[k] += error * naive->q[row][k];
    }
    naive->t++;
    memcpy(p, naive->p, sizeof p);
    for (size_t k = 0; k < DIM; k++) {
        naive_step(&naive->p[k], &naive->pm[k], &naive->pv[k], gradient[k] + decay * p[k],
            (double)settings->user_rate, naive->t);
        for (size_t row = 0; row < ROWS; row++)
            naive_step(&naive->q[row][k], &naive->m[row][k], &naive->v[row][k],
                c[row] * p[k] + (count[row] > 0 ? decay * naive->q[row][k] +
                                                      pull * (naive->q[row][k] - naive->received[row][k])
                                                : 0),
                (double)settings->item_rate, naive->t);
    }
}

static void naive_train(
    struct naive *naive, const struct random_input *input, const struct frs_bce_mf_settings *settings) {
    uint32_t order[SAMPLES];
    struct frs_samples samples = {.n = SAMPLES, .samples = order};
    struct frs_rng shuffle = test_rng(1); /* as train() */
    memcpy(order, input->samples, sizeof order);
    for (size_t k = 0; k < DIM; k++)
        naive->p[k] = (double)input->p[k];
    for (size_t i = 0; i < ROWS * DIM; i++)
        naive->q[i / DIM][i % DIM] = naive->received[i / DIM][i % DIM] = (double)input->rows[i];
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        frs_samples_shuffle(&samples, settings->batch, &shuffle);
        for (size_t at = 0; at < SAMPLES; at += settings->batch)
            naive_batch(
                naive, order + at, SAMPLES - at < settings->batch ? SAMPLES - at : settings->batch, settings);
    }
}

/* Batches of 16 leave most rows untouched at first; the last batch is a short one. With decay, with a proximal
 * term, and with both. */
START_TEST(adam_is_the_dense_adam) {
    struct random_input input = draw_input(40 + (uint32_t)_i);
    struct problem problem = random_problem(&input, false);
    struct frs_bce_mf_settings settings = sgd(0, _i & 1 ? .05f : 0);
    settings.proximal = _i & 2 ? .5f : 0;
    problem.model.received = _i & 2 ? rows_of(&problem, input.rows, DIM) : NULL;
    settings.optimiser = FRS_ADAM;
    settings.epochs = 3;
    settings.batch = 16;
    settings.item_rate = .01f;
    settings.user_rate = .02f;
    struct naive naive = {0};
    naive_train(&naive, &input, &settings);
    train(&problem, &settings);
    for (size_t k = 0; k < DIM; k++)
        ck_assert_double_eq_tol(problem.model.p[k], naive.p[k], 1e-5 * fmax(1, fabs(naive.p[k])));
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < DIM; k++) {
            float x = value_of(&problem, row, k);
            ck_assert_double_eq_tol(x, naive.q[row][k], 1e-5 * fmax(1, fabs(naive.q[row][k])));
            if (row == 0 || row == ROWS - 1)
                ck_assert_mem_eq(&x, &input.rows[row * DIM + k], sizeof x);
        }
    frs_arena_fini(&problem.arena);
}
END_TEST

/* Scores of a batch under p, rows and bias; c[row] = Σ (σ − y) / n over the occurrences. */
static double naive_coefficients(
    const double *p, double q[ROWS][DIM], double bias, const uint32_t *samples, size_t n, double c[ROWS]) {
    double loss = 0;
    memset(c, 0, ROWS * sizeof *c);
    for (size_t i = 0; i < n; i++) {
        size_t row = samples[i] >> 1;
        double s = bias;
        for (size_t k = 0; k < DIM; k++)
            s += p[k] * q[row][k];
        c[row] += (1 / (1 + exp(-s)) - (samples[i] & 1)) / (double)n;
        loss += log1p(exp(-fabs(s))) + fmax(s, 0) - (samples[i] & 1 ? s : 0);
    }
    return loss;
}

/* SGD on p and bias, then on the rows with the new p and bias, batch after batch; the loss is that before the
 * rows move. */
START_TEST(alternating_steps_with_a_bias) {
    struct random_input input = draw_input(45);
    struct problem problem = random_problem(&input, false);
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
    float bias = .3f;
    double p[DIM], q[ROWS][DIM], c[ROWS], b = (double)bias, loss = 0;
    uint32_t order[SAMPLES];
    struct frs_samples samples = {.n = SAMPLES, .samples = order};
    struct frs_rng shuffle = test_rng(1); /* as train() */
    memcpy(order, input.samples, sizeof order);
    settings.batch = 50;
    settings.item_rate = 40;
    settings.alternates = true;
    problem.model.bias = &bias;
    for (size_t k = 0; k < DIM; k++)
        p[k] = (double)input.p[k];
    for (size_t i = 0; i < ROWS * DIM; i++)
        q[i / DIM][i % DIM] = (double)input.rows[i];
    frs_samples_shuffle(&samples, settings.batch, &shuffle);
    for (size_t at = 0; at < SAMPLES; at += 50) {
        size_t n = SAMPLES - at < 50 ? SAMPLES - at : 50;
        naive_coefficients(p, q, b, order + at, n, c);
        for (size_t row = 0; row < ROWS; row++)
            for (size_t k = 0; k < DIM; k++)
                p[k] -= .2 * c[row] * q[row][k];
        for (size_t row = 0; row < ROWS; row++)
            b -= .2 * c[row];
        loss += naive_coefficients(p, q, b, order + at, n, c);
        for (size_t row = 0; row < ROWS; row++)
            for (size_t k = 0; k < DIM; k++)
                q[row][k] -= 40 * c[row] * p[k];
    }
    ck_assert_double_eq_tol(train(&problem, &settings).loss, loss / SAMPLES, 1e-5);
    ck_assert_double_eq_tol(bias, b, 1e-5);
    for (size_t k = 0; k < DIM; k++)
        ck_assert_double_eq_tol(problem.model.p[k], p[k], 1e-5);
    for (size_t i = 0; i < ROWS * DIM; i++)
        ck_assert_double_eq_tol(value_of(&problem, i / DIM, i % DIM), q[i / DIM][i % DIM], 2e-5);
    frs_arena_fini(&problem.arena);
}
END_TEST

/* ---- the course of training -------------------------------------------------------------------------------
 */

static struct frs_bce_mf_result train_epochs(
    const struct random_input *input, size_t epochs, float early_stop, float *p) {
    struct problem problem = random_problem(input, false);
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
    settings.epochs = epochs;
    settings.batch = 50;
    settings.early_stop = early_stop;
    struct frs_bce_mf_result result = train(&problem, &settings);
    memcpy(p, problem.model.p, DIM * sizeof *p);
    frs_arena_fini(&problem.arena);
    return result;
}

/* SGD keeps nothing from batch to batch: an epoch of several batches is one training after the other. */
START_TEST(batches_follow_each_other) {
    struct random_input input = draw_input(49);
    struct problem whole = random_problem(&input, _i == 1), parts = random_problem(&input, _i == 1);
    struct frs_bce_mf_settings settings = sgd(FRS_ROW_MEAN, .1f);
    struct frs_rng shuffle = test_rng(1); /* as train() */
    uint32_t order[SAMPLES];
    settings.batch = 50;
    train(&whole, &settings);
    frs_samples_shuffle(&parts.samples, settings.batch, &shuffle);
    memcpy(order, parts.samples.samples, sizeof order);
    for (size_t at = 0; at < SAMPLES; at += settings.batch) {
        take_samples(&parts, order + at, SAMPLES - at < settings.batch ? SAMPLES - at : settings.batch);
        train(&parts, &settings);
    }
    ck_assert_mem_eq(whole.model.p, parts.model.p, DIM * sizeof(float));
    for (size_t i = 0; i < ROWS * RANK; i++)
        ck_assert_float_eq(value_of(&whole, i / RANK, i % RANK), value_of(&parts, i / RANK, i % RANK));
    frs_arena_fini(&whole.arena);
    frs_arena_fini(&parts.arena);
}
END_TEST

/* The first epoch e ≥ 2 whose loss differs from the one before by less than the share. */
START_TEST(early_stop_takes_the_first_small_change) {
    struct random_input input = draw_input(50);
    float p[DIM], stopped[DIM], share = 5e-3f;
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
    struct random_input input = draw_input(51);
    float first[DIM], second[DIM];
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
    } cases[] = {{NEGATIVE(0), 80, 80}, {POSITIVE(0), 0, 100}, {POSITIVE(1), 80, 80}, {NEGATIVE(1), 0, 100}};
    for (size_t c = 0; c < 4; c++) {
        struct problem problem = make_problem(1, 1, 2, p, q, NULL, NULL);
        take_samples(&problem, &cases[c].sample, 1);
        struct frs_bce_mf_settings settings = sgd(FRS_SUM, 0);
        ck_assert_double_eq_tol(train(&problem, &settings).loss, cases[c].loss, 1e-6);
        ck_assert_float_eq_tol(problem.model.p[0], cases[c].p, 1e-4f);
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* Wherever the NaN sits, the loss shows it. */
START_TEST(nan_makes_the_loss_not_finite) {
    for (int place = 0; place < 3; place++) {
        struct random_input input = draw_input(52);
        size_t row = input.samples[3] >> 1;
        *(place == 0 ? &input.p[2] : place == 1 ? &input.rows[row * DIM] : &input.frozen[row * DIM]) = NAN;
        struct problem problem = random_problem(&input, place == 2);
        struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN, 0);
        ck_assert(!isfinite(train(&problem, &settings).loss));
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

/* The last step has no loss after it: if it leaves the range of floats, the loss says so nevertheless. */
START_TEST(overflow_makes_the_loss_not_finite) {
    static const float q[] = {2, -4, 1, -2, -2, 4};
    for (int place = 0; place < 3; place++) {
        struct problem problem = make_problem(2, 2, 3, hand_p, q, NULL, NULL);
        take_samples(&problem, hand_samples, 4);
        struct frs_bce_mf_settings settings = sgd(FRS_SUM, 0);
        *(place ? &settings.item_rate : &settings.user_rate) = place == 2 ? 1e38f : 3e38f;
        struct frs_bce_mf_result result = train(&problem, &settings);
        ck_assert_int_eq(isfinite(result.loss) != 0, place == 2); /* 2 · 1e38 is a float, 2 · 3e38 is none */
        frs_arena_fini(&problem.arena);
    }
}
END_TEST

START_TEST(nothing_to_train_on) {
    struct problem problem = make_problem(2, 2, 0, hand_p, hand_p, NULL, NULL);
    struct frs_bce_mf_settings settings = sgd(FRS_SUM, .5f);
    struct frs_bce_mf_result result = train(&problem, &settings);
    ck_assert_uint_eq(result.epochs, 0);
    ck_assert_double_eq(result.flop, 0);
    ck_assert_double_eq(result.loss, 0);
    ck_assert_mem_eq(problem.model.p, hand_p, sizeof hand_p);
    frs_arena_fini(&problem.arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bce_mf");
    TCase *tests = tcase_create("bce_mf");
    tcase_add_test(tests, sgd_of_fedmf_by_hand);
    tcase_add_test(tests, proximal_sgd_by_hand);
    tcase_add_test(tests, sgd_of_colr_by_hand);
    tcase_add_test(tests, flops_of_adam_by_hand);
    tcase_add_loop_test(tests, steps_follow_finite_differences, 0, 2);
    tcase_add_test(tests, proximal_steps_follow_finite_differences);
    tcase_add_test(tests, trained_projections_follow_finite_differences);
    tcase_add_test(tests, rate_zero_freezes_the_vector);
    tcase_add_loop_test(tests, adam_is_the_dense_adam, 0, 4);
    tcase_add_test(tests, alternating_steps_with_a_bias);
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
