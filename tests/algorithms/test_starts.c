/* Starts of tables that are kept: a model that finds them begins as one that draws them. */
#include "algorithms/model.h"
#include "algorithms/initial_values.h"
#include "tests/support.h"

#include <string.h>

enum { CLIENTS = 5, ITEMS = 7, DIM = 3 };

static struct frs_model *make(
    struct frs_initial_values *starts, uint64_t seed, float **items, float **users) {
    struct frs_population population = {
        .n_clients = CLIENTS, .n_items = ITEMS, .seed = seed, .starts = starts};
    struct frs_learner_setup setup = {.population = &population};
    struct frs_model *model = frs_model_create(sizeof *model, &setup);
    struct frs_table table = {.name = "items", .dim = DIM, .start = FRS_NORMAL, .sd = 1};
    *items = frs_model_table(model, table);
    table.owner = FRS_OF_CLIENTS;
    *users = frs_model_table(model, table);
    return model;
}

/* Whether a model that may find its starts begins as one that draws them. */
static bool as_drawn(struct frs_initial_values *starts, uint64_t seed) {
    float *items[2], *users[2];
    struct frs_model *drawn = make(NULL, seed, &items[0], &users[0]),
                     *found = make(starts, seed, &items[1], &users[1]);
    bool same = memcmp(items[0], items[1], ITEMS * DIM * sizeof(float)) == 0 &&
                memcmp(users[0], users[1], CLIENTS * DIM * sizeof(float)) == 0;
    frs_model_destroy(drawn);
    frs_model_destroy(found);
    return same;
}

START_TEST(found_as_drawn) {
    struct frs_initial_values *starts = frs_initial_values_create();
    frs_initial_values_open(starts, 1000);
    for (uint64_t seed = 1; seed <= 2; seed++)
        for (int time = 0; time < 2; time++)
            ck_assert_msg(as_drawn(starts, seed), "seed %d, time %d", (int)seed, time);
    ck_assert(!frs_initial_values_full(starts)); /* 2 · 36 values */
    frs_initial_values_destroy(starts);
}
END_TEST

/* What is found is what was kept, and only under the same key. */
START_TEST(initial_values_are_found_by_key) {
    const float kept[4] = {1, 2, 3, 4};
    float values[4] = {0};
    struct frs_initial_values_key key = {.seed = 1, .rows = 2, .dim = 2, .drawn = 2, .sd = 1}, other = key;
    struct frs_initial_values *starts = frs_initial_values_create();
    frs_initial_values_keep(starts, &key, kept);
    ck_assert(!frs_initial_values_find(starts, &key, values)); /* it was not open */
    frs_initial_values_open(starts, sizeof kept);
    frs_initial_values_keep(starts, &key, kept);
    ck_assert(frs_initial_values_find(starts, &key, values) && memcmp(values, kept, sizeof kept) == 0);
    other.sd = 2;
    ck_assert(!frs_initial_values_find(starts, &other, values) && !frs_initial_values_full(starts));
    frs_initial_values_keep(starts, &other, kept); /* there is no room for it */
    ck_assert(!frs_initial_values_find(starts, &other, values) && frs_initial_values_full(starts));
    ck_assert(!frs_initial_values_find(NULL, &key, values));
    frs_initial_values_destroy(starts);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("starts");
    TCase *tests = tcase_create("starts");
    tcase_add_test(tests, found_as_drawn);
    tcase_add_test(tests, initial_values_are_found_by_key);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
