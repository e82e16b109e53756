/* Structure of updates and of the item table: by hand, and that measuring it changes nothing. */
#include "algorithms/training/structure.h"
#include "tests/sim/run/fixture.h"

static size_t components(const float *values, size_t n, size_t dim, double share) {
    struct frs_rows rows = {.n_rows = n, .dim = dim, .n = n, .values = values};
    return frs_structure_components(&rows, share);
}

/* diag(4, 1): energies 16 and 1, of which the first is .941. Rows 1, 2 and -3 times (2, 1): one component.
 * Six equal energies on the diagonal: .9 of them are 5.4, so 6. One row is one component, nothing is none. */
START_TEST(components_hold_their_share) {
    static const float diagonal[] = {4, 0, 0, 1}, line[] = {2, 1, 4, 2, -6, -3}, row[] = {1, 2, 3}, none[4];
    float equal[36] = {0};
    for (size_t i = 0; i < 6; i++)
        equal[7 * i] = i % 2 ? 2 : -2;
    ck_assert_uint_eq(components(diagonal, 2, 2, 0.9), 1);
    ck_assert_uint_eq(components(diagonal, 2, 2, 0.99), 2);
    ck_assert_uint_eq(components(line, 3, 2, 0.99), 1);
    ck_assert_uint_eq(components(line, 2, 3, 0.99), 2); /* the same numbers as (2, 1, 4) and (2, -6, -3) */
    ck_assert_uint_eq(components(equal, 6, 6, 0.5), 3);
    ck_assert_uint_eq(components(equal, 6, 6, 0.9), 6);
    ck_assert_uint_eq(components(row, 1, 3, 0.99), 1);
    ck_assert_uint_eq(components(none, 2, 2, 0.9), 0);
    ck_assert_uint_eq(components(none, 0, 2, 0.9), 0);
}
END_TEST

/* Uploads of diag(4, 1), of a line, and of nothing, which does not count: (1 + 1)/2 and (2 + 1)/2. */
START_TEST(uploads_are_averaged) {
    static const float diagonal[] = {4, 0, 0, 1}, line[] = {2, 1, 4, 2}, none[4];
    static const float *const values[] = {diagonal, line, none};
    struct frs_contribution contributions[3] = {0};
    struct frs_structure structure = {0};
    for (size_t i = 0; i < 3; i++)
        contributions[i].parts[0] = (struct frs_rows){.n_rows = 2, .dim = 2, .n = 2, .values = values[i]};
    frs_structure_uploads(&structure, contributions, 3);
    struct frs_structure_figures figures = frs_structure_figures(&structure, NULL, 0);
    ck_assert_double_eq(figures.components_90, 1);
    ck_assert_double_eq(figures.components_99, 1.5);
    ck_assert(isnan(figures.groups) && isnan(figures.above_tenth));
}
END_TEST

/* (1, 0) and (0, 1) have become their mean (½, ½), with a cosine of √½; (2, 2) is as it was, and a row of
 * zeros does not count: 2 groups, of 2 rows and of 1, (2√½ + 1)/3 over rows and (√½ + 1)/2 over groups. Then
 * two rows as they were to be, and one that was left out. */
START_TEST(groups_are_different_rows) {
    static const uint32_t three[] = {0, 1, 3};
    static const float meant_values[] = {1, 0, 0, 1, 0, 0, 2, 2},
                       decoded_values[] = {.5f, .5f, .5f, .5f, 2, 2};
    struct frs_rows meant = {.n_rows = 4, .dim = 2, .n = 4, .values = meant_values};
    struct frs_rows decoded = {.n_rows = 4, .dim = 2, .n = 3, .ids = three, .values = decoded_values};
    struct frs_structure structure = {0};
    frs_structure_download(&structure, &meant, &decoded);
    struct frs_structure_figures once = frs_structure_figures(&structure, NULL, 0);
    ck_assert_double_eq(once.groups, 2);
    ck_assert_double_eq_tol(once.cosine_rows, (2 * sqrt(.5) + 1) / 3, 1e-12);
    ck_assert_double_eq_tol(once.cosine_groups, (sqrt(.5) + 1) / 2, 1e-12);
    ck_assert_double_eq(once.of_size[0], 1);
    ck_assert_double_eq(once.of_size[1], 1);
    ck_assert(isnan(once.components_90));

    decoded = (struct frs_rows){.n_rows = 4, .dim = 2, .n = 2, .ids = three, .values = meant_values};
    frs_structure_download(&structure, &meant, &decoded);
    struct frs_structure_figures twice = frs_structure_figures(&structure, NULL, 0);
    ck_assert_double_eq(twice.groups, 2.5);
    ck_assert_double_eq_tol(twice.cosine_rows, (once.cosine_rows + 2.0 / 3) / 2, 1e-12);
    ck_assert_double_eq(twice.of_size[0], 2);
}
END_TEST

