/* The row-wise files of a run directory. Numbers have 15 significant digits; units are in the column names; a
 * value that does not exist is an empty field (CSV) or absent (NDJSON). */
#ifndef FRS_LEDGER_FILES_H
#define FRS_LEDGER_FILES_H

#include "sim/ledger/rows.h"

#include <stdio.h>

/* rounds.csv: one row per closed round. */
void frs_rounds_csv_header(FILE *out, const struct frs_list_rules *ranking);
void frs_rounds_csv_row(FILE *out, const struct frs_round_row *row, const struct frs_quality *quality,
    const struct frs_list_rules *ranking);

/* events.ndjson: one line per phase that a participation reached (encode, contact, down, queue, compute,
 * up). The last line has the outcome, the cause, a staleness that is not 0, and the loss that the upload
 * reported. The first line has what the server's decision was based on, where there is any: budget and
 * predicted duration, worth and group of the selection. A transfer phase includes its latency; its line
 * has the latency and the capacity of the client's own link at that time, where they are known
 * (docs/simulation.md). `queue` is present only if it lasted. A participation that was delivered to a lost
 * round has the cause of that loss. Work after the upload follows as a phase `post` with an outcome and a
 * cause of its own. */
void frs_events_write(FILE *out, const struct frs_round_row *row, const struct frs_participation *p,
    const struct frs_own_links *links);

/* What clients.csv says of a client beside its ledger. */
struct frs_client_facts {
    double down_bytes_per_s, up_bytes_per_s, latency_s;
    double flop_per_s;  /* 0: computing takes no counted time */
    size_t train_items; /* training interactions */
    const char *network_class, *device_class;
    double rank;               /* of the held-out item at the last evaluation; NaN: none */
    double budget;             /* mean over its participations; NaN: none */
    double group;              /* of the selection, at the last one; NaN: it knows none */
    double edge;               /* it belongs to; NaN: there are none */
    struct frs_scores quality; /* of its test items at the last evaluation; frs_no_scores(): none */
};

/* clients.csv: one row per client, whether it ever took part or not. */
void frs_clients_csv_header(FILE *out, const struct frs_list_rules *ranking);
void frs_clients_csv_row(FILE *out, uint32_t client, const struct frs_client_row *row,
    const struct frs_client_facts *facts, const struct frs_list_rules *ranking);

#endif
