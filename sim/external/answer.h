/* Answer: what a program writes back, as it arrives. It may be anything: what is read is collected up to a
 * fixed size, and handed out once it is a whole line, or a whole block of lines, of text. This knows no
 * process. */
#ifndef FRS_EXTERNAL_ANSWER_H
#define FRS_EXTERNAL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

struct frs_answer {
    char *text; /* [size]: what has arrived and has not been taken */
    size_t size, n;
};

void frs_answer_init(struct frs_answer *answer, size_t size);
void frs_answer_fini(struct frs_answer *answer);

/* Forgets what has arrived. */
void frs_answer_clear(struct frs_answer *answer);

/* Where the next bytes are to be read to, and how many there is room for. NULL after writing that there is
 * none. */
char *frs_answer_room(struct frs_answer *answer, size_t *room, char *why, size_t size);

/* So many bytes have been read to that place. False after writing that they are no text. */
bool frs_answer_add(struct frs_answer *answer, size_t n, char *why, size_t size);

/* Whether there is a line, or where a `block` is expected one whose lines end with "end"; "error ..." ends
 * both. */
bool frs_answer_is_whole(const struct frs_answer *answer, bool block);

/* That line, without its end, or the block, whose lines end with "\n", without its last one, or the line of
 * an error. Valid until the next call. NULL after writing that more has arrived. Goes with
 * frs_answer_is_whole. */
const char *frs_answer_take(struct frs_answer *answer, bool block, char *why, size_t size);

#endif
