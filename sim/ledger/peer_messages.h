/* Peer messages of a round without a server: what crossed between its clients, message by message, and with
 * which weight each was averaged. */
#ifndef FRS_LEDGER_PEER_MESSAGES_H
#define FRS_LEDGER_PEER_MESSAGES_H

#include "sim/ledger/rows.h"

#include <stdio.h>

/* Checks that the messages of a closed round add up to what its clients were charged. */
void frs_peer_messages_check(const struct frs_closed_round *closed, const struct frs_totals *totals);

/* peers.csv: its first line, and a line for each message of the round. */
void frs_peers_csv_header(FILE *out);
void frs_peers_csv_rows(FILE *out, const struct frs_round_row *row, const struct frs_closed_round *closed);

#endif
