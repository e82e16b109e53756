/* Which texts are scanned before libconfig reads them: all that it would take wrongly without a word. */
#include "sim/scenario/scenario_internal.h"
#include "tests/support.h"

static const struct {
    const char *text;
    bool may_be_misread;
} texts[] = {
    {"", false},
    {"# Rounds, 3.5 of them. See part.cfg.\nrounds = { count = -100; cohort = \"60 %\"; };\n", false},
    {"a = 1e-3; b = .5; c = 5.; d = 0xFF; e = 123456789;\n", false},
    {"seed = 5000000000;\n", true},
    {"seed = 0x100000000;\n", true},
    {"a = 1e400;\n", true},
    {"a = 1e-400;\n", true},
    {"a = .;\n", true},
    {"a = (1,.);\n", true},
    {"a = 1; /"
     "* the rest",
        true},
    {"a = 1; \" the rest\n", true},
    {"a = \"1\\\";\n", true},
    {"@include \"part.cfg\"\n", true},
    {"a* = 1;\n", true},
};

START_TEST(test_misread_texts_are_found) {
    ck_assert_msg(
        frs_scenario_may_be_misread(texts[_i].text) == texts[_i].may_be_misread, "%s", texts[_i].text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("misreadings");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, test_misread_texts_are_found, 0, sizeof texts / sizeof *texts);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
