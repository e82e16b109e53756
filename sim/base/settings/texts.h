/* Lists of texts (FRS_TEXTS) in one text: elements with semicolons between them. */
#ifndef FRS_BASE_TEXTS_H
#define FRS_BASE_TEXTS_H

#include <stddef.h>

/* The elements of an FRS_TEXTS text, without space around them; empty ones are left out. "\;" is a semicolon
 * within an element. *elements is ended by NULL and freed with frs_texts_free. Returns their number. */
size_t frs_texts_split(const char *text, char ***elements);
void frs_texts_free(char **elements);

/* "a;b" with its semicolons as "\;", as frs_texts_split reads it; freed by the caller. */
char *frs_text_escape(const char *text);

#endif
