/* CoLR: its projection, a client's step by hand, and averages that commute with the projection. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_colr;

/* Five items; clients 0 {0, 1} and 1 {1, 2, 3}. */
static const uint32_t items[] = {0, 1, 1, 2, 3};
static const float ones[] = {1, 1, 1, 1, 1};
static const struct frs_client_data clients[] = {
    {0, items, ones, 2, items, 2}, {1, items + 2, ones, 3, items + 2, 3}};
static const struct frs_population tiny = {.n_clients = 2, .n_items = 5, .clients = clients, .seed = 3};

#define DIM 6u
#define RANK 2u

static const char *const variants[] = {"paper", "published_code"};

/* dim 6, rank 2, no negatives, one epoch of plain SGD. */
static void *tiny_model_from(const char *variant, const char *start, const char *gradient) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(frs_learner_colr.plugin.params,
        SETTINGS("dim", "6", "rank", "2", "epochs", "1", "variant", variant, "sgd_scaling", "batch_mean",
            "weight_decay", "0", "learning_rate", "0.5", "projection", start, "gradient_scale", gradient));
    struct frs_errors errors = {0};
    void *model = frs_learner_colr.create(&values, &setup, &errors);
    frs_values_fini(&values);
    return model;
}

static void *tiny_model(const char *variant) {
    return tiny_model_from(variant, "by_variant", "by_variant");
}

/* B [dim × rank] of a round seed: what unit rows of A add to an empty table. */
static void read_projection(const void *model, size_t dim, size_t rank, uint64_t round_seed, double *b) {
    struct frs_arena arena = {0};
    for (size_t j = 0; j < rank; j++) {
        static const uint32_t ids[] = {0};
        struct frs_tables table = {.part = {frs_alloc(5 * dim, sizeof(float))}};
        float *unit = frs_alloc(rank, sizeof *unit);
        struct frs_rows a = {.n_rows = 5, .dim = rank, .n = 1, .ids = ids, .values = unit};
        unit[j] = 1;
        frs_learner_colr.apply(model, &table, round_seed, &a, &arena);
        for (size_t k = 0; k < dim; k++)
            b[k * rank + j] = (double)table.part[0][k];
        free(unit);
        free(table.part[0]);
    }
    frs_arena_fini(&arena);
}

/* B changes from round to round and is a function of the round seed alone, also in a round that is long over.
 */
START_TEST(projection_is_a_function_of_its_seed) {
    double first[DIM * RANK], second[DIM * RANK], again[DIM * RANK];
    void *model = tiny_model(variants[_i]), *other = tiny_model(variants[_i]);
    uint64_t round_seed = frs_learner_colr.round_seed(model, 0);
    read_projection(model, DIM, RANK, round_seed, first);
    uint64_t next = frs_learner_colr.round_seed(model, 1);
    ck_assert_uint_ne(round_seed, next);
    read_projection(model, DIM, RANK, next, second);
    ck_assert_mem_ne(first, second, sizeof first);
    read_projection(model, DIM, RANK, round_seed, again);
    ck_assert_mem_eq(first, again, sizeof first);
    ck_assert_uint_eq(frs_learner_colr.round_seed(other, 1), next);
    read_projection(other, DIM, RANK, round_seed, again); /* which never opened that round */
    ck_assert_mem_eq(first, again, sizeof first);
    frs_model_destroy(model);
    frs_model_destroy(other);
}
END_TEST

/* published_code: BᵀB = (d/r) I. paper: entries N(0, 1/r); 2400 of them over 200 rounds give the variance to
 * 3 %. */
START_TEST(projection_is_as_defined) {
    double b[DIM * RANK], variance = 0;
    void *model = tiny_model("published_code");
    read_projection(model, DIM, RANK, frs_learner_colr.round_seed(model, 0), b);
    for (size_t i = 0; i < RANK; i++)
        for (size_t j = 0; j < RANK; j++) {
            double product = 0;
            for (size_t k = 0; k < DIM; k++)
                product += b[k * RANK + i] * b[k * RANK + j];
            ck_assert_double_eq_tol(product, i == j ? (double)DIM / RANK : 0, 1e-5);
        }
    frs_model_destroy(model);
    model = tiny_model("paper");
    for (uint32_t round = 0; round < 200; round++) {
        read_projection(model, DIM, RANK, frs_learner_colr.round_seed(model, round), b);
        for (size_t i = 0; i < DIM * RANK; i++)
            variance += b[i] * b[i] / (200 * DIM * RANK);
    }
    ck_assert_double_eq_tol(variance, 1.0 / RANK, 0.05);
    frs_model_destroy(model);
}
END_TEST

