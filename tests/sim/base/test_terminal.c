/* Times that are left, with no more digits than an estimate has. */
#include "sim/base/terminal.h"
#include "tests/support.h"

START_TEST(times_left_have_no_false_digits) {
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0.0164, "1 s"}, {0.70945, "1 s"}, {3.61, "4 s"}, {10, "10 s"}, {33.4, "35 s"}, {97, "95 s"},
        {98, "2 min"}, {200, "3 min"}, {5900, "98 min"}, {6000, "2 h"}, {100000, "28 h"}, {259200, "3 d"}};
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(frs_terminal_time_left(rows[i].seconds, text, sizeof text), rows[i].text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("terminal");
    TCase *tests = tcase_create("terminal");
    tcase_add_test(tests, times_left_have_no_false_digits);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
