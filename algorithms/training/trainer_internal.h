/* What the parts of a trainer share. */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINER_INTERNAL_H
#define FRS_ALGORITHMS_TRAINING_TRAINER_INTERNAL_H

#include "sim/base/threads/in_order.h"
#include "algorithms/training/downlinks.h"
#include "algorithms/training/information_loss.h"
#include "algorithms/training/structure.h"
#include "algorithms/training/leakage.h"
#include "algorithms/training/training_jobs.h"
#include "algorithms/training/trainer.h"

struct frs_trainer {
    const struct frs_training_setup *setup;
    struct frs_pool *pool;
    struct frs_evaluation *evaluation;
    struct frs_downlinks *downlinks;
    struct frs_feedback *feedback;     /* NULL: none */
    struct frs_upload_size *untrained; /* [largest budget + 1] */
    bool *trained;                     /* [n_clients] has committed at least once */
    bool *estimated_personal; /* [n_clients] whether the client has tables of its own by now; NULL: nothing is
                                 estimated, or there are none */
    struct frs_training_jobs jobs;
    struct frs_version *current[FRS_MAX_SETS]; /* the version that a client opened now will hold, by its
                                                  downlink; NULL: not yet created */
    uint32_t round;                            /* it was opened for */
    uint64_t gossip_seed; /* of the open round, where there is no server whose downlink has it */
    uint64_t n_changes;   /* of the tables so far */
    /* The last opening, where its clients exchange layers: [n_opened] their ids and groups, and their
     * handles from first_opened on. */
    uint32_t *opened_clients, *layer_groups;
    size_t n_opened, first_opened;
    /* Training, a batch after the other: what is in the running one, and what comes next. */
    struct frs_training_job **batch, **waiting;
    size_t n_batch, n_waiting, batch_capacity, waiting_capacity;
    /* Committed, and not yet in place. */
    struct frs_training_job **commits;
    size_t n_commits, commits_capacity;
    /* Where the outcome of all training jobs is certain, training threads commit private states and pass
     * the uploads to the model, in the order of the batch. NULL: both happen when the round closes. */
    struct frs_in_order *settling;
    bool settles;                            /* the open round does */
    size_t n_settled;                        /* of the running batch, that have been waited for */
    size_t n_gathered;                       /* of the open round, whose uploads the model has seen */
    struct frs_client_update_bench *benches; /* [threads] */
    struct frs_arena arena;                  /* of the server */
    struct frs_arena sums;                   /* of what it aggregates under masks */
    struct frs_masked_counts masked;
    struct frs_information_loss loss;
    struct frs_structure structure;
    struct frs_leakage leakage;
    struct frs_leakage_turns turns; /* of the open round, where it settles */
    double batch_wall_s, training_s;
    struct frs_trainer_times times;   /* of all that is timed */
    struct frs_trainer_times sampled; /* while a batch runs that is timed, the first one among them */
    bool timing;                      /* the running batch */
    uint64_t n_batches;
    double n_trained, n_timed; /* participations */
    uint64_t updates;
};

/* Adds a job to the next batch. */
void frs_trainer_add_waiting(struct frs_trainer *trainer, struct frs_training_job *job);

/* Starts training all waiting jobs; the batch before has to be finished. */
void frs_trainer_start_batch(struct frs_trainer *trainer);

void frs_trainer_finish_batch(struct frs_trainer *trainer);

/* Returns when this job, which waits or is in the running batch, has been trained. */
void frs_trainer_await(struct frs_trainer *trainer, struct frs_training_job *job);

/* What it was trained on becomes what its client predicts with. */
void frs_trainer_receive(struct frs_trainer *trainer, const struct frs_training_job *job);

/* Upload size where only timing is asked for; found once for every budget. */
struct frs_upload_size frs_trainer_untrained_size(struct frs_trainer *trainer, uint32_t budget);

/* The device's own view changes when its client has downloaded, and again when it has finished training. */
void frs_trainer_evaluate_device(struct frs_trainer *trainer, const struct frs_training_job *job);

/* Ends the running batch, and trains all jobs of the next one. */
void frs_trainer_finish_training(struct frs_trainer *trainer);

/* Starts the commit. The client's new private state is in place when the commits are finished, which has
 * to be before anything reads it. */
void frs_trainer_start_commit(struct frs_trainer *trainer, struct frs_training_job *job);
void frs_trainer_finish_commits(struct frs_trainer *trainer);

/* Every client of the plan averages its model with those of others, and keeps the result. */
void frs_trainer_mix(struct frs_trainer *trainer, const struct frs_mixing_plan *plan);

/* Without a server: how far the models of all clients are from their mean, √(Σ ‖x_i − x̄‖² / n) / ‖x̄‖. */
double frs_trainer_consensus_distance(const struct frs_trainer *trainer);

/* Where the clients of an opening exchange layers: forms their groups, before anything is encoded for them.
 */
void frs_trainer_assemble(struct frs_trainer *trainer, const struct frs_cohort *cohort);

/* No client is opened on the present tables any more. */
void frs_trainer_leave_current(struct frs_trainer *trainer);

#endif
