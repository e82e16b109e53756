/* What the tests of bce_mf share: problems by hand and drawn ones, with tables of their own. */
#ifndef FRS_TESTS_ALGORITHMS_KERNELS_BCE_MF_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_KERNELS_BCE_MF_FIXTURE_H

#include "algorithms/kernels/steps/bce_mf.h"
#include "tests/algorithms/fixture.h"

#define BCE_POSITIVE(row) ((uint32_t)(row) << 1 | 1)
#define BCE_NEGATIVE(row) ((uint32_t)(row) << 1)
#define BCE_ROWS 90u /* more than one block of columns, and a rest */
#define BCE_DIM 7u
#define BCE_RANK 3u
#define BCE_SAMPLES 240u

/* A local problem: `rows` rows, sample lists, and a model that owns its tables. */
struct bce_problem {
    struct frs_bce_mf model;
    struct frs_samples samples;
    struct frs_arena arena;
};

struct bce_input {
    float p[BCE_DIM], rows[BCE_ROWS * BCE_DIM], frozen[BCE_ROWS * BCE_DIM], project[BCE_DIM * BCE_RANK];
    uint32_t samples[BCE_SAMPLES];
};

float *bce_rows_of(struct bce_problem *problem, const float *table, size_t dim);

float bce_value_of(const struct bce_problem *problem, size_t row, size_t k);

void bce_take_samples(struct bce_problem *problem, const uint32_t *samples, size_t n);

/* `rows` [n_rows × train_dim]: factors where there is a projection [dim × train_dim]; frozen [n_rows × dim].
 * Both may be NULL. */
struct bce_problem bce_problem(size_t dim, size_t train_dim, size_t n_rows, const float *p, const float *rows,
    const float *frozen, const float *project);

struct frs_bce_mf_result bce_train(struct bce_problem *problem, const struct frs_bce_mf_settings *settings);

void bce_check_row(const struct bce_problem *problem, size_t row, const float *expected);

struct frs_bce_mf_settings bce_sgd(enum frs_sgd_scaling scaling, float decay);

/* Row 0 and the last one occur in no sample. */
struct bce_input bce_draw_input(uint32_t stream);

struct bce_problem bce_random_problem(const struct bce_input *input, bool low_rank);

/* Every score is 0, so σ = ½: row 0 is one positive, c = −½; row 1 two negatives, c = 1; row 2 a positive.
 * Row 3 is not in the batch. */
extern const uint32_t bce_hand_samples[4];
extern const float bce_hand_p[2];

#endif
