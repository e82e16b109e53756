/* The content of report.html, compared with its sources: every figure of a run is that of summary.json,
 * rounds.csv, clients.csv or events.ndjson, and of a comparison that of cells.csv.
 *
 * Labels: slow */
#include "analysis/statistics/intervals.h"
#include "tests/sim/run/fixture.h"

static const char scenario[] = "seed = 3;\n"
                               "data = { synthetic = \"small\"; };\n"
                               "network = { classes = \"4g 60 %, wifi 40 %\"; };\n"
                               "devices = { preset = \"mixed\"; };\n"
                               "failures = { up = 0.1; connection_up = 0.1; retry = { times = 1; }; };\n"
                               "rounds = { count = 9; cohort = 20; };\n"
                               "evaluation = { every = 2; };\n";

/* The data of a page. */
static json_t *page_data(const char *name) {
    static const char mark[] = "id=\"data\">";
    char *text = read_text(name), *from = strstr(text, mark), *to = from ? strstr(from, "</script>") : NULL;
    ck_assert_ptr_nonnull(to);
    *to = '\0';
    json_error_t error;
    json_t *data = json_loads(from + strlen(mark), 0, &error);
    ck_assert_msg(data != NULL, "%s", error.text);
    free(text);
    return data;
}

/* "inf" and null are how the page writes what JSON cannot. */
static double number_of(const json_t *value) {
    const char *text = json_string_value(value);
    return text                    ? (strcmp(text, "inf") == 0 ? INFINITY : -INFINITY)
           : json_is_number(value) ? json_number_value(value)
                                   : NAN;
}

static void check_same(double found, double expected, const char *what) {
    ck_assert_msg(found == expected || (isnan(found) && isnan(expected)), "%s: %.17g instead of %.17g", what,
        found, expected);
}

START_TEST(all_of_a_run) {
    write_text("s.cfg", scenario);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 0);
    json_t *page = page_data("out/report.html"), *summary = load_json("out", "summary.json");
    json_object_del(summary, "machine");
    ck_assert(json_equal(json_object_get(page, "summary"), summary));
    /* rounds.csv */
    struct table rounds = table_load("out", "rounds.csv");
    const char *name;
    json_t *column;
    size_t n_columns = 0;
    json_object_foreach(json_object_get(page, "rounds"), name, column) {
        n_columns++;
        ck_assert_uint_eq(json_array_size(column), rounds.n_rows);
        for (size_t i = 0; i < rounds.n_rows && strcmp(name, "lost") != 0; i++)
            check_same(number_of(json_array_get(column, i)), cell(&rounds, i, name), name);
    }
    ck_assert_uint_gt(n_columns, 30);
    /* What is said of the target. */
    const json_t *target = json_object_get(page, "target");
    double time_s = number_of(json_object_get(target, "time_s"));
    json_t *told = json_object_get(json_object_get(summary, "target"), "time_s");
    check_same(time_s, told ? json_number_value(told) : INFINITY, "time to target");
    json_decref(summary);
    json_decref(page);
    table_fini(&rounds);
}
END_TEST

static double field(const json_t *group, const char *key) {
    return number_of(json_object_get(group, key));
}

