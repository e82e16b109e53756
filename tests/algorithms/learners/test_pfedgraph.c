/* pFedGraph: what becomes of the mixture of a client that is not selected, and what is said of the graph. */
#include "tests/algorithms/fixture.h"

extern const struct frs_learner frs_learner_pfedgraph;

static const struct frs_learner *const learner = &frs_learner_pfedgraph;
enum { CLIENTS = 6, ITEMS = 60, DIM = 4 };

/* Those of first … first + 1 are selected. */
static void play(void *model, const struct frs_population *population, uint32_t round, uint32_t first) {
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[2];
    for (uint32_t c = 0; c < 2; c++) {
        struct frs_trained trained = train_client(learner, model, population, first + c, round, 0, &arena);
        contributions[c] = contribute(learner, first + c, &trained, &tables, 0);
    }
    learner->aggregate(model, contributions, 2, &arena, NULL);
    frs_arena_fini(&arena);
}

/* After a round without it a client begins at the mean, that is, without a table of its own; or, with
 * absent = "last", at the mixture that was made for it, whatever happened to the others. */
START_TEST(who_is_not_asked) {
    static const char *const absent[] = {"mean", "last"};
    struct frs_population population = make_population(CLIENTS, ITEMS, 7);
    void *model = make_model(learner, &population, SETTINGS("dim", "4", "absent", absent[_i]));
    float first[ITEMS * DIM];
    ck_assert_int_eq(frs_model_keeps_personal(model), _i == 1);
    play(model, &population, 0, 0);
    ck_assert_ptr_nonnull(frs_model_personal(model, 0).part[0]);
    memcpy(first, frs_model_personal(model, 0).part[0], sizeof first);
    play(model, &population, 1, 3);
    const float *later = frs_model_personal(model, 0).part[0];
    ck_assert_ptr_nonnull(frs_model_personal(model, 3).part[0]);
    ck_assert_ptr_null(frs_model_personal(model, 5).part[0]); /* was never selected */
    if (_i == 0)
        ck_assert_ptr_null(later);
    else
        ck_assert_mem_eq(later, first, sizeof first);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* Nothing before the first aggregation. A large alpha leaves the shares of the data; a small one gives each
 * of two unlike clients its own table, 1 − its share away from the shares: on average ½. */
START_TEST(what_is_said) {
    static const char *const alphas[] = {"1e9", "1e-9"};
    static const char *const said[] = {
        "; 0.0 % of a client's weights are not those by data size: all mixtures are the mean",
        "; 50.0 % of a client's weights are not those by data size"};
    struct frs_population population = make_population(CLIENTS, ITEMS, 7);
    void *model = make_model(learner, &population, SETTINGS("dim", "4", "alpha", alphas[_i]));
    const char *name = NULL;
    ck_assert_ptr_null(learner->remark(model, &name));
    play(model, &population, 0, 0);
    char *remark = learner->remark(model, &name);
    ck_assert_str_eq(name, "graph");
    ck_assert_msg(strstr(remark, said[_i]) && strncmp(remark, "0.0 % of the pairs", 18) == 0, "%s", remark);
    free(remark);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pfedgraph");
    TCase *tests = tcase_create("pfedgraph");
    tcase_add_loop_test(tests, who_is_not_asked, 0, 2);
    tcase_add_loop_test(tests, what_is_said, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
