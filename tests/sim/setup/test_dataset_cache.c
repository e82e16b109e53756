/* Data that several scenarios share while they are checked. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/dataset_cache.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

struct composed {
    struct frs_scenario *scenario;
    struct frs_setup setup;
};

static const char rest[] = "evaluation = { negatives = 5; };\nrounds = { cohort = 10; };\n";

static struct composed compose(const char *data, unsigned seed) {
    struct composed c;
    struct frs_errors errors = {0};
    char *text = frs_format("seed = %u;\ndata = { %s };\n%s", seed, data, rest), *path;
    write_text("s.cfg", text);
    path = frs_format("%s/s.cfg", frs_folder);
    ck_assert_int_eq(frs_scenario_load(frs_sections, path, NULL, 0, &c.scenario, &errors), FRS_OK);
    ck_assert_msg(
        frs_compose(c.scenario, &c.setup, &errors) == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    free(path);
    free(text);
    return c;
}

static void put_away(struct composed *c) {
    frs_setup_fini(&c->setup);
    frs_scenario_destroy(c->scenario);
}

#define SMALL "synthetic = \"custom\"; users = 40; items = 60; interactions = 500;"
#define OTHER "synthetic = \"custom\"; users = 50; items = 60; interactions = 600;"
#define LARGE "synthetic = \"custom\"; users = 4000; items = 60; interactions = 60000;"

START_TEST(the_same_data_are_loaded_once) {
    frs_dataset_cache_open(0, 0);
    struct composed a = compose(SMALL, 1), b = compose(SMALL, 1), seed = compose(SMALL, 2),
                    other = compose(OTHER, 1);
    ck_assert_ptr_eq(a.setup.training.data, b.setup.training.data);
    ck_assert_ptr_ne(a.setup.training.data, seed.setup.training.data);
    ck_assert_uint_eq(seed.setup.training.data->population.seed, 2);
    ck_assert_uint_eq(other.setup.training.data->population.n_clients, 50);
    put_away(&a);
    put_away(&seed);
    ck_assert_uint_eq(b.setup.training.data->population.n_clients, 40); /* still there */
    put_away(&b);
    put_away(&other);
    struct composed again = compose(OTHER, 1), once_more = compose(OTHER, 1);
    ck_assert_ptr_eq(again.setup.training.data, once_more.setup.training.data);
    put_away(&again);
    put_away(&once_more);
    frs_dataset_cache_close();
    a = compose(SMALL, 1);
    b = compose(SMALL, 1);
    ck_assert_ptr_ne(a.setup.training.data, b.setup.training.data);
    put_away(&a);
    put_away(&b);
}
END_TEST

/* 40 users, 500 interactions, 5 negatives each under the honest protocol: 8 bytes an interaction, 20 of
 * negatives and 16 of places a user, and the index of each user's part. */
START_TEST(data_of_several_seeds_keep_to_their_room) {
    size_t bytes = 500 * 8 + 40 * (20 + 16 + sizeof(struct frs_client_data));
    frs_dataset_cache_open(0, 3 * bytes);
    struct composed first = compose(SMALL, 1), second = compose(SMALL, 2);
    const struct frs_data *one = first.setup.training.data;
    ck_assert_uint_eq(frs_data_bytes(one), bytes);
    ck_assert(frs_dataset_cache_longest_s() > 0);
    put_away(&second);
    put_away(&first);
    struct composed third = compose(SMALL, 3); /* there is room for it */
    put_away(&third);
    first = compose(SMALL, 1);
    ck_assert_ptr_eq(first.setup.training.data, one);
    struct composed fourth = compose(SMALL, 4), again = compose(SMALL, 1); /* the second makes room for it */
    ck_assert_ptr_eq(again.setup.training.data, one);
    put_away(&again);
    put_away(&first);
    put_away(&fourth);
    frs_dataset_cache_close();
    frs_dataset_cache_close();
}
END_TEST

START_TEST(large_data_are_sketched) {
    /* 60,000 interactions of 4,000 users: 400 users with 6,000, whose clients stand for ten each. */
    struct composed whole = compose(LARGE, 1);
    frs_dataset_cache_open(6000, 0);
    struct composed c = compose(LARGE, 1), small = compose(SMALL, 1);
    const struct frs_data *data = c.setup.training.data;
    ck_assert_str_eq(data->description, whole.setup.training.data->description);
    ck_assert_uint_eq(data->n_interactions, 60000);
    ck_assert_uint_eq(data->n_left_out, 54000);
    ck_assert_uint_eq(small.setup.training.data->n_left_out, 0);
    const struct frs_population *population = &data->population;
    ck_assert_uint_eq(population->n_clients, 4000);
    ck_assert_uint_eq(population->n_items, 60);
    size_t n = 0;
    for (uint32_t client = 0; client < 4000; client++) {
        const struct frs_client_data *own = &population->clients[client];
        ck_assert_uint_eq(own->client, client);
        ck_assert_ptr_eq(own->items, population->clients[client % 400].items);
        n += own->n;
    }
    ck_assert_uint_eq(n, 10 * (6000 - 2 * 400)); /* two of each are held out */
    put_away(&c);
    put_away(&small);
    put_away(&whole);
    frs_dataset_cache_close();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("data set cache");
    TCase *tests = tcase_create("data between compositions");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, the_same_data_are_loaded_once);
    tcase_add_test(tests, data_of_several_seeds_keep_to_their_room);
    tcase_add_test(tests, large_data_are_sketched);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
