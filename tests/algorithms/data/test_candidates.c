/* Evaluation negatives and what the protocols exclude from training negatives. */
#include "algorithms/data/candidates.h"
#include "tests/algorithms/data/fixture.h"

#include <stdbool.h>

static bool among(const uint32_t *items, size_t n, uint32_t item) {
    for (size_t i = 0; i < n; i++)
        if (items[i] == item)
            return true;
    return false;
}

static bool held_out(const struct frs_data *data, uint32_t client, uint32_t item) {
    const struct frs_held_out *parts[] = {&data->validation, &data->test};
    for (int i = 0; i < 2; i++) {
        size_t begin = parts[i]->start[client];
        if (among(parts[i]->items + begin, parts[i]->start[client + 1] - begin, item))
            return true;
    }
    return false;
}

static const uint32_t *negatives_of(const struct frs_data *data, uint32_t client) {
    return data->negatives + client * data->n_negatives;
}

START_TEST(negatives_are_distinct_and_not_the_clients) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->n_negatives, 99);
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const uint32_t *negatives = negatives_of(data, client);
        for (size_t i = 0; i < 99; i++) {
            ck_assert_uint_lt(negatives[i], data->population.n_items);
            ck_assert(!among(negatives, i, negatives[i]));
            ck_assert(!among(data->clients[client].items, data->clients[client].n, negatives[i]));
            ck_assert(!held_out(data, client, negatives[i]));
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

/* Five users, ten items; users 0 and 3 have nine and eight interactions: 3 negatives are too many for both, 1
 * for none. With nothing that does for all, that is said, too. */
START_TEST(too_many_negatives_are_told_at_once) {
    static const size_t n_interactions[] = {9, 3, 4, 8, 7};
    struct frs_data data = {.n_negatives = 3, .population = {.n_clients = 5, .n_items = 10}};
    struct frs_values evaluation = section("evaluation", frs_evaluation_params, NO_SETTINGS);
    struct frs_errors errors = {0};
    struct frs_pools_shortage shortage = {0};
    for (uint32_t client = 0; client < 5; client++)
        frs_pools_look_at(&data, client, n_interactions[client], &shortage);
    ck_assert_int_eq(frs_pools_check(&data, &shortage, &evaluation, &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "evaluation.negatives: 2 of 5 clients have too few items without "
                                      "interaction to draw 3 from (client 0 only 1); "
                                      "1 would do for all, or evaluation.candidates = \"full\"");
    frs_pools_look_at(&data, 4, 10, &shortage);
    ck_assert_int_eq(frs_pools_check(&data, &shortage, &evaluation, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(errors.lines[1], "3 of 5 clients"));
    ck_assert_ptr_nonnull(strstr(errors.lines[1],
        "(client 4 only 0); none would do for all, but evaluation.candidates = \"full\" does"));
    shortage = (struct frs_pools_shortage){0};
    frs_pools_look_at(&data, 4, 7, &shortage);
    ck_assert_int_eq(frs_pools_check(&data, &shortage, &evaluation, &errors), FRS_OK);
    frs_errors_clear(&errors);
    frs_values_fini(&evaluation);
}
END_TEST

static void check_pool(const char *protocol, bool no_held_out, bool no_negatives) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), SETTINGS("protocol", protocol), 2);
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const struct frs_client_data *own = &data->clients[client];
        size_t n = own->n + (no_held_out ? 2 : 0) + (no_negatives ? 99 : 0);
        ck_assert_uint_eq(own->n_excluded, n);
        for (size_t i = 0; i < n; i++) {
            uint32_t item = own->excluded[i];
            ck_assert(i == 0 || own->excluded[i - 1] < item);
            ck_assert(among(own->items, own->n, item) || (no_held_out && held_out(data, client, item)) ||
                      (no_negatives && among(negatives_of(data, client), 99, item)));
        }
        for (size_t i = 0; i < own->n; i++)
            ck_assert(among(own->excluded, n, own->items[i]));
    }
    frs_data_destroy(data);
}

START_TEST(honest_excludes_training_items_only) {
    check_pool("honest", false, false);
}
END_TEST

START_TEST(leaky_excludes_held_out_items) {
    check_pool("leaky", true, false);
}
END_TEST

START_TEST(lookahead_excludes_the_negatives_too) {
    check_pool("lookahead", true, true);
}
END_TEST

/* The protocol changes pools only: same split, same negatives. */
START_TEST(protocols_are_paired) {
    struct frs_data *a = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 2);
    struct frs_data *b = load(SETTINGS("synthetic", "small"), SETTINGS("protocol", "leaky"), 2);
    ck_assert_mem_eq(a->negatives, b->negatives, 200 * 99 * sizeof(uint32_t));
    ck_assert_mem_eq(a->test.items, b->test.items, 200 * sizeof(uint32_t));
    ck_assert_str_eq(a->hash, b->hash);
    frs_data_destroy(a);
    frs_data_destroy(b);
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
    Suite *suite = suite_create("pools");
    TCase *tests = tcase_create("pools");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, negatives_are_distinct_and_not_the_clients);
    tcase_add_test(tests, negatives_are_uniform);
    tcase_add_test(tests, too_many_negatives_are_told_at_once);
    tcase_add_test(tests, honest_excludes_training_items_only);
    tcase_add_test(tests, leaky_excludes_held_out_items);
    tcase_add_test(tests, lookahead_excludes_the_negatives_too);
    tcase_add_test(tests, protocols_are_paired);
    tcase_add_test(tests, too_few_candidates_are_an_error);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
