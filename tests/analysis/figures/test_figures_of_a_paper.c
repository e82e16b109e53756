/* Figures of a sweep and of a run written by hand: their data and scripts; and, where gnuplot is
 * installed, that it draws them.
 *
 * Labels: slow */
#include "analysis/figures/figures.h"
#include "tests/analysis/sweep_fixture.h"

static bool has_gnuplot(void) {
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

static enum frs_status write_of(
    const char *folder, const char *only, enum frs_figures_format format, struct frs_figures_drawn *drawn) {
    const struct frs_figures_request request = {.folder = folder, .out = "f", .only = only, .format = format};
    return frs_figures_write(&request, drawn, &errors);
}

/* Without gnuplot the data are there all the same, and the error says what is missing. */
static size_t draw(const char *folder, enum frs_figures_format format) {
    struct frs_figures_drawn drawn;
    enum frs_status status = write_of(folder, NULL, format, &drawn);
    if (!has_gnuplot()) {
        printf("SKIPPED test_figures_of_a_paper: gnuplot is not installed\n");
        ck_assert_int_eq(status, FRS_ERR_RUN);
        frs_errors_clear(&errors);
        return 0;
    }
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return drawn.n;
}

static void expect_in(const char *name, const char *text) {
    char *all = read_file(name);
    ck_assert_msg(strstr(all, text), "%s: %s", name, all);
    free(all);
}

/* FedMF without loss, after the second round: 120 s and 4 MB; HR@10 0.40, 0.42 and 0.44. There are two
 * environments. */
START_TEST(sweep_has_its_curves_and_fronts) {
    write_fake_sweep("s");
    size_t n = draw("s", FRS_FIGURES_SVG);
    expect_in("f/quality-time-1.dat", "# a figure of fedrecsim: quality-time-1\n");
    expect_in("f/quality-time-1.dat", "\n2 120 4000000 0.42 0.4 0.44 3\n3 180 6000000 0.52 0.5 0.54 3\n\n\n");
    expect_in("f/quality-time-1.gp", "set label 'with loss = none' at screen 0.5, screen 0.9");
    expect_in("f/quality-time-1.gp", "with lines lt 2 lw 1.5 title 'colr'");
    if (n == 0)
        return;
    /* Each environment has three curves, two bars, the times of rounds and, where there is more than one
     * point, two fronts; with loss no entry reaches the target in all runs; there is one map, and loss has
     * three figures. */
    ck_assert_uint_eq(n, 21);
    expect_in("f/pareto-time-1.dat", "# entry time_s bytes quality\n0 180 6000000 0.52\n\n\n");
    expect_in("f/pareto-time-1.gp", "set xlabel 'time to target, min'\n");
    expect_in(
        "f/pareto-time-1.gp", "set label 'colr: not placed, reaches it in 0 of 3 runs' at graph 0.02,0.05\n");
    expect_in("f/winners.dat", "\n1 1 180 tied\n"); /* three runs against none leave it to chance */
    expect_in("f/winners.gp", "set label '0 of 3' at 2,1 center\n");
    expect_in("f/winners.gp", "set ytics ('with loss = none' 1, 'with loss = 50 %%, late' 2)\n");
    /* Evaluations are 60 s apart: 4.3027·60/√36 = 43.03. */
    expect_in("f/time-to-target-1.dat", "\n1 180 136.97");
    expect_in("f/quality-bytes-2.svg", "</svg>");
}
END_TEST

/* A metric against an axis: HR@10 of FedMF is 0.50, 0.52 and 0.54 without loss, 4.3027 · 0.02 / √3 = 0.04968.
 */
START_TEST(metric_stands_against_an_axis) {
    write_fake_sweep("s");
    const char *metrics[] = {"hr@10"};
    struct frs_figures_drawn drawn;
    struct frs_figures_request request = {
        .folder = "s", .out = "f", .metrics = metrics, .n_metrics = 1, .against = "loss"};
    enum frs_status status = frs_figures_write(&request, &drawn, &errors);
    ck_assert_int_eq(status, has_gnuplot() ? FRS_OK : FRS_ERR_RUN);
    frs_errors_clear(&errors);
    ck_assert_uint_eq(drawn.n, 1);
    expect_in("f/hr@10-by-loss.dat", "# ; fedmf\n1 0.52 0.47031");
    expect_in("f/hr@10-by-loss.dat", " 3 0 \"none\"\n2 0.51");
    expect_in("f/hr@10-by-loss.dat", "# ; colr\n1 0.42 ");
    expect_in("f/hr@10-by-loss.gp", "set xtics norotate autojustify ('none' 1, '50 %%, late' 2)\n");
    request.upwards = "method";
    request.format = FRS_FIGURES_PNG;
    status = frs_figures_write(&request, &drawn, &errors);
    ck_assert_int_eq(status, has_gnuplot() ? FRS_OK : FRS_ERR_RUN);
    frs_errors_clear(&errors);
    expect_in("f/hr@10-by-loss-and-method.dat", "\n1 1 0.52 0.47031");
    expect_in("f/hr@10-by-loss-and-method.dat", "0 \"none; colr\"\n2 2 ");
    request.upwards = NULL;
    request.scale = FRS_SCALE_LINEAR;
    ck_assert_int_eq(frs_figures_write(&request, &drawn, &errors), FRS_ERR_INPUT);
    expect_error("--scale linear: not of the axis loss: its levels are not all numbers of one kind; allowed: "
                 "categories");
    request.against = "los";
    ck_assert_int_eq(frs_figures_write(&request, &drawn, &errors), FRS_ERR_INPUT);
    expect_error("--against: no axis \"los\"; allowed: loss, method");
    request.folder = "s/points/0000";
    ck_assert_int_eq(frs_figures_write(&request, &drawn, &errors), FRS_ERR_INPUT);
    expect_error("--metric: is for the folder of a sweep");
}
END_TEST

/* FedMF sends 2 MB where CoLR sends 1 MB, in each replicate, and less is better. */
START_TEST(fewest_bytes_are_bold) {
    write_fake_sweep("s");
    const char *metrics[] = {"bytes.down"};
    struct frs_figures_drawn drawn;
    struct frs_figures_request request = {.folder = "s", .out = "f", .metrics = metrics, .n_metrics = 1};
    enum frs_status status = frs_figures_write(&request, &drawn, &errors);
    ck_assert_int_eq(status, has_gnuplot() ? FRS_OK : FRS_ERR_RUN);
    frs_errors_clear(&errors);
    expect_in("f/table-bytes-down.tex", "\ncolr & $\\mathbf{");
}
END_TEST

/* What can be drawn, and nothing is. */
START_TEST(list_says_what_can_be_drawn) {
    write_fake_sweep("s");
    struct frs_figures_drawn drawn;
    char *text = NULL;
    size_t length = 0;
    const struct frs_figures_request request = {
        .folder = "s", .out = "f", .list = open_memstream(&text, &length)};
    ck_assert_int_eq(frs_figures_write(&request, &drawn, &errors), FRS_OK);
    fclose(request.list);
    ck_assert_uint_eq(drawn.n, 21);
    ck_assert_msg(strncmp(text, "hr@10-by-loss            HR@10 against loss\n", 43) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "\ntime-to-target-1"));
    ck_assert_int_ne(access("f", F_OK), 0);
    free(text);
}
END_TEST

