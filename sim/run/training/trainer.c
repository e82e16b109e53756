#include "sim/run/training/trainer.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/run/training/foresight.h"
#include "sim/run/training/trainer_internal.h"
#include "sim/run/training/untrained.h"

#include <math.h>
#include <stdlib.h>

struct frs_trainer *frs_trainer_create(
    const struct frs_setup *setup, struct frs_pool *pool, struct frs_evaluation *evaluation) {
    struct frs_trainer *trainer = frs_alloc(1, sizeof *trainer);
    *trainer = (struct frs_trainer){
        .setup = setup, .pool = pool, .evaluation = evaluation, .trainees = {.setup = setup}};
    frs_model_share_work(setup->model, pool);
    trainer->trainees.n_parts = frs_model_parts(setup->model, FRS_STATE, trainer->trainees.shapes);
    if (frs_model_has_personal(setup->model))
        trainer->trainees.n_personal =
            frs_model_parts(setup->model, FRS_PERSONAL, trainer->trainees.personal_shapes);
    trainer->downlinks = frs_downlinks_create(setup);
    trainer->feedback = frs_setup_feedback(setup);
    trainer->trained = frs_alloc(setup->data->population.n_clients, sizeof *trainer->trained);
    if (setup->foresight && frs_model_has_personal(setup->model))
        trainer->foreseen_personal = frs_alloc(setup->data->population.n_clients, sizeof(bool));
    trainer->benches = frs_alloc(frs_pool_threads(pool), sizeof *trainer->benches);
    if (frs_setup_may_gather(setup))
        trainer->settling = frs_in_order_create();
    trainer->untrained = frs_alloc(frs_setup_budgets(setup).max + (size_t)1, sizeof *trainer->untrained);
    return trainer;
}

/* ---- what clients predict with -------------------------------------------------------------------------- */

/* A model and its tables as something that ranks items. */
struct view {
    const struct frs_setup *setup;
    const struct frs_tables *tables;
    const struct frs_downlinks *downlinks; /* several: every client with the tables of its own */
};

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct view *view = context;
    const struct frs_tables *tables =
        view->downlinks ? frs_downlink_tables(frs_downlinks_of(view->downlinks, client)) : view->tables;
    view->setup->learner->score(view->setup->model, tables, client, items, n, scores);
}

/* The device's own view changes when its client has finished training, and only then. */
static void evaluate_device(struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    const struct frs_setup *setup = trainer->setup;
    if (!setup->device_view || !trainer->evaluation)
        return;
    struct frs_tables held = frs_learner_join(setup->model, &trainee->version->tables, &trainee->personal);
    struct view view = {setup, &held, NULL};
    frs_evaluation_run_client(
        trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score}, trainee->work.client);
}

/* ---- training ------------------------------------------------------------------------------------------ */

/* What it was trained on becomes what its client predicts with. */
static void receive(struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    frs_model_receive(trainer->setup->model, trainee->work.client, &trainee->version->tables,
        (uint64_t)trainee->work.round << 32 | (uint32_t)trainee->version->n_changes);
}

/* Processor time of the thread, while it is looked at. */
static double look_s(const struct frs_trainer *trainer) {
    return trainer->timing ? frs_cpu_s() : 0;
}

/* Of a run that diverges nothing is aggregated any more. What the reading wants to see waits until the round closes. */
static bool is_read(const struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    return trainee->fate == FRS_FATE_ARRIVES && trainee->version->course.sends &&
           isfinite(trainee->work.charge.loss) &&
           frs_reading_wants(&trainer->reading, trainer->n_gathered, trainer->n_arriving);
}

static void settle_private(struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    const struct frs_work *work = &trainee->work;
    double began_s = look_s(trainer);
    receive(trainer, trainee);
    frs_model_commit(trainer->setup->model, work->client, work->private_state, work->private_bytes);
    double committed_s = look_s(trainer);
    if (isfinite(work->charge.loss))
        evaluate_device(trainer, trainee); /* before its upload changes what it was sent */
    trainer->sampled.commits_s += committed_s - began_s;
    trainer->sampled.evaluation_s += look_s(trainer) - committed_s;
}

