/* Text: what messages about other people's spelling need. */
#ifndef FRS_BASE_TEXT_H
#define FRS_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRS_TEXT_COUNT_CHARS = 32 };

/* How many letters have to be inserted, removed, replaced or swapped with their neighbour to turn `first`
 * into `second`; upper and lower case count as equal. Texts longer than 63 bytes give SIZE_MAX. */
size_t frs_text_distance(const char *first, const char *second);

/* Whether a name written at this distance from a name of ours was probably meant to be that name. */
bool frs_text_is_near(const char *written, size_t distance);

/* The entry of `names` (ended by NULL) nearest to `written`, or NULL when none is near enough. */
const char *frs_text_nearest(const char *written, const char *const *names);

/* Writes `text` into `out` (at most `size` bytes, at least 8) as frs_quoted_line does, fit for one line of
 * a message. A text that is too long ends in "...". Returns `out`. */
char *frs_text_line(const char *text, char *out, size_t size);

/* A copy of the last line that says something, without blanks around it, freed with free(); "": none does. */
char *frs_text_last_line(const char *text);

/* The shortest decimal notation that reads back as exactly `value`. `text` gets at most `size` bytes (32 are
 * enough). Returns `text`. */
char *frs_text_number(double value, char *text, size_t size);

/* A count as readers see it best: 1234567 as "1,234,567". `text` gets at most 27 bytes. Returns `text`. */
char *frs_text_count(uint64_t n, char text[FRS_TEXT_COUNT_CHARS]);

#endif
