/* Participation: one client's part in one round, as the network and the ledger see it (simulation.md, section
 * 1).
 *
 *   selected → [down: latency, then bytes] → [compute] → [up: latency, then bytes] → delivered
 *
 * Dates are simulated seconds since the start of the run. */
#ifndef FRS_ACTORS_PARTICIPATION_H
#define FRS_ACTORS_PARTICIPATION_H

#include <stddef.h>
#include <stdint.h>

struct frs_round;

enum frs_outcome {
    FRS_PENDING, /* still under way; never in a closed round */
    FRS_DELIVERED,
    FRS_N_OUTCOMES,
};

extern const char *const frs_outcome_names[FRS_N_OUTCOMES];

struct frs_participation {
    uint32_t client;
    /* Known when the round opens. */
    double down_bytes_per_s, up_bytes_per_s, latency_s;
    uint64_t down_bytes;
    /* Known when the compute phase starts (filled by the `compute` operation of the server). */
    double compute_s;
    uint64_t up_bytes;
    /* Dates; those of phases that were not reached stay NaN. */
    double selected_s;
    double down_start_s; /* latency paid, first byte */
    double down_end_s;   /* the compute phase starts here */
    double compute_end_s;
    double up_start_s;
    double up_end_s;
    enum frs_outcome outcome;
    /* Bytes that crossed. */
    uint64_t down_crossed_bytes, up_crossed_bytes;
    struct frs_round *round; /* the open round; set by the server */
    size_t slot;             /* borrowed for this round; set by the server */
};

#endif