/* Whatever B is drawn from, B Bᵀ is the unit matrix in the mean: 2000 rounds give its entries to .1. Columns
 * of the sphere all have length √(d/r) and any angle between them; orthonormal ones are at right angles. */
START_TEST(starts_are_as_defined) {
    static const char *const starts[] = {"normal", "orthonormal", "sphere"};
    double b[DIM * RANK], mean[DIM][DIM] = {{0}}, off = 0, at_angle = 0;
    void *model = tiny_model_from("paper", starts[_i], "by_variant");
    for (uint32_t round = 0; round < 2000; round++) {
        double lengths[RANK] = {0}, product = 0;
        read_projection(model, DIM, RANK, frs_learner_colr.round_seed(model, round), b);
        for (size_t k = 0; k < DIM; k++) {
            product += b[k * RANK] * b[k * RANK + 1];
            for (size_t j = 0; j < RANK; j++) {
                lengths[j] += b[k * RANK + j] * b[k * RANK + j];
                for (size_t l = 0; l < DIM; l++)
                    mean[k][l] += b[k * RANK + j] * b[l * RANK + j] / 2000;
            }
        }
        for (size_t j = 0; j < RANK; j++)
            off = fmax(off, fabs(lengths[j] - (double)DIM / RANK));
        at_angle = fmax(at_angle, fabs(product));
    }
    for (size_t k = 0; k < DIM; k++)
        for (size_t l = 0; l < DIM; l++)
            ck_assert_double_eq_tol(mean[k][l], k == l ? 1 : 0, 0.1);
    ck_assert_int_eq(off<1e-5, _i> 0);
    ck_assert_int_eq(at_angle < 1e-5, _i == 1);
    frs_model_destroy(model);
}
END_TEST

/* The step of A with the factor √(r/d) = √(1/3) is that without, times it, under either variant. */
START_TEST(the_scale_of_the_gradient_is_a_key) {
    struct frs_arena arena = {0};
    void *plain = tiny_model_from(variants[_i], "by_variant", "none");
    void *scaled = tiny_model_from(variants[_i], "by_variant", "root");
    uint64_t round_seed = frs_learner_colr.round_seed(plain, 0);
    ck_assert_uint_eq(frs_learner_colr.round_seed(scaled, 0), round_seed);
    struct frs_trained without = train_client(&frs_learner_colr, plain, &tiny, 0, 0, round_seed, &arena);
    struct frs_trained with = train_client(&frs_learner_colr, scaled, &tiny, 0, 0, round_seed, &arena);
    for (size_t i = 0; i < 2 * RANK; i++) {
        ck_assert(fabsf(without.upload[0].values[i]) > 0);
        ck_assert_double_eq_tol(
            with.upload[0].values[i], sqrt(1.0 / 3) * (double)without.upload[0].values[i], 1e-7);
    }
    frs_arena_fini(&arena);
    frs_model_destroy(plain);
    frs_model_destroy(scaled);
}
END_TEST

START_TEST(published_code_has_one_start) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(
        frs_learner_colr.plugin.params, SETTINGS("dim", "6", "rank", "2", "projection", "sphere"));
    struct frs_errors errors = {0};
    ck_assert_ptr_null(frs_learner_colr.create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "projection: the regulariser of variant"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}
END_TEST

/* One step from A = 0: a_i = −η (σ(p·q_i) − 1)/n · Bᵀp, times √(r/d) in the published code; p depends only
 * on Q, as B A is still zero. The user vector is read off the scores of a unit table. */
