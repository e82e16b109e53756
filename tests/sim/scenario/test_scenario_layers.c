/* Which layer wins, what rests, what has an effect, and what a scenario says about itself. */
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct frs_scenario *load(const char *text, const char *const *sets) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    enum frs_status status = fixture_load(fixture, text, sets, &scenario, &errors);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines, "");
    ck_assert_int_eq(status, FRS_OK);
    free(lines);
    return scenario;
}

static void collect(void *context, const char *key, const char *text) {
    char **all = context, *longer = frs_format("%s%s=%s\n", *all, key, text);
    free(*all);
    *all = longer;
}

static char *canonical(const struct frs_scenario *scenario) {
    char *all = frs_strdup("");
    frs_scenario_each(scenario, collect, &all);
    return all;
}

static void expect_canonical(const char *text, const char *const *sets, const char *expected) {
    struct frs_scenario *scenario = load(text, sets);
    char *all = canonical(scenario);
    ck_assert_msg(strstr(all, expected), "%s\nis not in\n%s", expected, all);
    free(all);
    frs_scenario_destroy(scenario);
}

static const char defaults[] = "seed=1\n"
                               "codec.uplink.bits=32\n"
                               "network.model=exact\n"
                               "network.downlink.distribution=constant\n"
                               "network.downlink.value=1000000 B/s\n"
                               "network.uplink.distribution=constant\n"
                               "network.uplink.value=1000000 B/s\n"
                               "devices.overhead=0 s\n"
                               "devices.strict=false\n"
                               "devices.note=\n"
                               "rounds.count=10\n"
                               "rounds.cohort=100 %\n"
                               "rounds.metrics=hr\n"
                               "method.name=fedmf\n"
                               "method.lr=0.1\n"
                               "method.dim=32\n"
                               "method.momentum=0\n";

START_TEST(test_empty_file_is_all_defaults) {
    expect_canonical("", NULL, defaults);
    expect_canonical("method = { }; network = { downlink = { }; }; codec = { };\n", NULL, defaults);
}
END_TEST

/* The canonical text, given back after --set, makes the same scenario. */
START_TEST(test_canonical_text_reads_back) {
    struct frs_scenario *scenario =
        load("seed = 9007199254740992; method = { name = \"colr\"; lr = 0.3; catchup = "
             "\"ideal\"; };\nnetwork = { preset = \"fieldguide\"; };\nrounds = { cohort "
             "= \"7.3 %\"; metrics = (\"mae\", \"hr\"); };\ndevices = { note = \"a b\"; };\n",
            NULL);
    char *all = canonical(scenario), *copy = frs_strdup(all), *rest;
    const char *sets[32] = {NULL};
    size_t n = 0;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        sets[n++] = line;
    struct frs_scenario *again = load("", sets);
    char *all_again = canonical(again);
    ck_assert_str_eq(all, all_again);
    ck_assert_ptr_nonnull(strstr(all, "seed=9007199254740992\n"));
    ck_assert_ptr_nonnull(strstr(all, "rounds.cohort=7.3 %\nrounds.metrics=hr,mae\n"));
    free(all);
    free(all_again);
    free(copy);
    frs_scenario_destroy(scenario);
    frs_scenario_destroy(again);
}
END_TEST

START_TEST(test_groups_of_plugins) {
    static const char both[] =
        "method = { name = \"fedmf\"; dim = 64; colr = { rank = 8; dim = 100; lr = 0.7; }; "
        "fedmf = { momentum = 0.9; }; };\n";
    expect_canonical(both, NULL, "method.name=fedmf\nmethod.lr=0.1\nmethod.dim=64\nmethod.momentum=0.9\n");
    expect_canonical(both, SETS("method.name=colr"),
        "method.name=colr\nmethod.lr=0.7\nmethod.dim=100\nmethod.rank=8\nmethod.catchup=cheapest\n");
    expect_canonical(both, SETS("method.name=colr", "method.dim=7", "method.rank=2"),
        "method.name=colr\nmethod.lr=0.7\nmethod.dim=7\nmethod.rank=2\n");
    expect_canonical(both, SETS("method.colr.rank=5"), "method.name=fedmf\nmethod.lr=0.1\nmethod.dim=64\n");
    expect_canonical(both, SETS("method.colr.rank=5", "method.name=colr"), "method.rank=5\n");
    /* The group wins wherever it stands. */
    expect_canonical(
        "method = { name = \"fedmf\"; fedmf = { dim = 3; }; dim = 4; };\n", NULL, "method.dim=3\n");
}
END_TEST

