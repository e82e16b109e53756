/* The evaluation's negatives. */
#include "algorithms/data/candidates.h"
#include "tests/algorithms/data/fixture.h"

START_TEST(negatives_are_distinct_and_not_the_clients) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->n_negatives, 99);
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const uint32_t *negatives = negatives_of(data, client);
        for (size_t i = 0; i < 99; i++) {
            ck_assert_uint_lt(negatives[i], data->population.n_items);
            ck_assert(!is_among(negatives, i, negatives[i]));
            ck_assert(!is_among(data->clients[client].items, data->clients[client].n, negatives[i]));
            ck_assert(!is_held_out(data, client, negatives[i]));
        }
    }
    frs_data_destroy(data);
}
END_TEST

/* Every free item of one client turns up equally often over the seeds. */
START_TEST(negatives_are_uniform) {
    int counts[300] = {0}, n_free = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct frs_data *data = load(SETTINGS("synthetic", "small"), SETTINGS("negatives", "20"), seed);
        n_free = 300 - (int)data->clients[5].n - 2;
        for (size_t i = 0; i < 20; i++)
            counts[negatives_of(data, 5)[i]]++;
        frs_data_destroy(data);
    }
    int seen = 0;
    double mean = 400.0 * 20 / n_free;
    for (int item = 0; item < 300; item++) {
        seen += counts[item] > 0;
        if (counts[item])
            ck_assert_double_eq_tol(counts[item], mean, 5 * 5.4); /* sd = √mean about 5.4 */
    }
    ck_assert_int_eq(seen, n_free);
}
END_TEST

/* Five users, ten items. Users 0 and 3 have nine and eight interactions: 3 negatives are too many for
 * both, 1 for none. If no number is possible for all users, the error says that, too. */
START_TEST(too_many_negatives_are_told_at_once) {
    static const size_t n_interactions[] = {9, 3, 4, 8, 7};
    struct frs_data data = {.n_negatives = 3, .population = {.n_clients = 5, .n_items = 10}};
    struct frs_values evaluation = section("evaluation", frs_evaluation_params, NO_SETTINGS);
    struct frs_errors errors = {0};
    struct frs_candidates_shortage shortage = {0};
    for (uint32_t client = 0; client < 5; client++)
        frs_candidates_look_at(&data, client, n_interactions[client], &shortage);
    ck_assert_int_eq(frs_candidates_check(&data, &shortage, &evaluation, &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "evaluation.negatives: 2 of 5 clients have too few items without "
                                      "interaction to draw 3 from (client 0 only 1); "
                                      "1 would do for all, or evaluation.candidates = \"full\"");
    frs_candidates_look_at(&data, 4, 10, &shortage);
    ck_assert_int_eq(frs_candidates_check(&data, &shortage, &evaluation, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(errors.lines[1], "3 of 5 clients"));
    ck_assert_ptr_nonnull(strstr(errors.lines[1],
        "(client 4 only 0); none would do for all, but evaluation.candidates = \"full\" does"));
    shortage = (struct frs_candidates_shortage){0};
    frs_candidates_look_at(&data, 4, 7, &shortage);
    ck_assert_int_eq(frs_candidates_check(&data, &shortage, &evaluation, &errors), FRS_OK);
    frs_errors_clear(&errors);
    frs_values_fini(&evaluation);
}
END_TEST

START_TEST(too_few_candidates_are_an_error) {
    load_fails(SETTINGS("synthetic", "small"), SETTINGS("negatives", "290"),
        "clients have too few items without interaction to draw 290 from (client ");
    struct frs_data *data = load(SETTINGS("synthetic", "small"), SETTINGS("candidates", "full"), 1);
    ck_assert_uint_eq(data->n_negatives, 0);
    ck_assert_ptr_null(data->negatives);
    frs_data_destroy(data);
    load_fails(SETTINGS("synthetic", "small"), SETTINGS("candidates", "full", "protocol", "lookahead"),
        "evaluation.protocol: lookahead");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("candidates");
    TCase *tests = tcase_create("candidates");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, negatives_are_distinct_and_not_the_clients);
    tcase_add_test(tests, negatives_are_uniform);
    tcase_add_test(tests, too_many_negatives_are_told_at_once);
    tcase_add_test(tests, too_few_candidates_are_an_error);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
