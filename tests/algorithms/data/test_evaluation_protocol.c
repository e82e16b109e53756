/* What each protocol keeps out of the negatives of training. */
#include "algorithms/data/evaluation_protocol.h"
#include "tests/algorithms/data/fixture.h"

static void check_pool(const char *protocol, bool no_held_out, bool no_negatives) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), SETTINGS("protocol", protocol), 2);
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const struct frs_client_data *own = &data->clients[client];
        size_t n = own->n + (no_held_out ? 2 : 0) + (no_negatives ? 99 : 0);
        ck_assert_uint_eq(own->n_excluded, n);
        for (size_t i = 0; i < n; i++) {
            uint32_t item = own->excluded[i];
            ck_assert(i == 0 || own->excluded[i - 1] < item);
            ck_assert(is_among(own->items, own->n, item) ||
                      (no_held_out && is_held_out(data, client, item)) ||
                      (no_negatives && is_among(negatives_of(data, client), 99, item)));
        }
        for (size_t i = 0; i < own->n; i++)
            ck_assert(is_among(own->excluded, n, own->items[i]));
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

int main(void) {
    Suite *suite = suite_create("evaluation protocol");
    TCase *tests = tcase_create("evaluation protocol");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, honest_excludes_training_items_only);
    tcase_add_test(tests, leaky_excludes_held_out_items);
    tcase_add_test(tests, lookahead_excludes_the_negatives_too);
    tcase_add_test(tests, protocols_are_paired);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
