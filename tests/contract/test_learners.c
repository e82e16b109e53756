/* Learners as the registry has them: complete entries, shapes without training, budgets, and no idle key. */
#include "sim/base/errors.h"
#include "tests/contract/subject.h"

START_TEST(entries_are_complete) {
    const struct frs_learner *learner = frs_learners[_i];
    ck_assert_ptr_eq(frs_learner_plugins[_i], &learner->plugin);
    ck_assert(learner->plugin.name && learner->plugin.summary && learner->plugin.source);
    ck_assert(learner->create && learner->train && learner->aggregate && learner->score);
    ck_assert(!learner->rounds || learner->rounds->steps_alone);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(frs_learners[other]->plugin.name, learner->plugin.name);
}
END_TEST

/* Without training there are shapes, tables and round seeds, but no private state. */
START_TEST(timing_has_shapes_and_no_private_state) {
    const struct frs_learner *learner = NULL;
    const char *variant = NULL;
    find_learner(_i, &learner, &variant);
    struct frs_population population = populate(learner);
    struct frs_learner_setup setup = {.population = &population, .timing_only = true};
    struct frs_values values =
        frs_values_of(learner->plugin.params, *variant ? SETTINGS("variant", variant) : NULL);
    struct frs_errors errors = {0};
    struct frs_part shapes[FRS_MAX_PARTS];
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_ptr_nonnull(model);
    for (int payload = FRS_STATE; payload <= FRS_UPLOAD; payload++) {
        size_t n = frs_model_parts(model, (enum frs_payload)payload, shapes);
        ck_assert(n >= 1 && n <= FRS_MAX_PARTS);
        for (size_t i = 0; i < n; i++)
            ck_assert(shapes[i].name && shapes[i].n_rows > 0 && shapes[i].dim > 0);
    }
    ck_assert_ptr_nonnull(frs_model_tables(model).part[0]);
    open_round(learner, model, 0);
    open_round(learner, model, 1);
    frs_model_destroy(model);
    frs_values_fini(&values);
    free_population(&population);
}
END_TEST

/* Under every budget uploads have the announced shape, and a larger one costs more. */
START_TEST(budgets_are_kept) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    struct frs_budgets range = frs_learner_budgets(s.learner, s.model);
    ck_assert_int_eq(range.max > 0, s.learner->budgets != NULL);
    ck_assert_uint_le(range.min, range.max);
    size_t values_before = 0;
    double work_before = 0;
    for (uint32_t budget = range.min; range.max > 0 && budget <= range.max; budget++) {
        struct frs_training training = {.data = &s.population.clients[1],
            .tables = &s.tables,
            .round_seed = s.round_seed,
            .budget = budget};
        struct frs_trained trained;
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t values = 0, n = frs_learner_upload_parts(s.learner, s.model, budget, shapes);
        frs_learner_train(s.learner, s.model, &training, &arena, &trained);
        ck_assert_uint_eq(n, s.n_upload);
        for (size_t part = 0; part < n; part++) {
            ck_assert_uint_eq(trained.upload[part].n_rows, shapes[part].n_rows);
            ck_assert_uint_eq(trained.upload[part].dim, shapes[part].dim);
            values += shapes[part].n_rows * shapes[part].dim;
        }
        ck_assert_uint_ge(values, values_before);
        ck_assert_double_ge(s.learner->budgets->work(s.model, budget), work_before);
        ck_assert_double_gt(s.learner->budgets->work(s.model, budget), 0);
        values_before = values;
        work_before = s.learner->budgets->work(s.model, budget);
    }
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* Marks in `read` the keys that create reads with the settings. */
static void mark_read(const struct frs_learner *learner, const char *const *settings, bool *read) {
    struct frs_population population = populate(learner);
    struct frs_learner_setup setup = {.population = &population};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    struct frs_errors errors = {0};
    const struct frs_learner *variant = frs_learner_variant(learner, &values);
    void *model = variant->create(&values, &setup, &errors);
    if (model)
        frs_model_destroy(model);
    for (size_t i = 0; i < values.n; i++)
        read[i] |= values.values[i].read;
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    free_population(&population);
}

/* No key is idle: each is read by default, under some choice of another one, or when what is off is on; how
 * clients catch up is read by the run, which owns the downlink. */
START_TEST(every_key_is_read) {
    const struct frs_learner *learner = frs_learners[_i];
    const struct frs_param *params = learner->plugin.params;
    bool read[64] = {false};
    mark_read(learner, NULL, read);
    for (const struct frs_param *p = params; p->key; p++)
        for (size_t c = 0; p->type == FRS_CHOICE && p->choices[c]; c++)
            mark_read(learner, SETTINGS(p->key, p->choices[c]), read);
    for (const struct frs_param *p = params; p->key; p++)
        if (p->type == FRS_REAL && strcmp(p->initial, "0") == 0)
            mark_read(learner, SETTINGS(p->key, "0.5"), read);
    for (size_t i = 0; params[i].key; i++) {
        ck_assert_uint_lt(i, 64);
        bool of_the_run = strcmp(params[i].key, "catchup") == 0 || strcmp(params[i].key, "init") == 0;
        ck_assert_msg(
            read[i] != (learner->sends_updates && of_the_run), "%s.%s", learner->plugin.name, params[i].key);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("learners");
    TCase *tests = tcase_create("learners");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, entries_are_complete, 0, n_learners());
    tcase_add_loop_test(tests, timing_has_shapes_and_no_private_state, 0, n_subjects());
    tcase_add_loop_test(tests, budgets_are_kept, 0, n_subjects());
    tcase_add_loop_test(tests, every_key_is_read, 0, n_learners());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
