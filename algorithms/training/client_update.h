/* Client update: the real training behind one participation, from the decoded download to the decoded upload.
 * Runs on the thread pool; simulated time never waits for it and never depends on it. */
#ifndef FRS_ALGORITHMS_TRAINING_CLIENT_UPDATE_H
#define FRS_ALGORITHMS_TRAINING_CLIENT_UPDATE_H

#include "sim/base/usage.h"
#include "algorithms/messages/error_feedback.h"
#include "algorithms/learner.h"
#include "algorithms/messages/message.h"
#include "algorithms/training/training_setup.h"

struct frs_client_update {
    uint32_t client, round, attempt;
    uint32_t budget;       /* assigned by the server; 0 when the method knows none */
    uint32_t epochs_limit; /* 0: none */
    /* All except the download: flop of training and of encoding the upload, the loss as the server decoded it
     * where uploads report it, and CPU time of this thread for training alone. */
    struct frs_usage usage;
    double message_s; /* CPU time after the training: encoding, decoding, and keeping the outcome, but not
                         using it */
    struct frs_contribution contribution; /* as the server decoded it; rows in `kept` */
    struct frs_rows *exact;    /* [FRS_MAX_PARTS] as the client meant them, with rows in `kept`; NULL where
                                  information loss is not measured */
    const void *private_state; /* in `kept` */
    size_t private_bytes;
    struct frs_buffer residual; /* under error feedback: what the codec left out */
    struct frs_buffer kept;
    struct frs_buffer sent; /* the upload as encoded, where messages are kept */
};

/* Per thread. */
struct frs_client_update_bench {
    struct frs_arena arena;
    struct frs_buffer message;
};

/* What a participation goes by. */
struct frs_client_update_order {
    const struct frs_tables *tables;   /* the client holds after its download; NULL: there is none */
    const struct frs_tables *personal; /* the client's own beside them; NULL, or part[0] NULL: none */
    uint64_t round_seed;
    float rate_scale; /* struct frs_training */
    bool sends;
    bool forgets;                        /* the upload is only measured, not kept */
    bool untimed;                        /* no cpu_s and no message_s: reading the clock takes half a µs */
    const struct frs_feedback *feedback; /* NULL: no error feedback */
    /* Uses the result in place, in the thread's memory; true: it need not be kept. NULL: it is kept. */
    bool (*use)(void *context, struct frs_client_update *work);
    void *user;
};

/* Trains a client, encodes its upload, decodes it as the server will, and keeps the decoded rows and the new
 * private state. The contribution refers to `tables`, which are the shared ones. */
void frs_client_update_run(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, struct frs_client_update_bench *bench);

struct frs_upload_size {
    size_t bytes, nominal_bytes, values;
};

/* The size of the upload of a client that changes nothing (training.messages = "whole": everything),
 * encoded under a budget. Where only timing is wanted, it represents all uploads of that budget. */
struct frs_upload_size frs_client_update_untrained_size(
    const struct frs_training_setup *setup, const struct frs_tables *tables, uint32_t budget);

/* Frees private state and upload; usage and sizes stay. */
void frs_client_update_forget(struct frs_client_update *work);

void frs_client_update_fini(struct frs_client_update *work);
void frs_client_update_bench_fini(struct frs_client_update_bench *bench);

#endif
