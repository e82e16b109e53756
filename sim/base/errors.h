/* Errors: the list in which a caller collects what was wrong. A header that only passes the list on needs
 * no more than status.h.
 *
 * Every function that can fail on its input takes a `struct frs_errors *`, adds one line per problem and
 * returns a status. Collecting instead of stopping lets `check` name all mistakes of a scenario at once.
 * Lines are complete sentences without a trailing newline and start with file:line when they have one. */
#ifndef FRS_BASE_ERRORS_H
#define FRS_BASE_ERRORS_H

#include "sim/base/invariant.h"
#include "sim/base/status.h"

#include <stddef.h>
#include <stdio.h>

struct frs_errors {
    char **lines;
    size_t n, capacity;
    enum frs_status status; /* the first status added */
};

/* Adds one formatted line; returns `status`, so that callers can `return frs_errors_add(...)`. */
enum frs_status frs_errors_add(struct frs_errors *errors, enum frs_status status, const char *format, ...)
    FRS_PRINTF(3, 4);

/* Prints every line to `out`, each behind "fedrecsim: ". */
void frs_errors_print(const struct frs_errors *errors, FILE *out);

/* Frees the lines; the list is empty and usable again. */
void frs_errors_clear(struct frs_errors *errors);

int frs_exit_code(enum frs_status status);

/* Prints one line on stderr and exits with 1. It is for functions that cannot report an error, where input
 * proves useless long after it was read. */
_Noreturn void frs_fail(const char *format, ...) FRS_PRINTF(1, 2);

#endif
