/* Clients of a trainer that make a step without the server. */
#include "sim/base/memory.h"
#include "algorithms/training/trainer_internal.h"

#include <math.h>
#include <stdlib.h>

/* At a time: their new states wait for each other. */
#define LONERS 256u

struct loners {
    struct frs_trainer *trainer;
    struct frs_work works[LONERS];
};

static void train_loner(void *context, size_t task, size_t thread) {
    struct loners *loners = context;
    frs_work_run(&loners->works[task], loners->trainer->setup, &(struct frs_work_order){0},
        &loners->trainer->benches[thread]);
}

static void commit_loner(
    struct frs_trainer *trainer, const struct frs_work *work, struct frs_charge *charge) {
    const struct frs_training_setup *setup = trainer->setup;
    frs_model_commit(setup->model, work->client, work->private_state, work->private_bytes);
    trainer->trained[work->client] = true;
    charge->flop += work->charge.flop;
    charge->samples += work->charge.samples;
    charge->loss = isfinite(work->charge.loss) ? charge->loss : NAN;
}

void frs_trainer_alone(
    struct frs_trainer *trainer, const struct frs_loners *loners, struct frs_charge *charge) {
    struct loners *batch = frs_alloc(1, sizeof *batch);
    *charge = (struct frs_charge){0};
    batch->trainer = trainer;
    frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    for (size_t first = 0; first < loners->n; first += LONERS) {
        size_t n = loners->n - first < LONERS ? loners->n - first : LONERS;
        for (size_t i = 0; i < n; i++) {
            batch->works[i].client = loners->clients[first + i];
            batch->works[i].round = loners->round;
            batch->works[i].attempt = loners->attempt;
        }
        frs_pool_start(trainer->pool, train_loner, batch, n);
        frs_pool_finish(trainer->pool);
        for (size_t i = 0; i < n; i++)
            commit_loner(trainer, &batch->works[i], charge);
    }
    for (size_t i = 0; i < LONERS; i++)
        frs_work_fini(&batch->works[i]);
    free(batch);
}
