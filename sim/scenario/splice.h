/* Splice: a scenario and the files that it includes as one text for libconfig, and where each of its lines
 * comes from. libconfig would open included files itself, but refuses a section that stands in two of
 * them. In this text the second section of a name gets another name; a star distinguishes it from names of
 * users. */
#ifndef FRS_SCENARIO_SPLICE_H
#define FRS_SCENARIO_SPLICE_H

#include <stddef.h>

/* Lines of one file that follow each other. */
struct frs_piece {
    char *file;
    size_t file_line, line; /* its first line, in the file and in the text */
};

struct frs_splice {
    char *bytes;
    size_t n, capacity, line; /* `line`: of the end */
    struct frs_piece *pieces;
    size_t n_pieces, pieces_capacity;
    size_t *again; /* [n_again] ends of names that stand for a section that was there before, ascending */
    size_t n_again, again_capacity;
};

#define FRS_SPLICE_STAR '*'

/* Appends a piece of a file, on lines of its own: it ends with a line break, its own or one more. */
void frs_splice_add(struct frs_splice *splice, const char *file, size_t line, const char *bytes, size_t n);

/* The name that ends at this byte of the text gets a star and a number behind it. */
void frs_splice_again(struct frs_splice *splice, size_t end);

/* The text with these stars; freed by the caller. */
char *frs_splice_text(const struct frs_splice *splice);

/* "part.cfg:3"; freed by the caller. */
char *frs_splice_place(const struct frs_splice *splice, size_t line);

void frs_splice_fini(struct frs_splice *splice);

#endif
