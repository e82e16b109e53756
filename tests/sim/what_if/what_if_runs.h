/* Scenarios of the tests of what-ifs, and a run of each what-if that is compared with what what_if.json says.
 */
#ifndef FRS_TESTS_WHAT_IF_RUNS_H
#define FRS_TESTS_WHAT_IF_RUNS_H

#include "tests/sim/run/fixture.h"

static inline void what_if_setup(void) {
    folder_setup();
    frs_keeps_what_ifs = true;
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"4g\"; };\n"
                        "devices = { preset = \"phones\"; };\n"
                        "method = { name = \"fedmf\"; dim = 8; epochs = 2; init_sd = 0.1; };\n"
                        "rounds = { count = 5; cohort = 30; };\n");
    write_text("classes.cfg",
        "data = { synthetic = \"small\"; };\n"
        "network = { classes = \"4g 50 %, wifi 50 %\"; connection = \"kept\"; uplink_factor = 0.7; };\n"
        "devices = { classes = \"phone-low 50 %, pc 50 %\"; };\n"
        "method = { name = \"colr\"; dim = 8; rank = 2; };\n"
        "rounds = { count = 5; cohort = 30; };\n");
}

/* When a round closed: its last attempt. */
static inline double end_of(const char *out, size_t round) {
    struct table rounds = table_load(out, "rounds.csv");
    double end_s = NAN;
    for (size_t row = 0; row < rounds.n_rows; row++)
        if (cell(&rounds, row, "round") == (double)round)
            end_s = cell(&rounds, row, "end_s");
    table_fini(&rounds);
    return end_s;
}

/* "--set 'network.uplink_factor=2'" for each of its settings. */
static inline char *options_of(json_t *what_if, const char *base) {
    char *options = frs_strdup(base);
    const char *key;
    json_t *text;
    json_object_foreach(json_object_get(what_if, "settings"), key, text) {
        bool named = strcmp(key, "rounds.policy.name") == 0;
        char *longer =
            frs_format("%s --set '%s=%s'", options, named ? "rounds.policy" : key, json_string_value(text));
        free(options);
        options = longer;
    }
    return options;
}

/* Runs every what-if of a run, and compares. Returns how many there were; *trained: how many of them had a
 * training of their own. */
static inline size_t check_all(const char *scenario, const char *base, size_t *trained) {
    json_t *file = load_json("run", "what_if.json"), *what_if;
    size_t i, n = 0;
    *trained = 0;
    json_array_foreach(json_object_get(file, "what_if"), i, what_if) {
        char *with_base = frs_format("%s --force --set output.what_if=none", base),
             *options = options_of(what_if, with_base);
        run_scenario(scenario, "changed", options);
        size_t rounds = (size_t)json_of(what_if, "rounds");
        ck_assert_uint_ge(rounds, 1);
        ck_assert_msg(json_of(what_if, "seconds") == end_of("changed", rounds), "%s: %.15g s, a run %.15g s",
            options, json_of(what_if, "seconds"), end_of("changed", rounds));
        ck_assert_double_eq(
            json_of(what_if, "seconds_without"), end_of("run", (size_t)json_of(what_if, "rounds_without")));
        double percent = 100 * (json_of(what_if, "seconds") / json_of(what_if, "seconds_without") - 1);
        ck_assert_double_eq_tol(json_of(what_if, "change_percent"), percent, 1e-9);
        ck_assert_int_ne(shell("test -e changed/what_if.json"), 0);
        *trained += json_is_true(json_object_get(what_if, "trained"));
        free(options);
        free(with_base);
        n++;
    }
    json_decref(file);
    return n;
}

#endif
