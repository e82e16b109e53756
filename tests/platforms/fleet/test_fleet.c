/* Fleets: tables of one's own clients; their units, rows, places and classes; what is refused. */
#include "platforms/fleet/fleet.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/settings/params.h"
#include "tests/folder.h"

#include <math.h>

static const struct frs_param params[] = {FRS_FLEET_PARAMS("..."), {0}};

static const char *columns = "";     /* network.fleet_columns */
static const char *empty = "refuse"; /* network.fleet_empty */
static unsigned wanted = FRS_FLEET_OF_LINKS | FRS_FLEET_OF_DEVICES;

static struct frs_values values_of(const char *fleet) {
    const char *const settings[] = {
        "fleet", "f.csv", "fleet_assignment", fleet, "fleet_columns", columns, "fleet_empty", empty, NULL};
    struct frs_values values = frs_values_of(params, settings);
    free(values.section);
    values.section = frs_strdup("network");
    return values;
}

static bool read_as(const char *fleet, const char *text, struct frs_fleet **read) {
    struct frs_values values = values_of(fleet);
    write_file("f.csv", text);
    bool ok = frs_fleet_read(&values, wanted, FRS_RNG_FLEET, read, &errors);
    frs_values_fini(&values);
    return ok;
}

static struct frs_fleet *fleet_of(const char *fleet, const char *text) {
    struct frs_fleet *read;
    bool ok = read_as(fleet, text, &read);
    expect_no_error();
    ck_assert(ok && read);
    return read;
}

static bool settle(struct frs_fleet *fleet, uint32_t n_clients) {
    struct frs_values values = values_of("rows");
    bool ok = frs_fleet_settle(fleet, &values, n_clients, &errors);
    frs_values_fini(&values);
    return ok;
}

/* The same three clients in SI units and in others, in another order of columns, as a spreadsheet writes
 * them. */
START_TEST(units_and_column_order_do_not_matter) {
    static const char *const texts[] = {
        "down_bytes_per_s,up_bytes_per_s,latency_s,speed_flop_per_s,memory_bytes,overhead_s\n"
        "1e6,125000,0.05,2e9,1048576,10\n250000,62500,0,5e8,unlimited,0\n1,2,3,4,5,6\n",
        "\xef\xbb\xbf# measured\r\nmemory_MiB, speed_Gflop_s "
        ",overhead_ms,latency_ms,\"up_Mbit_per_s\",down_MB_s\r\n"
        "1,2,1e4,50,1,1\r\n\r\nunlimited,0.5,0,0,0.5,\"0.25\"\r\n5e-06,4e-9,6e3,3000,16e-6,1e-6\r\n"};
    static const double hand[2][FRS_FLEET_FIGURES] = {
        {1e6, 125000, 0.05, 2e9, 1048576, 10, 0}, {250000, 62500, 0, 5e8, INFINITY, 0, 0}};
    for (size_t i = 0; i < 2; i++) {
        struct frs_fleet *fleet = fleet_of("rows", texts[i]);
        ck_assert_uint_eq(fleet->n, 3);
        ck_assert(!fleet->has_client && fleet->join == FRS_FLEET_ROWS && fleet->n_classes == 0);
        for (uint32_t client = 0; client < 2; client++)
            for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++)
                ck_assert_double_eq(frs_fleet_of(fleet, 7, client)->values[figure], hand[client][figure]);
        frs_fleet_destroy(fleet);
    }
}
END_TEST

