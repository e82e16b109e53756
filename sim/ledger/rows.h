/* Rows: what enters the ledger, and what it adds up: per participation, round, client and in all. */
#ifndef FRS_LEDGER_ROWS_H
#define FRS_LEDGER_ROWS_H

#include "actors/own_links.h"
#include "actors/participation.h"
#include "sim/ledger/quality.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A participation with what only the method knows of it. */
struct frs_entry {
    const struct frs_participation *participation;
    uint64_t nominal_down_bytes, nominal_up_bytes; /* of the whole messages */
    double flop;                                   /* of the whole compute phase */
    double post_flop;                              /* of all work after the upload */
    double energy_j;                               /* modelled */
    uint32_t staleness;                            /* versions since its download, when it was aggregated */
    uint32_t budget;                               /* of its upload; 0: the method knows none */
};

/* What was spent without being used, for one reason. */
struct frs_waste {
    uint64_t participations, down_bytes, up_bytes;
    double flop;
};

void frs_waste_add(struct frs_waste *sum, const struct frs_waste *more);

/* Where a span of time went, along the critical path: the participation that closed the round. */
struct frs_path {
    double down_s, compute_s, up_s, latency_s, server_s, wait_s;
    double server_link_s; /* of down_s and up_s, what the server's link took longer than the client's own */
};

struct frs_totals {
    uint64_t participations, outcomes[FRS_N_OUTCOMES];
    uint64_t used, staleness;                    /* uploads that were aggregated; sum of theirs */
    uint64_t down_bytes, up_bytes;               /* charged */
    uint64_t used_down_bytes, used_up_bytes;     /* of which used, */
    uint64_t wasted_down_bytes, wasted_up_bytes; /* or never used */
    uint64_t nominal_down_bytes, nominal_up_bytes;
    double flop, used_flop, wasted_flop; /* of clients */
    double server_flop;                  /* encoding and aggregating */
    uint64_t posts[FRS_N_POST_OUTCOMES]; /* work after the upload; what ended is used, whatever the upload's
                                            fate, because it is the client's own */
    struct frs_waste post_waste[FRS_N_CAUSES]; /* of work broken off; part of wasted_flop */
    /* By cause and by the outcome, which names the phase that was lost; adds up to wasted_…. */
    struct frs_waste waste[FRS_N_CAUSES][FRS_N_OUTCOMES];
    double energy_j;
    struct frs_path path;
};

/* One closed round, or an attempt at one of which nothing was kept. */
struct frs_round_row {
    uint32_t round;      /* counted from 1 */
    uint32_t attempt;    /* counted from 0 */
    enum frs_cause lost; /* why nothing of it was kept; FRS_CAUSE_NONE: it was */
    double idle_s,
        restart_s; /* since the end of the row before: nobody could be reached, the server was down */
    double start_s, end_s;
    uint32_t critical_client;
    struct frs_totals totals;
};

struct frs_client_row {
    uint32_t participations, delivered, lost, unavailable; /* delivered: and used; the three add up */
    uint32_t uploads;                                      /* of which anything crossed */
    uint64_t down_bytes, up_bytes;
    double down_s, queue_s, compute_s, up_s, post_s, latency_s, flop, energy_j;
};

/* What the ledger is told of a closed round. */
struct frs_closed_round {
    double start_s, end_s;
    double restart_s;   /* before it, since the end of the row before: the server was down */
    double server_s;    /* of it, the server aggregating at the end */
    double server_flop; /* of encoding what was sent in it, and of aggregating */
    bool overlaps;      /* rounds are spans between aggregations, and participations may be older */
    bool contended;     /* transfers shared a finite server link, and nothing else slowed them down */
    uint32_t attempt;
    enum frs_cause lost;
    const struct frs_entry *entries;   /* ascending client id, then in the order of dates */
    size_t n;                          /* at least 1 */
    const struct frs_quality *quality; /* NULL: nothing was evaluated */
};

#endif