/* A file written for one method stays usable with another one chosen by --set. */
START_TEST(test_keys_of_the_other_plugin_rest) {
    expect_canonical("method = { momentum = 0.5; dim = 9; };\n", SETS("method.name=colr"),
        "method.name=colr\nmethod.lr=0.1\nmethod.dim=9\nmethod.rank=4\n");
    expect_canonical("method = { name = \"colr\"; rank = 6; };\n", SETS("method.name=popular"),
        "method.name=popular\nmethod.lr=0.1\n");
    expect_canonical("method = { name = \"colr\"; rank = 6; };\n",
        SETS("method.name=popular", "method.name=colr"), "method.rank=6\n");
}
END_TEST

/* 400 is valid for fedmf (up to 512), for which the file was written, and too much for colr (up to 256),
 * which gets another value: by --set, or by its group. */
START_TEST(test_values_of_the_other_plugin_that_something_replaces) {
    expect_canonical("method = { dim = 400; };\n", SETS("method.name=colr", "method.dim=9"),
        "method.name=colr\nmethod.lr=0.1\nmethod.dim=9\n");
    expect_canonical("method = { dim = 400; };\n", SETS("method.name=colr", "method.colr.dim=9"),
        "method.name=colr\nmethod.lr=0.1\nmethod.dim=9\n");
    expect_canonical("method = { dim = 400; colr = { dim = 8; }; };\n", SETS("method.name=colr"),
        "method.name=colr\nmethod.lr=0.1\nmethod.dim=8\n");
}
END_TEST

START_TEST(shorthand_is_a_constant) {
    expect_canonical("network = { downlink = \"6 Mbit/s\"; };\n", NULL,
        "network.downlink.distribution=constant\nnetwork.downlink.value=750000 B/s\n");
    expect_canonical("network = { downlink = { distribution = \"lognormal\"; sigma = 2; }; };\n",
        SETS("network.downlink=6 Mbit/s"),
        "network.downlink.distribution=constant\nnetwork.downlink.value=750000 B/s\nnetwork.uplink.");
    expect_canonical("network = { downlink = \"6 Mbit/s\"; };\n",
        SETS("network.downlink.distribution=lognormal", "network.downlink.sigma=3"),
        "network.downlink.distribution=lognormal\nnetwork.downlink.median=1000000 "
        "B/s\nnetwork.downlink.sigma=3\n");
}
END_TEST

START_TEST(presets_lie_below_the_file) {
    static const char chosen[] = "network = { preset = \"fieldguide\"; };\n";
    expect_canonical(chosen, NULL,
        "network.model=exact\n"
        "network.downlink.distribution=lognormal\nnetwork.downlink.median=750000 "
        "B/s\nnetwork.downlink.sigma=0.5\n"
        "network.uplink.distribution=constant\nnetwork.uplink.value=250000 B/s\ndevices.overhead=10 s\n");
    /* The user's own keys win, also over what the preset sets elsewhere or chooses. */
    expect_canonical(
        "devices = { overhead = \"1 s\"; };\nnetwork = { preset = \"fieldguide\"; downlink = { sigma = "
        "1.5; }; };\n",
        NULL,
        "network.downlink.median=750000 B/s\nnetwork.downlink.sigma=1.5\n"
        "network.uplink.distribution=constant\nnetwork.uplink.value=250000 B/s\ndevices.overhead=1 s\n");
    expect_canonical("network = { preset = \"fieldguide\"; downlink = \"5 MB/s\"; };\n", NULL,
        "network.downlink.distribution=constant\nnetwork.downlink.value=5000000 B/s\nnetwork.uplink.");
    expect_canonical(chosen, SETS("network.preset=none"), defaults);
    expect_canonical("", SETS("network.preset=fieldguide"), "network.downlink.sigma=0.5\n");
    expect_canonical(chosen, SETS("network.preset=lab"),
        "network.downlink.distribution=constant\nnetwork.downlink.value=125000000 B/s\n"
        "network.uplink.distribution=constant\nnetwork.uplink.value=1000000 B/s\ndevices.overhead=0 s\n");
    /* --set wins whatever the file says, also when it names a preset; other --set win over that. */
    static const char own[] = "network = { downlink = \"5 MB/s\"; };\ndevices = { overhead = \"1 s\"; };\n";
    expect_canonical(own, SETS("network.preset=fieldguide"),
        "network.downlink.distribution=lognormal\nnetwork.downlink.median=750000 "
        "B/s\nnetwork.downlink.sigma=0.5\n"
        "network.uplink.distribution=constant\nnetwork.uplink.value=250000 B/s\ndevices.overhead=10 s\n");
    expect_canonical(own, SETS("network.preset=lab", "network.downlink=7 MB/s"),
        "network.downlink.distribution=constant\nnetwork.downlink.value=7000000 B/s\nnetwork.uplink.");
    /* A key that the file's preset made sensible rests when --set takes another preset. */
    expect_canonical("network = { preset = \"fieldguide\"; downlink = { sigma = 2; }; };\n",
        SETS("network.preset=lab"), "network.downlink.distribution=constant\n");
}
END_TEST

