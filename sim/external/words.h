/* Words: a line that a program has written, taken apart word by word. It comes from a program that may be
 * wrong or hostile. Words are separated by blanks. */
#ifndef FRS_EXTERNAL_WORDS_H
#define FRS_EXTERNAL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* What is left of a line: [at, end). */
struct frs_words {
    const char *at, *end;
};

/* The next line of a block whose lines end with "\n"; false at its end. */
bool frs_words_line(const char **lines, struct frs_words *line);

/* Takes the next word if it is this one. */
bool frs_words_is(struct frs_words *line, const char *expected);
bool frs_words_are_over(struct frs_words line);

/* The next word, and all that is left; freed by the caller. NULL: there is no word. */
char *frs_words_text(struct frs_words *line);
char *frs_words_rest(struct frs_words *line);

/* A decimal number, which may be infinite or none; an integer from 0 to `most`. */
bool frs_words_number(struct frs_words *line, double *number);
bool frs_words_count(struct frs_words *line, double most, size_t *count);

#endif
