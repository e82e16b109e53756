/* Pilot run: the first rounds of a run, played before it in a process of its own, because a process has
 * one SimGrid engine. It leaves nothing behind. Either everything happens as in the run, training
 * included, or no client trains and the usage of its training is estimated
 * (algorithms/training/training_estimate.h). */
#ifndef FRS_FORECAST_PILOT_ROUNDS_H
#define FRS_FORECAST_PILOT_ROUNDS_H

#include "sim/ledger/ledger.h"
#include "sim/forecast/releases.h"
#include "algorithms/training/training_estimate.h"

/* What the rounds asked of the server, and what they cost. */
struct frs_pilot_load {
    double down_bytes, up_bytes; /* connecting included */
    double metered_bytes;        /* over metered links, of both */
    double connected_s;          /* of all clients together */
    double busy_s, work_s;       /* in which the server served or worked, and in which it worked */
    double energy_j;
};

/* After a round that was kept; everything since the beginning. */
struct frs_pilot_round {
    double simulated_s, wall_s;
    double peak_bytes;     /* of resident memory, */
    double journal_bytes;  /* and of these what it kept to be resumed by, */
    double log_bytes;      /* and of the updates kept for clients that missed them, */
    double received_bytes; /* and of tables that clients predict with */
    double n_entered; /* rounds that the following know of: one is entered when the next opens, or later */
    double open_s;    /* simulated time in which one of these was open */
    double participations, outcomes[FRS_N_OUTCOMES], down_bytes, up_bytes;
    struct frs_pilot_load load;
    double setup_bytes, energy_j;          /* of connecting, both ways; modelled */
    double metered_bytes;                  /* of all that crossed */
    double rounds_csv_bytes, events_bytes; /* written of them */
    struct frs_cohorts cohorts;
    struct frs_release_counts releases; /* of data, where noise is to hide them */
};

enum frs_pilot_end {
    FRS_PILOT_CUT,      /* it has played what it was to play, or took too long */
    FRS_PILOT_COMPLETE, /* it played all rounds, or those that a rule of the scenario leaves of them */
    FRS_PILOT_STRANDED, /* no client can be reached any more, or too many attempts had too few arrivals */
    FRS_PILOT_FAILED,   /* it diverged, or broke */
};

/* What clients have spent in a run that was played to its end. */
struct frs_pilot_spending {
    struct frs_client_spread bytes; /* of caps.period, each client's fullest */
    uint32_t held_back;             /* clients that caps kept from being selected in some period */
};

struct frs_pilot {
    struct frs_pilot_round *rounds;
    size_t n;
    enum frs_pilot_end end;
    double end_bytes;  /* the most that was resident, where it was not cut */
    double end_s;      /* simulated, where it was not cut: wasted attempts after the last round included */
    double end_open_s; /* as open_s, of all rounds, where it was not cut */
    double end_traffic_bytes;                      /* of all messages, where it was not cut */
    struct frs_release_counts end_releases;        /* of all rounds, where it was not cut */
    struct frs_cohorts end_cohorts;                /* of all rounds, where it was not cut */
    struct frs_pilot_load end_load;                /* of all rounds, where it was not cut */
    struct frs_load_hours by_hour[FRS_LOAD_HOURS]; /* of the time that was played */
    struct frs_pilot_spending end_spending;        /* of all clients, where it was not cut */
};

/* Whether the run would have ended where it was played to. */
static inline bool frs_pilot_is_over(const struct frs_pilot *played) {
    return played->end == FRS_PILOT_COMPLETE || played->end == FRS_PILOT_STRANDED;
}

struct frs_pilot_request {
    const struct frs_setup *setup;
    const struct frs_training_estimate *estimate; /* NULL: the run is played as it is */
    size_t threads;
    size_t most_rounds; /* that are played */
    double
        ceiling_s; /* of processor time, beyond which something is wrong with what was expected: it is cut */
};

/* Resident memory of this process, now. */
double frs_resident_bytes(void);

/* `rounds` belongs to the caller. */
struct frs_pilot frs_pilot_play(const struct frs_pilot_request *request);

#endif
