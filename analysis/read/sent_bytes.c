#include "analysis/read/sent_bytes.h"

#include <math.h>
#include <string.h>

enum { MESSAGES = 2, PEERS = 4, EDGES = 5, COLUMNS = 7 };

/* Files of old versions have no columns of connecting, between clients or of edges. Those between clients
 * count as messages, as a whole: what was for connecting is not apart there. */
static const char *const names[COLUMNS] = {"down_bytes", "up_bytes", "setup_down_bytes", "setup_up_bytes",
    "peer_up_bytes", "edge_down_bytes", "edge_up_bytes"};

bool frs_sent_reads(const char *column) {
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(names[i], column) == 0)
            return true;
    return false;
}

static bool has(const struct frs_records *rounds, const char *name) {
    for (size_t i = 0; i < rounds->n_columns; i++)
        if (strcmp(rounds->names[i], name) == 0)
            return true;
    return false;
}

enum frs_status frs_sent_find(
    const struct frs_records *rounds, struct frs_sent_columns *columns, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    columns->n = 0;
    for (size_t i = 0; i < COLUMNS && status == FRS_OK; i++) {
        if (i >= MESSAGES && !has(rounds, names[i]))
            continue;
        columns->are_messages[columns->n] = i < MESSAGES || i == PEERS;
        columns->are_of_edges[columns->n] = i >= EDGES;
        status = frs_records_column(rounds, names[i], &columns->columns[columns->n++], errors);
    }
    return status;
}

enum frs_status frs_sent_add(const struct frs_records *rounds, size_t row,
    const struct frs_sent_columns *columns, struct frs_sent_bytes *sent, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < columns->n && status == FRS_OK; i++) {
        double bytes = 0;
        status = frs_records_number(rounds, row, columns->columns[i], &bytes, errors);
        if (isnan(bytes) && i >= MESSAGES)
            continue;
        sent->messages += columns->are_messages[i] ? bytes : 0;
        sent->edges += columns->are_of_edges[i] ? bytes : 0;
        sent->all += bytes;
    }
    return status;
}
