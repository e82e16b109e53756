/* Progress lines, on a terminal and elsewhere. */
#include "sim/cli/output/progress.h"
#include "sim/base/terminal.h"
#include "tests/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What `rounds` of `n_rounds` print into something that is no terminal. */
static char *plain(size_t n_rounds, size_t rounds, bool quiet) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    struct frs_progress *progress = frs_progress_create(out, n_rounds, quiet);
    for (size_t round = 1; round <= rounds; round++)
        frs_progress_round(progress, round, 30.0 * (double)round, round > 1 ? "HR@10" : NULL, 0.25);
    frs_progress_destroy(progress);
    fclose(out);
    return text;
}

static size_t lines(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

START_TEST(files_get_every_tenth_round) {
    char *text = plain(100, 100, false);
    ck_assert_uint_eq(lines(text), 11); /* the first, and every tenth of the run */
    ck_assert_ptr_eq(strstr(text, "round 1/100  simulated 30.00 s  "), text);
    ck_assert_ptr_nonnull(strstr(text, "\nround 10/100  simulated 5.00 min  HR@10 0.2500  "));
    ck_assert_ptr_nonnull(strstr(text, "\nround 100/100  simulated 50.00 min  HR@10 0.2500\n"));
    ck_assert_ptr_null(strchr(text, '\r'));
    free(text);
    text = plain(3, 3, false);
    ck_assert_uint_eq(lines(text), 3);
    free(text);
}
END_TEST

START_TEST(test_last_line_of_a_run_that_stops_early) {
    char *text = plain(1000, 57, false);
    ck_assert_uint_eq(lines(text), 2);
    ck_assert_ptr_nonnull(strstr(text, "\nround 57/1000  "));
    free(text);
}
END_TEST

START_TEST(test_quiet_and_no_rounds) {
    char *text = plain(100, 100, true);
    ck_assert_str_eq(text, "");
    free(text);
    text = plain(100, 0, false);
    ck_assert_str_eq(text, "");
    free(text);
    frs_progress_destroy(NULL);
}
END_TEST

/* What three rounds print onto a terminal of so many columns; false where there are no pseudo-terminals. */
static bool on_terminal(const char *kind, unsigned short columns, char *seen, size_t size) {
    int leader = posix_openpt(O_RDWR | O_NOCTTY);
    if (leader < 0) {
        printf("SKIPPED progress on a terminal: this system has no pseudo-terminals\n");
        return false;
    }
    ck_assert_int_eq(grantpt(leader), 0);
    ck_assert_int_eq(unlockpt(leader), 0);
    int follower = open(ptsname(leader), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(follower, 0);
    struct winsize window = {.ws_row = 24, .ws_col = columns};
    ck_assert_int_eq(ioctl(follower, TIOCSWINSZ, &window), 0);
    setenv("TERM", kind, 1);
    unsetenv("COLUMNS");
    FILE *out = fdopen(follower, "w");
    struct frs_progress *progress = frs_progress_create(out, 3, false);
    for (size_t round = 1; round <= 3; round++)
        frs_progress_round(progress, round, 3600.0 * (double)round, "HR@10", 0.5);
    frs_progress_destroy(progress);
    fflush(out);
    size_t n = 0;
    do { /* a terminal hands its text over in pieces */
        ssize_t got = read(leader, seen + n, size - 1 - n);
        ck_assert_int_gt(got, 0);
        n += (size_t)got;
    } while (seen[n - 1] != '\n');
    seen[n] = '\0';
    fclose(out);
    close(leader);
    return true;
}

START_TEST(test_line_in_place) {
    char seen[2048];
    if (!on_terminal("xterm", 100, seen, sizeof seen))
        return;
    ck_assert_ptr_eq(
        strstr(seen, "\r\033[K[########................] round 1/3  simulated 60.00 min  HR@10 0.5000"),
        seen);
    ck_assert_ptr_nonnull(
        strstr(seen, "\r\033[K[########################] round 3/3  simulated 3.00 h  HR@10 0.5000\r\n"));
    ck_assert_ptr_null(strstr(seen, "round 2/3")); /* less than a tenth of a second after the first */
    ck_assert_uint_eq(lines(seen), 1);
    if (!on_terminal("xterm", 20, seen, sizeof seen))
        return;
    ck_assert_ptr_nonnull(strstr(seen, "\r\033[Kround 3/3  simulate\r\n"));
}
END_TEST

START_TEST(dumb_terminals_get_lines) {
    char seen[2048];
    if (!on_terminal("dumb", 100, seen, sizeof seen))
        return;
    ck_assert_ptr_eq(strstr(seen, "round 1/3  simulated 60.00 min  HR@10 0.5000"), seen);
    ck_assert_ptr_null(strchr(seen, '\033'));
}
END_TEST

START_TEST(width_follows_the_terminal) {
    setenv("COLUMNS", "40", 1);
    ck_assert_uint_eq(frs_terminal_columns(stderr), 40);
    setenv("COLUMNS", "-4", 1);
    ck_assert_uint_ge(frs_terminal_columns(stderr), 1);
    unsetenv("COLUMNS");
}
END_TEST

/* Columns stay where they are; a character that is cut off waits for its rest. */
START_TEST(ascii_keeps_columns_in_place) {
    char text[64] = "| 0.57 ± 0.01 | ≥ 3 × – é\xE2\x89";
    size_t n = strlen(text), rest;
    frs_terminal_ascii(text, &n, &rest);
    ck_assert_uint_eq(rest, 2);
    ck_assert_mem_eq(text + n, "\xE2\x89", rest);
    text[n] = '\0';
    ck_assert_str_eq(text, "| 0.57 +-0.01 | >=3 x - ?");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, files_get_every_tenth_round);
    tcase_add_test(tests, test_last_line_of_a_run_that_stops_early);
    tcase_add_test(tests, test_quiet_and_no_rounds);
    tcase_add_test(tests, test_line_in_place);
    tcase_add_test(tests, dumb_terminals_get_lines);
    tcase_add_test(tests, width_follows_the_terminal);
    tcase_add_test(tests, ascii_keeps_columns_in_place);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