/* Cells as people write them: units of their own, blanks that do not break, commas in names, nothing. */
START_TEST(cells_of_spreadsheets) {
    columns = "Download, Mbit/s = down_Mbit_s, Upload = up_Mbit_s";
    struct frs_fleet *fleet =
        fleet_of("rows", "\"Download, Mbit/s\",Upload,Phone\n10 Mbps,2,a\n20\xc2\xa0,500 kbit/s,b\n");
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 0)->values[FRS_FLEET_DOWN], 1.25e6);
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 0)->values[FRS_FLEET_UP], 250000);
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 1)->values[FRS_FLEET_DOWN], 2.5e6);
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 1)->values[FRS_FLEET_UP], 62500);
    frs_fleet_destroy(fleet);
    columns = "";
    empty = "leave_out";
    fleet = fleet_of("rows", "% of a survey\ndown_Mbit_s,up_Mbit_s\n10,2\n20,\nNaN,3\n30,4\n");
    ck_assert_uint_eq(fleet->n, 2);
    ck_assert_uint_eq(fleet->n_empty, 2);
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 1)->values[FRS_FLEET_UP], 500000);
    char *text = frs_fleet_describe(fleet, FRS_FLEET_OF_LINKS);
    ck_assert_ptr_nonnull(strstr(text, "; 2 rows without a value left out (fleet_empty)"));
    free(text);
    frs_fleet_destroy(fleet);
    empty = "refuse";
}
END_TEST

/* Rows by their numbers, wherever they stand; without numbers, in their order, and those left over left out.
 */
START_TEST(rows_are_found_by_number) {
    struct frs_fleet *fleet = fleet_of("rows", "client,up_Mbit_s\n2,3\n0,1\n1,2\n");
    ck_assert(settle(fleet, 3));
    for (uint32_t client = 0; client < 3; client++) {
        ck_assert_double_eq(frs_fleet_of(fleet, 1, client)->values[FRS_FLEET_UP], 125000.0 * (client + 1));
        ck_assert_uint_eq(frs_fleet_traced(fleet, 1, client), client);
    }
    frs_fleet_destroy(fleet);
    fleet = fleet_of("rows", "up_Mbit_s\n3\n1\n2\n");
    ck_assert(settle(fleet, 2));
    ck_assert_double_eq(frs_fleet_of(fleet, 1, 0)->values[FRS_FLEET_UP], 375000);
    ck_assert_double_eq(frs_fleet_value_at(fleet, FRS_FLEET_UP, 0.5), 125000);
    ck_assert_double_eq(frs_fleet_value_at(fleet, FRS_FLEET_UP, 1), 375000);
    char *text = frs_fleet_describe(fleet, FRS_FLEET_OF_LINKS);
    ck_assert_str_eq(text, "f.csv: 2 rows, one for each client (of 3), with uplinks");
    free(text);
    frs_fleet_destroy(fleet);
}
END_TEST

/* More clients than rows: the first row follows the last, and traces know a client by its row's number. */
START_TEST(rows_are_taken_in_turn) {
    struct frs_fleet *fleet = fleet_of("in_turn", "client,overhead_s\n70,3\n50,1\n60,2\n");
    ck_assert(settle(fleet, 8));
    for (uint32_t client = 0; client < 8; client++) {
        ck_assert_double_eq(frs_fleet_of(fleet, 1, client)->values[FRS_FLEET_OVERHEAD], 1 + client % 3);
        ck_assert_uint_eq(frs_fleet_row_number(fleet, 1, client), client % 3);
        ck_assert_uint_eq(frs_fleet_traced(fleet, 1, client), 50 + 10 * (client % 3));
    }
    char *text = frs_fleet_describe(fleet, FRS_FLEET_OF_DEVICES);
    ck_assert_str_eq(text, "f.csv: 3 rows, for the clients in turn, with overheads");
    free(text);
    frs_fleet_destroy(fleet);
}
END_TEST

/* Each row is drawn about as often; a client has the same one under the same seed, and its number in traces.
 */
START_TEST(sampled_rows_are_even_and_kept) {
    enum { N = 30000 };
    struct frs_fleet *fleet = fleet_of("sample", "client,down_B_s\n70,10\n50,20\n60,30\n");
    size_t n[3] = {0}, moved = 0;
    ck_assert(settle(fleet, N));
    for (uint32_t client = 0; client < N; client++) {
        const struct frs_fleet_row *row = frs_fleet_of(fleet, 5, client);
        n[row - fleet->rows]++;
        ck_assert_ptr_eq(row, frs_fleet_of(fleet, 5, client));
        ck_assert_uint_eq(frs_fleet_traced(fleet, 5, client), row->client);
        moved += row != frs_fleet_of(fleet, 6, client);
    }
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol((double)n[i] / N, 1 / 3.0, 4 * sqrt(2 / 9.0 / N));
    ck_assert_double_eq_tol((double)moved / N, 2 / 3.0, 4 * sqrt(2 / 9.0 / N));
    frs_fleet_destroy(fleet);
    ck_assert_uint_eq(frs_fleet_traced(NULL, 5, 3), 3);
}
END_TEST

