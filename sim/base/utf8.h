/* UTF-8: the one place that takes text apart into characters (RFC 3629: neither overlong, nor a surrogate,
 * nor beyond U+10FFFF). */
#ifndef FRS_BASE_UTF8_H
#define FRS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_NO_CHARACTER UINT32_MAX

/* The character that begins at `text`, of *n bytes; FRS_NO_CHARACTER for a byte that begins none, with *n
 * = 1. */
uint32_t frs_utf8_character(const char *text, size_t *n);

/* Whether `text` is UTF-8 throughout, as JSON has to be. */
bool frs_utf8_is_sound(const char *text);

#endif
