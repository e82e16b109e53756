/* A sweep of which every figure can be worked out by hand: what is written,
 * and that it is always the same. */
#include "analysis/tables/collect.h"
#include "analysis/tables/store.h"
#include "analysis/entries/sweep_reader.h"
#include "tests/analysis/sweep_fixture.h"

#include <sqlite3.h>

static char *collect(const char *folder, const struct frs_collect_options *options) {
    char *tables = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&tables, &n);
    enum frs_status status = frs_collect(folder, options, out, NULL, &errors);
    fclose(out);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return tables;
}

/* 4.303·0.02/√3 = 0.0497; differences -0.01, -0.02 and 0: 4.303·0.01/√3 = 0.0248. Evaluations are 60 s and 2
 * MB apart, so that a time or an amount to the target has a standard deviation of 60/√12 s or
 * more: 4.303·60/√36 = 43.0 s, and 1.43 MB. Three runs against none: 1/20 is more than 0.05/4, and so is 1/70
 * of four each; 1/252 is less. */
static const char expected_tables[] =
    "# study\n"
    "\n"
    "With loss = none, fedmf reaches the HR@10 of popularity + 0.1 after 3.00 min (2.28–3.72); colr does not "
    "reach it "
    "within 3 rounds, but so few runs do not rule out chance (about 2 more replicates would decide it). With "
    "loss = 50 %, late, none reaches the HR@10 of popularity + 0.1 in all of its runs (2 of 4 do); fedmf has "
    "HR@10 0.510 "
    "(0.444–0.576) after 3 rounds; so few replicates do not decide between it and colr; in the end colr "
    "(HR@10 0.380) is no better than popularity (0.400) on the test items.\n"
    "\n"
    "10 of 12 points finished: 4 cells, 3 replicates.\n"
    "Without results:\n"
    "\n"
    "- point 10 (loss=50 %, late, method=colr, seed 12): failed: fedrecsim: the loss of client 4 is not "
    "finite\n"
    "- point 11 (loss=50 %, late, method=colr, seed 13): missing\n"
    "\n"
    "Target: hr@10 ≥ popularity + 0.1 (test items, because there are no validation items). \"3 of 5\" means "
    "that so many runs reached it.\n"
    "± is half of the 95 % interval of the mean (Student's t over the replicates).\n"
    "Design factors: method. Environments: loss.\n"
    "Differences are to loss=none, seed by seed.\n"
    "\n"
    "**hr@10**\n"
    "\n"
    "| loss         | method = fedmf | colr              |\n"
    "|--------------|----------------|-------------------|\n"
    "| none         | 0.520 ± 0.050  | 0.420 ± 0.050     |\n"
    "| 50 %, late   | 0.510 ± 0.066  | 0.380 ± – (n = 1) |\n"
    "| *popularity* | 0.400 ± 0      | 0.400 ± 0         |\n"
    "\n"
    "**hr@10, difference to loss=none**\n"
    "\n"
    "| loss       | method = fedmf | colr               |\n"
    "|------------|----------------|--------------------|\n"
    "| 50 %, late | -0.010 ± 0.025 | -0.020 ± – (n = 1) |\n"
    "\n"
    "**simulated_s, in min**\n"
    "\n"
    "| loss       | method = fedmf | colr             |\n"
    "|------------|----------------|------------------|\n"
    "| none       | 3.00 ± 0       | 1.60 ± 0.12      |\n"
    "| 50 %, late | 3.00 ± 0       | 1.55 ± – (n = 1) |\n"
    "\n"
    "**simulated_s, difference to loss=none, in s**\n"
    "\n"
    "| loss       | method = fedmf | colr          |\n"
    "|------------|----------------|---------------|\n"
    "| 50 %, late | 0 ± 0          | 0 ± – (n = 1) |\n"
    "\n"
    "**simulated_s, ratio to loss=none**\n"
    "\n"
    "| loss       | method = fedmf | colr          |\n"
    "|------------|----------------|---------------|\n"
    "| 50 %, late | 1 ± 0          | 1 ± – (n = 1) |\n"
    "\n"
    "**bytes.wasted, in kB**\n"
    "\n"
    "| loss       | method = fedmf | colr            |\n"
    "|------------|----------------|-----------------|\n"
    "| none       | 0 ± 0          | 0 ± 0           |\n"
    "| 50 %, late | 600 ± 0        | 600 ± – (n = 1) |\n"
    "\n"
    "**bytes.dwn**: no run has it; is \"bytes.down\" meant?\n"
    "\n"
    "**time_to_target_s, in min**\n"
    "\n"
    "| loss       | method = fedmf | colr   |\n"
    "|------------|----------------|--------|\n"
    "| none       | 3.00 ± 0.72    | 0 of 3 |\n"
    "| 50 %, late | 2 of 3         | 0 of 1 |\n"
    "\n"
    "**sent_bytes_to_target, in MB**\n"
    "\n"
    "| loss       | method = fedmf | colr   |\n"
    "|------------|----------------|--------|\n"
    "| none       | 6.0 ± 1.4      | 0 of 3 |\n"
    "| 50 %, late | 2 of 3         | 0 of 1 |\n";