START_TEST(test_preset_that_is_taken_unasked) {
    struct frs_section sections[sizeof fixture / sizeof *fixture];
    memcpy(sections, fixture, sizeof fixture);
    for (size_t i = 0; sections[i].path; i++)
        if (sections[i].presets)
            sections[i].initial_preset = "lab";
    static const char *const files[] = {
        "", "network = { preset = \"none\"; };\n", "network = { preset = \"fieldguide\"; };\n"};
    static const double expected[] = {125e6, 1e6, 750e3};
    for (size_t i = 0; i < 3; i++) {
        struct frs_errors errors = {0};
        struct frs_scenario *scenario;
        ck_assert_int_eq(fixture_load(sections, files[i], NULL, &scenario, &errors), FRS_OK);
        const struct frs_values *down = frs_scenario_section(scenario, "network.downlink");
        ck_assert(frs_values_real(down, i == 2 ? "median" : "value") == expected[i]);
        ck_assert_int_eq(frs_scenario_check_unread(scenario, &errors), FRS_OK);
        frs_scenario_destroy(scenario);
    }
}
END_TEST

START_TEST(errors_name_the_place_of_a_setting) {
    struct frs_scenario *scenario =
        load("seed = 4;\nnetwork = { preset = \"lab\";\n  uplink = \"1 kB/s\"; };\n",
            SETS("rounds.count=3", "rounds.count = 5"));
    const struct frs_values *top = frs_scenario_section(scenario, ""),
                            *rounds = frs_scenario_section(scenario, "rounds");
    const struct frs_values *down = frs_scenario_section(scenario, "network.downlink");
    const struct frs_values *up = frs_scenario_section(scenario, "network.uplink");
    ck_assert_str_eq(frs_values_find(top, "seed")->where, "s.cfg:1");
    ck_assert_str_eq(frs_values_find(up, "value")->where, "s.cfg:3");
    ck_assert_str_eq(frs_values_find(up, "distribution")->where, "s.cfg:3");
    ck_assert_str_eq(frs_values_find(rounds, "count")->where, "--set rounds.count = 5");
    ck_assert_int_eq(frs_values_int(rounds, "count"), 5);
    ck_assert_ptr_null(frs_values_find(down, "value")->where);
    ck_assert(!frs_values_find(down, "value")->given && frs_values_find(down, "value")->set);
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_values_error(top, "seed", &errors, "is %d", 4), FRS_ERR_INPUT);
    ck_assert_int_eq(frs_values_error(down, "value", &errors, "is slow"), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "s.cfg:1: seed: is 4");
    ck_assert_str_eq(errors.lines[1], "network.downlink.value: is slow");
    frs_errors_clear(&errors);
    frs_scenario_destroy(scenario);
}
END_TEST

