/* What every Check program of the suite shares. */
#ifndef FRS_TESTS_SUPPORT_H
#define FRS_TESTS_SUPPORT_H

#include <check.h>

/* Check records in a file the place of every assertion that holds, in case of a crash. Sanitizers and
 * debuggers report that place anyway, and most suites would spend more time on it than on what they test. */
#define _mark_point(file, line) ((void)0)

/* How many of n random cases a test draws: checked code takes its paths in a fifth of them as well. */
#ifdef __SANITIZE_ADDRESS__
#define FRS_TEST_CASES(n) ((n) / 5)
#else
#define FRS_TEST_CASES(n) (n)
#endif

/* Adds a test of figures: of many draws, or of data of real size, along paths that other tests of its
 * suite take with little data. Instrumented code would take minutes for them and find nothing more, so it
 * leaves them out. */
#ifdef __SANITIZE_ADDRESS__
#define frs_test_add_figures(cases, test) ((void)(test))
#else
#define frs_test_add_figures(cases, test) tcase_add_test(cases, test)
#endif

/* Runs one suite without forking (SimGrid and sanitizers see one process) unless CK_FORK says otherwise;
 * returns the exit code of the program. */
int frs_test_run(Suite *suite);

/* The project's folder; and the folder of a public data set ("ml-100k/u.data" → its path), or NULL when the
 * variable FEDRECSIM_DATA is unset or the file is not there: then prints "SKIPPED <name>: <why>", which the
 * summary of ./check counts, and the test returns. The caller frees the path. */
const char *frs_test_source_dir(void);
char *frs_test_data_file(const char *name, const char *file);

#endif
