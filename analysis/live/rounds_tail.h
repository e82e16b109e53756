/* Rounds tail: how many rows a growing rounds.csv has, without reading it anew. Only whole lines count. */
#ifndef FRS_ANALYSIS_LIVE_ROUNDS_TAIL_H
#define FRS_ANALYSIS_LIVE_ROUNDS_TAIL_H

#include <stddef.h>
#include <sys/types.h>

/* Zeroed: nothing was read yet. */
struct frs_rounds_tail {
    ino_t file;
    off_t offset;    /* behind the last whole line */
    size_t n_rows;   /* of rounds, attempts that were lost included */
    size_t n_rounds; /* that were kept */
    size_t n_lines;
};

/* Reads what has been added to the file since the last call. A missing file changes nothing; a file that
 * has replaced it is read from its beginning. */
void frs_rounds_tail_read(struct frs_rounds_tail *tail, const char *path);

#endif
