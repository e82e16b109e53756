/* PFedCLR, table 6: the space parameters take up, to every printed digit, and the bytes of a real message
 * beside it. What a summary says of data sets of the published sizes, without training. */
#include "tests/sim/run/fixture.h"

/* MiB, as printed; d 16, r 2. */
static const struct {
    const char *method;
    const char *client[3], *server[3];
    size_t shared_values; /* beside the item table: FedNCF's network 32 → 16 → 8 → 1 */
} table6[] = {
    {"fedmf", {"0.1247", "0.1027", "0.2263"}, {"125.0077", "96.9121", "1366.4518"}, 0},
    {"fedncf", {"0.1273", "0.1053", "0.2288"}, {"127.5827", "99.3356", "1381.9608"}, 673},
    {"fedrap", {"0.2493", "0.2054", "0.4525"}, {"125.0077", "96.9121", "1366.4518"}, 0},
    {"pfedclr", {"0.1404", "0.1157", "0.2547"}, {"125.0077", "96.9121", "1366.4518"}, 0},
};

/* FilmTrust as the paper counts it, ML-100K, ML-1M, HetRec2011, LastFM-2K. */
static const struct {
    size_t users, items;
} sizes[] = {{1002, 2042}, {943, 1682}, {6040, 3706}, {2113, 10109}, {1269, 12322}};

/* In checked code only the smallest data: tables of the others are only larger. */
enum { N_METHODS = 4, DIM = 16, N_SIZES = 1 + FRS_TEST_CASES(2), ALL_SIZES = 1 + FRS_TEST_CASES(4) };

/* GPFedRec's server keeps a table of its own for every client: 2n + 1 tables of m · 16 values and a graph of
 * n² values. (2 · 1002 + 1) · 2042 · 16 + 1002² = 66,511,364 values of 4 bytes on FilmTrust. */
static const char *const gpfedrec[] = {"253.7207", "197.1138", "2871.8436"};

/* pFedGraph's does so for c = ⌊n/10⌋ of them: n + c tables and c² values, (1002 + 100) · 2042 · 16 + 100² =
 * 36,014,544 on FilmTrust. */
static const char *const pfedgraph[] = {"137.3846", "106.4933", "1504.2398", "1434.0880", "1049.2055"};

static void check_mebibytes(json_t *summary, const char *key, const char *printed) {
    char text[32];
    snprintf(text, sizeof text, "%.4f", json_path(summary, "parameter_space", key) / (1 << 20));
    ck_assert_msg(strcmp(text, printed) == 0, "%s: %s, printed %s", key, text, printed);
}

static json_t *summary_of(const char *method, size_t users, size_t items) {
    char *options = frs_format("--force --set method.name=%s --set method.dim=%d --set data.synthetic=custom "
                               "--set data.users=%zu --set data.items=%zu --set data.interactions=%zu",
        method, DIM, users, items, 12 * users);
    write_text("s.cfg", "training = { enabled = false; };\ndevices = { compute = \"none\"; };\n"
                        "rounds = { count = 1; cohort = 1; };\n");
    run_scenario("s.cfg", "out", options);
    free(options);
    return load_json("out", "summary.json");
}

START_TEST(test_tables_of_clients) {
    json_t *summary = summary_of("gpfedrec", sizes[_i].users, sizes[_i].items);
    check_mebibytes(summary, "server_bytes", gpfedrec[_i]);
    json_decref(summary);
}
END_TEST

START_TEST(test_tables_of_a_tenth) {
    json_t *summary = summary_of("pfedgraph", sizes[_i].users, sizes[_i].items);
    check_mebibytes(summary, "server_bytes", pfedgraph[_i]);
    json_decref(summary);
}
END_TEST

START_TEST(parameters_are_those_of_table_6) {
    size_t items = sizes[_i].items;
    for (size_t m = 0; m < N_METHODS; m++) {
        json_t *summary = summary_of(table6[m].method, sizes[_i].users, items);
        check_mebibytes(summary, "client_bytes", table6[m].client[_i]);
        check_mebibytes(summary, "server_bytes", table6[m].server[_i]);
        double values = (double)(DIM * items + table6[m].shared_values);
        ck_assert_double_eq(json_path(summary, "nominal_bytes", "down"), 4 * values);
        double header = json_path(summary, "bytes", "down") - 4 * values;
        ck_assert(header > 0 && header <= 64);
        ck_assert_double_eq(json_path(summary, "bytes", "up"), json_path(summary, "bytes", "down"));
        json_decref(summary);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("parameter space");
    TCase *tests = tcase_create("PFedCLR, table 6");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, parameters_are_those_of_table_6, 0, N_SIZES);
    tcase_add_loop_test(tests, test_tables_of_clients, 0, N_SIZES);
    tcase_add_loop_test(tests, test_tables_of_a_tenth, 0, ALL_SIZES);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
