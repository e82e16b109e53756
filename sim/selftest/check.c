#include "sim/selftest/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void frs_clause(struct frs_check *check, const char *where, const char *clause) {
    check->where = where;
    check->clause = clause;
    for (size_t i = check->n_clauses; i-- > 0;)
        if (check->seen[i] == clause || strcmp(check->seen[i], clause) == 0)
            return;
    FRS_INVARIANT(check->n_clauses < FRS_MAX_CLAUSES, "more than %d clauses", FRS_MAX_CLAUSES);
    check->seen[check->n_clauses++] = clause;
}

/* What the entry has printed goes out; handlers of the parent do not run. */
static _Noreturn void end(struct frs_check *check) {
    check->done = true;
    fflush(NULL);
    _exit(0);
}

void frs_clause_broken(struct frs_check *check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->text, FRS_CHECK_TEXT, format, arguments);
    va_end(arguments);
    check->broken = true;
    end(check);
}

void frs_check_impossible(struct frs_check *check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->text, FRS_CHECK_TEXT, format, arguments);
    va_end(arguments);
    check->unchecked = true;
    end(check);
}

bool frs_are_same(const void *a, const void *b, size_t bytes) {
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}
