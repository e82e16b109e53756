#include "sim/base/invariant.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void frs_panic(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fedrecsim: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}
