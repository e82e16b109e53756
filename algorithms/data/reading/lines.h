/* Lines: a data file line by line, with as much in memory as the longest line needs. */
#ifndef FRS_ALGORITHMS_DATA_READING_LINES_H
#define FRS_ALGORITHMS_DATA_READING_LINES_H

#include "algorithms/data/reading/bytes.h"
#include "algorithms/data/reading/fields.h"

struct frs_lines {
    struct frs_bytes *bytes; /* borrowed */
    char *buffer;
    size_t size, begin, end; /* what waits is [begin, end) */
    size_t start;            /* of the line returned last */
    bool ended;
    size_t line;         /* number of the line returned last, from 1 */
    const char *failure; /* why no more can be read; NULL: the end */
    size_t n_comments;   /* lines in front of the data that were passed over, */
    char comment[64];    /* the last of which says this */
    char said_separator; /* by a first line "sep=;" (Excel); 0: there is none */
};

/* Begins with the first bytes, of which a byte order mark of UTF-8 is skipped, and so are a line "sep=;" and
 * comments in front of the data (frs_cell_is_comment). Of a comment that names both users and items and
 * stands right before the data the mark alone is skipped: it is the header. Line ends that are CR alone are a
 * failure. */
void frs_lines_init(struct frs_lines *lines, struct frs_bytes *bytes);

/* The whole lines that wait in memory, up to 64 KiB of them: what a format is recognised by. */
struct frs_field frs_lines_head(const struct frs_lines *lines);

/* The next line that is not blank, without its end; false at the end and on failure. It is valid until the
 * next call. */
bool frs_lines_next(struct frs_lines *lines, struct frs_field *line);

/* Adds the next line to the one returned last, with the line end between them; false at the end and on
 * failure. `line` is valid until the next call. */
bool frs_lines_extend(struct frs_lines *lines, struct frs_field *line);

void frs_lines_fini(struct frs_lines *lines);

/* The next line of a text that is not blank; takes it away from *text. For heads. */
bool frs_head_line(struct frs_field *text, struct frs_field *line);

#endif