static void settle(void *context, size_t task) {
    struct frs_trainer *trainer = context;
    const struct frs_setup *setup = trainer->setup;
    struct frs_trainee *trainee = trainer->batch[task];
    struct frs_work *work = &trainee->work;
    bool sent =
        trainee->fate == FRS_FATE_ARRIVES && trainee->version->course.sends && isfinite(work->charge.loss);
    bool kept = is_read(trainer, trainee);
    if (trainee->fate != FRS_FATE_VANISHES)
        settle_private(trainer, trainee);
    double began_s = look_s(trainer);
    if (sent)
        setup->learner->gather(setup->model, &work->contribution, 1);
    trainer->sampled.aggregation_s += look_s(trainer) - began_s;
    if (!kept)
        frs_work_forget(work);
    trainer->n_gathered += sent;
    trainee->settled = true;
}

/* In the running batch. */
struct place {
    struct frs_trainer *trainer;
    size_t task;
};

static bool settle_at_once(void *context, struct frs_work *work) {
    const struct place *place = context;
    struct frs_trainer *trainer = place->trainer;
    if (!isfinite(work->charge.loss) || !frs_in_order_claim(trainer->settling, place->task))
        return false;
    bool kept = is_read(trainer, trainer->batch[place->task]);
    settle(trainer, place->task);
    return !kept;
}

static void train(void *context, size_t task, size_t thread) {
    struct frs_trainer *trainer = context;
    struct frs_trainee *trainee = trainer->batch[task];
    const struct frs_version *version = trainee->version;
    struct place place = {trainer, task};
    frs_work_run(&trainee->work, trainer->setup,
        &(struct frs_work_order){.tables = version->course.receives ? &version->tables : NULL,
            .personal = &trainee->personal,
            .round_seed = version->round_seed,
            .sends = version->course.sends,
            .forgets = trainer->setup->trains_again,
            .untimed = !trainer->timing,
            .feedback = trainer->feedback,
            .use = trainer->settles && version->finite ? settle_at_once : NULL,
            .user = &place},
        &trainer->benches[thread]);
    if (!trainee->version->finite)
        trainee->work.charge.loss = NAN;
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

static void finish_batch(struct frs_trainer *trainer) {
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
        trainer->sampled.training_s += trainer->batch[i]->work.charge.cpu_s;
        trainer->sampled.messages_s += trainer->batch[i]->work.message_s;
    }
    trainer->n_batch = 0;
}

/* Whose result is asked for first, and then as they came. */
static int by_need(const void *a, const void *b) {
    const struct frs_trainee *p = *(struct frs_trainee *const *)a, *q = *(struct frs_trainee *const *)b;
    if (p->wanted_s != q->wanted_s)
        return (p->wanted_s > q->wanted_s) - (p->wanted_s < q->wanted_s);
    return (p->ticket > q->ticket) - (p->ticket < q->ticket);
}

/* A few batches tell what all of them take, but where a client's own time is what it computes. */
#define TIMED 8u

static bool is_timed(const struct frs_trainer *trainer) {
    return trainer->n_batches % TIMED == 0 || trainer->setup->devices.compute == FRS_COMPUTE_MEASURED ||
           trainer->setup->keeps_messages;
}

/* The simulation goes on beside it as far as results are
 * there: were they trained in another order, the first one asked for would be waited for until half of all were
 * trained, and the threads would be idle while the rest of the round is simulated. Where uploads are gathered
 * that is the price of not having to keep them: they are as they come, by their ids. */