/* One slow row, two equal ones, one fast one: places 0 to 1/4, 1/4 to 3/4 and 3/4 to 1. */
START_TEST(quantiles_pick_rows) {
    struct frs_fleet *fleet = fleet_of("rows", "down_B_s\n20\n10\n20\n40\n");
    static const double low[] = {0.25, 0, 0.25, 0.75}, high[] = {0.75, 0.25, 0.75, 1};
    for (uint32_t client = 0; client < 4; client++) {
        ck_assert_double_eq(
            frs_fleet_quantile(fleet, FRS_FLEET_DOWN, 1, client, 0.5), (low[client] + high[client]) / 2);
        ck_assert_double_eq(frs_fleet_quantile(fleet, FRS_FLEET_DOWN, 1, client, 0.25),
            low[client] + 0.25 * (high[client] - low[client]));
    }
    ck_assert(frs_fleet_varies(fleet, FRS_FLEET_DOWN));
    frs_fleet_destroy(fleet);
}
END_TEST

/* Presets where every class is one; a name otherwise. */
START_TEST(classes_may_be_presets_or_names) {
    struct frs_fleet *fleet = fleet_of("rows", "class\n4g\nwifi\n4g\n4g\n");
    struct frs_classes classes = frs_fleet_presets(fleet, frs_network_presets, "network.classes");
    ck_assert_uint_eq(classes.n, 2);
    ck_assert_str_eq(classes.presets[0]->plugin.name, "4g");
    ck_assert_double_eq(classes.shares[0], 0.75);
    ck_assert_uint_eq(frs_fleet_presets(fleet, frs_device_presets, "devices.classes").n, 0);
    frs_fleet_destroy(fleet);
    fleet = fleet_of("rows", "class\n4g\nmixed-mobile\n");
    ck_assert_uint_eq(frs_fleet_presets(fleet, frs_network_presets, "network.classes").n, 0);
    frs_fleet_destroy(fleet);
}
END_TEST

/* As Ookla publishes its tiles: a download of 80 Mbit/s is 1e7 bytes/s, and half of a ping of 24 ms a latency
 * of 12 ms. */
