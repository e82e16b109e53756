/* Simulation: simulates the rounds of a setup. It answers the questions of the server's actor: who takes
 * part, what a client computes, and what happens when a round closes. */
#ifndef FRS_ROUNDS_SIMULATION_H
#define FRS_ROUNDS_SIMULATION_H

#include "sim/base/threads/pool.h"
#include "sim/ledger/ledger.h"
#include "sim/rounds/checkpoint.h"
#include "sim/setup/setup.h"
#include "sim/rounds/coordinator.h"
#include "algorithms/training/evaluation.h"
#include "sim/rounds/watcher.h"

#include <signal.h>

struct frs_simulation_settings {
    const struct frs_setup *setup;
    struct frs_pool *pool;
    struct frs_coordinator *coordinator;
    struct frs_ledger *ledger;
    struct frs_evaluation *evaluation;        /* NULL when only timing is simulated */
    struct frs_journal *journal;              /* of trainings, or NULL */
    struct frs_checkpoint *checkpoint;        /* told of every closed round, or NULL */
    const struct frs_watcher *watcher;        /* NULL: none */
    const volatile sig_atomic_t *interrupted; /* set: no further round is opened */
    struct frs_emulation *emulation;          /* what the engine backend `sockets` runs on; otherwise NULL */
    /* It has failed, and says why. Does not return. */
    void (*emulation_failed)(void *context, const char *why);
    void *failed_context;
};

enum frs_ending {
    FRS_ENDED_WHOLE,       /* all rounds were closed, or those that a rule of the scenario leaves of them */
    FRS_ENDED_INTERRUPTED, /* by a signal, between two rounds or while baselines were fitted */
    FRS_ENDED_STRANDED,    /* no client can be reached ever again, or too few of too many attempts arrived */
    FRS_ENDED_DIVERGED,
};

/* The rules rounds.stop_… by which a run ends early; several can hold at once. */
struct frs_stops {
    bool converged, out_of_time, reached_target;
};

struct frs_simulation_result {
    uint64_t short_rounds; /* attempts with fewer clients than wanted while caps held clients back, */
    uint64_t missing_participations; /* and by how many fewer */
    enum frs_ending ending;
    char why[256]; /* it is stranded; empty: it is not */
    struct frs_stops stops;
    struct frs_quality initial, last,
        best;            /* best: test figures of the round with the best validation score */
    uint32_t best_round; /* 0: no validation, or no round evaluated */
    uint64_t updates;    /* client updates committed */
    double training_s;   /* wall time during which updates were being trained and awaited (it overlaps the
                            simulation) */
    struct frs_trainer_times times;
    double serial_s; /* processor time of the thread that simulates, but for tasks that any thread can take */
    double ledger_s; /* processor time of the ledger, and of what it writes */
    bool recalled;   /* nothing had to be trained */
    /* Phases of rounds in which messages crossed, counting one direction (Liu et al. 2024, definition
     * 3.8); and those only for the last evaluation. */
    uint64_t communications, extra_communications;
    uint64_t alone_steps; /* of clients that went on without the server, */
    double alone_flop;    /* and their operations, which belong to no participation */
};

/* Runs to the end, to an interrupt or to a divergence. Fails with FRS_ERR_RUN when the run diverged or was
 * stranded. */
enum frs_status frs_simulate(const struct frs_simulation_settings *settings,
    struct frs_simulation_result *result, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
