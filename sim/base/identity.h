/* Identity: what the key of a training was made of, as lines "NAME, tab, VALUE", so that a refusal can name
 * what differs. It is in the file of a journal, and decides nothing. */
#ifndef FRS_BASE_IDENTITY_H
#define FRS_BASE_IDENTITY_H

#include <stdbool.h>

struct frs_buffer;
struct frs_reader;

/* Appends a line; control characters of both texts are replaced. */
void frs_identity_add(struct frs_buffer *identity, const char *name, const char *value);

/* Takes an identity that its length (u64) precedes. False: it is cut short, and *identity is "". Freed by the
 * caller. */
bool frs_identity_take(struct frs_reader *in, char **identity);

/* "method.dim was 16 and is 8, and 2 more differ": the first line of `is` that `was` has not, or has with
 * another value, otherwise the first that only `was` has; NULL: they are the same. Freed by the caller. */
char *frs_identity_difference(const char *was, const char *is);

#endif
