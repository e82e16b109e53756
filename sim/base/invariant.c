#include "sim/base/invariant.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without the folder in which the program was built. */
static const char *within_sources(const char *file) {
    static const char own[] = "sim/base/invariant.c";
    size_t root = strlen(__FILE__) - strlen(own);
    return strncmp(file, __FILE__, root) == 0 ? file + root : file;
}

_Noreturn void frs_panic(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fedrecsim: internal error at %s:%d: ", within_sources(file), line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

_Noreturn void frs_entry_failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("fedrecsim: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs(": the run ends here and leaves no results\n", stderr);
    va_end(arguments);
    fflush(stderr);
    _exit(EXIT_FAILURE);
}
