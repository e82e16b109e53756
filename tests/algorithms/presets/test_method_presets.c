/* The papers' systems: every preset of section method composes, every setting of it has an effect, and it is
 * what the scenario of its paper says. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "algorithms/presets/presets.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

static const struct frs_preset *preset;
static bool is_read[64];

/* "method.dim" has been read as "method.fedmf.dim". */
static bool is_key(const char *setting, const char *read) {
    const char *dot = strrchr(setting, '.'), *last = strrchr(read, '.');
    return strncmp(setting, read, (size_t)(dot - setting) + 1) == 0 && strcmp(dot, last) == 0;
}

static void mark(void *context, const char *key) {
    (void)context;
    for (size_t i = 0; preset->settings[i][0]; i++)
        is_read[i] |= strchr(key, '.') && is_key(preset->settings[i][0], key);
}

static bool is_plugin_name(const char *key) {
    return strcmp(key, "method.name") == 0 || strcmp(strrchr(key, '.'), ".name") == 0;
}

START_TEST(settings_have_an_effect) {
    preset = frs_method_presets[_i];
    memset(is_read, 0, sizeof is_read);
    char *text =
        frs_format("data = { synthetic = \"small\"; };\nmethod = { preset = \"%s\"; };\n"
                   "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n",
            preset->plugin.name);
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    struct frs_errors errors = {0};
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup;
    bool ok = frs_scenario_load(frs_sections, path, NULL, 0, &scenario, &errors) == FRS_OK &&
              frs_compose(scenario, &setup, &errors) == FRS_OK;
    ck_assert_msg(ok, "%s: %s", preset->plugin.name, errors.n ? errors.lines[0] : "");
    frs_scenario_each_read(scenario, mark, NULL);
    for (size_t i = 0; preset->settings[i][0]; i++)
        ck_assert_msg(is_read[i] || is_plugin_name(preset->settings[i][0]), "%s sets %s, which nothing reads",
            preset->plugin.name, preset->settings[i][0]);
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
    free(path);
    free(text);
}
END_TEST

/* What the user says wins. */
START_TEST(user_settings_win_over_presets) {
    write_text("s.cfg", "data = { synthetic = \"small\"; };\n"
                        "method = { preset = \"fedras_table1\"; dim = 8; };\n"
                        "codec = { downlink = { compression_rate = 0.5; }; };\n"
                        "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
                        "rounds = { count = 2; };\n");
    run_scenario("s.cfg", "out", "--set method.epochs=1");
    json_t *manifest = load_json("out", "manifest.json");
    char *all = json_dumps(manifest, JSON_COMPACT);
    static const char *const expected[] = {"\"method.name\":\"fedmf_update\"", "\"method.dim\":\"8\"",
        "\"method.epochs\":\"1\"", "\"codec.uplink.name\":\"groups\"",
        "\"codec.downlink.compression_rate\":\"0.5\"", "\"rounds.count\":\"2\""};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_msg(strstr(all, expected[i]), "%s is not in %s", expected[i], all);
    free(all);
    json_decref(manifest);
}
END_TEST

/* The sources of each preset's settings: a scenario of scenarios/papers, and the settings of that scenario
 * for one row of a table. Further settings here are deliberate deviations of a preset: shares instead of
 * numbers of clients, and no bytes for missed rounds (`ideal`), as the papers count, and their rounds. */
enum { MOST_SETS = 8 };
#define BOTH(codec) "codec.uplink=" codec, "codec.downlink=" codec
#define BOTH_SET(key) "codec.uplink." key, "codec.downlink." key

static const struct {
    const char *preset, *scenario, *sets[MOST_SETS];
} origins[] = {
    {"fedmf_pfedclr", "pfedclr-table1-fedmf-ml100k", {NULL}},
    {"pfedclr", "pfedclr-table1-ml100k", {NULL}},
    {"pfedrec", "pfedrec-ml100k", {NULL}},
    {"fedncf_pfedclr", "fedncf-ml100k", {NULL}},
    /* The scenario's method sends updates of the same training. */
    {"fedncf_fedras", "fedras-table1-ncf", {"rounds.cohort=10 %"}},
    {"fedras_table1", "fedras-table1",
        {"codec.uplink=groups", "codec.downlink=adaptive_groups", BOTH_SET("compression_rate=0.9375"),
            "rounds.cohort=10 %"}},
    {"topk_fedras", "fedras-table1", {BOTH("topk"), BOTH_SET("k=2"), "rounds.cohort=10 %"}},
    {"svd_fedras", "fedras-table1", {BOTH("svd"), BOTH_SET("rank=2"), "rounds.cohort=10 %"}},
    {"jointrec", "fedras-table1", {BOTH("svd_quantised"), BOTH_SET("rank=8"), "rounds.cohort=10 %"}},
    {"colr_table1", "colr-ml100k", {"method.catchup=ideal", "rounds.count=1000"}},
    {"scolr", "scolr-table4", {"method.catchup=ideal"}},
    {"fedrap", "fedrap-ml100k", {"codec.uplink=dense"}},
    {"fedrap_published_code", "fedrap-ml100k",
        {"codec.uplink=dense", "method.variant=published_code", "method.lambda=0.01"}},
    {"rfrec_published_code", "rfrec-published-code", {"method.init=own"}},
    {"rfrecf_published_code", "rfrec-published-code",
        {"method.name=rfrecf", "method.init=own", "rounds.count=200"}},
    {"fcf_published_code", "rfrec-published-code", {"method.name=fcf"}},
    {"lightfr", "lightfr-ml100k", {NULL}},
    {"ptf_fedrec", "ptf-fedrec-ml100k", {NULL}},
    {"cgfedrec", "cgfedrec-ml100k", {"method.anchors=0", "rounds.count=100"}},
    {"semidfegl", "semidfegl-ml100k", {NULL}},
    {"semidfegl_ratings", "semidfegl-ratings-ml100k", {NULL}},
};

