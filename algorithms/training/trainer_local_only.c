/* Clients of a trainer that make a step without the server. */
#include "sim/base/memory.h"
#include "algorithms/training/trainer_internal.h"

#include <math.h>
#include <stdlib.h>

/* At a time: their new states wait for each other. */
#define BATCH_CLIENTS 256u

struct local_only {
    struct frs_trainer *trainer;
    struct frs_client_update works[BATCH_CLIENTS];
};

static void train_local_only(void *context, size_t task, size_t thread) {
    struct local_only *local_only = context;
    frs_client_update_run(&local_only->works[task], local_only->trainer->setup,
        &(struct frs_client_update_order){0}, &local_only->trainer->benches[thread]);
}

static void commit_local_only(
    struct frs_trainer *trainer, const struct frs_client_update *work, struct frs_usage *usage) {
    const struct frs_training_setup *setup = trainer->setup;
    frs_model_commit(setup->model, work->client, work->private_state, work->private_bytes);
    trainer->trained[work->client] = true;
    usage->flop += work->usage.flop;
    usage->samples += work->usage.samples;
    usage->loss = isfinite(work->usage.loss) ? usage->loss : NAN;
}

void frs_trainer_local_only(
    struct frs_trainer *trainer, const struct frs_local_only *local_only, struct frs_usage *usage) {
    struct local_only *batch = frs_alloc(1, sizeof *batch);
    *usage = (struct frs_usage){0};
    batch->trainer = trainer;
    frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    for (size_t first = 0; first < local_only->n; first += BATCH_CLIENTS) {
        size_t n = local_only->n - first < BATCH_CLIENTS ? local_only->n - first : BATCH_CLIENTS;
        for (size_t i = 0; i < n; i++) {
            batch->works[i].client = local_only->clients[first + i];
            batch->works[i].round = local_only->round;
            batch->works[i].attempt = local_only->attempt;
        }
        frs_pool_start(trainer->pool, train_local_only, batch, n);
        frs_pool_finish(trainer->pool);
        for (size_t i = 0; i < n; i++)
            commit_local_only(trainer, &batch->works[i], usage);
    }
    for (size_t i = 0; i < BATCH_CLIENTS; i++)
        frs_client_update_fini(&batch->works[i]);
    free(batch);
}
