/* Exit codes of the program, and what each of them says; the table of help and of docs/scripting.md. */
#ifndef FRS_CLI_EXIT_CODES_H
#define FRS_CLI_EXIT_CODES_H

#include <stdio.h>

enum {
    FRS_EXIT_DONE = 0,
    FRS_EXIT_FAILED = 1,
    FRS_EXIT_INPUT = 2,
    FRS_EXIT_MISSED = 3, /* results are there, and are not as --expect or a bound wants them */
    FRS_EXIT_INTERRUPTED = 130,
};

struct frs_exit_code {
    int code;
    const char *meaning;
};

/* Ended by a NULL meaning. */
extern const struct frs_exit_code frs_exit_codes[];

void frs_exit_codes_print(FILE *out);

/* Flushes stdout. Returns `code`, or the code of a failed run where stdout cannot be written. */
int frs_cli_finish_output(int code);

#endif
