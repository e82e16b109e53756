/* Rows: what enters the ledger, and what it adds up: per participation, round, client and in all. */
#ifndef FRS_LEDGER_ROWS_H
#define FRS_LEDGER_ROWS_H

#include "actors/edges/edge_message.h"
#include "actors/links/own_links.h"
#include "actors/participation.h"
#include "actors/peers/exchange.h"
#include "actors/phase_times.h"
#include "algorithms/metrics/quality.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message between clients, by their ids, and the weight with which its receiver averaged it; NAN: it did
 * not. */
struct frs_peer_row {
    uint32_t from, to;
    uint32_t layer; /* counted from 1; 0: it is a model */
    struct frs_peer_message message;
    bool used;
    double weight;
};

/* What was spent without being used, for one reason. */
struct frs_waste {
    uint64_t participations, down_bytes, up_bytes;
    uint64_t setup_down_bytes, setup_up_bytes; /* of connecting */
    double flop;
};

void frs_waste_add(struct frs_waste *sum, const struct frs_waste *more);

/* Where a span of time went, along the critical path: the participation that closed the round. */
struct frs_path {
#define FRS_COLUMN_OF_PATH(name) double name;
#define FRS_SUM_OF_PATH FRS_COLUMN_OF_PATH
#include "sim/ledger/columns.def"
};

/* Sums over the participations of a round, or of all. */
struct frs_totals {
#define FRS_COLUMN_OF_ROUND(type, name, value, of_post) type name;
#define FRS_SUM_OF_ROUND(type, name, value, of_post) type name;
#include "sim/ledger/columns.def"
    uint64_t outcomes[FRS_N_OUTCOMES];
    uint64_t post_uploads[FRS_N_POST_OUTCOMES]; /* work after the upload */
    struct frs_waste post_waste[FRS_N_CAUSES];  /* of work broken off; part of wasted_flop */
    /* Downloads after the aggregation that did not arrive; part of wasted_down_bytes. */
    struct frs_waste receive_waste[FRS_N_CAUSES];
    /* By cause and by the outcome, which names the phase that was lost; adds up to wasted_…. */
    struct frs_waste waste[FRS_N_CAUSES][FRS_N_OUTCOMES];
    struct frs_path path;
};

#define FRS_NO_CLIENT UINT32_MAX

/* One closed round, or an attempt at one of which nothing was kept. */
struct frs_round_row {
    uint32_t round;      /* counted from 1 */
    uint32_t attempt;    /* counted from 0 */
    enum frs_cause lost; /* why nothing of it was kept; FRS_CAUSE_NONE: it was */
    double idle_s,
        restart_s; /* since the end of the row before: no client could be reached, the server was down */
    double start_s, end_s;
    uint32_t critical_client; /* FRS_NO_CLIENT: the round was empty */
    struct frs_totals totals;
};

/* Sums over the participations of a client. */
struct frs_client_row {
#define FRS_COLUMN_OF_CLIENT(type, name, value, of_post) type name;
#define FRS_SUM_OF_CLIENT(type, name, value, of_post) type name;
#include "sim/ledger/columns.def"
};

/* It was selected, and no upload of it was used. */
static inline bool frs_client_never_delivered(const struct frs_client_row *row) {
    return row->participations > 0 && row->delivered == 0;
}

/* How many clients took part in a round, over the kept rounds. A client took part if it could be reached
 * and has the memory. */
struct frs_cohorts {
    size_t n_rounds;
    uint64_t sum;
    size_t least, most;
    size_t n_without_upload; /* rounds in which no upload arrived */
};

/* What the ledger is told of a closed round. */
struct frs_closed_round {
    double start_s, end_s;
    double restart_s;   /* before it, since the end of the row before: the server was down */
    double scheduled_s; /* of the time before it, in which the times of rounds let none open */
    double server_s;    /* of it, the server aggregating at the end, */
    double before_s,
        after_s; /* exchanges of a protocol before its messages leave, and after its last upload */
    /* Downloads after the aggregation, part of after_s; what the last one to end spent it on; and that one,
     * NULL: none began. */
    double deliver_s;
    struct frs_phase_times delivery;
    const struct frs_participation *last_delivery;
    double server_flop;             /* of encoding what was sent in it, and of aggregating */
    double encode_from_s, encode_s; /* when encoding began, behind before_s, and how long it took */
    bool overlaps;  /* rounds are spans between aggregations, and participations may be older */
    bool contended; /* transfers shared a finite server link, and nothing else slowed them down */
    uint32_t attempt;
    enum frs_cause lost;
    const struct frs_participation *const *list;  /* ascending client id, then in the order of time */
    size_t n;                                     /* at least 1 */
    const struct frs_edge_message *edge_messages; /* between edges and the server */
    size_t n_edge_messages;
    const struct frs_peer_row *peer_messages; /* between clients */
    size_t n_peer_messages;
    const struct frs_quality *quality; /* NULL: nothing was evaluated */
};

/* What crossed the server's own link, and for how long together its connections lasted: those of its edges,
 * where there are any, otherwise those of its clients, connecting included. */
struct frs_server_traffic {
    double down_bytes, up_bytes, connected_s;
};

struct frs_server_traffic frs_totals_at_server(const struct frs_totals *totals);

/* All that was sent over any link, in bytes: messages of clients, connecting, between clients, and between
 * edges and the server. A message that an edge forwards is sent, and counts, twice; one between clients
 * counts once. */
struct frs_sent {
    uint64_t all;
    uint64_t connecting, edges; /* parts of it; what was for connecting between clients is not apart */
};

struct frs_sent frs_totals_sent(const struct frs_totals *totals);
/* The part that nothing came of. */
struct frs_sent frs_totals_sent_wasted(const struct frs_totals *totals);

#endif
