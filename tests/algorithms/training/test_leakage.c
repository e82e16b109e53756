/* What is counted of sums that hide few clients, by hand. */
#include "algorithms/training/leakage.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

extern const struct frs_privacy_mechanism frs_privacy_pairwise_masks;

enum { CLIENTS = 6, ITEMS = 9 };

struct bench {
    struct frs_population population;
    struct frs_data data;
    struct frs_training_setup setup;
    struct frs_values values;
};

/* A server that sees sums alone. */
static void setup_bench(struct bench *bench) {
    struct frs_errors errors = {0};
    bench->population = make_population(CLIENTS, ITEMS, 3);
    bench->data = (struct frs_data){.population = bench->population};
    bench->values =
        frs_values_of(frs_privacy_pairwise_masks.plugin.params, SETTINGS("range", "2", "bits", "16"));
    bench->setup = (struct frs_training_setup){.data = &bench->data,
        .mechanisms = {.n = 1,
            .of = {{&frs_privacy_pairwise_masks, frs_privacy_pairwise_masks.create(&bench->values,
                                                     &(struct frs_privacy_setup){0}, &errors)}}}};
    ck_assert_uint_eq(errors.n, 0);
}

static void teardown_bench(struct bench *bench) {
    frs_privacy_mechanism_list_fini(&bench->setup.mechanisms);
    frs_values_fini(&bench->values);
    free_population(&bench->population);
}

/* Item 0 is in the uploads of all six clients, item 1 in those of five, item 2 in four, item 8 in one;
 * five others are in none. Two of the four sums, those of items 2 and 8, have fewer than 5 clients. A
 * second round is added. */
START_TEST(sums_of_few) {
    static uint32_t ids[CLIENTS][3] = {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1}, {0, 8}};
    static const size_t n[CLIENTS] = {3, 3, 3, 3, 2, 2};
    struct frs_contribution contributions[CLIENTS];
    struct frs_leakage leakage = {0};
    struct bench bench;
    setup_bench(&bench);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        contributions[client] = (struct frs_contribution){.client = client};
        contributions[client].parts[0] =
            (struct frs_rows){.n_rows = ITEMS, .dim = 4, .n = n[client], .ids = ids[client]};
    }
    frs_leakage_add(&leakage, &bench.setup, contributions, CLIENTS);
    ck_assert_uint_eq(leakage.sums, 4);
    ck_assert_uint_eq(leakage.sums_of_few, 2);
    ck_assert_uint_eq(leakage.uploads, CLIENTS);
    ck_assert_uint_eq(leakage.items, 0); /* nothing is read of one client's own */
    frs_leakage_add(&leakage, &bench.setup, contributions, 4);
    ck_assert_uint_eq(leakage.sums, 4 + 3); /* items 0 to 2, of four clients each */
    ck_assert_uint_eq(leakage.sums_of_few, 2 + 3);
    teardown_bench(&bench);
}
END_TEST

/* Uploads of whole tables hide every item among all clients: of five none is few, of four every one. */
START_TEST(sums_of_whole_tables) {
    struct frs_contribution contributions[CLIENTS];
    struct frs_leakage leakage = {0};
    struct bench bench;
    setup_bench(&bench);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        contributions[client] = (struct frs_contribution){.client = client};
        contributions[client].parts[0] = (struct frs_rows){.n_rows = ITEMS, .dim = 4, .n = ITEMS};
    }
    frs_leakage_add(&leakage, &bench.setup, contributions, 5);
    ck_assert_uint_eq(leakage.sums, ITEMS);
    ck_assert_uint_eq(leakage.sums_of_few, 0);
    frs_leakage_add(&leakage, &bench.setup, contributions, 4);
    ck_assert_uint_eq(leakage.sums, 2 * ITEMS);
    ck_assert_uint_eq(leakage.sums_of_few, ITEMS);
    teardown_bench(&bench);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("reading");
    TCase *tests = tcase_create("reading");
    tcase_add_test(tests, sums_of_few);
    tcase_add_test(tests, sums_of_whole_tables);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
