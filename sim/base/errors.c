#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum frs_status frs_errors_add(struct frs_errors *errors, enum frs_status status, const char *format, ...) {
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    FRS_INVARIANT(length >= 0, "cannot format an error message");
    if (errors->n == 0)
        errors->status = status;
    errors->lines = frs_grow(errors->lines, errors->n + 1, &errors->capacity, sizeof *errors->lines);
    errors->lines[errors->n++] = line;
    return status;
}

void frs_errors_print(const struct frs_errors *errors, FILE *out) {
    for (size_t i = 0; i < errors->n; i++)
        frs_print_line(out, "fedrecsim: %s", errors->lines[i]);
}

void frs_errors_clear(struct frs_errors *errors) {
    for (size_t i = 0; i < errors->n; i++)
        free(errors->lines[i]);
    free(errors->lines);
    *errors = (struct frs_errors){0};
}

int frs_exit_code(enum frs_status status) {
    switch (status) {
    case FRS_OK:
        return 0;
    case FRS_ERR_RUN:
        return 1;
    case FRS_ERR_INPUT:
        return 2;
    case FRS_INTERRUPTED:
        return 130;
    }
    return 1;
}

_Noreturn void frs_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("fedrecsim: ", stderr);
    frs_vprint_line(stderr, format, arguments);
    va_end(arguments);
    fflush(NULL);
    _exit(1); /* on the stack of an actor, with others under way, there is no orderly end */
}
