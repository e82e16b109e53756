/* Runs with privacy mechanisms. */
#ifndef FRS_TESTS_SIM_RUN_PRIVACY_FIXTURE_H
#define FRS_TESTS_SIM_RUN_PRIVACY_FIXTURE_H

#include "tests/sim/run/fixture.h"

static const char base[] = "data = { synthetic = \"small\"; };\n"
                           "method = { name = \"%s\"; dim = 8; epochs = 1; %s };\n"
                           "network = { preset = \"fieldguide\"; };\n"
                           "devices = { speed = \"2 Gflop/s\"; };\n"
                           "rounds = { count = 4; cohort = 20; };\n"
                           "output = { events = false; };\n"
                           "privacy = ( %s );\n";

static inline void write_scenario(const char *method, const char *keys, const char *mechanisms) {
    char *text = frs_format(base, method, keys, mechanisms);
    write_text("s.cfg", text);
    free(text);
}

static inline double summary_of(const char *out, const char *object, const char *key) {
    json_t *summary = load_json(out, "summary.json");
    json_t *value = json_object_get(json_object_get(summary, object), key);
    double number = value ? json_number_value(value) : NAN;
    json_decref(summary);
    return number;
}

static inline void check_runs(
    const char *method, const char *keys, const char *mechanisms, const char *options) {
    write_scenario(method, keys, mechanisms);
    ck_assert_msg(run_program("run s.cfg --force --out out %s", options) == 0, "%s, %s: %s", method,
        mechanisms, frs_said);
}

static inline void check_refused(
    const char *method, const char *keys, const char *mechanisms, const char *options, const char *said) {
    write_scenario(method, keys, mechanisms);
    ck_assert_msg(run_program("run s.cfg --force --out out %s", options) == 2, "%s, %s: %s", method,
        mechanisms, frs_said);
    ck_assert_msg(strstr(frs_said, said), "%s, %s: %s", method, mechanisms, frs_said);
}

#define CLIP "{ name = \"clip\"; bound = 0.5; }"
#define CENTRAL CLIP ", { name = \"gaussian\"; at = \"server\"; noise = 1.0; }"
#define LOCAL CLIP ", { name = \"gaussian\"; noise = 1.0; }"

#endif