void frs_trainer_start_batch(struct frs_trainer *trainer) {
    struct frs_trainee **emptied = trainer->batch;
    size_t capacity = trainer->batch_capacity;
    trainer->batch = trainer->waiting;
    trainer->batch_capacity = trainer->waiting_capacity;
    trainer->n_batch = trainer->n_waiting;
    trainer->waiting = emptied;
    trainer->waiting_capacity = capacity;
    trainer->n_waiting = 0;
    trainer->n_settled = 0;
    if (trainer->n_batch > 1 && !trainer->settles)
        qsort(trainer->batch, trainer->n_batch, sizeof(struct frs_trainee *), by_need);
    for (size_t i = 0; i < trainer->n_batch; i++)
        trainer->batch[i]->task = i;
    trainer->batch_wall_s = frs_wall_s();
    trainer->timing = is_timed(trainer);
    if (trainer->settles)
        frs_in_order_begin(trainer->settling, settle, trainer, trainer->n_batch);
    if (trainer->n_batch > 0)
        frs_pool_start(trainer->pool, train, trainer, trainer->n_batch);
}

void frs_trainer_finish_training(struct frs_trainer *trainer) {
    finish_batch(trainer);
    frs_trainer_start_batch(trainer);
    finish_batch(trainer);
}

void frs_trainer_add_waiting(struct frs_trainer *trainer, struct frs_trainee *trainee) {
    trainee->done = false;
    trainer->waiting = frs_grow(
        trainer->waiting, trainer->n_waiting + 1, &trainer->waiting_capacity, sizeof *trainer->waiting);
    trainer->waiting[trainer->n_waiting++] = trainee;
}

void frs_trainer_destroy(struct frs_trainer *trainer) {
    if (!trainer)
        return;
    finish_batch(trainer);
    frs_trainees_fini(&trainer->trainees);
    for (size_t i = 0; i < frs_pool_threads(trainer->pool); i++)
        frs_workbench_fini(&trainer->benches[i]);
    frs_arena_fini(&trainer->arena);
    frs_arena_fini(&trainer->sums);
    frs_downlinks_destroy(trainer->downlinks);
    frs_feedback_destroy(trainer->feedback);
    frs_in_order_destroy(trainer->settling);
    free(trainer->untrained);
    free(trainer->trained);
    free(trainer->foreseen_personal);
    free(trainer->batch);
    free(trainer->waiting);
    free(trainer->commits);
    free(trainer->benches);
    free(trainer);
}

/* ---- one after the other --------------------------------------------------------------------------------- */

void frs_trainer_train(struct frs_trainer *trainer, size_t ticket) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    FRS_INVARIANT(trainee->waits, "client %u is trained twice", trainee->work.client);
    trainee->waits = false;
    frs_trainer_finish_commits(trainer);
    if (trainee->trains)
        frs_trainer_add_waiting(trainer, trainee);
    if (trainer->n_batch == 0)
        frs_trainer_start_batch(trainer);
}

void frs_trainer_received(struct frs_trainer *trainer, size_t ticket) {
    const struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (trainee->version->course.receives)
        frs_downlink_received(frs_downlinks_of(trainer->downlinks, trainee->work.client),
            trainee->work.client, trainee->version->number);
}

static bool is_in_batch(const struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    return trainee->task < trainer->n_batch && trainer->batch[trainee->task] == trainee;
}

static void await(struct frs_trainer *trainer, struct frs_trainee *trainee) {
    if (trainee->done)
        return;
    if (!is_in_batch(trainer, trainee)) {
        finish_batch(trainer);
        frs_trainer_start_batch(trainer);
    }
    if (trainer->settles)
        settle_until(trainer, trainee->task + 1);
    else
        frs_pool_wait(trainer->pool, trainee->task);
}

/* Upload size where only timing is asked for; found once for every budget. */
static struct frs_upload_size untrained_size(struct frs_trainer *trainer, uint32_t budget) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_upload_size *size = &trainer->untrained[budget];
    if (size->bytes == 0) {
        struct frs_tables tables = frs_model_tables(setup->model);
        *size = frs_work_untrained_size(setup, &tables, budget);
    }
    return *size;
}

