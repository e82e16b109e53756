/* Decimal: writes numbers as text, with the same digits as printf but several times as fast, because a run
 * writes millions of them. */
#ifndef FRS_BASE_DECIMAL_H
#define FRS_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FRS_DECIMAL_CHARS 32u /* room for any of them, with the NUL that ends it */

/* text [FRS_DECIMAL_CHARS]. Writes the value as "%.15g" does, also -0 and values that are not finite.
 * Returns the length. */
size_t frs_decimal_real(char *text, double value);
/* As "%" PRIu64. */
size_t frs_decimal_count(char *text, uint64_t value);

/* Returns the decimal number at the start of `text`, times `factor` (at most 86400), times 10^power,
 * rounded once: "50" with power -3 is the same double as "0.05". *end points behind the number, or to
 * `text` where no number begins there. Unlike strtod, this function accepts neither hexadecimal numbers,
 * nor "inf" and "nan", nor leading space. */
double frs_decimal_read(const char *text, unsigned factor, int power, char **end);

/* Whether `text` is one finite decimal number and nothing else. This is what a user writes and what files
 * hold. *value is set only if the answer is yes. */
bool frs_decimal_is(const char *text, double *value);

/* The two that print, into a file that no other thread writes to. */
void frs_put_real(FILE *out, double value);
void frs_put_count(FILE *out, uint64_t value);
void frs_put_text(FILE *out, const char *text);

#endif
