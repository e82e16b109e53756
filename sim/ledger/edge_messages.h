/* Edge messages of a round: what crossed between edges and the server, charged once for all the clients
 * that a message is from or for. It was used if the participation of one of them was. */
#ifndef FRS_LEDGER_EDGE_MESSAGES_H
#define FRS_LEDGER_EDGE_MESSAGES_H

#include "sim/ledger/rows.h"

#include <stdio.h>

/* Marks as used the messages of a participation that was. */
void frs_edge_messages_use(
    const struct frs_closed_round *closed, const struct frs_participation *p, bool *used);

/* Checks the messages of a closed round and adds them to its totals; used [closed->n_edge_messages]. */
void frs_edge_messages_enter(
    const struct frs_closed_round *closed, const bool *used, struct frs_totals *totals);

/* edges.csv: its first line, and a line for each message of the round. */
void frs_edges_csv_header(FILE *out);
void frs_edges_csv_rows(
    FILE *out, const struct frs_round_row *row, const struct frs_closed_round *closed, const bool *used);

#endif