/* What was foreseen is an upload under the largest budget; sizes under another one are in proportion. */
static void foresee(
    struct frs_trainer *trainer, const struct frs_trainee *trainee, struct frs_charge *charge) {
    const struct frs_setup *setup = trainer->setup;
    uint32_t budget = trainee->work.budget, largest = frs_setup_budgets(setup).max;
    if (trainee->waits)
        return;
    frs_foresight_tell(setup->foresight, trainee->work.client, trainee->work.epochs_limit, charge);
    if (!trainee->version->course.sends) {
        charge->up_bytes = charge->nominal_up_bytes = charge->up_values = 0;
    } else if (budget < largest) {
        double share =
            (double)untrained_size(trainer, budget).bytes / (double)untrained_size(trainer, largest).bytes;
        const struct frs_learner_budgets *budgets = setup->learner->budgets;
        double work =
            budgets ? budgets->work(setup->model, budget) / budgets->work(setup->model, largest) : 1;
        charge->up_bytes = (size_t)llround((double)charge->up_bytes * share);
        charge->nominal_up_bytes = (size_t)llround((double)charge->nominal_up_bytes * share);
        charge->up_values = (size_t)llround((double)charge->up_values * share);
        charge->flop *= work;
    }
}

void frs_trainer_result(struct frs_trainer *trainer, size_t ticket, struct frs_charge *charge) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    const struct frs_work *work = &trainee->work;
    if (trainer->setup->foresight) {
        foresee(trainer, trainee, charge);
        if (!trainee->waits)
            charge->flop += frs_shields_open_flop(&trainer->setup->shields, (double)charge->down_bytes);
        return;
    }
    if (!trainer->setup->training) {
        struct frs_upload_size size = {0};
        if (trainer->setup->devices.compute == FRS_COMPUTE_PER_SAMPLE)
            charge->samples = frs_untrained_samples(trainer->setup, work->client);
        if (trainee->version->course.sends)
            size = untrained_size(trainer, work->budget);
        charge->up_bytes = size.bytes;
        charge->nominal_up_bytes = size.nominal_bytes;
        charge->up_values = size.values;
        return;
    }
    if (!trainee->trains || trainee->waits)
        return;
    await(trainer, trainee);
    struct frs_charge download = frs_charge_of_download(charge);
    *charge = work->charge;
    charge->down_bytes = download.down_bytes;
    charge->nominal_down_bytes = download.nominal_down_bytes;
    charge->catchup_bytes = download.catchup_bytes;
    charge->flop += frs_shields_open_flop(&trainer->setup->shields, (double)charge->down_bytes);
}

const uint8_t *frs_trainer_message(struct frs_trainer *trainer, size_t ticket, bool up, size_t *n) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    const struct frs_buffer *message = up ? &trainee->work.sent : &trainee->download;
    if (up && trainee->trains && !trainee->waits)
        await(trainer, trainee);
    *n = message->n;
    return message->bytes;
}

/* Trained once more: the streams are the same, so are the first epochs. */
void frs_trainer_truncate(
    struct frs_trainer *trainer, const size_t *tickets, const uint32_t *epochs, size_t n) {
    frs_trainer_finish_training(trainer);
    for (size_t i = 0; i < n; i++) {
        struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, tickets[i]);
        trainee->work.epochs_limit = epochs[i];
        if (trainee->trains && !trainee->waits)
            frs_trainer_add_waiting(trainer, trainee);
    }
    frs_trainer_finish_training(trainer);
}

/* ---- evaluation ---------------------------------------------------------------------------------------- */

