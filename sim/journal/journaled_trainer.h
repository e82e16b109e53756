/* Journaled trainer: the trainer, and a journal of its results.
 *
 * A training is a function of its history: which clients were selected in which round, whose state was
 * committed, and whose upload arrived. While the journal knows the history so far, it answers, and nothing
 * is trained. At the first question that the journal cannot answer, the trainer is brought to that point
 * (from the journal's snapshot if that lies on the way, else from the beginning) and takes over for good.
 * So a run that was killed resumes from its checkpoint, and runs that differ only in what the network did
 * to the clock share one training. The clock itself is never stored: it is simulated again.
 *
 * The functions are those of algorithms/training/trainer.h. */
#ifndef FRS_JOURNAL_JOURNALED_TRAINER_H
#define FRS_JOURNAL_JOURNALED_TRAINER_H

#include "sim/journal/journal.h"
#include "algorithms/training/trainer.h"

struct frs_journaled_trainer;

/* `journal` may be NULL: nothing is recalled, nothing recorded. Takes no ownership. */
struct frs_journaled_trainer *frs_journaled_trainer_create(const struct frs_training_setup *setup,
    struct frs_pool *pool, struct frs_evaluation *evaluation, struct frs_journal *journal);
void frs_journaled_trainer_destroy(struct frs_journaled_trainer *journaled);

void frs_journaled_trainer_open(
    struct frs_journaled_trainer *journaled, const struct frs_cohort *cohort, double *encode_flop);
/* What its download weighs. */
struct frs_usage frs_journaled_trainer_download(const struct frs_journaled_trainer *journaled, size_t handle);
void frs_journaled_trainer_train(struct frs_journaled_trainer *journaled, size_t handle);
/* The clients of the last opening, [n] members. */
void frs_journaled_trainer_layer_groups(struct frs_journaled_trainer *journaled, uint32_t *groups, size_t n);
void frs_journaled_trainer_exchange(struct frs_journaled_trainer *journaled,
    struct frs_member *const *members, size_t n, const struct frs_unheard *unheard, size_t n_unheard);
void frs_journaled_trainer_received(struct frs_journaled_trainer *journaled, size_t handle);
void frs_journaled_trainer_result(
    struct frs_journaled_trainer *journaled, size_t handle, struct frs_usage *usage);
/* Without a journal only, which knows no bytes. */
const uint8_t *frs_journaled_trainer_message(
    struct frs_journaled_trainer *journaled, size_t handle, bool up, size_t *n);
void frs_journaled_trainer_truncate(
    struct frs_journaled_trainer *journaled, const size_t *handles, const uint32_t *epochs, size_t n);
void frs_journaled_trainer_commit(struct frs_journaled_trainer *journaled, size_t handle);
/* At any time; takes effect when the open round is closed. */
void frs_journaled_trainer_drop(struct frs_journaled_trainer *journaled, size_t handle);
void frs_journaled_trainer_local_only(struct frs_journaled_trainer *journaled,
    const struct frs_local_only *local_only, struct frs_usage *usage);
double frs_journaled_trainer_close(
    struct frs_journaled_trainer *journaled, const struct frs_arrivals *arrivals);

/* See frs_trainer_publish and frs_trainer_delivered; then, when all that will receive it have, `leave`. */
struct frs_message_size frs_journaled_trainer_publish(
    struct frs_journaled_trainer *journaled, const uint32_t *clients, size_t n, double *encode_flop);
void frs_journaled_trainer_delivered(struct frs_journaled_trainer *journaled, size_t handle);
/* Participations dropped by now are free. */
void frs_journaled_trainer_leave(struct frs_journaled_trainer *journaled);

/* `final`: the last of the run; after it frs_evaluation_client and _rank tell of clients. */
struct frs_quality frs_journaled_trainer_evaluate(struct frs_journaled_trainer *journaled, bool final);

/* Writes the journal with the present state as its snapshot, between rounds. Not allowed while answers are
 * recalled. */
enum frs_status frs_journaled_trainer_save(
    struct frs_journaled_trainer *journaled, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* The groups of a method that forms some, [n_clients], between rounds; returns how many there are. */
uint32_t frs_journaled_trainer_groups(struct frs_journaled_trainer *journaled, uint32_t *groups);

/* Memory in bytes of the published updates that a client may still need, in a run that trains. */
size_t frs_journaled_trainer_log_bytes(const struct frs_journaled_trainer *journaled);

/* Whether anything had to be trained. */
bool frs_journaled_trainer_trained(const struct frs_journaled_trainer *journaled);
double frs_journaled_trainer_training_s(const struct frs_journaled_trainer *journaled);
struct frs_trainer_times frs_journaled_trainer_times(const struct frs_journaled_trainer *journaled);
/* Client updates committed, recalled ones included. */
uint64_t frs_journaled_trainer_updates(const struct frs_journaled_trainer *journaled);

#endif
