/* What explain, list and the reference say, and that the program's own table is sound. */
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

/* One of the three printers into a string. */
static char *explained(const char *section, struct frs_errors *errors) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = frs_explain(fixture, section, out, errors);
    fclose(out);
    ck_assert_int_eq(status, errors->n ? FRS_ERR_INPUT : FRS_OK);
    return text;
}

static char *listed(const char *kind, struct frs_errors *errors) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = frs_list(fixture, kind, NULL, out, errors);
    fclose(out);
    ck_assert_int_eq(status, errors->n ? FRS_ERR_INPUT : FRS_OK);
    return text;
}

static const char expected_method[] =
    "method: Method.\n"
    "  name      fedmf | colr | popular; default: \"fedmf\"\n"
    "            What is trained.\n"
    "  lr        a number, at least 0; default: 0.1\n"
    "            Help.\n"
    "\n"
    "  learner \"fedmf\": Federated matrix factorisation.\n"
    "    Source: Chai 2019\n"
    "    dim       an integer from 1 to 512; default: 32\n"
    "              Help.\n"
    "    momentum  a number from 0 to 1, or a percentage such as \"10 %\"; default: 0\n"
    "              Help.\n"
    "\n"
    "  learner \"colr\": Low-rank updates.\n"
    "    Source: Nguyen 2024\n"
    "    dim       an integer from 1 to 256; default: 16\n"
    "              Help.\n"
    "    rank      an integer from 1 to 64; default: 4\n"
    "              Help.\n"
    "    catchup   ideal | full | cheapest; default: \"cheapest\"\n"
    "              Help.\n"
    "\n"
    "  learner \"popular\": No training.\n";

START_TEST(explain_prints_help_of_sections) {
    struct frs_errors errors = {0};
    char *text = explained("method", &errors);
    ck_assert_str_eq(text, expected_method);
    free(text);
    text = explained("codec", &errors);
    ck_assert_str_eq(
        text, "codec.uplink: Coding.\n  bits      an integer from 1 to 32; default: 32\n            Help.\n");
    free(text);
    text = explained("network", &errors);
    ck_assert_ptr_nonnull(
        strstr(text, "  preset \"fieldguide\": Two classes of clients.\n    Source: Wang 2021\n"
                     "    sets network.downlink.distribution = lognormal\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nnetwork.uplink: Up.\n"));
    ck_assert_ptr_null(strstr(text, "devices: "));
    free(text);
    text = explained(NULL, &errors);
    ck_assert_ptr_nonnull(strstr(text, "top level: Top.\n"));
    ck_assert_ptr_nonnull(strstr(text, expected_method));
    free(text);
    ck_assert_uint_eq(errors.n, 0);
}
END_TEST

/* A name without its section is explained with it. */
START_TEST(test_explain_of_a_name_alone) {
    struct frs_errors errors = {0};
    char *text = explained("popular", &errors);
    ck_assert_str_eq(text, "method:\n  learner \"popular\": No training.\n");
    free(text);
    text = explained("fieldguide", &errors);
    ck_assert_msg(strncmp(text, "network:\n  preset \"fieldguide\": Two classes", 42) == 0, "%s", text);
    free(text);
    text = explained("rank", &errors);
    ck_assert_str_eq(text, "method.colr.rank: an integer from 1 to 64; default: 4\n  Help.\n");
    free(text);
    ck_assert_uint_eq(errors.n, 0);
}
END_TEST

