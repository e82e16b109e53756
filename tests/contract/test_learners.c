/* Every learner of the registry keeps to its contract, and uploads no more rows than it can have trained. */
#include "sim/base/settings/params.h"
#include "sim/selftest/subject.h"
#include "tests/algorithms/fixture.h"
#include "tests/contract/every_entry.h"

enum { CLIENTS = FRS_SUBJECT_CLIENTS, ITEMS = FRS_SUBJECT_ITEMS };

START_TEST(learners_keep_to_their_contract) {
    expect_kept("learner", _i);
}
END_TEST

static void check_rows(const struct frs_learner *learner, const char *const *settings) {
    struct frs_population population = learner->predicts_ratings ? make_rated_population(CLIENTS, ITEMS, 11)
                                                                 : make_population(CLIENTS, ITEMS, 11);
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    const struct frs_learner *variant = frs_learner_variant(learner, &values);
    struct frs_part shapes[FRS_MAX_PARTS];
    void *model = make_model(variant, &population, settings);
    uint32_t round = 0;
    while (!frs_learner_course(variant, model, round).trains)
        round++;
    uint64_t round_seed = open_round(variant, model, round);
    frs_model_parts(model, FRS_UPLOAD, shapes);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_arena arena = {0};
        struct frs_trained trained =
            train_client(variant, model, &population, client, round, round_seed, &arena);
        if (shapes[0].n_rows == ITEMS && trained.upload[0].ids)
            ck_assert_uint_le(trained.upload[0].n, 5 * population.clients[client].n);
        frs_arena_fini(&arena);
    }
    frs_model_destroy(model);
    frs_values_fini(&values);
    free_population(&population);
}

/* A model of make_model draws 4 negatives for each training item. */
START_TEST(rows_are_those_of_items_and_negatives) {
    const struct frs_learner *learner = frs_learners[_i];
    for (size_t v = 0; frs_variant_of(&learner->plugin, v); v++)
        check_rows(learner, FRS_VARIANT(frs_variant_of(&learner->plugin, v)));
}
END_TEST

/* Neither the declared one nor one whose program is not named. */
static int n_trained(void) {
    int n = 0;
    while (frs_learners[n])
        n++;
    return n;
}

int main(void) {
    int n = n_entries("learner");
    Suite *suite = suite_create("learners");
    TCase *tests = tcase_create("learners");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, learners_keep_to_their_contract, 0, n);
    tcase_add_loop_test(tests, rows_are_those_of_items_and_negatives, 0, n_trained());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
