/* Learning: the trainer, and a journal of what it found.
 *
 * A training is a function of its history: which clients were asked in which round, whose state was
 * committed, whose upload arrived. While the journal knows the history so far, answers come from it and
 * nothing is trained; at the first question it does not know, the trainer is brought to that point (from the
 * journal's snapshot if that lies on the way, else from the beginning) and goes on for good. So a run that
 * was killed resumes from its checkpoint, and runs that differ only in what the network did to the clock
 * share one training. The clock itself is never stored: it is simulated again.
 *
 * Calls are those of algorithms/training/trainer.h. */
#ifndef FRS_JOURNAL_JOURNALED_TRAINER_H
#define FRS_JOURNAL_JOURNALED_TRAINER_H

#include "sim/journal/journal.h"
#include "algorithms/training/trainer.h"

struct frs_learning;

/* `journal` may be NULL: nothing is recalled, nothing recorded. Takes no ownership. */
struct frs_learning *frs_learning_create(const struct frs_training_setup *setup, struct frs_pool *pool,
    struct frs_evaluation *evaluation, struct frs_journal *journal);
void frs_learning_destroy(struct frs_learning *learning);

size_t frs_learning_open(struct frs_learning *learning, const struct frs_cohort *cohort, double *encode_flop);
void frs_learning_train(struct frs_learning *learning, size_t ticket);
void frs_learning_received(struct frs_learning *learning, size_t ticket);
void frs_learning_result(struct frs_learning *learning, size_t ticket, struct frs_charge *charge);
/* Without a journal only, which knows no bytes. */
const uint8_t *frs_learning_message(struct frs_learning *learning, size_t ticket, bool up, size_t *n);
void frs_learning_truncate(
    struct frs_learning *learning, const size_t *tickets, const uint32_t *epochs, size_t n);
void frs_learning_commit(struct frs_learning *learning, size_t ticket);
/* At any time; takes effect when the open round is closed. */
void frs_learning_drop(struct frs_learning *learning, size_t ticket);
void frs_learning_alone(
    struct frs_learning *learning, const struct frs_loners *loners, struct frs_charge *charge);
double frs_learning_close(struct frs_learning *learning, const struct frs_arrivals *arrivals);

/* `final`: the last of the run; after it frs_evaluation_client and _rank tell of clients. */
struct frs_quality frs_learning_evaluate(struct frs_learning *learning, bool final);

/* Writes the journal, with the present state, between rounds, as its snapshot. Not while answers are
 * recalled. */
enum frs_status frs_learning_save(
    struct frs_learning *learning, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* The groups of a method that forms some, [n_clients], between rounds; returns how many there are. */
uint32_t frs_learning_groups(struct frs_learning *learning, uint32_t *groups);

/* Of memory: published updates that somebody may still need; those of a run that trains. */
size_t frs_learning_log_bytes(const struct frs_learning *learning);

/* Whether anything had to be trained. */
bool frs_learning_trained(const struct frs_learning *learning);
double frs_learning_training_s(const struct frs_learning *learning);
struct frs_trainer_times frs_learning_times(const struct frs_learning *learning);
/* Client updates committed, recalled ones included. */
uint64_t frs_learning_updates(const struct frs_learning *learning);

#endif
