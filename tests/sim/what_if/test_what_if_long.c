/* Labels: long
 *
 * What-ifs of runs of hundreds of rounds: how many rounds of them are played again. */
#include "tests/sim/what_if/what_if_runs.h"

/* So many rounds as counts allow, fewer where clients are trained, and all of them where that is wanted. */
START_TEST(as_many_rounds_as_wanted_are_played) {
    static const char many[] = "--set rounds.count=260 --set rounds.cohort=100 --set evaluation.every=50",
                      more[] = "--set rounds.count=700 --set rounds.cohort=100 --set training.enabled=false "
                               "--set devices.preset=fieldguide --set devices.compute=fixed";
    size_t trained, i;
    run_scenario("s.cfg", "run", many);
    ck_assert_uint_eq(check_all("s.cfg", many, &trained), 6);
    json_t *file = load_json("run", "what_if.json"), *what_if;
    json_array_foreach(json_object_get(file, "what_if"), i, what_if) {
        bool trains = json_is_true(json_object_get(what_if, "trained"));
        ck_assert_int_eq(json_of(what_if, "rounds") < 260, trains);
    }
    json_decref(file);
    ck_assert_int_eq(run_program("run s.cfg --out run --force %s", more), 0);
    ck_assert_ptr_nonnull(strstr(frs_said, " of 700 rounds, measured: "));
    ck_assert_uint_eq(check_all("s.cfg", more, &trained), 5);
    char *all = frs_format("%s --force --set output.what_if=all", more);
    run_scenario("s.cfg", "run", all);
    file = load_json("run", "what_if.json");
    json_array_foreach(json_object_get(file, "what_if"), i, what_if)
        ck_assert_double_eq(json_of(what_if, "rounds"), 700);
    json_decref(file);
    free(all);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("what-ifs of long runs");
    TCase *tests = tcase_create("what-ifs of long runs");
    tcase_add_checked_fixture(tests, what_if_setup, folder_teardown);
    tcase_add_test(tests, as_many_rounds_as_wanted_are_played);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
