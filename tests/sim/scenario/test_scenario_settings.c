/* Scenarios without a file, from all their values; lists of texts; sections aside. */
#include "tests/sim/scenario/fixture.h"
#include "sim/base/settings/texts.h"
#include "tests/support.h"

static const struct frs_param aside_params[] = {
    PARAM("vary", FRS_TEXTS, "", .min = 0), PARAM("level", FRS_INT, "1", .min = 1, .max = 9), END};

/* The fixture, with a section aside, and one in which it matters whether a key was given. */
static struct frs_section sections[16];

static void setup(void) {
    size_t n = 0;
    for (; fixture[n].path; n++) {
        sections[n] = fixture[n];
        sections[n].given_matters = strcmp(fixture[n].path, "network.downlink") == 0;
    }
    sections[n++] =
        (struct frs_section){.path = "sweep", .help = "Aside.", .params = aside_params, .is_aside = true};
    sections[n] = (struct frs_section){.path = NULL};
    (void)fixture_strict;
}

static struct frs_scenario *load(const char *text, const char *const *sets) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    ck_assert_msg(fixture_load(sections, text, sets, &scenario, &errors) == FRS_OK, "%s",
        errors.n ? errors.lines[0] : "");
    return scenario;
}

struct collected {
    struct frs_setting settings[64];
    size_t n;
};

static void collect(void *context, const char *key, const char *text) {
    struct collected *collected = context;
    collected->settings[collected->n++] = (struct frs_setting){frs_strdup(key), frs_strdup(text)};
}

static const char *text_of(const struct collected *collected, const char *key) {
    for (size_t i = 0; i < collected->n; i++)
        if (strcmp(collected->settings[i].key, key) == 0)
            return collected->settings[i].text;
    return NULL;
}

static void drop(struct collected *collected) {
    for (size_t i = 0; i < collected->n; i++) {
        free((char *)(uintptr_t)collected->settings[i].key);
        free((char *)(uintptr_t)collected->settings[i].text);
    }
}

