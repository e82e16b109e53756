/* Checkpoint: a journal with a snapshot beside the run directory, from which a killed run is resumed.
 *
 * It is written every so many rounds or after so much real time, and when the run is interrupted; it is
 * removed when the results are in place. A resumed run repeats only the simulation of the network, which
 * needs no training. */
#ifndef FRS_ROUNDS_CHECKPOINT_H
#define FRS_ROUNDS_CHECKPOINT_H

#include "sim/journal/journaled_trainer.h"
#include "sim/setup/setup.h"

struct frs_checkpoint {
    char *path;                  /* "<run directory>.checkpoint"; NULL: none is kept */
    struct frs_journal *journal; /* borrowed */
    uint32_t rounds;             /* 0: not by rounds */
    double interval_s;           /* of real time; INFINITY: not by time */
    double last_wall_s;
    bool failed; /* the user has been told */
};

/* Whether the scenario wants any, and they would serve: times that were measured are never the same again. */
bool frs_checkpoint_is_kept(const struct frs_setup *setup);

/* Name of the checkpoint of a run directory; freed with free(). */
char *frs_checkpoint_path(const char *directory);

/* Removes it; a file of that name that is none stays. */
void frs_checkpoint_forget(const char *path);
/* Removes the remains of runs that were killed while they saved a checkpoint. The caller must hold the
 * place's lock. */
void frs_checkpoint_tidy(const char *directory);

void frs_checkpoint_init(struct frs_checkpoint *checkpoint, const char *directory,
    struct frs_journal *journal, uint32_t rounds, double interval_s);
void frs_checkpoint_fini(struct frs_checkpoint *checkpoint);

/* Called when a round has been closed, the n-th so far: saves if it is time, or if `now`, where one is kept.
 * If a checkpoint cannot be written, one message goes to stderr and the run continues. */
void frs_checkpoint_round(
    struct frs_checkpoint *checkpoint, struct frs_journaled_trainer *trainer, uint32_t n, bool now);

#endif
