/* The baseline that trains every client alone is FedMF without a server. */
#include "algorithms/learner.h"
#include "tests/algorithms/data/fixture.h"

extern const struct frs_learner frs_learner_fedmf;

/* Three clients among twelve items; client 1 has nothing. */
static const uint32_t items[] = {0, 3, 7, 2, 3};
static const float ones[] = {1, 1, 1, 1, 1};
static const uint32_t every_item[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const struct frs_client_data clients[] = {
    {0, items, ones, 3, items, 3}, {1, items, ones, 0, items, 0}, {2, items + 3, ones, 2, items + 3, 2}};
static const struct frs_population tiny = {.n_clients = 3, .n_items = 12, .clients = clients, .seed = 9};

static void *fit_tiny(const struct frs_population *population, const char *rounds) {
    struct frs_values values = frs_values_of(frs_non_federated_model_find("local_only")->plugin.params,
        SETTINGS("rounds", rounds, "negatives", "1", "epochs", "3"));
    void *model = frs_non_federated_model_find("local_only")->fit(&values, population, NULL);
    frs_values_fini(&values);
    return model;
}

static void scores_of(
    const struct frs_population *population, const char *rounds, uint32_t client, float *scores) {
    void *model = fit_tiny(population, rounds);
    frs_non_federated_model_find("local_only")->score(model, client, every_item, 12, scores);
    frs_non_federated_model_find("local_only")->destroy(model);
}

/* Every client starts from one p and one Q; a client without data stays there. */
START_TEST(starts_from_the_shared_state) {
    float first[12], second[12], idle[12];
    scores_of(&tiny, "0", 0, first);
    scores_of(&tiny, "0", 2, second);
    scores_of(&tiny, "5", 1, idle);
    ck_assert_mem_eq(first, second, sizeof first);
    ck_assert_mem_eq(first, idle, sizeof first);
}
END_TEST

/* The same as FedMF's own training with the baseline's settings, where the client's rows are written back
 * into a table of its own after each round. */
static void fedmf_alone(uint32_t client, uint32_t rounds, float *scores) {
    const struct frs_learner *fedmf = &frs_learner_fedmf;
    struct frs_learner_setup setup = {.population = &tiny, .negatives_per_positive = 1};
    struct frs_values values = frs_values_of(
        fedmf->plugin.params, SETTINGS("epochs", "3", "optimiser", "adam", "learning_rate", "0.01", "init_sd",
                                  "1", "user_init", "shared", "weight_decay", "0"));
    struct frs_errors errors = {0};
    void *model = fedmf->create(&values, &setup, &errors);
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        struct frs_training training = {.data = &clients[client], .tables = &tables, .round = round};
        struct frs_trained trained;
        frs_learner_train(fedmf, model, &training, &arena, &trained);
        frs_model_commit(model, client, trained.private_state, trained.private_bytes);
        for (size_t i = 0; i < trained.upload[0].n; i++)
            memcpy(tables.part[0] + trained.upload[0].ids[i] * 16, trained.upload[0].values + i * 16,
                16 * sizeof(float));
    }
    fedmf->score(model, &tables, client, every_item, 12, scores);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_values_fini(&values);
}

START_TEST(is_fedmf_without_a_server) {
    float expected[12], scores[12];
    fedmf_alone(0, 4, expected);
    scores_of(&tiny, "4", 0, scores);
    ck_assert_mem_eq(scores, expected, sizeof scores);
    fedmf_alone(2, 4, expected);
    scores_of(&tiny, "4", 2, scores);
    ck_assert_mem_eq(scores, expected, sizeof scores);
}
END_TEST

START_TEST(does_not_depend_on_the_others) {
    struct frs_client_data other[3];
    memcpy(other, clients, sizeof other);
    other[0].n = other[0].n_excluded = 1;
    struct frs_population changed = tiny;
    changed.clients = other;
    float before[12], after[12];
    scores_of(&tiny, "3", 2, before);
    scores_of(&changed, "3", 2, after);
    ck_assert_mem_eq(before, after, sizeof before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("local_only");
    TCase *tests = tcase_create("local_only");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, starts_from_the_shared_state);
    tcase_add_test(tests, is_fedmf_without_a_server);
    tcase_add_test(tests, does_not_depend_on_the_others);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
