/* A trainer's batches: clients are trained on all threads, in the order in which their results are needed;
 * or in the order of their ids, where their outcome is settled as they are trained. */
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "algorithms/training/trainer_internal.h"

#include <math.h>
#include <stdlib.h>

/* What it was trained on becomes what its client predicts with. */
void frs_trainer_receive(struct frs_trainer *trainer, const struct frs_training_job *job) {
    frs_model_receive(trainer->setup->model, job->work.client, &job->version->tables,
        (uint64_t)job->work.round << 32 | (uint32_t)job->version->n_changes);
}

/* Processor time of the thread, while a batch is timed; otherwise 0. */
static double look_s(const struct frs_trainer *trainer) {
    return trainer->timing ? frs_cpu_s() : 0;
}

/* A run that diverges aggregates nothing any more. */
static bool is_gathered(const struct frs_training_job *job) {
    return job->member.known_outcome == FRS_KNOWN_ARRIVES && job->version->course.sends &&
           isfinite(job->work.usage.loss);
}

static void settle_private(struct frs_trainer *trainer, const struct frs_training_job *job) {
    const struct frs_client_update *work = &job->work;
    double began_s = look_s(trainer);
    frs_trainer_receive(trainer, job);
    frs_model_commit(trainer->setup->model, work->client, work->private_state, work->private_bytes);
    double committed_s = look_s(trainer);
    if (isfinite(work->usage.loss))
        frs_trainer_evaluate_device(trainer, job); /* before its upload changes what it was sent */
    trainer->sampled.commits_s += committed_s - began_s;
    trainer->sampled.evaluation_s += look_s(trainer) - committed_s;
}

static void settle(void *context, size_t task) {
    struct frs_trainer *trainer = context;
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_training_job *job = trainer->batch[task];
    struct frs_client_update *work = &job->work;
    bool gathered = is_gathered(job);
    if (job->member.known_outcome != FRS_KNOWN_VANISHES)
        settle_private(trainer, job);
    double began_s = look_s(trainer);
    if (gathered && frs_leakage_has_turn(trainer->turns, trainer->n_gathered))
        frs_leakage_upload(&trainer->leakage, setup, &work->contribution);
    if (gathered)
        setup->learner->gather(setup->model, &work->contribution, 1);
    double took_s = look_s(trainer) - began_s;
    trainer->sampled.aggregation_s += took_s;
    trainer->sampled.ordered_s += took_s;
    frs_client_update_forget(work);
    trainer->n_gathered += gathered;
    job->settled = true;
}

/* In the running batch. */
struct place {
    struct frs_trainer *trainer;
    size_t task;
};

static bool settle_at_once(void *context, struct frs_client_update *work) {
    const struct place *place = context;
    struct frs_trainer *trainer = place->trainer;
    if (!isfinite(work->usage.loss) || !frs_in_order_claim(trainer->settling, place->task))
        return false;
    settle(trainer, place->task);
    return true;
}

static void train(void *context, size_t task, size_t thread) {
    struct frs_trainer *trainer = context;
    struct frs_training_job *job = trainer->batch[task];
    const struct frs_version *version = job->version;
    struct place place = {trainer, task};
    frs_client_update_run(&job->work, trainer->setup,
        &(struct frs_client_update_order){
            .tables = version->course.receives || version->course.delivers ? &version->tables : NULL,
            .rate_scale = (float)frs_corrected_sum_client_rate(
                &trainer->setup->server_step.correction, job->work.round),
            .personal = &job->personal,
            .round_seed = trainer->setup->gossips ? trainer->gossip_seed : version->round_seed,
            .sends = version->course.sends,
            .forgets = trainer->setup->trains_again,
            .untimed = !trainer->timing,
            .feedback = trainer->feedback,
            .use = trainer->settles && version->finite ? settle_at_once : NULL,
            .user = &place},
        &trainer->benches[thread]);
    if (!job->version->finite)
        job->work.usage.loss = NAN;
    if (trainer->settles)
        frs_in_order_made(trainer->settling, task);
}

/* All up to this task of the batch, in the order of their ids. */
static void settle_until(struct frs_trainer *trainer, size_t end) {
    if (!trainer->settles || trainer->n_settled >= end)
        return;
    for (; trainer->n_settled < end; trainer->n_settled++)
        frs_pool_wait(trainer->pool, trainer->n_settled);
    frs_in_order_wait(trainer->settling, end - 1);
}

