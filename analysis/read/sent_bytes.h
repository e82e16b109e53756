/* Sent bytes: what the rounds of a run sent in either direction, messages alone and with connecting. */
#ifndef FRS_ANALYSIS_READ_SENT_BYTES_H
#define FRS_ANALYSIS_READ_SENT_BYTES_H

#include "analysis/read/records.h"

#include <stdbool.h>

/* Columns of rounds.csv: two of messages, and those of connecting and between clients that the file has. */
struct frs_sent_columns {
    size_t n, columns[5];
    bool are_messages[5];
};

struct frs_sent_bytes {
    double messages, all; /* all: with connecting */
};

/* Whether the following functions read this column. */
bool frs_sent_reads(const char *column);

enum frs_status frs_sent_find(const struct frs_records *rounds, struct frs_sent_columns *columns,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Adds what a row has sent. */
enum frs_status frs_sent_add(const struct frs_records *rounds, size_t row,
    const struct frs_sent_columns *columns, struct frs_sent_bytes *sent,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
