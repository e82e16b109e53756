/* Whole federated runs on MovieLens-100K without network: the figures a learner reaches. */
#ifndef FRS_TESTS_ALGORITHMS_MOVIELENS_H
#define FRS_TESTS_ALGORITHMS_MOVIELENS_H

#include "tests/algorithms/fixture.h"
#include "tests/data/fixture.h"

#include <stdio.h>

/* A trained model as something that ranks. */
struct trained_model {
    const struct frs_learner *learner;
    void *model;
};

static inline void score_trained(
    const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct trained_model *trained = context;
    struct frs_tables tables = trained->learner->tables(trained->model);
    trained->learner->score(trained->model, &tables, client, items, n, scores);
}

/* One round with a uniform cohort; every upload arrives, nothing is encoded. */
static inline void run_round(const struct trained_model *trained, const struct frs_population *population,
    uint32_t round, uint32_t n, struct frs_arena *arena) {
    const struct frs_learner *learner = trained->learner;
    struct frs_tables tables = learner->tables(trained->model);
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, round, 0, FRS_RNG_COHORT);
    uint32_t *cohort = random_subset(&rng, population->n_clients, n);
    struct frs_contribution *contributions = frs_alloc(n, sizeof *contributions);
    struct frs_rows update[FRS_MAX_PARTS];
    uint64_t word = open_round(learner, trained->model, round);
    frs_arena_reset(arena);
    for (uint32_t i = 0; i < n; i++) {
        struct frs_trained result =
            train_client(learner, trained->model, population, cohort[i], round, word, arena);
        learner->commit(trained->model, cohort[i], result.private_state, result.private_bytes);
        contributions[i] = contribute(learner, cohort[i], &result, &tables);
    }
    learner->aggregate(trained->model, contributions, n, arena, update);
    if (learner->sends_updates)
        learner->apply(trained->model, &tables, word, update, arena);
    free(contributions);
    free(cohort);
}

/* A figure of 0 has not been measured independently. */
static inline void check_figure(double found, double expected, double tolerance) {
    if (expected > 0)
        ck_assert_double_eq_tol(found, expected, tolerance);
}

/* HR@10 and NDCG@10 after the last round, honest, leave-one-out with the validation item held out, must be
 * within `tolerance` of `sampled` (99 negatives) and `full` ranking. Does nothing when the data is not there.
 */
static inline void check_movielens(const struct frs_learner *learner, const char *const *settings,
    uint32_t rounds, uint32_t cohort, struct quality sampled, struct quality full, double tolerance) {
    char *path = frs_test_data_file(learner->plugin.name, "ml-100k/u.data");
    if (!path)
        return;
    struct frs_data *data = load(SETTINGS("format", "movielens-100k", "path", path), NO_SETTINGS, 1);
    struct trained_model trained = {learner, make_model(learner, &data->population, settings)};
    struct frs_reference ranker = {.score = score_trained};
    struct frs_arena arena = {0};
    for (uint32_t round = 0; round < rounds; round++)
        run_round(&trained, &data->population, round, cohort, &arena);
    struct quality found = evaluate(&ranker, &trained, data, false),
                   all = evaluate(&ranker, &trained, data, true);
    printf("%s: HR@10 %.3f NDCG@10 %.3f, full ranking %.3f %.3f\n", learner->plugin.name, found.hit,
        found.ndcg, all.hit, all.ndcg);
    check_figure(found.hit, sampled.hit, tolerance);
    check_figure(found.ndcg, sampled.ndcg, tolerance);
    check_figure(all.hit, full.hit, tolerance);
    check_figure(all.ndcg, full.ndcg, tolerance);
    learner->destroy(trained.model);
    frs_arena_fini(&arena);
    frs_data_destroy(data);
    free(path);
}

#endif
