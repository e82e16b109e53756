/* Frames: parses the answers of a program (docs/external.md). The program may be wrong or hostile: every
 * word is checked before it is used as a number, and every number before it is used as a count. These
 * functions know nothing of processes and shared memory. */
#ifndef FRS_EXTERNAL_FRAMES_H
#define FRS_EXTERNAL_FRAMES_H

#include "algorithms/external.h"
#include "sim/base/limits.h"

#define FRS_EXTERNAL_VERSION 2
#define FRS_EXTERNAL_GREETING "fedrecsim 2\n"
#define FRS_EXTERNAL_MOST_KEYS FRS_LIMIT_OWN_KEYS
#define FRS_EXTERNAL_MOST_ROWS FRS_LIMIT_OWN_ROWS
#define FRS_EXTERNAL_MOST_DIM FRS_LIMIT_OWN_ROW_VALUES

/* Lines end with "\n"; those of a block end with the line "end", which is left out. Below, false means that
 * `why` says what is wrong. */

/* The answer to "fedrecsim 2". On success the keys and their texts are freed by frs_frames_keys_free. */
bool frs_frames_hello(const char *lines, struct frs_external_traits *traits, char *why, size_t size);
void frs_frames_keys_free(struct frs_external_traits *traits);

/* The answer to "begin": tables with shapes alone; `given` says of which the program writes first values. */
bool frs_frames_tables(const char *lines, const struct frs_external_traits *traits,
    struct frs_external_tables *tables, bool *given, char *why, size_t size);

/* The answer to "train". */
struct frs_frame_trained {
    double loss, processed, flop, post_flop, post_processed;
    uint32_t epochs;
    size_t n[FRS_MAX_TABLES]; /* rows of each table that changed, */
    bool all[FRS_MAX_TABLES]; /* or all of them, as of a private table of one row */
};

/* Checks that counts are within the tables, numbers finite and not negative, operations as the traits say,
 * and epochs at most `limit` where that is not 0. */
bool frs_frames_trained(const char *line, const struct frs_external_tables *tables,
    const struct frs_external_traits *traits, uint32_t limit, struct frs_frame_trained *trained, char *why,
    size_t size);

/* "error TEXT", the answer of a program that cannot go on: its text, or NULL. */
const char *frs_frames_error(const char *line);

#endif
