/* Data of which only is known how many interactions each client has: as many as if they had been made. */
#include "tests/algorithms/data/fixture.h"

static struct frs_data *count(
    const char *const *data, const char *const *evaluation, struct frs_errors *errors, bool *same_keys_read) {
    struct frs_values values[2][2] = {
        {section("data", frs_data_params, data), section("evaluation", frs_evaluation_params, evaluation)},
        {section("data", frs_data_params, data), section("evaluation", frs_evaluation_params, evaluation)}};
    struct frs_errors ignored = {0};
    struct frs_data *counted, *loaded;
    enum frs_status status = frs_data_count(&values[0][0], &values[0][1], 3, 0, &counted, errors);
    ck_assert_int_eq(frs_data_load(&values[1][0], &values[1][1], 3, &loaded, &ignored), status);
    *same_keys_read = true;
    for (size_t i = 0; i < 2; i++) {
        for (size_t v = 0; v < values[0][i].n; v++)
            *same_keys_read &= values[0][i].values[v].read == values[1][i].values[v].read;
        frs_values_fini(&values[0][i]);
        frs_values_fini(&values[1][i]);
    }
    frs_data_destroy(loaded);
    ck_assert_uint_eq(errors->n, ignored.n);
    for (size_t i = 0; i < ignored.n; i++)
        ck_assert_str_eq(errors->lines[i], ignored.lines[i]);
    frs_errors_clear(&ignored);
    return counted;
}

static void check(const char *const *data, const char *const *evaluation, bool has_items) {
    struct frs_errors errors = {0};
    bool same_keys_read;
    struct frs_data *counted = count(data, evaluation, &errors, &same_keys_read),
                    *loaded = load(data, evaluation, 3);
    ck_assert(same_keys_read);
    ck_assert_ptr_nonnull(counted);
    const struct frs_population *a = &counted->population, *b = &loaded->population;
    ck_assert_uint_eq(a->n_clients, b->n_clients);
    ck_assert_uint_eq(a->n_items, b->n_items);
    ck_assert_uint_eq(a->seed, b->seed);
    ck_assert_uint_eq(counted->n_interactions, loaded->n_interactions);
    ck_assert_uint_eq(counted->n_negatives, loaded->n_negatives);
    ck_assert_str_eq(counted->description, loaded->description);
    ck_assert_int_eq(counted->has_time, loaded->has_time);
    ck_assert_int_eq(counted->protocol, loaded->protocol);
    ck_assert_uint_eq(strlen(counted->hash), 16);
    ck_assert((strcmp(counted->hash, loaded->hash) == 0) == has_items);
    for (uint32_t client = 0; client < a->n_clients; client++) {
        ck_assert_uint_eq(a->clients[client].client, client);
        ck_assert_uint_eq(a->clients[client].n, b->clients[client].n);
        ck_assert_uint_eq(a->clients[client].n_excluded, b->clients[client].n_excluded);
        ck_assert((a->clients[client].items != NULL) == has_items);
    }
    ck_assert_mem_eq(counted->test.start, loaded->test.start, (a->n_clients + 1) * sizeof(size_t));
    ck_assert_mem_eq(
        counted->validation.start, loaded->validation.start, (a->n_clients + 1) * sizeof(size_t));
    frs_data_destroy(counted);
    frs_data_destroy(loaded);
}

#define CUSTOM                                                                                               \
    "synthetic", "custom", "users", "150", "items", "90", "interactions", "2000", "min_interactions", "6"

START_TEST(counts_are_those_of_the_data) {
    check(SETTINGS("synthetic", "small"), NO_SETTINGS, false);
    check(SETTINGS("synthetic", "ml-100k"), SETTINGS("protocol", "leaky"), false);
    check(SETTINGS("synthetic", "small", "validation", "train"), SETTINGS("protocol", "lookahead"), false);
    check(SETTINGS("synthetic", "small", "order", "random"), SETTINGS("candidates", "full"), false);
    check(SETTINGS("synthetic", "small", "order", "item_id", "synthetic_seed", "5"), NO_SETTINGS, false);
    check(SETTINGS(CUSTOM), SETTINGS("negatives", "10"), false);
    check(SETTINGS(CUSTOM, "split", "ratio"), SETTINGS("negatives", "10", "protocol", "leaky"), false);
}
END_TEST

/* Ratings have a scale, and who has too few interactions cannot be told from numbers of items alone. */
START_TEST(others_are_loaded) {
    check(SETTINGS("synthetic", "small", "feedback", "explicit"), NO_SETTINGS, true);
    check(SETTINGS("synthetic", "small", "min_interactions", "40"), NO_SETTINGS, true);
}
END_TEST

START_TEST(errors_are_the_same) {
    struct frs_errors errors = {0};
    bool same;
    ck_assert_ptr_null(count(SETTINGS("synthetic", "small"),
        SETTINGS("negatives", "290", "protocol", "lookahead"), &errors, &same));
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "items without interaction to draw 290 from"));
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "of 200 clients have too few items"));
    frs_errors_clear(&errors);
    ck_assert_ptr_null(
        count(SETTINGS("synthetic", "custom", "users", "10", "items", "5"), NO_SETTINGS, &errors, &same));
    frs_errors_clear(&errors);
    ck_assert_ptr_null(count(SETTINGS("synthetic", "small"),
        SETTINGS("protocol", "lookahead", "candidates", "full"), &errors, &same));
    frs_errors_clear(&errors);
}
END_TEST

/* Candidates that no run will use need not exist, neither in generated data nor in others. */
START_TEST(negatives_that_do_not_matter) {
    const char *const *const data[] = {
        SETTINGS("synthetic", "small"), SETTINGS("synthetic", "small", "min_interactions", "40")};
    static const char *const protocols[] = {"honest", "leaky"};
    for (size_t i = 0; i < 4; i++) {
        struct frs_errors errors = {0};
        struct frs_values values[2] = {section("data", frs_data_params, data[i % 2]),
            section("evaluation", frs_evaluation_params,
                SETTINGS("negatives", "1000000", "protocol", protocols[i / 2]))};
        struct frs_data *counted;
        ck_assert_int_eq(frs_data_count(&values[0], &values[1], 3, 0, &counted, &errors), FRS_OK);
        ck_assert_uint_eq(counted->n_negatives, 1000000);
        ck_assert_ptr_null(counted->negatives);
        frs_data_destroy(counted);
        frs_values_fini(&values[0]);
        frs_values_fini(&values[1]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("count");
    TCase *tests = tcase_create("count");
    tcase_add_test(tests, counts_are_those_of_the_data);
    tcase_add_test(tests, others_are_loaded);
    tcase_add_test(tests, errors_are_the_same);
    tcase_add_test(tests, negatives_that_do_not_matter);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
