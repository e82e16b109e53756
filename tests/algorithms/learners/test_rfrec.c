/* RFRec: local steps worked out by hand. */
#include "algorithms/models/rfrec_state.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_rfrec;

/* Two clients, three items: client 0 rates items 0 and 2 with 4 and 2, client 1 item 1 with 3. */
static const uint32_t items_0[] = {0, 2}, items_1[] = {1};
static const float ratings_0[] = {4, 2}, ratings_1[] = {3};
static const struct frs_client_data clients[] = {
    {.client = 0, .items = items_0, .ratings = ratings_0, .n = 2},
    {.client = 1, .items = items_1, .ratings = ratings_1, .n = 1},
};
static const struct frs_population population = {
    .n_clients = 2, .n_items = 3, .clients = clients, .rating_min = 1, .rating_max = 5, .seed = 3};

/* Dimension 1 with all rows 1: a rating is predicted as u. */
#define TINY "dim", "1", "init_sd", "0", "lambda_user", "1"

static struct frs_trained train(
    struct frs_rfrec *model, uint32_t client, uint32_t round, struct frs_arena *arena) {
    open_round(&frs_learner_rfrec, model, round);
    return train_client(&frs_learner_rfrec, model, &population, client, round, 0, arena);
}

static void aggregate(
    struct frs_rfrec *model, struct frs_trained *trained, size_t n, struct frs_arena *arena) {
    struct frs_contribution contributions[2];
    for (uint32_t i = 0; i < n; i++) {
        contributions[i] = contribute(&frs_learner_rfrec, i, &trained[i], NULL, 0);
        commit_client(model, i, 0, &trained[i]);
    }
    frs_learner_rfrec.aggregate(model, contributions, n, arena, NULL);
}

/* u = (4 + 2)/(1 + 1 + 1) = 2, errors 2 and 0; v_0 = 1 + 2·2·2/(10 + 2·4) = 1 + 4/9, v_2 = 1.
 * u = 3/(1 + 1) = 1.5, error 1.5; v_1 = 1 + 2·1.5·1.5/(10 + 2·2.25) = 1 + 4.5/14.5. */