START_TEST(values_have_their_types) {
    struct frs_scenario *scenario =
        load("seed = 3000000000;\nmethod = { name = \"colr\"; lr = 2; catchup = \"full\"; "
             "};\ndevices = { strict = TRUE; overhead = \"2 min\"; note = \"\"; };\n"
             "rounds = { cohort = 25; metrics = [\"ndcg\", \"hr\"]; count = 0x10; };\n",
            NULL);
    const struct frs_values *method = frs_scenario_section(scenario, "method");
    const struct frs_values *devices = frs_scenario_section(scenario, "devices");
    const struct frs_values *rounds = frs_scenario_section(scenario, "rounds");
    ck_assert_int_eq(frs_values_int(frs_scenario_section(scenario, ""), "seed"), 3000000000);
    ck_assert(frs_values_real(method, "lr") == 2);
    ck_assert_uint_eq(frs_values_choice(method, "catchup"), 1);
    ck_assert_str_eq(frs_values_text(method, "catchup"), "full");
    ck_assert_ptr_eq(frs_scenario_plugin(scenario, "method"), &colr);
    ck_assert(frs_values_bool(devices, "strict"));
    ck_assert(frs_values_real(devices, "overhead") == 120);
    ck_assert_str_eq(frs_values_text(devices, "note"), "");
    ck_assert(frs_values_share(rounds, "cohort").is_count && frs_values_share(rounds, "cohort").count == 25);
    ck_assert_uint_eq(frs_values_list(rounds, "metrics"), 3);
    ck_assert_int_eq(frs_values_int(rounds, "count"), 16);
    frs_scenario_destroy(scenario);
}
END_TEST

static void expect_unread(const char *text, const char *const *sets, const char *expected) {
    struct frs_scenario *scenario = load(text, sets);
    struct frs_errors errors = {0};
    frs_values_int(frs_scenario_section(scenario, ""), "seed");
    frs_values_int(frs_scenario_section(scenario, "method"), "dim");
    ck_assert_int_eq(frs_scenario_check_unread(scenario, &errors), *expected ? FRS_ERR_INPUT : FRS_OK);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines, expected);
    frs_errors_clear(&errors);
    free(lines);
    frs_scenario_destroy(scenario);
}

/* A --set asks "what if" about the file, whose keys may rest then;
 * what it says itself has to have an effect. */
START_TEST(test_unread_keys_have_no_effect) {
    static const char text[] = "seed = 1;\nmethod = { name = \"fedmf\"; dim = 64; momentum = 0.5; colr = { "
                               "rank = 5; }; };\nnetwork = { preset = \"lab\"; };\n";
    static const char momentum[] = "s.cfg:2: method.momentum: has no effect here";
    expect_unread(text, NULL, momentum);
    expect_unread(text, SETS("seed=3"), momentum); /* the same scenario */
    expect_unread(text, SETS("method.dim=3"), "");
    expect_unread(text, SETS("devices.overhead=1 s"),
        "--set devices.overhead=1 s: devices.overhead: has no effect here");
    expect_unread(text, SETS("method.momentum=0.1", "seed=2"),
        "--set method.momentum=0.1: method.momentum: has no effect here");
}
END_TEST

static void find_file(void *context, const char *key, const char *text) {
    if (strcmp(key, FRS_SCENARIO_FILE) == 0)
        *(char **)context = frs_strdup(text);
}

/* Inactive keys: keys of the file that no code has read, and those of the method that --set replaced (also
 * in its group, but not in the group of another one); but neither presets, nor what --set itself sets. */
