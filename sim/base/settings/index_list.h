/* Index list: numbers of things, counted from 0, as a text: "0-19,25". */
#ifndef FRS_BASE_INDEX_LIST_H
#define FRS_BASE_INDEX_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the numbers and ranges of a list, in any order. Each is from 0 to `most`. *list gets them [*n], at
 * least one, ascending and each once; the caller frees it. Returns false, with NULL in *list, when the text
 * is no such list. */
bool frs_index_list_parse(const char *text, size_t most, size_t **list, size_t *n);

/* The shortest such text for list [n], ascending and each once; freed by the caller. */
char *frs_index_list_format(const size_t *list, size_t n);

#endif