START_TEST(exact_by_hand) {
    struct frs_arena arena = {0};
    struct frs_rfrec *model = make_model(&frs_learner_rfrec, &population, SETTINGS(TINY));
    struct frs_trained trained[2];
    for (uint32_t client = 0; client < 2; client++)
        trained[client] = train(model, client, 0, &arena);
    const float *change = trained[0].upload[0].values;
    ck_assert_uint_eq(trained[0].upload[0].n, 2);
    ck_assert_float_eq_tol(change[0], 4 / 9.0f, 1e-6f);
    ck_assert_float_eq_tol(change[1], 0, 1e-6f);
    ck_assert_double_eq_tol(trained[0].loss, 2, 1e-6); /* (4 + 0)/2 */
    ck_assert_uint_eq(trained[0].private_bytes, sizeof(float));
    aggregate(model, trained, 2, &arena);
    ck_assert_float_eq_tol(model->items[0], 1 + 2 / 9.0f, 1e-6f);
    ck_assert_float_eq_tol(model->items[1], 1 + 4.5f / 29, 1e-6f);
    ck_assert_float_eq_tol(model->items[2], 1, 1e-6f);
    float score;
    struct frs_tables tables = frs_model_tables(&model->base);
    frs_learner_rfrec.score(model, &tables, 0, (const uint32_t[]){0}, 1, &score);
    ck_assert_float_eq_tol(score, 2 * (1 + 2 / 9.0f), 1e-6f);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* The second round of `exact_local`: u is fitted to the client's own rows, which then start from what is
 * received. Client 0 alone: V̄ = (1 + 4/9, 1, 1); own rows 1 + 4/9 and 1:
 * u = (4·13/9 + 2)/(169/81 + 1 + 1). */
START_TEST(exact_local_by_hand) {
    struct frs_arena arena = {0};
    struct frs_rfrec *model =
        make_model(&frs_learner_rfrec, &population, SETTINGS(TINY, "local_step", "exact_local"));
    struct frs_trained trained = train(model, 0, 0, &arena);
    aggregate(model, &trained, 1, &arena);
    ck_assert_float_eq_tol(model->items[0], 1 + 4 / 9.0f, 1e-6f);
    trained = train(model, 0, 1, &arena);
    double u = (4 * 13 / 9.0 + 2) / (169 / 81.0 + 2), error = 4 - u * 13 / 9;
    ck_assert_float_eq_tol(((const float *)trained.private_state)[0], (float)u, 1e-6f);
    ck_assert_float_eq_tol(trained.upload[0].values[0], (float)(2 * error * u / (10 + 2 * u * u)), 1e-6f);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* From u = 2 (set here), client 0 alone, α .05, λ 10: errors 2 and 0, α_i = min(.05, 1/(10 + 8)) = .05.
 * v_0 = 1 + .05·2·2·2 = 1.4, u = 2 + .05/2·(2·2·1 − 2·1·2) = 2. The second step: V̄ = (1.4, 1, 1); errors
 * 4 − 2.8 = 1.2 and 0; v_0 = 1.4 + .05·2·1.2·2 + .5·(1.4 − 1.4) = 1.64; u = 2 + .025·(2·1.2·1.4 − 4) = 1.984;
 * the references are (1, 1, 1)/2 + (1.4, 1, 1)/2, so 1.64 − 1.2 is sent, and V̄ is what the client has. */
START_TEST(gradient_by_hand) {
    struct frs_arena arena = {0};
    struct frs_rfrec *model =
        make_model(&frs_learner_rfrec, &population, SETTINGS(TINY, "local_step", "gradient"));
    model->state[0] = 2;
    struct frs_trained trained = train(model, 0, 0, &arena);
    ck_assert_float_eq_tol(trained.upload[0].values[0], .4f, 1e-6f);
    ck_assert_float_eq_tol(((const float *)trained.private_state)[0], 2, 1e-6f);
    aggregate(model, &trained, 1, &arena);
    ck_assert_float_eq_tol(model->items[0], 1.4f, 1e-6f);
    trained = train(model, 0, 1, &arena);
    ck_assert_float_eq_tol(trained.upload[0].values[0], .44f, 1e-6f);
    ck_assert_float_eq_tol(((const float *)trained.private_state)[0], 1.984f, 1e-6f);
    aggregate(model, &trained, 1, &arena);
    ck_assert_float_eq_tol(model->items[0], 1.64f, 1e-6f);
    ck_assert_float_eq_tol(model->items[1], 1, 1e-6f);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* The same at α .3, αλ = 3: α_i = 1/(10 + 8), u by .3/2, which is less than 1/(2·(1 + 1 + 1)). v_0 = 1 +
 * 2·2·2/18 = 13/9, u = 2. The second step: error 4 − 26/9 = 10/9, v_0 = 13/9 + 2·(10/9)·2/18 = 137/81; u by
 * 1/(2·(169/81 + 1 + 1)) = 81/662, which is less than .15: u = 2 + 81/331·(10/9·13/9 − 2) = 2 − 32/331;
 * references go all the way to what was received, and no further, so 137/81 − 13/9 = 20/81 is sent. */
START_TEST(consensus_does_not_overshoot) {
    struct frs_arena arena = {0};
    struct frs_rfrec *model = make_model(
        &frs_learner_rfrec, &population, SETTINGS(TINY, "local_step", "gradient", "learning_rate", "0.3"));
    model->state[0] = 2;
    struct frs_trained trained = train(model, 0, 0, &arena);
    ck_assert_float_eq_tol(trained.upload[0].values[0], 4 / 9.0f, 1e-6f);
    aggregate(model, &trained, 1, &arena);
    trained = train(model, 0, 1, &arena);
    ck_assert_float_eq_tol(trained.upload[0].values[0], 20 / 81.0f, 1e-6f);
    ck_assert_float_eq_tol(((const float *)trained.private_state)[0], 2 - 32 / 331.0f, 1e-6f);
    aggregate(model, &trained, 1, &arena);
    ck_assert_float_eq_tol(model->items[0], 137 / 81.0f, 1e-6f);
    ck_assert_float_eq_tol(model->items[1], 1, 1e-6f);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* The grid of the paper's table 4, and far beyond it: errors fall and stay low. Only without λ do both
 * overshoot together at α 10, which is left out. */
START_TEST(no_rate_diverges) {
    static const char *const rates[] = {"0.0125", "0.1", "0.5", "10"}, *const lambdas[] = {
                                                                           "0", "5", "40", "1000"};
    struct frs_arena arena = {0};
    if (_i == 12)
        return;
    struct frs_rfrec *model = make_model(&frs_learner_rfrec, &population,
        SETTINGS("dim", "4", "init_sd", "0.1", "lambda_user", "0.1", "local_step", "gradient",
            "learning_rate", rates[_i / 4], "lambda", lambdas[_i % 4]));
    double first = 0, last = 0;
    for (uint32_t round = 0; round < 63; round++) {
        struct frs_trained trained[2];
        for (uint32_t client = 0; client < 2; client++)
            trained[client] = train(model, client, round, &arena);
        last = trained[0].loss + trained[1].loss;
        first = round == 0 ? last : first;
        ck_assert_msg(last <= 1.01 * first, "rate %s, lambda %s, round %u: %g after %g", rates[_i / 4],
            lambdas[_i % 4], round, last, first);
        aggregate(model, trained, 2, &arena);
    }
    ck_assert_msg(
        last < 0.5 * first, "rate %s, lambda %s: %g after %g", rates[_i / 4], lambdas[_i % 4], last, first);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* A client that only misses the averaging steps as one that takes part, and one that goes on alone does not.
 */
START_TEST(who_receives_steps_like_the_others) {
    static const char *const steps[] = {"exact", "exact_local", "gradient"}, *const absences[] = {
                                                                                 "receives", "step"};
    for (int i = 0; i < 6; i++) {
        struct frs_arena arena = {0};
        const char *absent = absences[i / 3], *step = steps[i % 3];
        if (i == 3) /* exact steps alone would change nothing */
            continue;
        struct frs_rfrec *model =
            make_model(&frs_learner_rfrec, &population, SETTINGS(TINY, "local_step", step, "absent", absent));
        struct frs_trained trained[2];
        for (uint32_t client = 0; client < 2; client++)
            trained[client] = train(model, client, 0, &arena);
        aggregate(model, trained, 2, &arena);
        struct frs_trained with = train(model, 0, 1, &arena), alone;
        ck_assert(frs_learner_steps_alone(&frs_learner_rfrec, model, 1));
        frs_learner_train(&frs_learner_rfrec, model, &(struct frs_training){.data = &clients[0], .round = 1},
            &arena, &alone);
        ck_assert_uint_eq(with.private_bytes, alone.private_bytes);
        ck_assert_int_eq(
            memcmp(with.private_state, alone.private_state, with.private_bytes) == 0, i / 3 == 0);
        frs_model_destroy(model);
        frs_arena_fini(&arena);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rfrec");
    TCase *tests = tcase_create("rfrec");
    tcase_add_test(tests, exact_by_hand);
    tcase_add_test(tests, exact_local_by_hand);
    tcase_add_test(tests, gradient_by_hand);
    tcase_add_test(tests, who_receives_steps_like_the_others);
    tcase_add_test(tests, consensus_does_not_overshoot);
    tcase_add_loop_test(tests, no_rate_diverges, 0, 16);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