/* By quality the differences without loss are 0.1 in each replicate; these runs do not record by how
 * little quality moves. */
START_TEST(winner_map_shows_standings) {
    write_fake_sweep("s");
    write_fake_plan("s", "\"baseline\": null, \"early_stop\": null, \"target\": null");
    for (size_t i = 0; i < 10; i++) {
        char *remove = frs_format("rm -r s/points/%04zu", i), *path = frs_format("s/points/%04zu", i),
             *hash = frs_format("h%zu", i);
        struct fake_run run = fake_point(i / 3, i % 3 + 1);
        run.hash = hash;
        run.settings = "\"evaluation.target\": \"none\"";
        ck_assert_int_eq(system(remove), 0);
        write_fake_run(path, &run);
        free(remove);
        free(path);
        free(hash);
    }
    if (draw("s", FRS_FIGURES_SVG) == 0)
        return;
    expect_in("f/winners.dat", "\n1 1 0.52 winner\n");
    expect_in("f/winners.dat", "\n1 2 0.42 -\n");
    expect_in("f/table-hr@10.tex",
        "loss & none & 50 \\%, late \\\\\n\\midrule\nfedmf & $\\mathbf{0.5200} \\pm 0.0497$ & $");
    expect_in("f/table-hr@10.tex", "\ncolr & $0.4200 \\pm 0.0497$ & $0.3800$ \\\\\n");
}
END_TEST