START_TEST(columns_of_others_are_named) {
    columns = "avg_d_kbps = down_kbit_s, avg_u_kbps = up_kbit_s, avg_lat_ms = rtt_ms, tests = weight";
    struct frs_fleet *fleet =
        fleet_of("sample", "quadkey,avg_d_kbps,avg_u_kbps,avg_lat_ms,tests,devices\n"
                           "0022133222330013,80000,8000,24,3,2\n0022133222330031,8000,800,60,1,1\n");
    ck_assert_double_eq(fleet->rows[0].values[FRS_FLEET_DOWN], 1e7);
    ck_assert_double_eq(fleet->rows[0].values[FRS_FLEET_UP], 1e6);
    ck_assert_double_eq(fleet->rows[0].values[FRS_FLEET_LATENCY], 0.012);
    ck_assert(!fleet->has_client);
    char *text = frs_fleet_describe(fleet, FRS_FLEET_OF_LINKS);
    ck_assert_str_eq(text, "f.csv: 2 rows, drawn with replacement by their weights, with downlinks, uplinks, "
                           "latencies; passed over: quadkey, devices");
    free(text);
    frs_fleet_destroy(fleet);
    columns = "known";
    fleet = fleet_of("rows", "date,up_Mbps\n2024-03-01,8\n");
    ck_assert_double_eq(fleet->rows[0].values[FRS_FLEET_UP], 1e6);
    ck_assert_str_eq(fleet->foreign, "date");
    frs_fleet_destroy(fleet);
    static const struct {
        const char *columns, *error;
    } wrong[] = {
        {"a = up_B_s", "f.csv:1: network.fleet_columns: \"a\" is no column of this file"},
        {"up_B_s = speed", "f.csv:1: network.fleet_columns: \"speed\" is no column of a fleet; allowed: "
                           "client, class, weight, "
                           "down_Mbit_s, up_Mbit_s, latency_ms, rtt_ms and the like"},
        {"all", "f.csv:1: network.fleet_columns: \"all\" is not \"column of the file = column of a fleet\"; "
                "allowed: known, or such parts "
                "with commas between them"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        columns = wrong[i].columns;
        ck_assert(!read_as("rows", "up_B_s\n1\n", &fleet));
        expect_error(wrong[i].error);
    }
    columns = "";
}
END_TEST

/* Weights of 1, 0 and 3: a quarter, none, three quarters of the clients; the median is the row of 3. */
START_TEST(weights_say_how_often_a_row_is_drawn) {
    enum { N = 30000 };
    struct frs_fleet *fleet = fleet_of("sample", "class,down_B_s,weight\n4g,10,1\nwifi,20,0\nwifi,30,3\n");
    size_t n[3] = {0};
    for (uint32_t client = 0; client < N; client++)
        n[frs_fleet_row_number(fleet, 5, client)]++;
    ck_assert_double_eq_tol((double)n[0] / N, 0.25, 4 * sqrt(0.1875 / N));
    ck_assert_uint_eq(n[1], 0);
    ck_assert_double_eq(frs_fleet_value_at(fleet, FRS_FLEET_DOWN, 0.25), 10);
    ck_assert_double_eq(frs_fleet_value_at(fleet, FRS_FLEET_DOWN, 0.26), 30);
    struct frs_classes classes = frs_fleet_presets(fleet, frs_network_presets, "network.classes");
    ck_assert_double_eq(classes.shares[0], 0.25);
    ck_assert_double_eq(classes.shares[1], 0.75);
    for (uint32_t client = 0; client < 20; client++) {
        bool is_first = frs_fleet_row_number(fleet, 5, client) == 0;
        ck_assert_double_eq(
            frs_fleet_quantile(fleet, FRS_FLEET_DOWN, 5, client, 0.5), is_first ? 0.125 : 0.625);
    }
    frs_fleet_destroy(fleet);
    ck_assert(!read_as("sample", "down_B_s,weight\n1,0\n", &fleet));
    expect_error("f.csv: all weights are 0");
}
END_TEST

/* Texts stand for the places of their rows, and "4G" is the preset 4g. */
START_TEST(ids_may_be_texts_and_classes_capital) {
    struct frs_fleet *fleet = fleet_of(
        "rows", "client,network_class,device_class,class\nz9,4G,pc,x\na1,WiFi,PC,y\nb2,4g,tablet,x\n");
    ck_assert(settle(fleet, 3));
    ck_assert(fleet->ids.are_texts);
    for (uint32_t client = 0; client < 3; client++)
        ck_assert_uint_eq(frs_fleet_of(fleet, 1, client)->line, client + 2);
    ck_assert_uint_eq(frs_client_ids_find(&fleet->ids, "a1"), 1);
    ck_assert_uint_eq(frs_client_ids_find(&fleet->ids, "a"), UINT32_MAX);
    ck_assert_uint_eq(frs_fleet_presets(fleet, frs_network_presets, "network.classes").n, 2);
    frs_fleet_destroy(fleet);
    wanted = FRS_FLEET_OF_DEVICES;
    fleet =
        fleet_of("rows", "network_class,device_class,per_sample_ms\n4G,pc,20\nWiFi,PC,30\n4g,tablet,40\n");
    ck_assert_uint_eq(fleet->n_classes, 2);
    ck_assert_str_eq(fleet->classes[0], "pc");
    ck_assert_double_eq(fleet->rows[2].values[FRS_FLEET_PER_SAMPLE], 0.04);
    frs_fleet_destroy(fleet);
    wanted = FRS_FLEET_OF_LINKS | FRS_FLEET_OF_DEVICES;
}
END_TEST

#define USUAL                                                                                                \
    "client, class, down_bytes_per_s, up_bytes_per_s, latency_s (one way) or rtt_s (both ways, such as a "   \
    "ping), speed_flop_per_s, memory_bytes, "                                                                \
    "overhead_s, per_sample_s, weight, or other units, such as down_Mbit_s and latency_ms; "                 \
    "network.fleet_columns names those of others"
#define RATE "a number, which comes to 1 to 1e+15 bytes/s"
#define LEAVES_OUT " (network.fleet_empty = \"leave_out\" leaves such rows out)"

START_TEST(malformed_fleets_are_refused) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "f.csv: is empty; the first line has to be the names of its columns"},
        {"\r\n# nothing\r\n", "f.csv: is empty; the first line has to be the names of its columns"},
        {"up_B_s\n", "f.csv: has no rows behind the first line"},
        {"client,up_B_s\n", "f.csv: has no rows behind the first line"},
        {"client\n0\n",
            "network.fleet: f.csv has nothing that belongs here; allowed: a table with one of the "
            "columns class, down_bytes_per_s, up_bytes_per_s, latency_s, speed_flop_per_s, "
            "memory_bytes, overhead_s, per_sample_s (or in other units)"},
        {"up_B_s,dwon_B_s\n1,2\n", "f.csv:1: column 2: \"dwon_B_s\" is not known; allowed: " USUAL},
        {"\nclient,clas\n",
            "f.csv:2: column 2: \"clas\" is not known; did you mean \"class\"?; allowed: " USUAL},
        {"up\n1\n", "f.csv:1: column 1: \"up\" is not known; allowed: " USUAL},
        {"up_s\n1\n", "f.csv:1: column 1: \"up_s\" is not known; allowed: " USUAL},
        {"latency_Mbit_s\n1\n", "f.csv:1: column 1: \"latency_Mbit_s\" is not known; allowed: " USUAL},
        {"up_1_B_s\n1\n", "f.csv:1: column 1: \"up_1_B_s\" is not known; allowed: " USUAL},
        {"up_B_s,up_B_s\n1,2\n", "f.csv:1: names the column \"up_B_s\" twice"},
        {"up_B_s,down_B_s,up_Mbit_s\n1,2,3\n",
            "f.csv:1: column 3: \"up_Mbit_s\" says the same as column 1, \"up_B_s\"; allowed: one of them"},
        {"client,up_B_s\n0,1\n1\n", "f.csv:3: has another number of fields than 2"},
        {"client,up_B_s\n0,1\n1,\n", "f.csv:3: column 2 (up_B_s): it is empty; allowed: " RATE LEAVES_OUT},
        {"up_B_s\n-1\n", "f.csv:2: column 1 (up_B_s): \"-1\" is out of bounds; allowed: " RATE},
        {"up_B_s\n0.5\n", "f.csv:2: column 1 (up_B_s): \"0.5\" is out of bounds; allowed: " RATE},
        {"up_MB_s\n1e10\n", "f.csv:2: column 1 (up_MB_s): \"1e10\" is out of bounds; allowed: " RATE},
        {"up_B_s\nnan\n",
            "f.csv:2: column 1 (up_B_s): \"nan\" stands for no value; allowed: " RATE LEAVES_OUT},
        {"up_B_s\ninf\n", "f.csv:2: column 1 (up_B_s): \"inf\" is not a number; allowed: " RATE},
        {"up_B_s\nunlimited\n", "f.csv:2: column 1 (up_B_s): \"unlimited\" is not a number; allowed: " RATE},
        {"up_B_s\n5 ms\n", "f.csv:2: column 1 (up_B_s): \"5 ms\" is not a number; allowed: " RATE},
        {"latency_s\n-0.1\n", "f.csv:2: column 1 (latency_s): \"-0.1\" is out of bounds; allowed: a number, "
                              "which comes to 0 to 1e+09 s"},
        {"memory_MB\nmuch\n", "f.csv:2: column 1 (memory_MB): \"much\" is not a number; allowed: a number, "
                              "which comes to 1 to 1e+18 bytes, or unlimited"},
        {"client,up_B_s\n0.5,1\n",
            "f.csv:2: client \"0.5\" is not a client's number; allowed: an integer from 0 to 4294967294"},
        {"quadkey,up_B_s,tests\n1,2,3\n",
            "f.csv:1: columns 1, 3: \"quadkey\", \"tests\" are not known; allowed: " USUAL},
        {"client,up_B_s\nb,1\nB,1\n", "f.csv:3: client \"B\" is client \"b\" of line 2, written in another "
                                      "way; allowed: one way, or ids that differ in more than "
                                      "case, blanks and .0"},
        {"client,up_B_s\nb,1\nb,1\n", "f.csv:3: client b has a row already, in line 2"},
        {"weight,up_B_s\n-1,1\n",
            "f.csv:2: column 1 (weight): \"-1\" is no weight; allowed: a number from 0 to 1e15"},
        {"rtt_ms,latency_ms\n1,1\n",
            "f.csv:1: column 2: \"latency_ms\" says the same as column 1, \"rtt_ms\"; allowed: one of them"},
        {"client,up_B_s\n1,1\n0,1\n1,2\n", "f.csv:4: client 1 has a row already, in line 2"},
        {"class\na,b\n", "f.csv:2: has another number of fields than 1"},
        {"class\n\"a,b\"\n", "f.csv:2: column 1 (class): \"a,b\" is not a class; allowed: a name of letters, "
                             "digits, \"-\", \"_\" and \".\", other than none"},
        {"class\nnone\n", "f.csv:2: column 1 (class): \"none\" is not a class; allowed: a name of letters, "
                          "digits, \"-\", \"_\" and \".\", other than none"},
        {"class\n\"a\n", "f.csv:2: a quote is not closed on its line"},
        {"class\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n",
            "f.csv:18: column 1 (class): \"17\" is the 17th class; allowed: 16 at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_fleet *fleet;
        ck_assert_msg(!read_as("rows", cases[i].text, &fleet), "%s", cases[i].text);
        ck_assert_ptr_null(fleet);
        expect_error(cases[i].error);
    }
}
END_TEST