START_TEST(inactive_keys_are_told) {
    static const char text[] =
        "seed = 1;\nmethod = { name = \"colr\"; rank = 6; dim = 9; colr = { catchup = \"full\"; }; fedmf = { "
        "momentum = 0.5; }; };\nnetwork = { preset = \"lab\"; };\ndevices = { overhead = \"1 s\"; note = "
        "\"a;b\"; };\n";
    struct frs_scenario *scenario = load(text, SETS("method.name=popular", "devices.overhead=2 s"));
    frs_values_int(frs_scenario_section(scenario, ""), "seed");
    char *inactive_keys = frs_scenario_inactive_keys(scenario), *file = NULL;
    ck_assert_str_eq(
        inactive_keys, "devices.note = a;b, method.rank = 6, method.dim = 9, method.catchup = full");
    free(inactive_keys);
    frs_scenario_each(scenario, find_file, &file);
    ck_assert_str_eq(file, "seed=1;devices.note=a\\;b;method.rank=6;method.dim=9;method.catchup=full");
    free(file);
    frs_scenario_destroy(scenario);
    scenario =
        load(text, SETS("network.preset=fieldguide")); /* a preset that --set names wins over the file */
    inactive_keys = frs_scenario_inactive_keys(scenario);
    ck_assert_str_eq(inactive_keys,
        "seed = 1, devices.note = a;b, method.dim = 9, method.rank = 6, method.catchup = full");
    free(inactive_keys);
    frs_scenario_destroy(scenario);
    scenario = load(text, SETS("seed=2")); /* nothing was put on top: what is idle is a mistake */
    inactive_keys = frs_scenario_inactive_keys(scenario);
    ck_assert_str_eq(inactive_keys, "");
    free(inactive_keys);
    frs_scenario_destroy(scenario);
}
END_TEST

START_TEST(test_read_keys_have_an_effect) {
    struct frs_scenario *scenario = load("method = { momentum = 0.5; };\n", SETS("devices.overhead=1 s"));
    struct frs_errors errors = {0};
    frs_values_real(frs_scenario_section(scenario, "method"), "momentum");
    frs_values_real(frs_scenario_section(scenario, "devices"), "overhead");
    ck_assert_int_eq(frs_scenario_check_unread(scenario, &errors), FRS_OK);
    frs_scenario_destroy(scenario);
}
END_TEST

/* A value in double quotes after --set is text as in a file: without the quotes, with its escapes
 * resolved, and of that type. */
START_TEST(quoted_settings_are_text) {
    expect_canonical("", SETS("network.uplink=\"2 MB/s\""),
        "network.uplink.distribution=constant\nnetwork.uplink.value=2000000 B/s\n");
    expect_canonical("",
        SETS("network.uplink.distribution = \"lognormal\"", "network.uplink.median=\"8 Mbit/s\""),
        "network.uplink.distribution=lognormal\nnetwork.uplink.median=1000000 B/s\n");
    expect_canonical("", SETS("method.name=\"colr\""), "method.name=colr\n");
    expect_canonical("", SETS("rounds.cohort=\"7 %\""), "rounds.cohort=7 %\n");
    expect_canonical("", SETS("devices.note=\"  a \\\"b\\\" \""), "devices.note=  a \"b\" \n");
    expect_canonical("", SETS("devices.note=\"\""), "devices.note=\n");
    /* One that does not end the value, or does not begin it, is a character like others. */
    expect_canonical("", SETS("devices.note=\"a\" b"), "devices.note=\"a\" b\n");
    expect_canonical("", SETS("devices.note=\""), "devices.note=\"\n");
    expect_canonical("", SETS("devices.note=a\"b\""), "devices.note=a\"b\"\n");
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    ck_assert_int_eq(fixture_load(fixture, "", SETS("method.dim=\"9\""), &scenario, &errors), FRS_ERR_INPUT);
    char *lines = fixture_lines(&errors);
    ck_assert_str_eq(lines,
        "--set method.dim=\"9\": method.dim: \"9\" is text, not an integer; allowed: an integer "
        "from 1 to 512");
    free(lines);
    frs_errors_clear(&errors);
}
END_TEST

/* A --set that replaces the file's distribution by another one, knowingly or not, is reported; a
 * distribution that only a default or a preset named by --set has decided is not. */