/* A base of 100 s; bandwidth moves it to 160 s and 80 s, and with the other assumption runs do not always
 * reach the target. */
static const char sensitivity[] =
    "{\"format\": \"fedrecsim-sensitivity-2\", \"answer\": \"simulated_s\", \"variants\": [{\"name\": \"\", "
    "\"base\": {\"mean\": 100}, \"assumptions\": [{\"name\": \"bandwidth\", \"levels\": [{\"label\": "
    "\"half\", \"figure\": {\"mean\": 160}}, {\"label\": \"double\", \"figure\": {\"mean\": 80}}]}, "
    "{\"name\": \"it's\", \"levels\": [{\"label\": \"away\", \"figure\": {\"mean\": null}}]}]}]}\n";

START_TEST(tornado_is_drawn) {
    write_fake_sweep("s");
    write_file("s/sensitivity.json", sensitivity);
    draw("s", FRS_FIGURES_SVG);
    if (has_gnuplot()) {
        expect_in("f/tornado.dat", "\n100 0.8 160 1\n100 1.2 80 2\n100 1.8 100 1\n");
        expect_in("f/tornado.gp", "set ytics ('bandwidth' 1, 'it''s' 2)\n");
        expect_in("f/tornado.gp", "set label 'away: not always reached' at 1.66");
    }
    write_file("s/sensitivity.json", "{\"format\": \"another\"}\n");
    struct frs_figures_drawn drawn;
    enum frs_status status = write_of("s", NULL, FRS_FIGURES_SVG, &drawn);
    ck_assert_int_eq(status, has_gnuplot() ? FRS_ERR_INPUT : FRS_ERR_RUN);
    if (has_gnuplot())
        expect_error("s/sensitivity.json: is no sensitivity of the format fedrecsim-sensitivity-2");
    frs_errors_clear(&errors);
}
END_TEST

/* A sensitivity draws the scenario as it is, as if it were alone, and one tornado: both curves, both fronts,
 * one time to the target. */
START_TEST(sensitivity_draws_the_scenario_as_it_is) {
    write_fake_sweep("s");
    ck_assert_int_eq(system("sed -i 's/\"loss\"/\"assumption\"/; s/loss=/assumption=/' s/plan.json"), 0);
    write_file("s/sensitivity.json", sensitivity);
    size_t n = draw("s", FRS_FIGURES_SVG);
    expect_in("f/quality-time.dat", "\n2 120 4000000 0.42 0.4 0.44 3\n");
    ck_assert_int_ne(access("f/quality-time-2.dat", F_OK), 0);
    ck_assert_int_ne(access("f/pareto-time-2.dat", F_OK), 0);
    if (n > 0)
        ck_assert_uint_eq(n, 11);
}
END_TEST

/* Equal results make equal files, whatever the time is. */
START_TEST(test_pdf_has_no_date) {
    write_fake_sweep("s");
    if (draw("s", FRS_FIGURES_PDF) == 0)
        return;
    ck_assert_int_eq(system("cp -r f before && sleep 1.1"), 0);
    draw("s", FRS_FIGURES_PDF);
    ck_assert_int_eq(system("diff -r before f >/dev/null && ! grep -arq CreationDate f"), 0);
}
END_TEST

static const char rounds[] =
    "round,attempt,start_s,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,"
    "path_up_s,path_setup_s,path_latency_s,path_retry_s,path_server_s,path_wait_s,path_server_link_s,"
    "hr@10,rmse\n"
    "1,0,0,10,10,4,100,200,1,2,3,0.5,0.25,0.25,1,2,0,,\n"
    "2,0,10,30,20,4,100,200,2,4,6,1,0.5,0.5,2,4,0,0.5,\n";

