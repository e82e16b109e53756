/* Base64: bytes as text (RFC 4648, with padding). */
#ifndef FRS_BASE_BASE64_H
#define FRS_BASE_BASE64_H

#include <stddef.h>

/* The text of [n] bytes, freed by the caller. */
char *frs_base64_write(const void *bytes, size_t n);

/* The *n bytes of a text, freed by the caller; NULL where the text is none that frs_base64_write makes. */
void *frs_base64_read(const char *text, size_t *n);

#endif
