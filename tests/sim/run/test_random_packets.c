/* Random scenarios, packet by packet: every run ends by itself with books that agree, and both backends
 * write the same files.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_random_packets     repeats number 17 */
#include "tests/sim/run/random_scenario.h"

static size_t number_from(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static uint64_t number;

static int run(const char *backend, const char *options) {
    return run_program(
        "run s.cfg --quiet --threads=1 --out %s --set engine.backend=%s --set network.model=packets %s",
        backend, backend, options);
}

static void check_scenario(void) {
    static const char *const options[] = {"", "--set network.packet_loss=0.03",
        "--set network.queue='20 ms' --set network.connection=tcp",
        "--set network.connection=kept --set network.idle_windows=kept"};
    struct draw draw = random_scenario(number);
    if (draw.simgrid)
        return;
    int code = run("actors", options[number % 4]);
    ck_assert_msg(code == 0 || code == 1, "exit code %d: %s", code, frs_said);
    ck_assert_int_eq(run("calendar", options[number % 4]), code);
    static const char *const files[] = {"rounds.csv", "events.ndjson", "clients.csv"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("test ! -e actors || cmp -s actors/%s calendar/%s", files[i], files[i]) == 0,
            "%s depends on the backend", files[i]);
    shell("rm -rf actors calendar");
}

#ifndef DEFAULT_SCENARIOS
#define DEFAULT_SCENARIOS FRS_TEST_CASES(40)
#endif

START_TEST(random_packet_runs_add_up) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_SCENARIOS),
           first = number_from("FRS_RANDOM_FIRST", 1);
    frs_most_s = 60;
    for (number = first; number < first + n; number++)
        check_scenario();
    number = 0;
}
END_TEST

static void report(void) {
    if (number > 0) {
        char *text = read_text("s.cfg");
        printf("Scenario %llu:\n%s", (unsigned long long)number, text);
        free(text);
    }
    folder_teardown();
}

int main(void) {
    Suite *suite = suite_create("random packets");
    TCase *tests = tcase_create("end, and their books agree");
    tcase_add_checked_fixture(tests, folder_setup, report);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, random_packet_runs_add_up);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
