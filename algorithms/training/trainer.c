#include "algorithms/training/trainer.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "algorithms/training/training_estimate.h"
#include "algorithms/training/trainer_internal.h"
#include "algorithms/training/untrained.h"

#include <math.h>
#include <stdlib.h>

struct frs_trainer *frs_trainer_create(
    const struct frs_training_setup *setup, struct frs_pool *pool, struct frs_evaluation *evaluation) {
    struct frs_trainer *trainer = frs_alloc(1, sizeof *trainer);
    *trainer = (struct frs_trainer){
        .setup = setup, .pool = pool, .evaluation = evaluation, .trainees = {.setup = setup}};
    frs_model_share_work(setup->model, pool);
    trainer->trainees.n_parts = frs_model_parts(setup->model, FRS_STATE, trainer->trainees.shapes);
    if (frs_model_has_personal(setup->model))
        trainer->trainees.n_personal =
            frs_model_parts(setup->model, FRS_PERSONAL, trainer->trainees.personal_shapes);
    trainer->downlinks = frs_downlinks_create(setup);
    trainer->feedback = frs_training_feedback(setup);
    trainer->trained = frs_alloc(setup->data->population.n_clients, sizeof *trainer->trained);
    if (setup->foresight && frs_model_has_personal(setup->model))
        trainer->foreseen_personal = frs_alloc(setup->data->population.n_clients, sizeof(bool));
    trainer->benches = frs_alloc(frs_pool_threads(pool), sizeof *trainer->benches);
    if (frs_training_may_gather(setup))
        trainer->settling = frs_in_order_create();
    trainer->untrained = frs_alloc(frs_training_budgets(setup).max + (size_t)1, sizeof *trainer->untrained);
    return trainer;
}

/* ---- what clients predict with -------------------------------------------------------------------------- */

/* A model and its tables as something that ranks items. */
struct view {
    const struct frs_training_setup *setup;
    const struct frs_tables *tables;
    const struct frs_downlinks *downlinks; /* several: every client with the tables of its own */
};

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct view *view = context;
    const struct frs_tables *tables =
        view->downlinks ? frs_downlink_tables(frs_downlinks_of(view->downlinks, client)) : view->tables;
    view->setup->learner->score(view->setup->model, tables, client, items, n, scores);
}

/* The device's own view changes when its client has downloaded, and once more when it has finished training. */
void frs_trainer_evaluate_device(struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    const struct frs_training_setup *setup = trainer->setup;
    if (!setup->device_view || !trainer->evaluation)
        return;
    struct frs_tables held = frs_learner_join(setup->model, &trainee->version->tables, &trainee->personal);
    struct view view = {setup, &held, NULL};
    frs_evaluation_run_client(
        trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score}, trainee->work.client);
}

void frs_trainer_destroy(struct frs_trainer *trainer) {
    if (!trainer)
        return;
    frs_trainer_finish_batch(trainer);
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

/* A client that dies while it computes, or has not finished when it is evaluated, predicts with what it has downloaded and the
 * private state of before. A client that is certain to finish is not evaluated in between, unless work that follows its upload may
 * outlast the round. */
static void evaluate_downloaded(struct frs_trainer *trainer, const struct frs_trainee *trainee) {
    bool is_certain = !trainer->setup->learner->works_on &&
                      (trainee->fate == FRS_FATE_ARRIVES || trainee->fate == FRS_FATE_COMPUTES);
    if (!trainer->setup->device_view || !trainer->evaluation || !trainee->trains || is_certain)
        return;
    if (trainer->settles) /* other threads evaluate, too */
        frs_trainer_finish_training(trainer);
    double began_s = trainer->timing ? frs_cpu_s() : 0;
    frs_trainer_evaluate_device(trainer, trainee);
    trainer->sampled.evaluation_s += trainer->timing ? frs_cpu_s() - began_s : 0;
}

void frs_trainer_received(struct frs_trainer *trainer, size_t ticket) {
    const struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (trainee->version->course.receives) {
        frs_downlink_received(frs_downlinks_of(trainer->downlinks, trainee->work.client),
            trainee->work.client, trainee->version->number);
        evaluate_downloaded(trainer, trainee);
    }
}

/* Upload size where only timing is asked for; found once for every budget. */
static struct frs_upload_size untrained_size(struct frs_trainer *trainer, uint32_t budget) {
    const struct frs_training_setup *setup = trainer->setup;
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
    const struct frs_training_setup *setup = trainer->setup;
    uint32_t budget = trainee->work.budget, largest = frs_training_budgets(setup).max;
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
    if (!trainer->setup->trains) {
        struct frs_upload_size size = {0};
        if (trainer->setup->counts_samples)
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
    frs_trainer_await(trainer, trainee);
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
        frs_trainer_await(trainer, trainee);
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
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_tables tables = frs_model_tables(setup->model);
    struct view view = {setup, &tables, trainer->downlinks->n > 1 ? trainer->downlinks : NULL};
    bool done = setup->device_view && trainer->updates > 0; /* device by device, as clients committed */
    frs_trainer_finish_batch(trainer);
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
    quality.interactions_found = frs_information_loss_mean(frs_reading_found(read), read->interactions);
    quality.sums_of_few = frs_information_loss_mean((double)read->sums_of_few, read->sums);
    quality.clipped = frs_information_loss_mean((double)trainer->masked.clipped, trainer->masked.values);
    return quality;
}

/* Where no device's view is evaluated nothing is done here that would take as long as a look at the clock. */
static void settle_committed(struct frs_trainer *trainer, struct frs_trainee *trainee) {
    bool looks = trainer->timing && trainer->setup->device_view;
    double began_s = looks ? frs_cpu_s() : 0;
    frs_trainer_receive(trainer, trainee);
    frs_trainer_start_commit(trainer, trainee);
    double committed_s = looks ? frs_cpu_s() : 0;
    frs_trainer_evaluate_device(trainer, trainee);
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
    const struct frs_training_setup *setup = trainer->setup;
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