/* Groups add up to all clients, and their qualities to that of the run: every client has one test item. */
START_TEST(groups_of_clients) {
    write_text("s.cfg", scenario);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 0);
    json_t *page = page_data("out/report.html");
    const json_t *clients = json_object_get(page, "clients"),
                 *families = json_object_get(clients, "families"), *all = json_object_get(clients, "all");
    struct table table = table_load("out", "clients.csv");
    check_same(field(all, "clients"), (double)table.n_rows, "clients");
    check_same(field(all, "participations"), column_sum(&table, "participations"), "participations");
    check_same(field(all, "up_bytes"), column_sum(&table, "up_bytes"), "up_bytes");
    ck_assert_double_eq_tol(field(all, "quality"), column_sum(&table, "hr@10") / (double)table.n_rows, 1e-12);
    ck_assert_double_eq_tol(
        field(all, "quality"), json_path(json_object_get(page, "summary"), "metrics", "hr@10"), 1e-12);
    ck_assert_uint_eq(json_array_size(families), 6); /* uploads used and taste, because uploads are lost */
    for (size_t i = 0; i < json_array_size(families); i++) {
        const json_t *groups = json_object_get(json_array_get(families, i), "groups");
        double n = 0, delivered = 0, quality = 0, chance = field(json_array_get(families, i), "chance");
        ck_assert(chance > 0 && chance <= 1);
        for (size_t k = 0; k < json_array_size(groups); k++) {
            const json_t *group = json_array_get(groups, k);
            n += field(group, "clients");
            delivered += field(group, "delivered");
            ck_assert(field(group, "low") <= field(group, "quality") &&
                      field(group, "quality") <= field(group, "high"));
            quality += field(group, "quality") * field(group, "quality_clients");
        }
        check_same(n, (double)table.n_rows, "clients of the groups");
        check_same(delivered, column_sum(&table, "delivered"), "delivered of the groups");
        ck_assert_double_eq_tol(quality / n, field(all, "quality"), 1e-12);
    }
    /* The quarters of the activity are those of summary.json. */
    const json_t *groups = json_object_get(json_array_get(families, 3), "groups");
    json_t *summary = load_json("out", "summary.json");
    const json_t *told =
        json_object_get(json_object_get(json_object_get(summary, "groups"), "activity_quartile"), "1");
    if (told)
        check_same(field(json_array_get(groups, 0), "delivered"), field(told, "delivered"), "first quarter");
    json_decref(summary);
    json_decref(page);
    table_fini(&table);
}
END_TEST

/* Every line of a shown round is on the page, with the participants that ended last first; times go from
 * the first line of a participation to its last. Downloads and uploads show their latency, and the round
 * its limits. */
START_TEST(timelines_of_a_run) {
    write_text("s.cfg", scenario);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 0);
    ck_assert_int_eq(run_program("report out --rounds 2-4 --quiet"), 0);
    json_t *page = page_data("out/report.html"), *line;
    const json_t *timelines = json_object_get(page, "timelines"), *times = json_object_get(page, "times");
    ck_assert_uint_ge(json_array_size(timelines), 4);
    ck_assert_uint_eq(json_array_size(json_object_get(times, "round")), 9);
    struct table rounds = table_load("out", "rounds.csv");
    size_t asked = 0;
    for (size_t i = 0; i < json_array_size(timelines); i++) {
        const json_t *timeline = json_array_get(timelines, i), *list = json_object_get(timeline, "list");
        double round = field(timeline, "round"), least = INFINITY, most = 0, last_end = INFINITY,
               latency_s = 0, told_s = 0;
        size_t lines = 0, shown = 0, row = (size_t)field(timeline, "row");
        asked += round >= 2 && round <= 4;
        FILE *events = folder_open("out/events.ndjson", "r");
        while ((line = next_line(events))) {
            bool is_here = json_of(line, "round") == round;
            const char *phase = json_string_value(json_object_get(line, "phase"));
            lines += is_here;
            if (is_here && (strcmp(phase, "down") == 0 || strcmp(phase, "up") == 0))
                told_s += fmin(json_of(line, "latency_s"), json_of(line, "t1_s") - json_of(line, "t0_s"));
            json_decref(line);
        }
        fclose(events);
        for (size_t k = 0; k < json_array_size(list); k++) {
            const json_t *part = json_array_get(list, k), *phases = json_object_get(part, "phases");
            size_t n = json_array_size(phases);
            shown += n;
            for (size_t p = 0; p < n; p++)
                latency_s += number_of(json_array_get(json_array_get(phases, p), 4));
            double from_s = number_of(json_array_get(json_array_get(phases, 0), 1)),
                   to_s = number_of(json_array_get(json_array_get(phases, n - 1), 2));
            ck_assert_double_le(to_s, last_end);
            last_end = to_s;
            least = fmin(least, to_s - from_s);
            most = fmax(most, to_s - from_s);
            ck_assert(json_is_string(json_object_get(part, "outcome")));
        }
        ck_assert_uint_eq(lines, shown);
        ck_assert(told_s > 0);
        ck_assert_double_eq_tol(latency_s, told_s, 1e-9);
        check_same(field(timeline, "start_s"), cell(&rounds, row, "start_s"), "start of a round");
        check_same(field(timeline, "end_s"), cell(&rounds, row, "end_s"), "end of a round");
        ck_assert_double_eq_tol(
            number_of(json_array_get(json_object_get(times, "least"), row)), least, 1e-12);
        ck_assert_double_eq_tol(number_of(json_array_get(json_object_get(times, "most"), row)), most, 1e-12);
    }
    ck_assert_uint_ge(asked, 3);
    json_decref(page);
    table_fini(&rounds);
}
END_TEST