/* A number from 0 to 1 is a share, and may be written as one, in a file and on the command line. */
START_TEST(shares_may_be_percentages) {
    static const struct {
        const char *file, *set;
    } cases[] = {{"method = { momentum = 0.1; };\n", NULL}, {"method = { momentum = \"10 %\"; };\n", NULL},
        {"method = { momentum = \"10%\"; };\n", NULL}, {"", "method.momentum=10 %"},
        {"", "method.momentum=0.1"}, {"method = { momentum = 0.3; };\n", "method.momentum=1e1%"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const sets[] = {cases[i].set, NULL};
        struct frs_scenario *scenario = load(cases[i].file, sets);
        struct collected collected = {0};
        ck_assert(frs_values_real(frs_scenario_section(scenario, "method"), "momentum") == 0.1);
        frs_scenario_each(scenario, collect, &collected);
        ck_assert_str_eq(text_of(&collected, "method.momentum"), "0.1");
        drop(&collected);
        frs_scenario_destroy(scenario);
    }
}
END_TEST

/* Everything comes back: values, plug-ins, and what was given where that matters; presets are spent. */
START_TEST(test_settings_and_back) {
    static const char *const files[] = {"", "method = { name = \"colr\"; rank = 3; };\n",
        "network = { preset = \"fieldguide\"; };\n", "network = { downlink = \"1 MB/s\"; };\n",
        "network = { preset = \"lab\"; uplink = { distribution = \"lognormal\"; sigma = 0.25; }; };\n",
        "devices = { note = \" \"; strict = true; }; rounds = { metrics = [ \"ndcg\", \"hr\" ]; };\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct frs_scenario *scenario = load(files[i], NULL), *again;
        struct frs_errors errors = {0};
        struct collected before = {0}, after = {0};
        frs_scenario_each(scenario, collect, &before);
        ck_assert_int_eq(
            frs_scenario_load_settings(sections, "plan.json", before.settings, before.n, &again, &errors),
            FRS_OK);
        frs_scenario_each(again, collect, &after);
        ck_assert_uint_eq(after.n, before.n);
        for (size_t k = 0; k < after.n; k++) {
            ck_assert_str_eq(after.settings[k].key, before.settings[k].key);
            ck_assert_str_eq(after.settings[k].text, before.settings[k].text);
        }
        const char *given = text_of(&before, "given");
        ck_assert_int_eq(given != NULL, i == 3);
        if (given)
            ck_assert_str_eq(given, "network.downlink.distribution network.downlink.value");
        const struct frs_values *down = frs_scenario_section(again, "network.downlink");
        ck_assert_int_eq(frs_values_find(down, "distribution")->given, i == 3);
        ck_assert_int_eq(frs_scenario_check_unread(again, &errors), FRS_OK); /* nothing is asked */
        ck_assert_str_eq(frs_scenario_name(again), "plan.json");
        drop(&before);
        drop(&after);
        frs_scenario_destroy(scenario);
        frs_scenario_destroy(again);
    }
}
END_TEST

START_TEST(wrong_settings_are_refused) {
    static const struct frs_setting settings[] = {{"method.name", "fedmf"}, {"method.rank", "3"},
        {"seed", "x"}, {"sed", "1"}, {"network.preset", "lba"}};
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    ck_assert_int_eq(
        frs_scenario_load_settings(sections, "plan.json", settings, 5, &scenario, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_null(scenario);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines,
        "plan.json: method.rank: is a key of colr, but method.name is \"fedmf\"\n"
        "plan.json: seed: \"x\" is not a number; allowed: an integer from 0 to 9007199254740992\n"
        "plan.json: sed: unknown key; did you mean \"seed\"?\n"
        "plan.json: network.preset: \"lba\" is not allowed; did you mean \"lab\"?; allowed: none | "
        "fieldguide | lab");
    free(lines);
    frs_errors_clear(&errors);
}
END_TEST

static void expect_texts(const char *text, const char *const *sets, const char *const *expected) {
    struct frs_scenario *scenario = load(text, sets);
    char **texts;
    size_t n = frs_texts_split(frs_values_text(frs_scenario_section(scenario, "sweep"), "vary"), &texts);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(texts[i], expected[i]);
    ck_assert_ptr_null(expected[n]);
    frs_texts_free(texts);
    frs_scenario_destroy(scenario);
}

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_TEXTS ((const char *const[]){NULL})

START_TEST(test_lists_of_texts) {
    expect_texts("", NULL, NO_TEXTS);
    expect_texts("sweep = { vary = [ ]; };\n", NULL, NO_TEXTS);
    expect_texts(
        "sweep = { vary = [ \"a = 1, 2\", \"b | c: d=e\" ]; };\n", NULL, TEXTS("a = 1, 2", "b | c: d=e"));
    expect_texts("sweep = { vary = ( \"a;b\", \" c\\\\;d \" ); };\n", NULL, TEXTS("a;b", "c\\;d"));
    expect_texts("sweep = { vary = \"a = 1, 2\"; };\n", NULL, TEXTS("a = 1, 2"));
    expect_texts("", TEXTS("sweep.vary=a = 1, 2; b = 3;;"), TEXTS("a = 1, 2", "b = 3"));
    expect_texts("", TEXTS("sweep.vary=a = x\\;y"), TEXTS("a = x;y"));
    expect_texts("sweep = { vary = [ \"a\" ]; };\n", TEXTS("sweep.vary="), NO_TEXTS);
}
END_TEST

START_TEST(test_what_is_no_list_of_texts) {
    static const char *const files[][2] = {
        {"sweep = { vary = (\"a\", 5); };\n",
            "s.cfg:1: sweep.vary: every element of the list has to be text in double quotes"},
        {"sweep = { vary = (\"a\", \"\"); };\n",
            "s.cfg:1: sweep.vary: every element of the list has to be text in double quotes"},
        {"sweep = { vary = 5; };\n",
            "s.cfg:1: sweep.vary: 5 is an integer, not a list; allowed: a list of texts in double quotes"},
        {"rounds = { metrics = [\"hr\", \"n,d\"]; };\n",
            "s.cfg:1: rounds.metrics: every element of the list has to be one word in double quotes; "
            "allowed: a list of: hr | ndcg | mae"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct frs_errors errors = {0};
        struct frs_scenario *scenario;
        ck_assert_int_eq(fixture_load(sections, files[i][0], NULL, &scenario, &errors), FRS_ERR_INPUT);
        ck_assert_uint_eq(errors.n, 1);
        ck_assert_str_eq(errors.lines[0], files[i][1]);
        frs_errors_clear(&errors);
    }
}
END_TEST

/* Neither in the manifest nor idle. */
START_TEST(sections_aside_are_not_written) {
    struct frs_scenario *scenario =
        load("sweep = { level = 2; vary = [ \"a\" ]; };\n", TEXTS("sweep.level=3"));
    struct frs_errors errors = {0};
    struct collected all = {0};
    frs_scenario_each(scenario, collect, &all);
    ck_assert_ptr_null(text_of(&all, "sweep.level"));
    ck_assert_int_eq(frs_scenario_check_unread(scenario, &errors), FRS_OK);
    drop(&all);
    frs_scenario_destroy(scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scenario settings");
    TCase *tests = tcase_create("all");
    tcase_add_unchecked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, shares_may_be_percentages);
    tcase_add_test(tests, test_settings_and_back);
    tcase_add_test(tests, wrong_settings_are_refused);
    tcase_add_test(tests, test_lists_of_texts);
    tcase_add_test(tests, test_what_is_no_list_of_texts);
    tcase_add_test(tests, sections_aside_are_not_written);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
