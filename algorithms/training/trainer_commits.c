/* What clients keep of their training is put in place: of all who committed in a round, on all threads. */
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "algorithms/training/trainer_internal.h"

static void commit(void *context, size_t task, size_t thread) {
    const struct frs_trainer *trainer = context;
    const struct frs_client_update *work = &trainer->commits[task]->work;
    (void)thread;
    frs_model_commit(trainer->setup->model, work->client, work->private_state, work->private_bytes);
}

/* Simulated time goes on for one client after the other, but private states are not read before the round
 * is closed; only a device's view is evaluated at once. */
void frs_trainer_start_commit(struct frs_trainer *trainer, struct frs_training_job *job) {
    trainer->commits = frs_grow(
        trainer->commits, trainer->n_commits + 1, &trainer->commits_capacity, sizeof *trainer->commits);
    trainer->commits[trainer->n_commits++] = job;
    if (trainer->setup->device_view || !frs_model_commits_apart(trainer->setup->model)) {
        commit(trainer, 0, 0);
        trainer->n_commits = 0;
    }
}

/* Where some of them are being trained, the other threads have enough to do. */
void frs_trainer_finish_commits(struct frs_trainer *trainer) {
    if (trainer->n_commits == 0)
        return;
    bool alone = trainer->n_batch > 0 || trainer->n_commits == 1;
    double began_s = alone ? frs_cpu_s() : frs_pool_cpu_s(trainer->pool);
    if (alone) {
        for (size_t i = 0; i < trainer->n_commits; i++)
            commit(trainer, i, 0);
    } else {
        frs_pool_start(trainer->pool, commit, trainer, trainer->n_commits);
        frs_pool_finish(trainer->pool);
    }
    trainer->times.commits_s += (alone ? frs_cpu_s() : frs_pool_cpu_s(trainer->pool)) - began_s;
    trainer->n_commits = 0;
}
