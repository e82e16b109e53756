/* The learner of docs/adding-a-method.md: one round by hand, and a run that finds what the ratings were made
 * of. */
#include "tests/algorithms/fixture.h"

extern const struct frs_learner frs_learner_biases;

static const struct frs_learner *const biases = &frs_learner_biases;

/* Every client trains on the server's tables, commits, and is aggregated; `trained` tells of each client. */
static void play_round(void *model, const struct frs_population *population, uint32_t round,
    struct frs_arena *arena, struct frs_trained *trained) {
    struct frs_contribution contributions[8];
    struct frs_tables tables = frs_model_tables(model);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        trained[u] = train_client(biases, model, population, u, round, 0, arena);
        commit_client(model, u, round, &trained[u]);
        contributions[u] = contribute(biases, u, &trained[u], &tables, 0);
    }
    biases->aggregate(model, contributions, population->n_clients, arena, NULL);
}

/* Middle 3, rate 0.1, decay 0.5, all biases 0. Client 0, (item 0, 5) and (item 3, 2):
 *   e =  2     c = 0.1 · 2 = 0.2                           b_0 =  0.2
 *   e = -1.2   c = 0.2 + 0.1 · (-1.2 - 0.5 · 0.2) = 0.07   b_3 = -0.12
 * Client 1, (item 0, 4): e = 1, c = 0.1, b_0 = 0.1. Two changed item 0, one item 3. */
START_TEST(one_round_by_hand) {
    static const uint32_t items[] = {0, 3};
    static const float ratings[] = {5, 2, 4};
    static const struct frs_client_data clients[] = {
        {.client = 0, .items = items, .ratings = ratings, .n = 2},
        {.client = 1, .items = items, .ratings = ratings + 2, .n = 1}};
    const struct frs_population population = {
        .n_clients = 2, .n_items = 5, .clients = clients, .rating_min = 1, .rating_max = 5};
    static const float expected[] = {3 + 0.07f + 0.15f, 3 + 0.07f, 3 + 0.07f - 0.12f};
    struct frs_arena arena = {0};
    struct frs_trained trained[2];
    void *model = make_model(biases, &population, SETTINGS("learning_rate", "0.1", "decay", "0.5"));
    play_round(model, &population, 0, &arena, trained);
    ck_assert_uint_eq(trained[0].upload[0].n, 2);
    ck_assert_uint_eq(trained[0].upload[0].ids[1], 3);
    ck_assert_float_eq_tol(trained[0].upload[0].values[0], 0.2f, 1e-6F);
    ck_assert_float_eq_tol(trained[0].upload[0].values[1], -0.12f, 1e-6F);
    ck_assert_double_eq_tol(trained[0].loss, (4 + 1.44) / 2, 1e-6);
    ck_assert_double_eq(trained[0].flop, 22);
    float scores[3];
    struct frs_tables tables = frs_model_tables(model);
    biases->score(model, &tables, 0, (const uint32_t[]){0, 1, 3}, 3, scores);
    for (size_t i = 0; i < 3; i++)
        ck_assert_float_eq_tol(scores[i], expected[i], 1e-6F);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

enum { USERS = 8, ITEMS = 10, ROUNDS = 400 };

/* 3 - 0.8 … 0.6 for the client, -0.9 … 0.9 for the item. */
static float truth(uint32_t client, uint32_t item) {
    return 3 + 0.2f * ((float)client - 4) + 0.2f * ((float)item - 4.5f);
}

/* Ratings are sums of an item's and a client's part, and client u has not rated item u. Without decay the
 * only fit is the truth, which the run predicts for the unseen ratings. */
START_TEST(a_run_finds_the_truth) {
    uint32_t items[USERS][ITEMS - 1];
    float ratings[USERS][ITEMS - 1];
    struct frs_client_data clients[USERS];
    for (uint32_t u = 0; u < USERS; u++) {
        for (uint32_t i = 0; i < ITEMS - 1; i++) {
            items[u][i] = i + (i >= u);
            ratings[u][i] = truth(u, items[u][i]);
        }
        clients[u] = (struct frs_client_data){u, items[u], ratings[u], ITEMS - 1, items[u], ITEMS - 1};
    }
    const struct frs_population population = {
        .n_clients = USERS, .n_items = ITEMS, .clients = clients, .rating_min = 1, .rating_max = 5};
    struct frs_arena arena = {0};
    struct frs_trained trained[USERS];
    void *model = make_model(biases, &population, SETTINGS("learning_rate", "0.2", "decay", "0"));
    double first = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        frs_arena_reset(&arena);
        play_round(model, &population, round, &arena, trained);
        first = round == 0 ? trained[0].loss : first;
    }
    ck_assert_double_gt(first, 0.1);
    struct frs_tables tables = frs_model_tables(model);
    for (uint32_t u = 0; u < USERS; u++) {
        float score;
        ck_assert_double_lt(trained[u].loss, 1e-8);
        biases->score(model, &tables, u, &u, 1, &score);
        ck_assert_float_eq_tol(score, truth(u, u), 1e-4F);
    }
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("example of a method");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, one_round_by_hand);
    tcase_add_test(tests, a_run_finds_the_truth);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
