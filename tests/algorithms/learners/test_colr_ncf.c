/* CoLR over FedNCF: against fedncf_update, whose training and averages it shares. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_colr_ncf, frs_learner_fedncf_update;

enum { CLIENTS = 6, ITEMS = 60, DIM = 4, RANK = 2, PARAMETERS = 9 * 3 + 4 };

#define COMMON                                                                                               \
    "dim", "4", "layers", "3", "optimiser", "sgd", "learning_rate", "0.1", "sgd_scaling", "row_mean",        \
        "weight_decay", "0", "init_sd", "0.5", "user_init", "private"

struct subject {
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    struct frs_tables tables;
    struct frs_arena arena;
    uint64_t round_seed;
    struct frs_trained trained[CLIENTS];
    struct frs_contribution contributions[CLIENTS];
};

/* Every client trained once; client 2 has no data. */
static void begin(struct subject *s, const struct frs_learner *learner, const char *const *settings) {
    *s = (struct subject){.learner = learner, .population = make_population(CLIENTS, ITEMS, 4)};
    s->model = make_model(learner, &s->population, settings);
    s->tables = frs_model_tables(s->model);
    s->round_seed = open_round(learner, s->model, 0);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        s->trained[u] = train_client(learner, s->model, &s->population, u, 0, s->round_seed, &s->arena);
        s->contributions[u] = contribute(learner, u, &s->trained[u], &s->tables, s->round_seed);
    }
}

static void end(struct subject *s) {
    frs_model_destroy(s->model);
    frs_arena_fini(&s->arena);
    free_population(&s->population);
}

/* B [dim × rank] of the open round: what unit rows of A add to an empty table. */
static void read_projection(struct subject *s, double *b) {
    for (size_t j = 0; j < RANK; j++) {
        static const uint32_t ids[] = {0};
        float table[ITEMS * DIM] = {0}, network[PARAMETERS] = {0}, still[PARAMETERS] = {0}, unit[RANK] = {0};
        unit[j] = 1;
        struct frs_rows update[2] = {{.n_rows = ITEMS, .dim = RANK, .n = 1, .ids = ids, .values = unit},
            {.n_rows = 1, .dim = PARAMETERS, .n = 1, .values = still}};
        frs_learner_apply(s->learner, s->model, &(struct frs_tables){.part = {table, network}}, s->round_seed,
            update, &s->arena);
        for (size_t k = 0; k < DIM; k++)
            b[k * RANK + j] = (double)table[k];
    }
}

/* One step from A = 0 is the step of fedncf_update seen through B: a_i = √(r/d) Bᵀ Δq_i in the published
 * code; network and user vector step as there. In the paper's variant nothing is scaled. */
START_TEST(one_step_by_hand) {
    static const char *const variants[] = {"paper", "published_code"};
    struct subject dense, low;
    double b[DIM * RANK], scale = _i ? sqrt((double)RANK / DIM) : 1;
    begin(&dense, &frs_learner_fedncf_update, SETTINGS(COMMON, "epochs", "1", "batch", "1000"));
    begin(&low, &frs_learner_colr_ncf,
        SETTINGS(COMMON, "epochs", "1", "batch", "1000", "rank", "2", "variant", variants[_i]));
    read_projection(&low, b);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        const struct frs_rows *q = &dense.trained[u].upload[0], *a = &low.trained[u].upload[0];
        ck_assert_uint_eq(a->n, q->n);
        ck_assert_uint_eq(a->dim, RANK);
        ck_assert(a->n == 0 || memcmp(a->ids, q->ids, a->n * sizeof *a->ids) == 0);
        for (size_t i = 0; i < a->n; i++)
            for (size_t j = 0; j < RANK; j++) {
                double expected = 0;
                for (size_t k = 0; k < DIM; k++)
                    expected += scale * b[k * RANK + j] * (double)q->values[i * DIM + k];
                ck_assert_double_eq_tol((double)a->values[i * RANK + j], expected, 1e-6);
            }
        ck_assert_mem_eq(
            low.trained[u].upload[1].values, dense.trained[u].upload[1].values, PARAMETERS * sizeof(float));
        ck_assert_mem_eq(low.trained[u].private_state, dense.trained[u].private_state, DIM * sizeof(float));
    }
    end(&dense);
    end(&low);
}
END_TEST

/* An orthonormal B of full rank restricts nothing: epochs, averages and applied updates are those of
 * fedncf_update, up to rounding. */