START_TEST(run_has_its_curve) {
    write_fake_run(
        "r", &(struct fake_run){.seed = 1, .hr = {0.4, 0.5}, .round_s = 10, .popularity = 0.3, .bytes = 1});
    write_file("r/rounds.csv", rounds);
    size_t n = draw("r", FRS_FIGURES_PDF);
    expect_in("f/quality-time.dat", "\n2 30 600 0.5 0.5 0.5 1\n");
    if (n == 0)
        return;
    ck_assert_uint_eq(n, 5);
    expect_in("f/critical-path.dat", "\n1 1 2 3 1 1 2\n2 2 4 6 2 2 4\n");
    expect_in("f/critical-path.gp", "using 1:($2+$3+$4+$5+$6+$7) with boxes lc 6 title 'waiting'");
    char begin[6] = "";
    FILE *file = fopen("f/critical-path.pdf", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(begin, 1, 5, file), 5);
    ck_assert_str_eq(begin, "%PDF-");
    fclose(file);
}
END_TEST

/* With loss there is one environment: its figures have no number. */
START_TEST(one_environment_has_no_number) {
    struct frs_figures_drawn drawn;
    write_fake_sweep("s");
    ck_assert_int_eq(write_of("s", "loss=half", FRS_FIGURES_SVG, &drawn), FRS_ERR_INPUT);
    ck_assert_msg(strncmp(errors.lines[0], "--only", 6) == 0, "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    ck_assert(access("f", F_OK) != 0); /* nothing half-written */
    enum frs_status status = write_of("s", "loss=50 %, late", FRS_FIGURES_SVG, &drawn);
    ck_assert_int_eq(status, has_gnuplot() ? FRS_OK : FRS_ERR_RUN);
    frs_errors_clear(&errors);
    expect_in("f/quality-time.gp", "set label 'with loss = 50 %, late' at screen 0.5, screen 0.9");
    ck_assert(access("f/quality-time-1.gp", F_OK) != 0);
    if (has_gnuplot())
        ck_assert_uint_eq(drawn.n_environments, 1);
}
END_TEST

/* Files of other programs are not replaced, and a folder without results is refused. */
START_TEST(foreign_files_are_not_replaced) {
    struct frs_figures_drawn drawn;
    ck_assert_int_eq(mkdir("nothing", 0777), 0);
    ck_assert_int_eq(write_of("nothing", NULL, FRS_FIGURES_SVG, &drawn), FRS_ERR_INPUT);
    expect_error(
        "nothing: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)");
    ck_assert(access("f", F_OK) != 0);
    write_fake_sweep("s");
    ck_assert_int_eq(mkdir("f", 0777), 0);
    write_file("f/quality-time-1.svg", "mine\n");
    ck_assert_int_eq(write_of("s", NULL, FRS_FIGURES_SVG, &drawn), FRS_ERR_INPUT);
    expect_error("f/quality-time-1.svg is in the way: it is no figure of this program; choose another place "
                 "with --out DIR");
    expect_in("f/quality-time-1.svg", "mine\n");
}
END_TEST

START_TEST(data_files_are_written_without_gnuplot) {
    struct frs_figures_drawn drawn;
    write_fake_sweep("s");
    char *path = frs_strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    enum frs_status status = write_of("s", NULL, FRS_FIGURES_SVG, &drawn);
    setenv("PATH", path, 1);
    free(path);
    ck_assert_int_eq(status, FRS_ERR_RUN);
    expect_error("gnuplot is not installed (package gnuplot-nox): f has the data and the scripts of "
                 "21 figures, and no figures");
    ck_assert_int_eq(access("f/winners.gp", F_OK), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("figures");
    TCase *tests = tcase_create("figures");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, sweep_has_its_curves_and_fronts);
    tcase_add_test(tests, metric_stands_against_an_axis);
    tcase_add_test(tests, fewest_bytes_are_bold);
    tcase_add_test(tests, list_says_what_can_be_drawn);
    tcase_add_test(tests, winner_map_shows_standings);
    tcase_add_test(tests, tornado_is_drawn);
    tcase_add_test(tests, sensitivity_draws_the_scenario_as_it_is);
    tcase_add_test(tests, test_pdf_has_no_date);
    tcase_add_test(tests, run_has_its_curve);
    tcase_add_test(tests, one_environment_has_no_number);
    tcase_add_test(tests, foreign_files_are_not_replaced);
    tcase_add_test(tests, data_files_are_written_without_gnuplot);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
