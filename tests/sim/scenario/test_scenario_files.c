/* Files of a scenario: what cannot be read, includes, and sections in several files. */
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

#include <sys/stat.h>

static void expect(enum frs_status status, struct frs_errors *errors, const char *expected) {
    char *lines = fixture_lines(errors);
    ck_assert_str_eq(lines, expected);
    ck_assert_int_eq(status, FRS_ERR_INPUT);
    free(lines);
    frs_errors_clear(errors);
}

static enum frs_status load_path(const char *path, struct frs_errors *errors) {
    struct frs_scenario *scenario;
    enum frs_status status = frs_scenario_load(fixture, path, NULL, 0, &scenario, errors);
    ck_assert_ptr_null(scenario);
    return status;
}

START_TEST(files_that_are_none_are_refused) {
    struct frs_errors errors = {0};
    expect(
        load_path("nowhere.cfg", &errors), &errors, "nowhere.cfg: cannot be read: No such file or directory");
    expect(load_path(".", &errors), &errors, ".: cannot be read: is a folder");
    expect(load_path("/dev/null", &errors), &errors, "/dev/null: cannot be read: is not a regular file");
    expect(load_path("/dev/zero", &errors), &errors, "/dev/zero: cannot be read: is not a regular file");
    expect(load_path("pipe", &errors), &errors, "pipe: cannot be read: is not a regular file");
    expect(load_path("caf\xe9.cfg", &errors), &errors, "caf?.cfg: a path has to be UTF-8 text");
    fixture_write("closed.cfg", "seed = 1;\n");
    ck_assert_int_eq(chmod("closed.cfg", 0), 0);
    if (geteuid() != 0) /* root reads everything */
        expect(load_path("closed.cfg", &errors), &errors, "closed.cfg: cannot be read: Permission denied");
}
END_TEST

/* @include is relative to the scenario file, and messages name the file a line is in. */
START_TEST(includes_are_relative_and_named) {
    struct frs_errors errors = {0};
    ck_assert_int_eq(mkdir("sub", 0777), 0);
    fixture_write("sub/main.cfg", "seed = 3;\nmethod = {\n  @include \"method.cfg\"\n  lr = 0.5; };\n");
    fixture_write("sub/method.cfg", "dim = 64;\n");
    struct frs_scenario *scenario;
    ck_assert_int_eq(frs_scenario_load(fixture, "sub/main.cfg", NULL, 0, &scenario, &errors), FRS_OK);
    ck_assert_int_eq(frs_values_int(frs_scenario_section(scenario, "method"), "dim"), 64);
    ck_assert_str_eq(
        frs_values_find(frs_scenario_section(scenario, "method"), "dim")->where, "sub/method.cfg:1");
    ck_assert_str_eq(frs_scenario_name(scenario), "main");
    ck_assert_str_eq(frs_scenario_path(scenario), "sub/main.cfg");
    frs_scenario_destroy(scenario);
    fixture_write("sub/method.cfg", "\ndim = 0;\nlr = 1;\n");
    expect(load_path("sub/main.cfg", &errors), &errors,
        "sub/main.cfg:4: method.lr: is given twice; the first is at sub/method.cfg:3");
    fixture_write("sub/method.cfg", "\ndim = 0;\n");
    expect(load_path("sub/main.cfg", &errors), &errors,
        "sub/method.cfg:2: method.dim: \"0\" is out of range; allowed: an integer from 1 to 512");
}
END_TEST

/* Keys of one section may come from several files if each occurs once; within a file a section occurs
 * once. */
START_TEST(sections_may_stand_in_several_files) {
    static const struct {
        const char *part, *more, *expected; /* expected: errors, or NULL */
    } cases[] = {
        {"network = { model = \"lv08\"; uplink = { sigma = 0.5; }; };\n", "seed = 7;\n", NULL},
        {"network = { model = \"lv08\"; };\nnetwork = { uplink = { sigma = 0.5; }; };\n", "seed = 7;\n",
            "part.cfg:2: network: is given twice; the first is at part.cfg:1"},
        {"network = { model = \"lv08\"; };\n", "network = { uplink = { sigma = 0.5; }; };\nseed = 7;\n",
            NULL},
        {"network = {\n  downlink = \"6 Mbit/s\";\n};\n", "",
            "part.cfg:2: network.downlink: is given twice; the first is at main.cfg:2"},
        {"network = { uplink = {\n  distribution = \"constant\"; }; };\n", "",
            "part.cfg:2: network.uplink.distribution: is given twice; the first is at main.cfg:3"},
        {"network = { uplink = \"6 Mbit/s\"; };\n", "",
            "part.cfg:1: network.uplink: is given twice; the first is at main.cfg:3"},
        {"network = 5;\n", "", "part.cfg:1: network: is given twice; the first is at main.cfg:1"},
        {"rounds = { count = 5; };\n", "rounds = { cohort = 2;\n count = 6; };\n",
            "more.cfg:2: rounds.count: is given twice; the first is at part.cfg:1"},
        {"", "network = { model = \"lv08\";\n frobnicate = 1; uplink = { sigma = 0.5; }; };\n",
            "more.cfg:2: network.frobnicate: unknown key (`fedrecsim explain network` lists all)"},
        {"network*2 = { model = \"lv08\"; };\n", "",
            "part.cfg:1: network*2: unknown key: no name has a \"*\""},
    };
    fixture_write("main.cfg", "network = {\n  downlink = { distribution = \"lognormal\"; sigma = 2.0; };\n"
                              "  uplink = { distribution = \"lognormal\"; };\n};\n"
                              "@include \"part.cfg\"\n@include \"more.cfg\"\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_errors errors = {0};
        struct frs_scenario *scenario;
        fixture_write("part.cfg", cases[i].part);
        fixture_write("more.cfg", cases[i].more);
        if (cases[i].expected) {
            expect(load_path("main.cfg", &errors), &errors, cases[i].expected);
            continue;
        }
        enum frs_status status = frs_scenario_load(fixture, "main.cfg", NULL, 0, &scenario, &errors);
        ck_assert_msg(status == FRS_OK, "%zu: %s", i, errors.n ? errors.lines[0] : "");
        ck_assert_int_eq(frs_values_int(frs_scenario_section(scenario, ""), "seed"), 7);
        ck_assert_int_eq(frs_values_choice(frs_scenario_section(scenario, "network"), "model"), 1);
        ck_assert_double_eq(frs_values_real(frs_scenario_section(scenario, "network.downlink"), "sigma"), 2);
        const struct frs_values *uplink = frs_scenario_section(scenario, "network.uplink");
        ck_assert_double_eq(frs_values_real(uplink, "sigma"), 0.5);
        ck_assert_str_eq(
            frs_values_find(uplink, "sigma")->where, *cases[i].more == 'n' ? "more.cfg:1" : "part.cfg:1");
        frs_scenario_destroy(scenario);
    }
}
END_TEST

static void enter(void) {
    fixture_enter();
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
}

int main(void) {
    Suite *suite = suite_create("scenario files");
    TCase *tests = tcase_create("scenario files");
    tcase_add_unchecked_fixture(tests, enter, fixture_leave);
    tcase_add_test(tests, files_that_are_none_are_refused);
    tcase_add_test(tests, includes_are_relative_and_named);
    tcase_add_test(tests, sections_may_stand_in_several_files);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