START_TEST(tables_are_written) {
    write_fake_sweep("s");
    char *tables = collect("s", NULL), *file = read_file("s/tables.md");
    ck_assert_str_eq(tables, expected_tables);
    ck_assert_str_eq(file, expected_tables);
    free(tables);
    free(file);
}
END_TEST

/* The line of a CSV file that starts so. */
static void expect_line(const char *name, const char *start, const char *expected) {
    char *text = read_file(name), *line = text;
    while (*line && strncmp(line, start, strlen(start)) != 0)
        line += strcspn(line, "\n") + 1;
    line[strcspn(line, "\n")] = '\0';
    ck_assert_msg(strncmp(line, expected, strlen(expected)) == 0, "%s: %s", name, line);
    free(text);
}

START_TEST(csv_files_are_written) {
    write_fake_sweep("s");
    free(collect("s", NULL));
    expect_line("s/points.csv", "point",
        "point,cell,loss,method,replicate,seed,hash,status,simulated_s,rounds,bytes.down,");
    expect_line("s/points.csv", "6,", "6,2,\"50 %, late\",fedmf,1,11,h6,complete,180,3,3000000,");
    expect_line("s/points.csv", "10,", "10,3,\"50 %, late\",colr,2,12,h10,failed,,,,,");
    expect_line("s/points.csv", "11,", "11,3,\"50 %, late\",colr,3,13,h11,missing,,,,,");
    expect_line("s/cells.csv", "cell", "cell,loss,method,metric,n,mean,sd,ci_low,ci_high,censored");
    expect_line("s/cells.csv", "0,none,fedmf,simulated_s", "0,none,fedmf,simulated_s,3,180,0,180,180,0");
    expect_line("s/cells.csv", "0,none,fedmf,hr@10", "0,none,fedmf,hr@10,3,0.52,0.02");
    /* Two of three reached 0.5, after 180 s: no mean. No run without loss has lost a byte. */
    expect_line(
        "s/cells.csv", "2,\"50 %, late\",fedmf,time_", "2,\"50 %, late\",fedmf,time_to_target_s,3,,,,,1");
    expect_line(
        "s/cells.csv", "0,none,fedmf,waste", "0,none,fedmf,waste_by_cause.device.down_bytes,3,0,0,0,0,0");
    expect_line("s/cells.csv", "3,\"50 %, late\",colr,simul", "3,\"50 %, late\",colr,simulated_s,1,93,,,,0");
    expect_line("s/differences.csv", "cell",
        "cell,loss,method,baseline,metric,pairs,paired,paired_low,paired_high,unpaired_n,unpaired,unpaired_"
        "low,"
        "unpaired_high,width_ratio,ratio,ratio_low,ratio_high,censored");
    expect_line("s/differences.csv", "2,\"50 %, late\",fedmf,0,simul",
        "2,\"50 %, late\",fedmf,0,simulated_s,3,0,0,0,3,0,0,0,,1,1,1,0");
    expect_line("s/differences.csv", "2,\"50 %, late\",fedmf,0,bytes.was",
        "2,\"50 %, late\",fedmf,0,bytes.wasted,3,600000,600000,600000,3,600000,600000,600000,,,,,0");
    expect_line("s/differences.csv", "3,\"50 %, late\",colr,1,round_s",
        "3,\"50 %, late\",colr,1,round_s,1,0,,,1,-1,,,,1,,,0");
    expect_line("s/differences.csv", "2,\"50 %, late\",fedmf,0,time_",
        "2,\"50 %, late\",fedmf,0,time_to_target_s,3,,,,3,,,,,,,,1");
    expect_line("s/differences.csv", "0,", "");
}
END_TEST

