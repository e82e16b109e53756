/* What-ifs: how long the rounds of a finished run would have taken under another setting, measured.
 *
 * Each what-if changes one setting of the scenario, and the rounds of the run are simulated again, as a
 * run of the changed scenario would be. As long as the same clients are selected and arrive, the run's
 * journal (sim/journal) answers for all training. Where other clients would be selected or arrive, they
 * are trained if that is cheap. Counts decide what is cheap (algorithms/training/effort.h), so that the
 * answer is the same on every machine. */
#ifndef FRS_WHAT_IF_WHAT_IF_H
#define FRS_WHAT_IF_WHAT_IF_H

#include "sim/ledger/ledger.h"
#include "sim/rounds/simulation.h"
#include "sim/what_if/fork_server.h"
#include "sim/what_if/variations.h"

/* One of them. */
struct frs_what_if {
    struct frs_variation variation;
    char *left_out;                  /* why it was not simulated; NULL: it was */
    bool trained;                    /* other clients were selected or arrived, and were trained */
    size_t rounds, rounds_without;   /* the first of the changed run, and of the run, that are compared, */
    double seconds, seconds_without; /* and when the last of them closed */
};

struct frs_what_ifs {
    size_t n_rounds; /* of the run */
    char *why_none;  /* none could be simulated; NULL: some could */
    size_t n;        /* 0: none was wanted, or none could be simulated */
    struct frs_what_if list[FRS_VARIATIONS];
};

/* When each round of the run closed, and how many records its journal had then. */
struct frs_what_if_course {
    double *ends_s;
    size_t *n_records;
    size_t n, ends_capacity, records_capacity;
    const struct frs_journal *journal; /* NULL: there is none */
    const struct frs_watcher *watcher; /* told of the same; NULL: none */
};

/* A watcher that fills the course. */
struct frs_watcher frs_what_if_watcher(struct frs_what_if_course *course);
void frs_what_if_course_fini(struct frs_what_if_course *course);

/* Participations of a run up to which a journal is kept for the sake of its what-ifs alone. */
#define FRS_WHAT_IF_MOST_RECORDS 200000.0

struct frs_what_if_request {
    const struct frs_setup *setup;
    const struct frs_ledger *ledger;
    const struct frs_simulation_result *result;
    const struct frs_what_if_course *course;
    struct frs_what_if_fork_server *fork_server; /* NULL: there is no process to simulate them */
    bool all;                                    /* all rounds, however long they take */
    size_t threads;
    const volatile sig_atomic_t *interrupted;
};

/* Simulates them. */
void frs_what_ifs_play(const struct frs_what_if_request *request, struct frs_what_ifs *what_ifs);
void frs_what_ifs_fini(struct frs_what_ifs *what_ifs);

/* By which share of the time it had before a what-if changes it; NAN where it was not simulated. */
double frs_what_if_change(const struct frs_what_if *what_if);

#endif