START_TEST(replaced_distributions_are_told) {
    static const char spread[] =
        "network = { uplink = { distribution = \"lognormal\"; median = \"2 MB/s\"; }; };\n",
                      from_preset[] = "network = { preset = \"fieldguide\"; };\n";
    static const struct {
        const char *file, *sets[3], *told;
    } cases[] = {{spread, {"network.uplink=1 MB/s"},
                     "network.uplink is constant, and lognormal in the file; to keep lognormal, set "
                     "network.uplink.median or network.uplink.sigma"},
        {spread, {"network.uplink.median=1 MB/s"}, ""}, {spread, {"network.downlink=1 MB/s"}, ""},
        {spread, {"network.preset=lab"}, ""}, {spread, {"method.name=colr"}, ""},
        {"", {"network.uplink.distribution=lognormal"}, ""},
        {"network = { uplink = \"1 MB/s\"; };\n", {"network.uplink.distribution=lognormal"},
            "network.uplink is lognormal, and constant in the file; to keep constant, set "
            "network.uplink.value"},
        {from_preset, {"network.downlink=1 MB/s", "network.uplink=1 MB/s"},
            "network.downlink is constant, and lognormal in the file; to keep lognormal, set "
            "network.downlink.median or network.downlink.sigma"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_scenario *scenario = load(cases[i].file, cases[i].sets);
        char *told = frs_scenario_replaced(scenario);
        ck_assert_str_eq(told, cases[i].told);
        free(told);
        frs_scenario_destroy(scenario);
    }
}
END_TEST

/* What --set has set, for the manifest: as it was written, by what a reader of two runs would call varied. */
START_TEST(test_what_was_set) {
    struct frs_scenario *scenario = load("network = { uplink = { distribution = \"lognormal\"; }; };\n",
        SETS("network.uplink.median=\"1 MB/s\"", "network.downlink=5 MB/s", "method.colr.rank=3",
            "method.name=colr", "seed=4", "method.name=colr"));
    char *all = frs_strdup("");
    frs_scenario_each_set(scenario, collect, &all);
    ck_assert_str_eq(
        all, "network.uplink.median=1 MB/s\nnetwork.downlink=5 MB/s\nmethod.rank=3\nmethod.name=colr\n");
    free(all);
    frs_scenario_destroy(scenario);
    scenario = load("", SETS("network.uplink.distribution=lognormal"));
    all = frs_strdup("");
    frs_scenario_each_set(scenario, collect, &all);
    ck_assert_str_eq(all, "network.uplink=lognormal\n"); /* all that is its distribution's goes with it */
    free(all);
    frs_scenario_destroy(scenario);
}
END_TEST

static void collect_key(void *context, const char *key) {
    collect(context, key, "");
}

START_TEST(test_known_and_read_keys) {
    struct frs_scenario *scenario = load("", NULL);
    char *known = frs_strdup(""), *read = frs_strdup("");
    frs_values_int(frs_scenario_section(scenario, ""), "seed");
    frs_values_int(frs_scenario_section(scenario, "method"), "dim");
    frs_values_real(frs_scenario_section(scenario, "method"), "lr");
    frs_scenario_each_known(fixture, collect_key, &known);
    frs_scenario_each_read(scenario, collect_key, &read);
    ck_assert_str_eq(read, "seed=\nmethod.lr=\nmethod.fedmf.dim=\n");
    ck_assert_ptr_nonnull(
        strstr(known, "method.lr=\nmethod.fedmf.dim=\nmethod.fedmf.momentum=\nmethod.colr.dim=\n"));
    ck_assert_ptr_nonnull(strstr(known, "network.downlink.lognormal.sigma=\n"));
    free(known);
    free(read);
    frs_scenario_destroy(scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scenario layers");
    TCase *tests = tcase_create("all");
    (void)fixture_strict;
    tcase_add_unchecked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_test(tests, test_empty_file_is_all_defaults);
    tcase_add_test(tests, test_canonical_text_reads_back);
    tcase_add_test(tests, test_groups_of_plugins);
    tcase_add_test(tests, test_keys_of_the_other_plugin_rest);
    tcase_add_test(tests, test_values_of_the_other_plugin_that_something_replaces);
    tcase_add_test(tests, shorthand_is_a_constant);
    tcase_add_test(tests, presets_lie_below_the_file);
    tcase_add_test(tests, test_preset_that_is_taken_unasked);
    tcase_add_test(tests, errors_name_the_place_of_a_setting);
    tcase_add_test(tests, values_have_their_types);
    tcase_add_test(tests, test_unread_keys_have_no_effect);
    tcase_add_test(tests, inactive_keys_are_told);
    tcase_add_test(tests, test_read_keys_have_an_effect);
    tcase_add_test(tests, test_known_and_read_keys);
    tcase_add_test(tests, quoted_settings_are_text);
    tcase_add_test(tests, replaced_distributions_are_told);
    tcase_add_test(tests, test_what_was_set);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
