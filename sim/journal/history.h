/* History: everything that has happened to a training, as a digest that names it, and as events that can
 * repeat it.
 *
 * The order in which clients progressed between two other events makes no difference and does not enter
 * the digest. */
#ifndef FRS_JOURNAL_HISTORY_H
#define FRS_JOURNAL_HISTORY_H

#include "sim/base/files/digest.h"
#include "algorithms/training/trainer.h"

enum frs_mark { FRS_RECEIVED = 1, FRS_COMMITTED = 2 };

struct frs_history {
    struct frs_digester digester;
    bool keeps; /* the events, not only their name */
    struct frs_buffer events, scratch;
};

/* Begins with what names the training. */
struct frs_history frs_history_begin(const struct frs_digest *training, bool keeps);
void frs_history_fini(struct frs_history *history);

/* Returns the digest of all events so far. */
struct frs_digest frs_history_name(const struct frs_history *history);

void frs_history_open(struct frs_history *history, const struct frs_cohort *cohort);
/* All marks of participations that got on since the event before; handles ascending. */
void frs_history_marks(struct frs_history *history, const size_t *handles, const uint8_t *marks, size_t n);
void frs_history_truncate(
    struct frs_history *history, const size_t *handles, const uint32_t *epochs, size_t n);
void frs_history_local_only(struct frs_history *history, const struct frs_local_only *local_only);
void frs_history_close(struct frs_history *history, const struct frs_arrivals *arrivals);
/* A participation that waited is trained. */
void frs_history_train(struct frs_history *history, size_t handle);
/* The clients of the last opening have exchanged layers. */
void frs_history_exchange(struct frs_history *history, const struct frs_unheard *unheard, size_t n);
/* Handles ascending. */
void frs_history_drop(struct frs_history *history, const size_t *handles, size_t n);
/* The server's tables are published to these clients, [n] after a close. */
void frs_history_publish(struct frs_history *history, const uint32_t *clients, size_t n);
/* Handles ascending of those whose clients have received them. */
void frs_history_deliver(struct frs_history *history, const size_t *handles, size_t n);
void frs_history_evaluate(struct frs_history *history, bool final);

/* Repeats the kept events, except the first `from` and the bytes beyond `to`, and then keeps none. An
 * evaluation is repeated only if it leaves behind something that the next one does not replace. */
void frs_history_repeat(struct frs_history *history, size_t from, size_t to, struct frs_trainer *trainer,
    bool evaluations_matter);

#endif