START_TEST(one_step_by_hand) {
    double b[DIM * RANK], p[DIM], bp[RANK] = {0}, gradient[DIM] = {0};
    void *model = tiny_model(variants[_i]);
    struct frs_arena arena = {0};
    float unit[5 * DIM] = {0}, score;
    uint64_t round_seed = frs_learner_colr.round_seed(model, 0);
    const float *q = frs_model_tables(model).part[0];
    read_projection(model, DIM, RANK, round_seed, b);
    for (size_t k = 0; k < DIM; k++) {
        unit[k] = 1;
        frs_learner_colr.score(model, &(struct frs_tables){.part = {unit}}, 0, items, 1, &score);
        unit[k] = 0;
        p[k] = (double)score;
        for (size_t j = 0; j < RANK; j++)
            bp[j] += b[k * RANK + j] * p[k];
    }
    struct frs_trained trained = train_client(&frs_learner_colr, model, &tiny, 0, 0, round_seed, &arena);
    ck_assert_uint_eq(trained.upload[0].n, 2);
    ck_assert_uint_eq(trained.upload[0].dim, RANK);
    for (size_t i = 0; i < 2; i++) {
        double s = 0, scale = _i ? sqrt((double)RANK / DIM) : 1;
        for (size_t k = 0; k < DIM; k++)
            s += p[k] * (double)q[i * DIM + k];
        double error = (1 / (1 + exp(-s)) - 1) / 2;
        for (size_t k = 0; k < DIM; k++)
            gradient[k] += error * (double)q[i * DIM + k];
        for (size_t j = 0; j < RANK; j++)
            ck_assert_double_eq_tol(
                trained.upload[0].values[i * RANK + j], -0.5 * scale * error * bp[j], 1e-6);
    }
    for (size_t k = 0; k < DIM; k++)
        ck_assert_double_eq_tol(((const float *)trained.private_state)[k], p[k] - 0.5 * gradient[k], 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Averaging A is exact: Q + (B Σ w A_u)ᵀ = Q + Σ w (B A_u)ᵀ. w is N_u/N over the cohort for the paper (2/5,
 * 3/5), and one over the number of clients that touched the item in the published code. */
START_TEST(averaging_commutes_with_the_projection) {
    static const double touched[] = {1, 2, 1, 1, 0};
    double b[DIM * RANK], expected[5 * DIM];
    void *model = tiny_model(variants[_i]);
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[2];
    struct frs_rows update;
    uint64_t round_seed = frs_learner_colr.round_seed(model, 0);
    read_projection(model, DIM, RANK, round_seed, b);
    for (size_t i = 0; i < 5 * DIM; i++)
        expected[i] = (double)tables.part[0][i];
    for (uint32_t u = 0; u < 2; u++) {
        struct frs_trained trained = train_client(&frs_learner_colr, model, &tiny, u, 0, round_seed, &arena);
        contributions[u] = contribute(&frs_learner_colr, u, &trained, NULL, round_seed);
        for (size_t i = 0; i < trained.upload[0].n; i++) {
            uint32_t row = trained.upload[0].ids[i];
            double weight = _i ? 1 / touched[row] : u ? .6 : .4;
            for (size_t k = 0; k < DIM * RANK; k++)
                expected[row * DIM + k / RANK] +=
                    weight * b[k] * (double)trained.upload[0].values[i * RANK + k % RANK];
        }
    }
    frs_learner_colr.aggregate(model, contributions, 2, &arena, &update);
    ck_assert_uint_eq(update.n, 4); /* no client touched item 4 */
    frs_learner_colr.apply(model, &tables, round_seed, &update, &arena);
    for (size_t i = 0; i < 5 * DIM; i++)
        ck_assert_double_eq_tol(tables.part[0][i], expected[i], 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

START_TEST(rank_above_dim_is_an_error) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values =
        frs_values_of(frs_learner_colr.plugin.params, SETTINGS("dim", "4", "rank", "5"));
    struct frs_errors errors = {0};
    ck_assert_ptr_null(frs_learner_colr.create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "rank"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("colr");
    TCase *tests = tcase_create("colr");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, projection_is_a_function_of_its_seed, 0, 2);
    tcase_add_test(tests, projection_is_as_defined);
    tcase_add_loop_test(tests, starts_are_as_defined, 0, 3);
    tcase_add_loop_test(tests, the_scale_of_the_gradient_is_a_key, 0, 2);
    tcase_add_test(tests, published_code_has_one_start);
    tcase_add_loop_test(tests, one_step_by_hand, 0, 2);
    tcase_add_loop_test(tests, averaging_commutes_with_the_projection, 0, 2);
    tcase_add_test(tests, rank_above_dim_is_an_error);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
