/* Roles of settings and axes. */
#include "analysis/statistics/factors.h"
#include "tests/support.h"

#include <string.h>

START_TEST(keys_have_roles) {
    static const char *const choices[] = {"method.name", "privacy.1.name", "codec.uplink.bits", "adaptation",
        "rounds.cohort", "training.enabled", "observations.weight"};
    static const char *const environments[] = {"network.preset", "devices.compute", "availability.p",
        "failures.up", "data.ties", "server.speed", "platform.file", "engine.backend", "evaluation.protocol",
        "methods"};
    static const char *const none[] = {"seed", "file", "output.events", "sweep.target", "evaluation.target"};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        ck_assert_msg(frs_role_of(choices[i]) == FRS_ROLE_DESIGN, "%s", choices[i]);
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
        ck_assert_msg(frs_role_of(environments[i]) == FRS_ROLE_ENVIRONMENT, "%s", environments[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(frs_role_of(none[i]) == FRS_ROLE_NONE, "%s", none[i]);
}
END_TEST

START_TEST(roles_of_axes_follow_keys) {
    char *keys[] = {(char[]){"rounds.count"}, (char[]){"evaluation.target"}, (char[]){"failures.up"}};
    ck_assert_int_eq(frs_role_of_axis(keys, 1, "x"), FRS_ROLE_DESIGN);
    ck_assert_int_eq(frs_role_of_axis(keys, 2, "x"), FRS_ROLE_DESIGN);
    ck_assert_int_eq(frs_role_of_axis(keys, 3, "x"), FRS_ROLE_ENVIRONMENT);
    ck_assert_int_eq(frs_role_of_axis(keys + 1, 1, "method"), FRS_ROLE_ENVIRONMENT);
    ck_assert_int_eq(frs_role_of_axis(NULL, 0, "method"), FRS_ROLE_DESIGN);
    ck_assert_int_eq(frs_role_of_axis(NULL, 0, "loss"), FRS_ROLE_ENVIRONMENT);
}
END_TEST

START_TEST(role_names_are_parsed) {
    enum frs_role role = FRS_ROLE_NONE;
    ck_assert(frs_role_parse("design", 6, &role) && role == FRS_ROLE_DESIGN);
    ck_assert(frs_role_parse("environment: x", 11, &role) && role == FRS_ROLE_ENVIRONMENT);
    ck_assert(!frs_role_parse("design", 5, &role) && !frs_role_parse("designs", 7, &role));
    ck_assert_str_eq(frs_role_name(FRS_ROLE_DESIGN), "design");
    ck_assert(!frs_role_name(FRS_ROLE_NONE));
}
END_TEST

START_TEST(test_what_goes_with) {
    ck_assert(frs_key_goes_with("network.uplink.median", "network"));
    ck_assert(frs_key_goes_with("network.uplink.median", "network.preset"));
    ck_assert(!frs_key_goes_with("network.uplink.median", "network.up"));
    ck_assert(!frs_key_goes_with("method.dim", "method.preset"));
    ck_assert(frs_key_goes_with("method.name", "method"));
    ck_assert(!frs_key_goes_with("method.rank", "method"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("role");
    TCase *tests = tcase_create("role");
    tcase_add_test(tests, keys_have_roles);
    tcase_add_test(tests, roles_of_axes_follow_keys);
    tcase_add_test(tests, role_names_are_parsed);
    tcase_add_test(tests, test_what_goes_with);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