static double query(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    double value =
        sqlite3_column_type(statement, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

START_TEST(database_has_the_points) {
    sqlite3 *db;
    write_fake_sweep("s");
    free(collect("s", NULL));
    ck_assert_int_eq(sqlite3_open_v2("s/sweep.sqlite", &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_double_eq(query(db, "SELECT count(*) FROM points"), 12);
    ck_assert_double_eq(
        query(db, "SELECT count(*) FROM points WHERE status = 'complete' AND method = 'colr'"), 4);
    ck_assert_double_eq(query(db, "SELECT count(*) FROM rounds"), 30);
    ck_assert_double_eq(
        query(db, "SELECT sum(end_s) FROM rounds JOIN points USING (point) WHERE cell = 0"), 1080);
    ck_assert_double_eq(
        query(db, "SELECT count(*) FROM rounds WHERE lost = 'device' AND typeof(round) = 'integer'"), 10);
    ck_assert(isnan(query(db, "SELECT \"hr@10\" FROM rounds WHERE point = 0 AND round = 1")));
    ck_assert_double_eq(query(db, "SELECT value FROM metrics WHERE point = 8 AND name = 'hr@10'"), 0.54);
    ck_assert(isinf(query(db, "SELECT value FROM metrics WHERE point = 6 AND name = 'time_to_target_s'")));
    ck_assert_double_eq(query(db, "SELECT mean FROM cells WHERE cell = 1 AND metric = 'simulated_s'"), 96);
    ck_assert_double_eq(
        query(db, "SELECT censored FROM cells WHERE cell = 2 AND metric = 'time_to_target_s'"), 1);
    ck_assert_double_eq_tol(
        query(db, "SELECT paired_high - paired_low FROM differences WHERE cell = 2 AND metric = 'hr@10'"),
        2 * 4.302652729749462 * 0.01 / sqrt(3), 1e-12);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}
END_TEST

/* Labels that are all numbers are numbers, and a text beside numbers stays one, with those beside it. */
START_TEST(labels_that_are_numbers_stay_numbers) {
    sqlite3 *db;
    write_fake_sweep("s");
    ck_assert_int_eq(
        system("sed -i 's/\"50 %, late\"/\"0.50\"/g; s/\"none\"/\"0\"/g; s/loss=none/loss=0/' s/plan.json"),
        0);
    free(collect("s", NULL));
    expect_line("s/cells.csv", "2,", "2,0.50,fedmf,");
    ck_assert_int_eq(sqlite3_open_v2("s/sweep.sqlite", &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_double_eq(
        query(db, "SELECT count(*) FROM points WHERE loss > 0.1 AND typeof(loss) = 'real'"), 6);
    ck_assert_double_eq(
        query(db, "SELECT count(*) FROM points WHERE loss = 0 AND typeof(loss) = 'integer'"), 6);
    ck_assert_double_eq(query(db, "SELECT max(loss) FROM cells"), 0.5);
    ck_assert_double_eq(query(db, "SELECT count(*) FROM points WHERE typeof(method) = 'text'"), 12);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}
END_TEST

/* An axis may have the name of a column, and commas and quotes in its labels. */
START_TEST(test_sheet_names_and_quotes) {
    static const struct frs_table_writer_column columns[] = {{"point", "INTEGER"}, {"Status", "TEXT"},
        {"a,b", "TEXT"}, {"status", "INTEGER"}, {"x", "REAL"}, {NULL, NULL}};
    struct frs_store *store = frs_store_create("x.sqlite", &errors);
    struct frs_table_writer *writer = frs_table_writer_create(store, "t", "x.csv", columns, &errors);
    frs_table_writer_count(writer, 3);
    frs_table_writer_text(writer, "on, \"off\"");
    frs_table_writer_text(writer, "");
    frs_table_writer_count(writer, UINT32_MAX);
    frs_table_writer_real(writer, INFINITY);
    ck_assert_int_eq(frs_table_writer_commit(writer, &errors), FRS_OK);
    ck_assert_int_eq(frs_store_commit(store, &errors), FRS_OK);
    char *text = read_file("x.csv");
    ck_assert_str_eq(text, "point,axis Status,\"a,b\",status,x\n3,\"on, \"\"off\"\"\",,4294967295,inf\n");
    free(text);
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open_v2("x.sqlite", &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_double_eq(
        query(db, "SELECT status FROM t WHERE \"axis Status\" = 'on, \"off\"'"), 4294967295.0);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}
END_TEST

/* Byte for byte, however often, and wherever the folder is; another point changes it. */
START_TEST(test_the_same_again) {
    write_fake_sweep("a");
    write_fake_sweep("b");
    free(collect("a", NULL));
    free(collect("a/", NULL));
    free(collect("b", NULL));
    static const char *const names[] = {
        "sweep.sqlite", "points.csv", "cells.csv", "differences.csv", "tables.md"};
    for (size_t i = 0; i < 5; i++) {
        char *command = frs_format("cmp a/%s b/%s && test $(ls a | wc -l) = 7", names[i], names[i]);
        ck_assert_msg(system(command) == 0, "%s", names[i]);
        free(command);
    }
    write_fake_point("b", 11);
    free(collect("b", NULL));
    ck_assert_int_ne(system("cmp -s a/sweep.sqlite b/sweep.sqlite"), 0);
}
END_TEST

/* One cell for all to be compared with, by number or by name; and a target of one's own. */
START_TEST(baseline_can_be_another_cell) {
    write_fake_sweep("s");
    write_fake_plan("s", "\"baseline\": 1, \"early_stop\": {\"metric\": \"hr@10\"}, \"target\": null");
    char *tables = collect("s", NULL);
    ck_assert_ptr_nonnull(
        strstr(tables, "Cells may stop early; replicates of those with fewer: loss=50 %, late, "
                       "method=colr: 1.\nWithout results:\n\n- point 10"));
    ck_assert_ptr_nonnull(
        strstr(tables, "Target: hr@10 ≥ popularity + 0.03 (test items, because there are no "
                       "validation items; the default)."));
    ck_assert_ptr_nonnull(strstr(tables, "Differences are to loss=none, method=colr, seed by seed."));
    expect_line("s/differences.csv", "3,\"50 %, late\",colr,1,hr", "3,\"50 %, late\",colr,1,hr@10,1,-0.02");
    expect_line("s/differences.csv", "0,none,fedmf,1,bytes.total", "0,none,fedmf,1,bytes.total,3,4500000,");
    free(tables);
    const struct frs_collect_options options = {
        .target = "hr@10=0.4", .baseline = " loss = 50 %, late , method = fedmf "};
    tables = collect("s", &options);
    ck_assert_ptr_nonnull(strstr(tables, "Target: hr@10 ≥ 0.4 (test items"));
    expect_line("s/differences.csv", "1,none,colr,2,bytes.total", "1,none,colr,2,bytes.total,3,-4500000,");
    free(tables);
}
END_TEST

/* A sweep of replicates alone, of which two of three reach popularity + 0.11: rows have names, and a round
 * its duration. 4.303·0.02/√3 = 0.0497. */
START_TEST(one_cell_has_named_rows) {
    static const char plan[] =
        "{\"format\": \"fedrecsim-plan-2\", \"name\": \"single\", \"version\": \"0\", \"axes\": [],\n"
        "\"replicates\": 3, \"metrics\": [], \"baseline\": null, \"early_stop\": null,\n"
        "\"target\": {\"metric\": \"hr@10\", \"comparison\": \">=\", \"non_federated\": \"popularity\", "
        "\"value\": 0.11},\n\"settings\": {}, \"points\": ["
        "{\"index\": 0, \"cell\": 0, \"levels\": [], \"replicate\": 1, \"seed\": 11, \"hash\": \"h0\", "
        "\"settings\": {}}, "
        "{\"index\": 1, \"cell\": 0, \"levels\": [], \"replicate\": 2, \"seed\": 12, \"hash\": \"h1\", "
        "\"settings\": {}}, "
        "{\"index\": 2, \"cell\": 0, \"levels\": [], \"replicate\": 3, \"seed\": 13, \"hash\": \"h2\", "
        "\"settings\": {}}]}\n";
    static const char expected[] = "**hr@10**\n"
                                   "\n"
                                   "| of           | hr@10         |\n"
                                   "|--------------|---------------|\n"
                                   "| the scenario | 0.520 ± 0.050 |\n"
                                   "| *popularity* | 0.400 ± 0     |\n"
                                   "\n"
                                   "**time_to_target_s, in s**\n"
                                   "\n"
                                   "| of           | time_to_target_s, in s |\n"
                                   "|--------------|------------------------|\n"
                                   "| the scenario | reached by 2 of 3      |\n"
                                   "\n"
                                   "**sent_bytes_to_target, in B**\n"
                                   "\n"
                                   "| of           | sent_bytes_to_target, in B |\n"
                                   "|--------------|----------------------------|\n"
                                   "| the scenario | reached by 2 of 3          |\n"
                                   "\n"
                                   "**round_s, in s**\n"
                                   "\n"
                                   "| of           | round_s, in s |\n"
                                   "|--------------|---------------|\n"
                                   "| the scenario | 60 ± 0        |\n";
    write_fake_sweep("s");
    write_file("s/plan.json", plan);
    char *tables = collect("s", NULL), *found = strstr(tables, "**hr@10**");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, expected);
    free(tables);
}
END_TEST

static void expect_refusal(const struct frs_collect_options *options, const char *line) {
    ck_assert_int_eq(frs_collect("s", options, NULL, NULL, &errors), FRS_ERR_INPUT);
    expect_error(line);
    ck_assert(!frs_contents_exist("s/tables.md") && !frs_contents_exist("s/points.csv"));
    ck_assert_int_eq(system("test -z \"$(ls s | grep -v -e points -e plan.json)\""), 0);
}

START_TEST(folders_without_a_plan_are_refused) {
    ck_assert_int_eq(frs_collect("none", NULL, NULL, NULL, &errors), FRS_ERR_INPUT);
    expect_error("none: is not the folder of a sweep: it has no plan.json");
    write_fake_sweep("s");
    struct frs_collect_options options = {.baseline = "los=none"};
    expect_refusal(&options, "--baseline: \"los=none\" does not start with \"AXIS=\", an axis of the sweep; "
                             "allowed: loss | method");
    options.baseline = "method=fedmf,loss=50 %";
    expect_refusal(
        &options, "--baseline: \"50 %\" does not start with a level of \"loss\"; allowed: none | 50 %, late");
    options = (struct frs_collect_options){.target = "hr@20=0.5"};
    expect_refusal(&options, "s/points/0000/rounds.csv: has no column \"hr@20\"");
    write_fake_plan("s", "\"baseline\": 4, \"early_stop\": null");
    expect_refusal(NULL, "s/plan.json: \"baseline\" is not a cell");
    write_file("s/plan.json", "{\"format\": \"fedrecsim-plan-3\"}");
    expect_refusal(NULL, "s/plan.json: is not a plan of the format fedrecsim-plan-2");
}
END_TEST

/* Points that are there but do not count. */
START_TEST(test_states_of_points) {
    struct frs_sweep_results sweep;
    const struct frs_sweep_reading reading = {0};
    write_fake_sweep("s");
    write_file("s/points/0000/rounds.csv", "round\n1\n");
    struct fake_run stale = fake_point(0, 2), stopped = fake_point(3, 3);
    stopped.hash = "h11";
    stopped.status = "interrupted";
    ck_assert_int_eq(system("rm -r s/points/0001"), 0);
    write_fake_run("s/points/0001", &stale);
    write_fake_run("s/points/0011", &stopped);
    ck_assert_int_eq(frs_sweep_results_read("s", &reading, &sweep, &errors), FRS_OK);
    expect_no_error();
    ck_assert_str_eq(sweep.points[0].status, "unreadable");
    ck_assert_str_eq(sweep.points[0].complaint, "s/points/0000/rounds.csv: has no column \"duration_s\"");
    ck_assert_str_eq(sweep.points[1].status, "stale");
    ck_assert_str_eq(sweep.points[2].status, "complete");
    ck_assert_str_eq(sweep.points[10].status, "failed");
    ck_assert_str_eq(sweep.points[11].status, "interrupted");
    ck_assert_uint_eq(sweep.n_finished, 8);
    ck_assert_uint_eq(sweep.cells[0].n, 1);
    frs_sweep_results_fini(&sweep);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("collect");
    TCase *tests = tcase_create("collect");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, tables_are_written);
    tcase_add_test(tests, csv_files_are_written);
    tcase_add_test(tests, database_has_the_points);
    tcase_add_test(tests, labels_that_are_numbers_stay_numbers);
    tcase_add_test(tests, test_sheet_names_and_quotes);
    tcase_add_test(tests, test_the_same_again);
    tcase_add_test(tests, baseline_can_be_another_cell);
    tcase_add_test(tests, one_cell_has_named_rows);
    tcase_add_test(tests, folders_without_a_plan_are_refused);
    tcase_add_test(tests, test_states_of_points);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
