/* What the fork server of what-ifs is told, and what it answers, in memory that processes share. */
#ifndef FRS_WHAT_IF_TASK_H
#define FRS_WHAT_IF_TASK_H

#include "sim/base/files/digest.h"
#include "sim/what_if/variations.h"

#include <stdbool.h>
#include <stddef.h>

/* A setting as --set takes it. */
struct frs_what_if_change {
    char key[64], text[64];
};

struct frs_what_if_task {
    size_t n_changes[FRS_VARIATIONS]; /* 0: this one is not wanted */
    struct frs_what_if_change changes[FRS_VARIATIONS][FRS_VARIATION_SETTINGS];
    size_t n_rounds;     /* of the run: what is simulated has as many */
    bool ignores_time;   /* rounds.stop_time ended the run, and would end what is simulated elsewhere */
    size_t most_rounds;  /* that are simulated while nothing has to be trained */
    size_t most_trained; /* and where something has; 0: such a what-if is left out */
    bool goes_on;        /* what is trained goes on until a rule of the scenario ends it, as it did the run */
    char journal[64];    /* the file that holds what is known of the training; empty: there is none */
    struct frs_digest training; /* that it is of */
    size_t processes;           /* at a time */
};

enum frs_what_if_end {
    FRS_WHAT_IF_UNANSWERED, /* the process ended by itself, or was interrupted */
    FRS_WHAT_IF_SIMULATED,
    FRS_WHAT_IF_NEEDS_TRAINING, /* more than was allowed */
    FRS_WHAT_IF_REFUSED,        /* the settings do not go together */
};

struct frs_what_if_answer {
    enum frs_what_if_end end;
    bool trained;
    size_t rounds;
    double seconds; /* when the last of these rounds closed */
    char why[256];  /* it was refused */
};

#endif
