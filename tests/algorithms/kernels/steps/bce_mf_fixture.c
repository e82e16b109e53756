#include "tests/algorithms/kernels/steps/bce_mf_fixture.h"
#include "sim/base/numbers/rng.h"

#include "algorithms/kernels/columns.h"

const uint32_t bce_hand_samples[4] = {BCE_POSITIVE(0), BCE_NEGATIVE(1), BCE_NEGATIVE(1), BCE_POSITIVE(2)};
const float bce_hand_p[2] = {2, 1};

float *bce_rows_of(struct bce_problem *problem, const float *table, size_t dim) {
    size_t n_rows = problem->model.n_rows, pitch = frs_lanes_pad(dim);
    float *rows = frs_arena_take_zeroed(&problem->arena, n_rows * pitch, sizeof *rows);
    for (size_t i = 0; i < n_rows * dim; i++)
        rows[i / dim * pitch + i % dim] = table[i];
    return rows;
}

static float *factors_of(struct bce_problem *problem, const float *table, size_t rank) {
    size_t n_rows = problem->model.n_rows, stride = problem->model.stride;
    float *factors = frs_arena_take_zeroed(&problem->arena, rank * stride, sizeof *factors);
    for (size_t i = 0; i < n_rows * rank; i++)
        factors[i % rank * stride + i / rank] = table[i];
    return factors;
}

float bce_value_of(const struct bce_problem *problem, size_t row, size_t k) {
    const struct frs_bce_mf *model = &problem->model;
    return model->rows ? model->rows[row * frs_lanes_pad(model->dim) + k]
                       : model->factors[k * model->stride + row];
}

void bce_take_samples(struct bce_problem *problem, const uint32_t *samples, size_t n) {
    problem->samples.n = n;
    problem->samples.samples = frs_arena_take(&problem->arena, n, sizeof *samples);
    memcpy(problem->samples.samples, samples, n * sizeof *samples);
}

struct bce_problem bce_problem(size_t dim, size_t train_dim, size_t n_rows, const float *p, const float *rows,
    const float *frozen, const float *project) {
    struct bce_problem problem = {.model = {.dim = dim, .n_rows = n_rows, .project = project}};
    if (project) {
        problem.model.rank = train_dim;
        problem.model.stride = frs_lanes_pad(n_rows);
        problem.model.factors = factors_of(&problem, rows, train_dim);
    } else {
        problem.model.rows = bce_rows_of(&problem, rows, dim);
    }
    problem.model.frozen = frozen ? bce_rows_of(&problem, frozen, dim) : NULL;
    problem.model.p = frs_arena_take_zeroed(&problem.arena, frs_lanes_pad(dim), sizeof(float));
    memcpy(problem.model.p, p, dim * sizeof(float));
    return problem;
}

struct frs_bce_mf_result bce_train(struct bce_problem *problem, const struct frs_bce_mf_settings *settings) {
    struct frs_rng shuffle = test_rng(1);
    return frs_bce_mf_train(&problem->model, &problem->samples, settings, &shuffle, &problem->arena);
}

void bce_check_row(const struct bce_problem *problem, size_t row, const float *expected) {
    for (size_t k = 0; k < (problem->model.rows ? problem->model.dim : problem->model.rank); k++)
        ck_assert_float_eq_tol(bce_value_of(problem, row, k), expected[k], 1e-6f);
}

struct frs_bce_mf_settings bce_sgd(enum frs_sgd_scaling scaling, float decay) {
    return (struct frs_bce_mf_settings){.epochs = 1,
        .batch = 256,
        .optimiser = FRS_SGD,
        .scaling = scaling,
        .item_rate = 0.1f,
        .user_rate = 0.2f,
        .weight_decay = decay,
        .gradient_scale = 1};
}

struct bce_input bce_draw_input(uint32_t stream) {
    struct bce_input input;
    struct frs_rng rng = test_rng(stream);
    frs_rng_fill_normal(&rng, input.p, BCE_DIM, 1);
    frs_rng_fill_normal(&rng, input.rows, BCE_ROWS * BCE_DIM, 1);
    frs_rng_fill_normal(&rng, input.frozen, BCE_ROWS * BCE_DIM, 1);
    frs_rng_fill_normal(&rng, input.project, BCE_DIM * BCE_RANK, 1);
    for (size_t i = 0; i < BCE_SAMPLES; i++)
        input.samples[i] = (1 + frs_rng_below(&rng, BCE_ROWS - 2)) << 1 | frs_rng_below(&rng, 2);
    return input;
}

struct bce_problem bce_random_problem(const struct bce_input *input, bool low_rank) {
    struct bce_problem problem =
        low_rank
            ? bce_problem(BCE_DIM, BCE_RANK, BCE_ROWS, input->p, input->rows, input->frozen, input->project)
            : bce_problem(BCE_DIM, BCE_DIM, BCE_ROWS, input->p, input->rows, NULL, NULL);
    bce_take_samples(&problem, input->samples, BCE_SAMPLES);
    return problem;
}
