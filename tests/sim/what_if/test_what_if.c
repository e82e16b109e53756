/* Labels: slow
 *
 * What-ifs: each is as long as a run with its settings, to the last digit, whether its training is the
 * run's or its own. The file is the same on any number of threads. */
#include "tests/sim/what_if/what_if_runs.h"

#include <signal.h>

/* Why one was left out; NULL: it was not. */
static const char *reason_of(json_t *file, const char *name) {
    size_t i;
    json_t *what_if;
    json_array_foreach(json_object_get(file, "left_out"), i, what_if) {
        if (strcmp(json_string_value(json_object_get(what_if, "name")), name) == 0)
            return json_string_value(json_object_get(what_if, "reason"));
    }
    return NULL;
}

/* Rounds that wait for all: nothing but over-selection trains anything. With most of the others the clients
 * that arrive depend on the times: half the contact timeout trains where availability follows time, and not
 * where each selection draws it anew. */
START_TEST(what_if_equals_a_run_of_that_setting) {
    static const struct {
        const char *options;
        size_t n, trained;
        const char *scenario;
    } cases[] = {
        {"", 6, 1, "s.cfg"},
        {"", 5, 1, "classes.cfg"},
        {"--set failures.up=0.3 --set failures.compute=0.1", 7, 1, "s.cfg"},
        {"--set network.model=exact --set 'network.server_uplink=20 Mbit/s' --set network.preset=wifi", 5, 1,
            "s.cfg"},
        {"--set network.model=packets --set 'network.server_uplink=20 Mbit/s' --set rounds.count=2", 6, 1,
            "s.cfg"},
        {"--set training.enabled=false --set failures.up=0.3 --set devices.preset=fieldguide --set "
         "devices.compute=fixed",
            6, 0, "s.cfg"},
        {"--set method.name=pfedclr --set method.dim=8", 6, 1, "s.cfg"},
        {"--set method.name=colr --set method.dim=8 --set rounds.selection=round_robin", 6, 1, "s.cfg"},
        {"--set 'rounds.policy=deadline' --set 'rounds.policy.after=600 ms' --set rounds.count=8", 5, 4,
            "s.cfg"},
        {"--set rounds.policy=buffered_async", 5, 5, "s.cfg"},
        {"--set rounds.selection=utility", 6, 5, "s.cfg"},
        {"--set availability.model=markov --set 'availability.on=5 s' --set 'availability.off=3 s'", 7, 4,
            "s.cfg"},
        {"--set availability.model=bernoulli --set availability.p=0.7 --set "
         "rounds.selection.sees_availability=false --set 'rounds.selection.contact_timeout=3 s'",
            7, 1, "s.cfg"},
        {"--set availability.model=markov --set 'availability.on=5 s' --set 'availability.off=3 s' --set "
         "rounds.selection.sees_availability=false --set 'rounds.selection.contact_timeout=3 s'",
            8, 5, "s.cfg"},
        {"--set failures.server_restarts='1 s' --set 'failures.restart=2 s'", 6, 5, "s.cfg"},
        {"--set output.checkpoint_interval=unlimited --set rounds.cohort='100 %'", 5, 0, "s.cfg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *options = frs_format("%s --force --threads %zu", cases[i].options, 1 + i % 3);
        size_t trained;
        const char *scenario = cases[i].scenario;
        run_scenario(scenario, "run", options);
        size_t n = check_all(scenario, cases[i].options, &trained);
        ck_assert_msg(
            n == cases[i].n && trained == cases[i].trained, "%s: %zu, %zu trained", options, n, trained);
        free(options);
    }
}
END_TEST

/* A run that ended because of its time limit is compared by its rounds. A run that ended at its target is
 * compared as a whole, where other updates arrive, and otherwise by its rounds. */
START_TEST(ended_runs_are_compared_by_rounds) {
    size_t trained;
    run_scenario("s.cfg", "run", "--set 'rounds.stop_time=2.5 s'");
    ck_assert_uint_eq(check_all("s.cfg", "", &trained), 6);
    static const char by_target[] =
        "--set rounds.stop_at_target=true --set 'evaluation.target=hr@10 >= 0.3' --set rounds.count=30";
    char *options = frs_format("%s --force", by_target);
    run_scenario("s.cfg", "run", options);
    ck_assert_uint_eq(check_all("s.cfg", by_target, &trained), 6);
    ck_assert_uint_eq(trained, 1);
    free(options);
}
END_TEST

START_TEST(left_out_settings_have_reasons) {
    run_scenario("s.cfg", "run", "");
    json_t *file = load_json("run", "what_if.json");
    ck_assert_str_eq(reason_of(file, "detection ½"), "no client was lost");
    ck_assert_str_eq(reason_of(file, "contact timeout ½"), "every client that was called was online");
    json_decref(file);
    run_scenario("classes.cfg", "run", "--force");
    file = load_json("run", "what_if.json");
    ck_assert_str_eq(reason_of(file, "connections kept"), "connections are kept already");
    json_decref(file);
    run_scenario("s.cfg", "run", "--force --set network.model=exact");
    file = load_json("run", "what_if.json");
    ck_assert_str_eq(reason_of(file, "connections kept"), "nothing connects (network.model)");
    json_decref(file);
    run_scenario("s.cfg", "run", "--force --set rounds.cohort='100 %' --set devices.preset=ideal");
    file = load_json("run", "what_if.json");
    ck_assert_str_eq(reason_of(file, "over-selection × 1.3"), "all clients are selected already");
    ck_assert_str_eq(reason_of(file, "devices × 2"),
        "how long clients compute does not depend on their speed (devices.compute)");
    json_decref(file);
    run_scenario("s.cfg", "run", "--force --set devices.preset=fieldguide --set devices.compute=measured");
    file = load_json("run", "what_if.json");
    ck_assert_str_eq(json_string_value(json_object_get(file, "none")),
        "times are measured on this machine, and are never the same again");
    ck_assert_uint_eq(json_array_size(json_object_get(file, "what_if")), 0);
    json_decref(file);
    run_scenario("s.cfg", "run", "--force --set output.what_if=none");
    ck_assert_int_ne(shell("test -e run/what_if.json"), 0);
}
END_TEST

/* The same bytes with any number of threads, for a run that was killed and resumed, and for one that
 * replay repeats. */
START_TEST(file_is_the_same_with_any_threads) {
    static const char options[] =
        "--set failures.up=0.3 --set rounds.count=40 --set output.checkpoint_rounds=1";
    char *one = frs_format("%s --threads 1", options), *three = frs_format("%s --threads 3", options);
    run_scenario("s.cfg", "one", one);
    run_scenario("s.cfg", "three", three);
    ck_assert_int_eq(shell("cmp one/what_if.json three/what_if.json"), 0);
    pid_t pid = start_program("run s.cfg --out killed %s", options);
    while (shell("test -e killed.checkpoint") != 0 && shell("test -e killed") != 0)
        usleep(1000);
    kill(pid, SIGKILL);
    end_of_program(pid);
    char *resumed = frs_format("%s --resume", options);
    run_scenario("s.cfg", "killed", resumed);
    ck_assert_int_eq(shell("cmp one/what_if.json killed/what_if.json"), 0);
    ck_assert_int_eq(run_program("replay one"), 0);
    ck_assert_ptr_nonnull(strstr(frs_said, "what_if.json: identical"));
    free(one);
    free(three);
    free(resumed);
}
END_TEST

/* The points of a sweep have none, unless all are wanted. */
START_TEST(points_of_a_sweep_have_none) {
    ck_assert_int_eq(run_program("sweep s.cfg --vary 'method.dim=4,8' --out some --quiet"), 0);
    ck_assert_int_ne(shell("ls some/points/*/what_if.json"), 0);
    ck_assert_int_eq(
        run_program("sweep s.cfg --vary 'method.dim=4,8' --out all --quiet --set output.what_if=all"), 0);
    ck_assert_int_eq(shell("ls all/points/0000/what_if.json all/points/0001/what_if.json"), 0);
}
END_TEST

/* Large messages are simulated packet by packet. Of 240 participations with 230 MB each, a round takes
 * 30 (230e6 / 1448 · 10 ns + 5 µs) = 47.8 ms of effort, and 0.25 s are allowed: 5 rounds. */
START_TEST(fewer_rounds_of_large_messages_are_played) {
    run_scenario("s.cfg", "run",
        "--set method.name=declared --set 'method.down=230 MB' --set 'method.up=0 B' --set "
        "method.clients=100 "
        "--set availability.model=always --set devices.preset=ideal");
    json_t *file = load_json("run", "what_if.json"), *what_if;
    size_t i;
    json_array_foreach(json_object_get(file, "what_if"), i, what_if)
        ck_assert_double_eq(json_of(what_if, "rounds"), 5);
    ck_assert_uint_ge(i, 4);
    json_decref(file);
}
END_TEST

/* The one that saves most is the bottleneck, and the end of the run says so. */
START_TEST(bottleneck_is_the_largest_change) {
    ck_assert_int_eq(
        run_program("run s.cfg --out run --set 'network.latency=500 ms' --set network.jitter=0"), 0);
    json_t *summary = load_json("run", "summary.json"), *found = json_object_get(summary, "bottleneck");
    ck_assert_str_eq(json_string_value(json_object_get(found, "of")), "latency");
    ck_assert_double_lt(json_of(found, "change_percent"), -40);
    ck_assert_ptr_nonnull(strstr(frs_said, "The bottleneck is latency; time saved, measured: latency ½: −"));
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("what-ifs");
    TCase *tests = tcase_create("what-ifs");
    tcase_add_checked_fixture(tests, what_if_setup, folder_teardown);
    tcase_add_test(tests, what_if_equals_a_run_of_that_setting);
    tcase_add_test(tests, ended_runs_are_compared_by_rounds);
    tcase_add_test(tests, left_out_settings_have_reasons);
    tcase_add_test(tests, file_is_the_same_with_any_threads);
    tcase_add_test(tests, points_of_a_sweep_have_none);
    tcase_add_test(tests, fewer_rounds_of_large_messages_are_played);
    tcase_add_test(tests, bottleneck_is_the_largest_change);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
