/* Consent is the variable at exactly "1", and the option sets it for processes that are started. */
#include "sim/base/consent.h"
#include "tests/support.h"

#include <stdlib.h>

START_TEST(consent_is_given_by_the_variable_alone) {
    unsetenv(FRS_CONSENT_VARIABLE);
    ck_assert(!frs_consent_is_given());
    setenv(FRS_CONSENT_VARIABLE, "", 1);
    ck_assert(!frs_consent_is_given());
    setenv(FRS_CONSENT_VARIABLE, "0", 1);
    ck_assert(!frs_consent_is_given());
    setenv(FRS_CONSENT_VARIABLE, "1", 1);
    ck_assert(frs_consent_is_given());
}
END_TEST

START_TEST(giving_it_reaches_processes_that_are_started) {
    unsetenv(FRS_CONSENT_VARIABLE);
    frs_consent_give();
    ck_assert(frs_consent_is_given());
    ck_assert_int_eq(system("test \"$FEDRECSIM_ALLOW_COMMANDS\" = 1"), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("consent");
    TCase *tests = tcase_create("consent");
    tcase_add_test(tests, consent_is_given_by_the_variable_alone);
    tcase_add_test(tests, giving_it_reaches_processes_that_are_started);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