/* Equal results make equal pages: in other folders, on other threads, rebuilt, and after an interruption. */
START_TEST(byte_for_byte) {
    write_text("s.cfg", scenario);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out one --threads 1"), 0);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out elsewhere/two --threads 2"), 0);
    ck_assert_int_eq(shell("cmp one/report.html elsewhere/two/report.html"), 0);
    ck_assert_int_eq(run_program("report one --quiet --out three.html"), 0);
    ck_assert_int_eq(shell("cmp one/report.html three.html"), 0);
    ck_assert_int_eq(run_program("run s.cfg --quiet --out none --set output.report=false"), 0);
    ck_assert_int_ne(shell("test -e none/report.html"), 0);
    ck_assert_int_eq(run_program("report none --quiet"), 0);
    ck_assert_int_eq(shell("cmp one/report.html none/report.html"), 0);
}
END_TEST

/* Means and intervals that the page makes of its figures are those of cells.csv. */
START_TEST(figures_of_a_sweep) {
    write_text("s.cfg", scenario);
    /* A sweep starts the executable for its points. */
    const char *build = getenv("FRS_BUILD_DIR");
    ck_assert_int_eq(
        shell("'%s/fedrecsim' sweep s.cfg --vary 'method.dim = 4, 8' --vary 'network.model = tcp, exact' "
              "-r 3 --quiet --out swept",
            build ? build : "."),
        0);
    json_t *page = page_data("swept/report.html");
    const json_t *entries = json_object_get(page, "entries"), *t = json_object_get(page, "t");
    ck_assert_uint_eq(json_array_size(entries), 4);
    ck_assert_uint_eq(json_array_size(json_object_get(page, "environments")), 2);
    ck_assert_int_ne(shell("ls swept/points/*/report.html 2>/dev/null"), 0);
    FILE *cells = folder_open("swept/cells.csv", "r");
    char line[512], metric[256];
    size_t number, n, compared = 0;
    double mean, sd, low, high;
    while (fgets(line, sizeof line, cells)) {
        if (sscanf(line, "%zu,%*[^,],%*[^,],%255[^,],%zu,%lf,%lf,%lf,%lf", &number, metric, &n, &mean, &sd,
                &low, &high) != 7)
            continue;
        const json_t *values =
            json_array_get(json_object_get(json_object_get(page, "figures"), metric), number);
        double list[3];
        if (!values)
            continue;
        for (size_t i = 0; i < 3; i++) /* one value where all runs have the same */
            list[i] = number_of(json_is_array(values) ? json_array_get(values, i) : values);
        ck_assert_uint_eq(n, 3);
        struct frs_estimate found = frs_stats_interval(list, 3);
        ck_assert_double_eq_tol(found.mean, mean, 1e-12 * fabs(mean) + 1e-12);
        ck_assert_double_eq_tol(found.mean + found.half_width, high, 1e-9 * fabs(high) + 1e-12);
        compared++;
    }
    fclose(cells);
    ck_assert_uint_gt(compared, 200);
    ck_assert_double_eq_tol(number_of(json_array_get(t, 1)), 4.302652729749464, 1e-12);
    json_decref(page);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("report of a run");
    TCase *tests = tcase_create("report of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, all_of_a_run);
    tcase_add_test(tests, groups_of_clients);
    tcase_add_test(tests, timelines_of_a_run);
    tcase_add_test(tests, byte_for_byte);
    tcase_add_test(tests, figures_of_a_sweep);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