struct comparison {
    json_t *settings; /* of the scenario, what a preset may set */
    const char *preset;
    size_t n;
};

static bool is_of_a_preset(const char *key) {
    static const char *const sections[] = {"method.", "codec.", "adaptation.", "rounds."};
    static const char *const keys[] = {
        "data.feedback", "data.split", "data.min_interactions", "data.clients"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strncmp(key, sections[i], strlen(sections[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Numbers are numbers however they are written: "0.0001" and "1e-4". */
static bool same_text(const char *a, const char *b) {
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    return strcmp(a, b) == 0 || (x == y && *a && !*end_a && !*end_b);
}

static void collect(void *context, const char *key, const char *text) {
    struct comparison *c = context;
    if (is_of_a_preset(key))
        json_object_set_new(c->settings, key, json_string(text));
}

static void compare(void *context, const char *key, const char *text) {
    struct comparison *c = context;
    bool other_learner = strcmp(c->preset, "fedncf_fedras") == 0 && strcmp(key, "method.name") == 0;
    if (!is_of_a_preset(key) || other_learner)
        return;
    const char *expected = json_string_value(json_object_get(c->settings, key));
    ck_assert_msg(expected && same_text(expected, text), "%s: %s is %s, in its scenario %s", c->preset, key,
        text, expected ? expected : "not there");
    c->n++;
}

static struct frs_scenario *load(const char *path, const char *const *sets) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario = NULL;
    size_t n = 0;
    while (n < MOST_SETS && sets[n])
        n++;
    enum frs_status status = frs_scenario_load(frs_sections, path, sets, n, &scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", path, errors.n ? errors.lines[0] : "");
    return scenario;
}

START_TEST(settings_are_those_of_the_scenario) {
    struct comparison c = {.settings = json_object(), .preset = origins[_i].preset};
    char *path = frs_format("%s/scenarios/papers/%s.cfg", frs_test_source_dir(), origins[_i].scenario);
    struct frs_scenario *scenario = load(path, origins[_i].sets);
    frs_scenario_each(scenario, collect, &c);
    char *text = frs_format("method = { preset = \"%s\"; };\n", c.preset);
    write_text("s.cfg", text);
    char *own = frs_format("%s/s.cfg", frs_folder);
    struct frs_scenario *alone = load(own, (const char *const[]){NULL});
    frs_scenario_each(alone, compare, &c);
    ck_assert_uint_gt(c.n, 10);
    frs_scenario_destroy(alone);
    frs_scenario_destroy(scenario);
    json_decref(c.settings);
    free(own);
    free(text);
    free(path);
}
END_TEST

/* No preset without a scenario. */
START_TEST(every_preset_has_a_scenario) {
    for (size_t i = 0; frs_method_presets[i]; i++) {
        bool found = false;
        for (size_t j = 0; j < sizeof origins / sizeof *origins; j++)
            found |= strcmp(origins[j].preset, frs_method_presets[i]->plugin.name) == 0;
        ck_assert_msg(found, "%s has no scenario", frs_method_presets[i]->plugin.name);
    }
}
END_TEST

/* FedRAS's compression rates count values alone: JointRec's 8 of 32 columns of a byte are a sixteenth. */
START_TEST(jointrec_has_the_rate_of_its_table) {
    static const struct {
        int rank;
        double rate;
    } rows[] = {{12, 0.90625}, {8, 0.9375}, {4, 0.96875}};
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nmethod = { preset = \"jointrec\"; };\n"
                        "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
                        "rounds = { count = 3; };\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *options = frs_format(
            "--force --set codec.uplink.rank=%d --set codec.downlink.rank=%d", rows[i].rank, rows[i].rank);
        run_scenario("s.cfg", "out", options);
        json_t *summary = load_json("out", "summary.json");
        ck_assert_double_eq_tol(json_path(summary, "compression_rate", "paper_up"), rows[i].rate, 1e-9);
        ck_assert_double_eq_tol(json_path(summary, "compression_rate", "paper_down"), rows[i].rate, 1e-9);
        json_decref(summary);
        free(options);
    }
}
END_TEST

int main(void) {
    int n = 0;
    while (frs_method_presets[n])
        n++;
    Suite *suite = suite_create("method presets");
    TCase *tests = tcase_create("method presets");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, settings_have_an_effect, 0, n);
    tcase_add_test(tests, user_settings_win_over_presets);
    tcase_add_loop_test(
        tests, settings_are_those_of_the_scenario, 0, (int)(sizeof origins / sizeof *origins));
    tcase_add_test(tests, every_preset_has_a_scenario);
    tcase_add_test(tests, jointrec_has_the_rate_of_its_table);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
