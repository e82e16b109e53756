/* Trainer: what is learnt in a simulation, without any clock. It is a state machine of the model, private
 * states, and the version of the tables that each client holds. The network's decisions reach it as calls,
 * and the same calls in the same order give the same results.
 *
 * A participation has a handle from its opening until it is dropped; it may outlive its round. Per round:
 * open, once or several times, which trains the clients (`train` for those that have to wait); received,
 * result and commit for those that get that far, in any order; close with the arrivals, or lose. Between
 * rounds: evaluate.
 *
 * A client is trained on the tables as they were when it was opened, and its upload is a change of these,
 * whenever it is aggregated. */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINER_H
#define FRS_ALGORITHMS_TRAINING_TRAINER_H

#include "sim/base/files/archive.h"
#include "sim/base/threads/handles.h"
#include "sim/base/threads/pool.h"
#include "algorithms/training/training_setup.h"
#include "algorithms/training/evaluation.h"
#include "algorithms/training/member.h"
#include "algorithms/training/mixing_plan.h"
#include "algorithms/training/masked_sum.h"

struct frs_trainer;

/* The clients of a round, or those that are selected while it lasts. */
struct frs_cohort {
    uint32_t round;   /* counted from 0; what the tables are named by */
    uint32_t attempt; /* no two openings of a run have both in common */
    size_t n;
    struct frs_member *const *members; /* ascending client id; the caller's */
    /* Handles of the uploads that an edge has aggregated: the members train on its model, which they lead to
     * (algorithms/training/edge_models.h), and not on the server's. NULL, and 0: on the server's. */
    const size_t *aggregated;
    size_t n_aggregated;
};

/* Clients that go on without the server, in ascending id. */
struct frs_local_only {
    uint32_t round, attempt;
    const uint32_t *clients;
    size_t n;
};

/* What a round aggregates: handles, in ascending client id. */
struct frs_arrivals {
    const size_t *handles;
    size_t n;
    const struct frs_mixing_plan *mixing; /* without a server, in place of these; NULL: there is one */
    const struct frs_masked *masked; /* NULL: uploads are not masked, or a history is gone through again */
};

/* `evaluation` may be NULL; then, too, only sizes are found where the setup does without training. */
struct frs_trainer *frs_trainer_create(
    const struct frs_training_setup *setup, struct frs_pool *pool, struct frs_evaluation *evaluation);
void frs_trainer_destroy(struct frs_trainer *trainer);

/* Fills in the members' handles, which are consecutive, and the operations of encoding what the server
 * sends, beyond one for every value. The reported usage is that of the download. */
void frs_trainer_open(struct frs_trainer *trainer, const struct frs_cohort *cohort, double *encode_flop);
/* Good until the participation is dropped. */
struct frs_training_told *frs_trainer_told(const struct frs_trainer *trainer, size_t handle);
/* A deferred participation trains on the tables captured when it was opened and on the client's current
 * private state. */
void frs_trainer_train(struct frs_trainer *trainer, size_t handle);
/* Where the clients of an opening exchange layers (frs_training_exchanges_layers) all of them wait: their
 * groups [n] in it, counted from 1, 0: none. Then, once it is known who hears of whom, `exchange` trains all
 * that still wait. */
void frs_trainer_layer_groups(const struct frs_trainer *trainer, uint32_t *groups);
void frs_trainer_exchange(struct frs_trainer *trainer, const struct frs_unheard *unheard, size_t n_unheard);
/* The client has downloaded its message. */
void frs_trainer_received(struct frs_trainer *trainer, size_t handle);
/* Waits for the training of a participation; fills `usage`, which may be that of what was told. */
void frs_trainer_result(struct frs_trainer *trainer, size_t handle, struct frs_usage *usage);
/* Returns the download of a participation, or its upload, for which it waits, as encoded; *n is 0 where
 * the setup does without training or keeps no messages. Valid until the participation is truncated or
 * dropped. */
const uint8_t *frs_trainer_message(struct frs_trainer *trainer, size_t handle, bool up, size_t *n);
/* These participations, of the open round and not yet committed, end after epochs[i] epochs; 0: after all
 * of them, whatever earlier calls said. A deferred participation, whose result is not known yet, keeps its
 * limit for later. */
void frs_trainer_truncate(
    struct frs_trainer *trainer, const size_t *handles, const uint32_t *epochs, size_t n);
/* The client's private state becomes effective. */
void frs_trainer_commit(struct frs_trainer *trainer, size_t handle);
/* Trains and commits at once each client that makes a local step without having received anything, and
 * sends nothing. `usage` is the sum over all of them, with a loss that is not finite if any client's is
 * not. */
void frs_trainer_local_only(
    struct frs_trainer *trainer, const struct frs_local_only *local_only, struct frs_usage *usage);
/* Waits for all training. Aggregates `arrivals` if it is not NULL; otherwise the model stays that of the
 * last closed round. Returns how much the tables changed, ‖ΔV‖/‖V‖ over all of them, where the setup asks
 * for it; NAN: nothing was aggregated. */
double frs_trainer_close(struct frs_trainer *trainer, const struct frs_arrivals *arrivals);
/* Where clients keep models of their own: makes the message with the tables as they are after a close that
 * has aggregated, for these clients, n at least 1. Returns its size, which is the same for all. */
struct frs_message_size frs_trainer_publish(
    struct frs_trainer *trainer, const uint32_t *clients, size_t n, double *encode_flop);
/* The client of this participation has received that message: it is its model from now on. */
void frs_trainer_delivered(struct frs_trainer *trainer, size_t handle);
/* Frees a participation and its handle; after the round in which it arrived. */
void frs_trainer_drop(struct frs_trainer *trainer, size_t handle);

/* Where answers are recalled, a cohort is listed instead of opened: its members have handles and their
 * reported usage, and nothing is trained. Before the trainer opens anything itself, all listed members
 * that were not dropped are taken out, their past is repeated under the same handles, and their usage is
 * put back. */
void frs_trainer_list(struct frs_trainer *trainer, const struct frs_cohort *cohort);
struct frs_handles frs_trainer_take_listed(struct frs_trainer *trainer);
void frs_trainer_put_back(struct frs_trainer *trainer, struct frs_handles *listed);

/* Evaluates the state between rounds. */
struct frs_quality frs_trainer_evaluate(struct frs_trainer *trainer);

/* Saves or loads everything, between rounds; participations under way are part of it. */
void frs_trainer_archive(struct frs_trainer *trainer, struct frs_archive *archive);

/* Memory in bytes of the published updates that a client may still need. */
size_t frs_trainer_log_bytes(const struct frs_trainer *trainer);

/* Wall time during which updates were being trained and awaited, and their number. */
double frs_trainer_training_s(const struct frs_trainer *trainer);
uint64_t frs_trainer_updates(const struct frs_trainer *trainer);

/* Where processor time went, of all threads. */
struct frs_trainer_times {
    double training_s;    /* this and messages, and what is done for one client after the other: every eighth
                             batch is timed, and represents all */
    double messages_s;    /* encoding and decoding uploads, and keeping them until their round closes */
    double commits_s;     /* putting in place what clients keep of their training */
    double aggregation_s; /* with what the server encodes of it; uploads that are made again included */
    double evaluation_s;
    double ordered_s; /* of aggregation_s, what one thread at a time does, in the order of client ids */
};
struct frs_trainer_times frs_trainer_times(const struct frs_trainer *trainer);

#endif
