/* UTF-8: the one place that splits text into characters (RFC 3629: no overlong forms, no surrogates,
 * nothing beyond U+10FFFF). */
#ifndef FRS_BASE_UTF8_H
#define FRS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_NO_CHARACTER UINT32_MAX

/* Returns the character that begins at `text` and sets *n to its bytes. Returns FRS_NO_CHARACTER with *n =
 * 1 for a byte that begins none. */
uint32_t frs_utf8_character(const char *text, size_t *n);

/* Whether `text` is UTF-8 throughout, as JSON has to be. */
bool frs_utf8_is_sound(const char *text);

#endif
