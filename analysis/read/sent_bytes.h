/* Sent bytes: what the rounds of a run sent in either direction over all links, messages alone, and with
 * connecting and what edges and the server exchanged. A message that edges forward is sent, and counts,
 * twice. */
#ifndef FRS_ANALYSIS_READ_SENT_BYTES_H
#define FRS_ANALYSIS_READ_SENT_BYTES_H

#include "analysis/read/records.h"

#include <stdbool.h>

/* Columns of rounds.csv: two of messages, and those of connecting, between clients and behind edges that the
 * file has. */
struct frs_sent_columns {
    size_t n, columns[7];
    bool are_messages[7], are_of_edges[7];
};

struct frs_sent_bytes {
    double messages, all; /* all: with connecting and between edges and the server */
    double edges;         /* part of all: between edges and the server */
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
