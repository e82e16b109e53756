/* A working directory of the test's own with files in it, and the errors of what is tested. */
#ifndef FRS_TESTS_FOLDER_H
#define FRS_TESTS_FOLDER_H

#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char frs_before[4096], frs_folder[] = "/tmp/frs-test-XXXXXX";
static struct frs_errors errors;

/* The folder becomes the working directory, so that messages begin with a plain file name. */
static inline void fixture_setup(void) {
    strcpy(frs_folder, "/tmp/frs-test-XXXXXX");
    ck_assert_ptr_nonnull(getcwd(frs_before, sizeof frs_before));
    ck_assert_ptr_nonnull(mkdtemp(frs_folder));
    ck_assert_int_eq(chdir(frs_folder), 0);
}

static inline void fixture_teardown(void) {
    char *command = frs_format("rm -rf '%s'", frs_folder);
    ck_assert_int_eq(chdir(frs_before), 0);
    ck_assert_int_eq(system(command), 0);
    free(command);
    frs_errors_clear(&errors);
}

static inline void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Exactly this line was added; forgets it. */
static inline void expect_error(const char *line) {
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_str_eq(errors.lines[0], line);
    frs_errors_clear(&errors);
}

static inline void expect_no_error(void) {
    ck_assert_msg(errors.n == 0, "%s", errors.n ? errors.lines[0] : "");
}

#endif