START_TEST(full_rank_is_no_restriction) {
    static const char *const aggregations[] = {"data_size", "uniform", "per_item"};
    struct subject dense, low;
    struct frs_rows sum[2];
    const char *aggregation = aggregations[_i];
    begin(&dense, &frs_learner_fedncf_update,
        SETTINGS(COMMON, "epochs", "3", "batch", "16", "aggregation", aggregation));
    begin(&low, &frs_learner_colr_ncf,
        SETTINGS(COMMON, "epochs", "3", "batch", "16", "rank", "4", "aggregation", aggregation));
    dense.learner->aggregate(dense.model, dense.contributions, CLIENTS, &dense.arena, sum);
    frs_learner_apply(dense.learner, dense.model, &dense.tables, 0, sum, &dense.arena);
    low.learner->aggregate(low.model, low.contributions, CLIENTS, &low.arena, sum);
    ck_assert_uint_eq(sum[0].dim, 4);
    frs_learner_apply(low.learner, low.model, &low.tables, low.round_seed, sum, &low.arena);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        ck_assert_float_eq_tol(low.tables.part[0][i], dense.tables.part[0][i], 1e-5f);
    for (size_t i = 0; i < PARAMETERS; i++)
        ck_assert_float_eq_tol(low.tables.part[1][i], dense.tables.part[1][i], 1e-5f);
    end(&dense);
    end(&low);
}
END_TEST

/* Averaging A is exact: the server's table moves by the mean of B A_u over the clients that touched the item,
 * the network by the mean over all, the client without data included. */
START_TEST(averaging_commutes_with_the_projection) {
    struct subject s;
    double b[DIM * RANK], items[ITEMS * DIM] = {0}, network[PARAMETERS] = {0}, senders[ITEMS] = {0};
    struct frs_rows sum[2];
    begin(&s, &frs_learner_colr_ncf, SETTINGS(COMMON, "epochs", "2", "batch", "16", "rank", "2"));
    read_projection(&s, b);
    struct frs_tables before = copy_tables(s.model);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        const struct frs_rows *a = &s.trained[u].upload[0];
        for (size_t i = 0; i < a->n; i++) {
            senders[a->ids[i]]++;
            for (size_t k = 0; k < DIM * RANK; k++)
                items[a->ids[i] * DIM + k / RANK] += b[k] * (double)a->values[i * RANK + k % RANK];
        }
        for (size_t i = 0; i < PARAMETERS; i++)
            network[i] += (double)s.trained[u].upload[1].values[i] / CLIENTS;
    }
    s.learner->aggregate(s.model, s.contributions, CLIENTS, &s.arena, sum);
    frs_learner_apply(s.learner, s.model, &s.tables, s.round_seed, sum, &s.arena);
    for (size_t i = 0; i < ITEMS * DIM; i++) {
        double mean = senders[i / DIM] > 0 ? items[i] / senders[i / DIM] : 0;
        ck_assert_double_eq_tol((double)s.tables.part[0][i], (double)before.part[0][i] + mean, 1e-6);
    }
    for (size_t i = 0; i < PARAMETERS; i++)
        ck_assert_double_eq_tol((double)s.tables.part[1][i], (double)before.part[1][i] + network[i], 1e-6);
    free_tables(&before);
    end(&s);
}
END_TEST

/* How much an upload counts, by what the two variants take for granted. */
START_TEST(weights_of_the_variants) {
    static const char *const variants[] = {"paper", "published_code"}, *const weights[] = {
                                                                           "data_size", "per_item"};
    struct subject by_variant, said;
    struct frs_rows sum[2], same[2];
    begin(&by_variant, &frs_learner_colr_ncf, SETTINGS(COMMON, "rank", "2", "variant", variants[_i]));
    begin(&said, &frs_learner_colr_ncf,
        SETTINGS(COMMON, "rank", "2", "variant", variants[_i], "aggregation", weights[_i]));
    by_variant.learner->aggregate(
        by_variant.model, by_variant.contributions, CLIENTS, &by_variant.arena, sum);
    said.learner->aggregate(said.model, said.contributions, CLIENTS, &said.arena, same);
    ck_assert_uint_eq(sum[0].n, same[0].n);
    ck_assert_mem_eq(sum[0].values, same[0].values, sum[0].n * RANK * sizeof(float));
    ck_assert_mem_eq(sum[1].values, same[1].values, PARAMETERS * sizeof(float));
    end(&by_variant);
    end(&said);
}
END_TEST

START_TEST(rank_above_dim_is_an_error) {
    struct frs_population population = make_population(CLIENTS, ITEMS, 4);
    struct frs_learner_setup setup = {.population = &population};
    struct frs_values values =
        frs_values_of(frs_learner_colr_ncf.plugin.params, SETTINGS("dim", "4", "rank", "5"));
    struct frs_errors errors = {0};
    ck_assert_ptr_null(frs_learner_colr_ncf.create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "rank"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("colr_ncf");
    TCase *tests = tcase_create("colr_ncf");
    tcase_add_loop_test(tests, one_step_by_hand, 0, 2);
    tcase_add_loop_test(tests, full_rank_is_no_restriction, 0, 3);
    tcase_add_test(tests, averaging_commutes_with_the_projection);
    tcase_add_loop_test(tests, weights_of_the_variants, 0, 2);
    tcase_add_test(tests, rank_above_dim_is_an_error);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