struct frs_quality frs_trainer_evaluate(struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_tables tables = frs_model_tables(setup->model);
    struct view view = {setup, &tables, trainer->downlinks->n > 1 ? trainer->downlinks : NULL};
    bool done = setup->device_view && trainer->updates > 0; /* device by device, as clients committed */
    finish_batch(trainer);
    frs_trainer_finish_commits(trainer);
    double began_s = frs_pool_cpu_s(trainer->pool);
    if (!done)
        frs_evaluation_run(trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score});
    struct frs_quality quality = frs_evaluation_quality(trainer->evaluation, trainer->trained);
    trainer->times.evaluation_s += frs_pool_cpu_s(trainer->pool) - began_s;
    quality.client_loss = frs_information_loss_mean(trainer->loss.client, trainer->loss.n_client);
    quality.server_loss = frs_information_loss_mean(trainer->loss.server, trainer->loss.n_server);
    const struct frs_reading *read = &trainer->reading;
    quality.items_read = frs_information_loss_mean((double)read->items, read->uploads);
    quality.interactions_found = frs_information_loss_mean(read->found, read->interactions);
    quality.sums_of_few = frs_information_loss_mean((double)read->sums_of_few, read->sums);
    quality.clipped = frs_information_loss_mean((double)trainer->masked.clipped, trainer->masked.values);
    return quality;
}

/* Where no device's view is evaluated nothing is done here that would take as long as a look at the clock. */
static void settle_committed(struct frs_trainer *trainer, struct frs_trainee *trainee) {
    bool looks = trainer->timing && trainer->setup->device_view;
    double began_s = looks ? frs_cpu_s() : 0;
    receive(trainer, trainee);
    frs_trainer_start_commit(trainer, trainee);
    double committed_s = looks ? frs_cpu_s() : 0;
    evaluate_device(trainer, trainee);
    trainer->sampled.commits_s += committed_s - began_s;
    trainer->sampled.evaluation_s += looks ? frs_cpu_s() - committed_s : 0;
}

void frs_trainer_commit(struct frs_trainer *trainer, size_t ticket) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (!trainee->trains)
        return;
    if (!trainee->settled)
        settle_committed(trainer, trainee);
    if (trainer->feedback)
        frs_feedback_commit(trainer->feedback, trainee->work.client, &trainee->work.residual);
    trainer->trained[trainee->work.client] = true;
    trainer->updates++;
}

void frs_trainer_drop(struct frs_trainer *trainer, size_t ticket) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (trainee->trains && !trainee->done)
        frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    frs_trainees_return(&trainer->trainees, trainee);
}

/* ---- archive ------------------------------------------------------------------------------------------- */

void frs_trainer_archive(struct frs_trainer *trainer, struct frs_archive *archive) {
    const struct frs_setup *setup = trainer->setup;
    frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    frs_trainer_leave_current(trainer);
    frs_model_archive(setup->model, archive);
    frs_downlinks_archive(trainer->downlinks, archive);
    if (trainer->feedback)
        frs_feedback_archive(trainer->feedback, archive);
    frs_archive_bools(archive, trainer->trained, setup->data->population.n_clients);
    frs_archive_u64(archive, &trainer->n_changes);
    frs_trainees_archive(&trainer->trainees, archive);
    frs_archive_u64(archive, &trainer->updates);
    frs_information_loss_archive(&trainer->loss, archive);
    frs_reading_archive(&trainer->reading, archive);
    frs_archive_bytes(archive, &trainer->masked, sizeof trainer->masked);
    if (trainer->evaluation)
        frs_evaluation_archive(trainer->evaluation, archive);
}

double frs_trainer_training_s(const struct frs_trainer *trainer) {
    return trainer->training_s;
}

struct frs_trainer_times frs_trainer_times(const struct frs_trainer *trainer) {
    struct frs_trainer_times times = trainer->times;
    const struct frs_trainer_times *sampled = &trainer->sampled;
    double all = trainer->n_timed > 0 ? trainer->n_trained / trainer->n_timed : 1;
    times.training_s += all * sampled->training_s;
    times.messages_s += all * sampled->messages_s;
    times.commits_s += all * sampled->commits_s;
    times.aggregation_s += all * sampled->aggregation_s;
    times.evaluation_s += all * sampled->evaluation_s;
    return times;
}

uint64_t frs_trainer_updates(const struct frs_trainer *trainer) {
    return trainer->updates;
}

size_t frs_trainer_log_bytes(const struct frs_trainer *trainer) {
    return frs_downlinks_kept_bytes(trainer->downlinks);
}