START_TEST(test_explain_of_unknown_section) {
    struct frs_errors errors = {0};
    free(explained("netwrok", &errors));
    free(explained("zzz", &errors));
    ck_assert_str_eq(errors.lines[0],
        "explain: there is no section \"netwrok\"; did you mean \"network\"?; sections: "
        "codec.uplink, network, network.downlink, network.uplink, devices, rounds, method");
    ck_assert_str_eq(errors.lines[1], "explain: there is no section \"zzz\"; sections: codec.uplink, "
                                      "network, network.downlink, network.uplink, devices, rounds, method");
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(list_prints_plugins) {
    struct frs_errors errors = {0};
    char *text = listed(NULL, &errors);
    ck_assert_str_eq(text, "network-preset: Measured networks.\n"
                           "  fieldguide  Two classes of clients.\n"
                           "  lab         One switch.\n"
                           "  chosen by network.preset\n"
                           "\n"
                           "distribution: How values are spread.\n"
                           "  constant   The same for all.\n"
                           "  lognormal  Log-normal.\n"
                           "  chosen by network.downlink.distribution\n"
                           "        and network.uplink.distribution\n"
                           "\n"
                           "learner: What is trained.\n"
                           "  fedmf    Federated matrix factorisation.\n"
                           "  colr     Low-rank updates.\n"
                           "  popular  No training.\n"
                           "  chosen by method.name\n");
    free(text);
    text = listed("learner", &errors);
    ck_assert_ptr_eq(strstr(text, "learner: "), text);
    ck_assert_ptr_null(strstr(text, "constant"));
    free(text);
    ck_assert_uint_eq(errors.n, 0);
    free(listed("lerner", &errors));
    ck_assert_str_eq(errors.lines[0], "list: there is no kind \"lerner\"; did you mean \"learner\"?; kinds: "
                                      "network-preset, distribution, learner, scenario");
    frs_errors_clear(&errors);
}
END_TEST

static void expect_sound(const struct frs_section *sections) {
    struct frs_errors errors = {0};
    enum frs_status status = frs_sections_check(sections, &errors);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines, "");
    ck_assert_int_eq(status, FRS_OK);
    free(lines);
}

START_TEST(test_tables_are_sound) {
    expect_sound(fixture);
    expect_sound(fixture_strict);
    expect_sound(frs_sections);
}
END_TEST

static const struct frs_param bad_params[] = {PARAM("a.b", FRS_INT, "1", .min = 0),
    PARAM("n", FRS_INT, "9", .max = 5), {.key = "n", .type = FRS_BOOL, .initial = "true"},
    PARAM("t", (enum frs_type)31, "9", .max = 5),
    PARAM("d", FRS_QUANTITY, "9 s", .dimension = (enum frs_dimension)31), END};
static const struct frs_param bad_plugin_params[] = {PARAM("n", FRS_INT, "1", .min = 0), END};
static const struct frs_plugin bad_plugin = {"n", "Name of a key.", NULL, bad_plugin_params};
static const struct frs_family bad_family = {
    "thing", "Things.", (const struct frs_plugin *const[]){&bad_plugin, NULL}, false};
static const struct frs_preset bad_preset = {
    {"p", "Wrong.", NULL, NULL}, (const char *const[][2]){{"x.zzz", "5"}, {NULL, NULL}}};
static const struct frs_preset_family bad_presets = {
    "p", "Presets.", (const struct frs_preset *const[]){&bad_preset, NULL}};
static const struct frs_section bad_sections[] = {{.path = "x",
                                                      .help = "X.",
                                                      .params = bad_params,
                                                      .family = &bad_family,
                                                      .selector = "name",
                                                      .initial = "m"},
    {.path = "y", .presets = &bad_presets}, {.path = NULL}};

START_TEST(unsound_tables_are_found) {
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_sections_check(bad_sections, &errors), FRS_ERR_INPUT);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines, "x.a.b: is not a name\n"
                            "x.n: default: \"9\" is out of range; allowed: an integer from 0 to 5\n"
                            "x.n: has no help\n"
                            "x.n: is described twice\n"
                            "x.t: is of no type, or of no dimension\n"
                            "x.d: is of no type, or of no dimension\n"
                            "x.n: the name of a plug-in is also a key or a section\n"
                            "x.n.n: is also a key of the section\n"
                            "x: there is no plug-in m\n"
                            "y: has no help\n"
                            "preset p: x.zzz: unknown key (`fedrecsim explain x` lists all)\n"
                            "preset p: does not work");
    free(lines);
    frs_errors_clear(&errors);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("explain");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, explain_prints_help_of_sections);
    tcase_add_test(tests, test_explain_of_a_name_alone);
    tcase_add_test(tests, test_explain_of_unknown_section);
    tcase_add_test(tests, list_prints_plugins);
    tcase_add_test(tests, test_tables_are_sound);
    tcase_add_test(tests, unsound_tables_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
