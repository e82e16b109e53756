/* FedFast: who moves with their cluster, and how far, by hand. */
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedfast, frs_learner_fedmf_ratings;

static const struct frs_learner *const learner = &frs_learner_fedfast;
enum { CLIENTS = 8, ITEMS = 60, DIM = 2 };

/* p of a client: its scores of items whose rows are unit vectors, less that of a row of zeros. */
static void vector_of(const void *model, uint32_t client, double p[DIM]) {
    float rows[(DIM + 1) * (DIM + 1)] = {0}, scores[DIM + 1];
    static const uint32_t items[] = {0, 1, 2};
    for (size_t k = 0; k < DIM; k++)
        rows[k * (DIM + 1) + k] = 1;
    learner->score(model, &(struct frs_tables){.part = {rows}}, client, items, DIM + 1, scores);
    for (size_t k = 0; k < DIM; k++)
        p[k] = (double)scores[k] - (double)scores[DIM];
}

/* Clients 0 and 1 arrive. The other clients of each cluster move by the mean move of those of the two that
 * are in it; clusters without either rest. */
static void check_moves(const char *propagate) {
    struct frs_population population = make_rated_population(CLIENTS, ITEMS, 11);
    void *model =
        make_model(learner, &population, SETTINGS("dim", "2", "clusters", "2", "propagate", propagate));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_contribution contributions[2];
    double before[CLIENTS][DIM], after[DIM];
    uint32_t groups[CLIENTS], n_groups;
    memcpy(groups, learner->groups(model, &n_groups), sizeof groups);
    ck_assert_uint_eq(n_groups, 2);
    for (uint32_t u = 0; u < CLIENTS; u++)
        vector_of(model, u, before[u]);
    for (uint32_t u = 0; u < 2; u++) {
        struct frs_trained trained = train_client(learner, model, &population, u, 0, 0, &arena);
        commit_client(model, u, 0, &trained);
        contributions[u] = contribute(learner, u, &trained, &tables, 0);
    }
    learner->aggregate(model, contributions, 2, &arena, NULL);
    for (uint32_t u = 2; u < CLIENTS; u++) {
        vector_of(model, u, after);
        for (size_t k = 0; k < DIM; k++) {
            double sum = 0, n = 0;
            for (uint32_t c = 0; c < 2 && *propagate == 't'; c++)
                if (groups[c] == groups[u]) {
                    sum += (double)contributions[c].parts[1].values[k] - before[c][k];
                    n++;
                }
            ck_assert_double_eq_tol(after[k], before[u][k] + (n > 0 ? sum / n : 0), 1e-5);
        }
    }
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}

START_TEST(others_move_with_their_cluster) {
    check_moves("true");
}
END_TEST

START_TEST(or_do_not) {
    check_moves("false");
}
END_TEST

/* An item's row moves by Σ ‖Δ_u‖ Δ_u / Σ ‖Δ_u‖ over the clients that sent it. */
START_TEST(items_by_change) {
    struct frs_population population = make_rated_population(CLIENTS, ITEMS, 11);
    struct frs_contribution contributions[CLIENTS];
    struct frs_arena arena = {0};
    void *model = make_model(learner, &population, SETTINGS("dim", "2", "aggregation", "by_change"));
    struct frs_tables tables = frs_model_tables(model), before = copy_tables(model);
    double sums[ITEMS][DIM + 1] = {{0}}, lengths[ITEMS] = {0};
    for (uint32_t u = 0; u < CLIENTS; u++) {
        struct frs_trained trained = train_client(learner, model, &population, u, 0, 0, &arena);
        const struct frs_rows *rows = &trained.upload[0];
        contributions[u] = contribute(learner, u, &trained, &before, 0);
        for (size_t i = 0; i < rows->n; i++) {
            double change[DIM + 1], squared = 0;
            for (size_t k = 0; k <= DIM; k++) {
                change[k] = (double)rows->values[i * (DIM + 1) + k] -
                            (double)before.part[0][rows->ids[i] * (DIM + 1) + k];
                squared += change[k] * change[k];
            }
            lengths[rows->ids[i]] += sqrt(squared);
            for (size_t k = 0; k <= DIM; k++)
                sums[rows->ids[i]][k] += sqrt(squared) * change[k];
        }
    }
    learner->aggregate(model, contributions, CLIENTS, &arena, NULL);
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t k = 0; k <= DIM; k++) {
            size_t at = i * (DIM + 1) + k;
            ck_assert_double_eq_tol((double)tables.part[0][at],
                (double)before.part[0][at] + (lengths[i] > 0 ? sums[i][k] / lengths[i] : 0), 1e-6);
        }
    free_tables(&before);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* Without anybody to move it is fedmf_ratings. */
START_TEST(items_as_elsewhere) {
    struct frs_population population = make_rated_population(CLIENTS, ITEMS, 11);
    const struct frs_learner *both[] = {learner, &frs_learner_fedmf_ratings};
    struct frs_arena arena = {0};
    void *models[2];
    for (size_t i = 0; i < 2; i++) {
        struct frs_contribution contributions[CLIENTS];
        models[i] = make_model(both[i], &population, NULL);
        struct frs_tables tables = frs_model_tables(models[i]);
        for (uint32_t u = 0; u < CLIENTS; u++) {
            struct frs_trained trained = train_client(both[i], models[i], &population, u, 0, 0, &arena);
            contributions[u] = contribute(both[i], u, &trained, &tables, 0);
        }
        both[i]->aggregate(models[i], contributions, CLIENTS, &arena, NULL);
    }
    ck_assert_mem_eq(
        frs_model_tables(models[0]).part[0], frs_model_tables(models[1]).part[0], ITEMS * 21 * sizeof(float));
    for (size_t i = 0; i < 2; i++)
        frs_model_destroy(models[i]);
    frs_arena_fini(&arena);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedfast");
    TCase *tests = tcase_create("fedfast");
    tcase_add_test(tests, others_move_with_their_cluster);
    tcase_add_test(tests, or_do_not);
    tcase_add_test(tests, items_as_elsewhere);
    tcase_add_test(tests, items_by_change);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
