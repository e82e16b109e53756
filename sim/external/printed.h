/* Printed: the end of what a program prints on its standard streams, for the message of a fault. */
#ifndef FRS_EXTERNAL_PRINTED_H
#define FRS_EXTERNAL_PRINTED_H

#include <stddef.h>

#define FRS_PRINTED_BYTES 4096u

struct frs_printed {
    char last[FRS_PRINTED_BYTES];
    size_t n;
};

/* Keeps the end of what was kept and of these bytes, which may be any. */
void frs_printed_add(struct frs_printed *printed, const char *bytes, size_t n);

/* Adds "; it printed last: ..." to a message: the last lines, in one line of printable text. Nothing if
 * nothing was printed. */
void frs_printed_quote(const struct frs_printed *printed, char *why, size_t size);

#endif
