/* Inside a run: what its files share. */
#ifndef FRS_RUN_RUN_INTERNAL_H
#define FRS_RUN_RUN_INTERNAL_H

#include "sim/results/report/writers.h"
#include "sim/rounds/checkpoint.h"
#include "sim/run/run.h"
#include "sim/what_if/what_if.h"

#include <signal.h>
#include <stdio.h>

struct frs_run {
    struct frs_setup *setup;
    struct frs_run_directory directory;
    struct frs_pool *pool;
    struct frs_coordinator *coordinator;
    struct frs_ledger *ledger;
    struct frs_evaluation *evaluation;
    struct frs_non_federated *baselines;           /* of these two there are none without training */
    FILE *rounds, *events, *edges, *peers, *hours; /* edges, peers: where there are any */
    struct frs_journal *journal; /* NULL: there is no training, it cannot be repeated, or it is not wanted */
    struct frs_checkpoint checkpoint;
    const volatile sig_atomic_t *interrupted;
    struct frs_emulation *emulation;                     /* NULL: rounds are simulated */
    const char *cache;                                   /* folder of what runs share, or NULL */
    struct frs_what_if_fork_server *what_if_fork_server; /* NULL: no what-ifs are simulated */
    struct frs_what_if_course course;
    bool page, what_ifs; /* report.html is wanted, and what_if.json */
    bool replaces;       /* what an interrupted run has left at the place makes room */
    bool in_place;       /* the results are, */
    bool unwritten;      /* or they could not be written, */
    bool all_rounds;     /* which are those of all rounds */
};

/* ---- run_journal.c --------------------------------------------------------------------------- */

/* Fills the journal, where the run needs one, from the shared folder and, for resuming, from the
 * checkpoint. A checkpoint that is to be forgotten stays until this run has something to put in its place. */
enum frs_status frs_run_journal_open(
    struct frs_run *run, const struct frs_run_options *options, struct frs_errors *errors);

/* Removes the checkpoint once the results are in place, and keeps the journal's trainings for other runs.
 * Returns `ended`, or the reason why they could not be kept. */
enum frs_status frs_run_journal_close(struct frs_run *run, const struct frs_run_options *options,
    enum frs_status ended, struct frs_errors *errors);

#endif