START_TEST(test_clients_without_rows) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"up_B_s\n1\n", "network.fleet: f.csv has 1 row for 3 clients; allowed: a row for each, or "
                        "network.fleet_assignment "
                        "= \"sample\" or \"in_turn\""},
        {"client,up_B_s\n0,1\n2,1\n",
            "network.fleet: f.csv has no row of client 1; allowed: a row of each "
            "client, 0 to 2, or network.fleet_assignment = \"sample\" or \"in_turn\""},
        {"client,up_B_s\n1,1\n0,1\n",
            "network.fleet: f.csv has no row of client 2; allowed: a row of each "
            "client, 0 to 2, or network.fleet_assignment = \"sample\" or \"in_turn\""},
        {"client,up_B_s\n0,1\n2,1\n3,1\n",
            "network.fleet: f.csv:4: has a row of client 3, but clients are 0 to 2"},
        {"client,up_B_s\n1,1\n2,1\n3,1\n",
            "network.fleet: f.csv:4: has a row of client 3, but clients are 0 to 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_fleet *fleet = fleet_of("rows", cases[i].text);
        ck_assert(!settle(fleet, 3));
        expect_error(cases[i].error);
        frs_fleet_destroy(fleet);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fleet");
    TCase *tests = tcase_create("fleet");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, units_and_column_order_do_not_matter);
    tcase_add_test(tests, cells_of_spreadsheets);
    tcase_add_test(tests, rows_are_found_by_number);
    tcase_add_test(tests, rows_are_taken_in_turn);
    tcase_add_test(tests, sampled_rows_are_even_and_kept);
    tcase_add_test(tests, quantiles_pick_rows);
    tcase_add_test(tests, classes_may_be_presets_or_names);
    tcase_add_test(tests, columns_of_others_are_named);
    tcase_add_test(tests, weights_say_how_often_a_row_is_drawn);
    tcase_add_test(tests, ids_may_be_texts_and_classes_capital);
    tcase_add_test(tests, malformed_fleets_are_refused);
    tcase_add_test(tests, test_clients_without_rows);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