void frs_trainer_finish_batch(struct frs_trainer *trainer) {
    if (trainer->n_batch == 0)
        return;
    settle_until(trainer, trainer->n_batch);
    frs_pool_finish(trainer->pool);
    trainer->training_s += frs_wall_s() - trainer->batch_wall_s;
    trainer->n_batches++;
    trainer->n_trained += (double)trainer->n_batch;
    trainer->n_timed += trainer->timing ? (double)trainer->n_batch : 0;
    for (size_t i = 0; i < trainer->n_batch; i++) {
        trainer->batch[i]->done = true;
        trainer->sampled.training_s += trainer->batch[i]->work.usage.cpu_s;
        trainer->sampled.messages_s += trainer->batch[i]->work.message_s;
    }
    trainer->n_batch = 0;
}

/* By the time at which the result is needed, and then as they came. */
static int by_need(const void *a, const void *b) {
    const struct frs_training_job *p = *(struct frs_training_job *const *)a,
                                  *q = *(struct frs_training_job *const *)b;
    if (p->member.wanted_s != q->member.wanted_s)
        return (p->member.wanted_s > q->member.wanted_s) - (p->member.wanted_s < q->member.wanted_s);
    return (p->member.handle > q->member.handle) - (p->member.handle < q->member.handle);
}

/* A few batches show how long all of them take, except where a client's own time is measured. The first
 * batch, for which nothing is in the caches yet, is used only until there is another. */
#define TIMED 16u

static bool is_timed(const struct frs_trainer *trainer) {
    return trainer->n_batches == 0 || trainer->n_batches % TIMED == 1 || trainer->setup->measures_time ||
           trainer->setup->keeps_messages;
}

/* The simulation goes on beside it as far as results exist. If clients were trained in another order, the
 * first result that is needed would be ready only when half of all were trained, and the threads would be
 * idle while the rest of the round is simulated. Where uploads are gathered, that is the price of not
 * having to keep them: they are needed in the order of their ids. */
void frs_trainer_start_batch(struct frs_trainer *trainer) {
    struct frs_training_job **emptied = trainer->batch;
    size_t capacity = trainer->batch_capacity;
    trainer->batch = trainer->waiting;
    trainer->batch_capacity = trainer->waiting_capacity;
    trainer->n_batch = trainer->n_waiting;
    trainer->waiting = emptied;
    trainer->waiting_capacity = capacity;
    trainer->n_waiting = 0;
    trainer->n_settled = 0;
    if (trainer->n_batch > 1 && !trainer->settles)
        qsort(trainer->batch, trainer->n_batch, sizeof(struct frs_training_job *), by_need);
    for (size_t i = 0; i < trainer->n_batch; i++)
        trainer->batch[i]->task = i;
    trainer->batch_wall_s = frs_wall_s();
    trainer->timing = is_timed(trainer);
    if (trainer->n_batches == 1) {
        trainer->sampled = (struct frs_trainer_times){0};
        trainer->n_timed = 0;
    }
    if (trainer->settles)
        frs_in_order_begin(trainer->settling, settle, trainer, trainer->n_batch);
    if (trainer->n_batch > 0)
        frs_pool_start(trainer->pool, train, trainer, trainer->n_batch);
}

void frs_trainer_finish_training(struct frs_trainer *trainer) {
    frs_trainer_finish_batch(trainer);
    frs_trainer_start_batch(trainer);
    frs_trainer_finish_batch(trainer);
}

void frs_trainer_add_waiting(struct frs_trainer *trainer, struct frs_training_job *job) {
    job->done = false;
    trainer->waiting = frs_grow(
        trainer->waiting, trainer->n_waiting + 1, &trainer->waiting_capacity, sizeof *trainer->waiting);
    trainer->waiting[trainer->n_waiting++] = job;
}

static bool is_in_batch(const struct frs_trainer *trainer, const struct frs_training_job *job) {
    return job->task < trainer->n_batch && trainer->batch[job->task] == job;
}

void frs_trainer_await(struct frs_trainer *trainer, struct frs_training_job *job) {
    if (job->done)
        return;
    if (!is_in_batch(trainer, job)) {
        frs_trainer_finish_batch(trainer);
        frs_trainer_start_batch(trainer);
    }
    if (trainer->settles)
        settle_until(trainer, job->task + 1);
    else
        frs_pool_wait(trainer->pool, job->task);
}