/* 18 rows in one group, 9, 5, 4, 3 and 2 in others: a group of 18 and one of 9 to 16, one of 5 to 8, two of 3
 * or 4, one of 2. */
START_TEST(groups_are_counted_by_size) {
    static const size_t sizes[] = {18, 9, 5, 4, 3, 2};
    static const double expected[FRS_GROUP_SIZES] = {0, 1, 2, 1, 1, 1};
    float values[41];
    size_t n = 0;
    for (size_t g = 0; g < 6; g++)
        for (size_t i = 0; i < sizes[g]; i++)
            values[n++] = (float)(g + 1);
    struct frs_rows rows = {.n_rows = n, .dim = 1, .n = n, .values = values};
    struct frs_structure structure = {0};
    frs_structure_download(&structure, &rows, &rows);
    struct frs_structure_figures figures = frs_structure_figures(&structure, NULL, 0);
    ck_assert_double_eq(figures.groups, 6);
    ck_assert_double_eq(figures.cosine_rows, 1);
    for (size_t i = 0; i < FRS_GROUP_SIZES; i++)
        ck_assert_double_eq(figures.of_size[i], expected[i]);
}
END_TEST

START_TEST(values_of_a_table_are_counted) {
    static const float table[] = {0, .05f, -.2f, .005f};
    struct frs_structure_figures figures =
        frs_structure_figures(&(struct frs_structure){.n_uploads = 0}, table, 4);
    ck_assert_double_eq(figures.zero, .25);
    ck_assert_double_eq(figures.above_hundredth, .5);
    ck_assert_double_eq(figures.above_tenth, .25);
}
END_TEST

static const char base[] =
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"fedmf_update\"; dim = 8; };\n"
    "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
    "rounds = { count = 4; cohort = 20; };\n";

/* FedRAP sends tables: its own has figures, updates have none. CoLR's uploads have 3 columns. */
static const struct {
    const char *options;
    double groups, components; /* at most; 0: none is measured */
} runs[] = {{"--set codec.downlink=groups --set codec.downlink.groups=7", 7, 8},
    {"--set method=colr --set method.rank=3", 1e9, 3}, {"--set method=fedrap --set method.epochs=1", 0, 0}};

/* The run is the same, with one thread and with two. */
START_TEST(measuring_changes_nothing) {
    write_text("s.cfg", base);
    char *one = frs_format("%s --set evaluation.structure=true --threads 1", runs[_i].options);
    char *two = frs_format("%s --set evaluation.structure=true --threads 2", runs[_i].options);
    run_scenario("s.cfg", "plain", runs[_i].options);
    run_scenario("s.cfg", "one", one);
    run_scenario("s.cfg", "two", two);
    ck_assert_int_eq(shell("cmp plain/rounds.csv one/rounds.csv && cmp one/rounds.csv two/rounds.csv"), 0);
    ck_assert_int_eq(shell("cmp plain/clients.csv one/clients.csv"), 0);
    ck_assert_int_ne(shell("grep -q structure plain/summary.json"), 0);
    json_t *summary = load_json("one", "summary.json"), *structure = json_object_get(summary, "structure");
    json_t *again = load_json("two", "summary.json");
    ck_assert(json_equal(structure, json_object_get(again, "structure")));
    ck_assert_ptr_nonnull(json_object_get(structure, "above_tenth"));
    ck_assert_int_eq(json_object_get(structure, "groups") != NULL, runs[_i].groups > 0);
    ck_assert_int_eq(json_object_get(structure, "components_90") != NULL, runs[_i].components > 0);
    if (runs[_i].groups > 0) {
        double groups = json_path(summary, "structure", "groups");
        double less = json_path(summary, "structure", "components_90");
        double more = json_path(summary, "structure", "components_99");
        ck_assert(groups >= 1 && groups <= runs[_i].groups);
        ck_assert(less >= 1 && less <= more && more <= runs[_i].components);
    }
    json_decref(summary);
    json_decref(again);
    free(one);
    free(two);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("structure");
    TCase *tests = tcase_create("structure");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, components_hold_their_share);
    tcase_add_test(tests, uploads_are_averaged);
    tcase_add_test(tests, groups_are_different_rows);
    tcase_add_test(tests, groups_are_counted_by_size);
    tcase_add_test(tests, values_of_a_table_are_counted);
    tcase_add_loop_test(tests, measuring_changes_nothing, 0, sizeof runs / sizeof *runs);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
