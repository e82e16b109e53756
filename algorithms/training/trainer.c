#include "algorithms/training/trainer.h"
#include "sim/base/clock.h"
#include "sim/base/invariant.h"
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
        .setup = setup, .pool = pool, .evaluation = evaluation, .jobs = {.setup = setup}};
    frs_model_share_work(setup->model, pool);
    trainer->jobs.versions.n_parts = frs_model_parts(setup->model, FRS_STATE, trainer->jobs.versions.shapes);
    if (frs_model_has_personal(setup->model))
        trainer->jobs.n_personal = frs_model_parts(setup->model, FRS_PERSONAL, trainer->jobs.personal_shapes);
    if (frs_training_own_models(setup) || setup->gossips)
        trainer->jobs.held = frs_alloc(setup->data->population.n_clients, sizeof *trainer->jobs.held);
    trainer->downlinks = frs_downlinks_create(setup);
    trainer->feedback = frs_training_feedback(setup);
    trainer->trained = frs_alloc(setup->data->population.n_clients, sizeof *trainer->trained);
    if (setup->estimate && frs_model_has_personal(setup->model))
        trainer->estimated_personal = frs_alloc(setup->data->population.n_clients, sizeof(bool));
    trainer->benches = frs_alloc(frs_pool_threads(pool), sizeof *trainer->benches);
    if (frs_training_may_gather(setup))
        trainer->settling = frs_in_order_create();
    trainer->untrained = frs_alloc(frs_training_budgets(setup).max + (size_t)1, sizeof *trainer->untrained);
    return trainer;
}

/* ---- what clients predict with --------------------------------------------------------------- */

/* A model and its tables as something that ranks items. */
struct view {
    const struct frs_training_setup *setup;
    const struct frs_tables *tables;
    const struct frs_downlinks *downlinks; /* several: every client with the tables of its own */
    struct frs_version *const *held;       /* [n_clients] likewise, of a round without a server; NULL: none */
};

static const struct frs_tables *tables_of(const struct view *view, uint32_t client) {
    if (view->held)
        return &view->held[client]->tables;
    return view->downlinks ? frs_downlink_tables(frs_downlinks_of(view->downlinks, client)) : view->tables;
}

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct view *view = context;
    view->setup->learner->score(view->setup->model, tables_of(view, client), client, items, n, scores);
}

/* A call for those neighbours that predict with the same tables. */
static void score_block(const void *context, const struct frs_scoring *block, size_t n) {
    const struct view *view = context;
    for (size_t at = 0, end; at < n; at = end) {
        const struct frs_tables *tables = tables_of(view, block[at].client);
        for (end = at + 1; end < n && tables_of(view, block[end].client) == tables;)
            end++;
        view->setup->learner->score_block(view->setup->model, tables, block + at, end - at);
    }
}

static struct frs_scorer scorer_of(const struct view *view) {
    return (struct frs_scorer){.context = view,
        .score = score,
        .score_block = view->setup->learner->score_block ? score_block : NULL};
}

/* The device's own view changes when its client has downloaded, and again when it has finished training. */
void frs_trainer_evaluate_device(struct frs_trainer *trainer, const struct frs_training_job *job) {
    const struct frs_training_setup *setup = trainer->setup;
    if (!setup->device_view || !trainer->evaluation)
        return;
    const struct frs_version *version =
        trainer->jobs.held ? trainer->jobs.held[job->work.client] : job->version;
    struct frs_tables held = frs_learner_join(setup->model, &version->tables, &job->personal);
    struct view view = {setup, &held, NULL, NULL};
    struct frs_scorer scorer = scorer_of(&view);
    frs_evaluation_run_client(trainer->evaluation, &scorer, job->work.client);
}

void frs_trainer_destroy(struct frs_trainer *trainer) {
    if (!trainer)
        return;
    frs_trainer_finish_batch(trainer);
    frs_training_jobs_fini(&trainer->jobs);
    for (size_t i = 0; i < frs_pool_threads(trainer->pool); i++)
        frs_client_update_bench_fini(&trainer->benches[i]);
    frs_arena_fini(&trainer->arena);
    frs_arena_fini(&trainer->sums);
    frs_downlinks_destroy(trainer->downlinks);
    frs_feedback_destroy(trainer->feedback);
    frs_in_order_destroy(trainer->settling);
    free(trainer->untrained);
    free(trainer->trained);
    free(trainer->estimated_personal);
    free(trainer->opened_clients);
    free(trainer->layer_groups);
    free(trainer->batch);
    free(trainer->waiting);
    free(trainer->commits);
    free(trainer->benches);
    free(trainer);
}

/* ---- one after the other --------------------------------------------------------------------- */

void frs_trainer_train(struct frs_trainer *trainer, size_t handle) {
    struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    FRS_INVARIANT(job->member.waits, "client %u is trained twice", job->work.client);
    job->member.waits = false;
    frs_trainer_finish_commits(trainer);
    if (job->member.trains)
        frs_trainer_add_waiting(trainer, job);
    if (trainer->n_batch == 0)
        frs_trainer_start_batch(trainer);
}

/* A client that dies while it computes, or has not finished when it is evaluated, predicts with what it
 * has downloaded and its previous private state. A client that is certain to finish before its round closes
 * is not evaluated in between, unless work that follows its upload may outlast the round. */
static void evaluate_downloaded(struct frs_trainer *trainer, const struct frs_training_job *job) {
    bool is_certain =
        trainer->setup->waits_for_all && !trainer->setup->learner->works_on &&
        (job->member.known_outcome == FRS_KNOWN_ARRIVES || job->member.known_outcome == FRS_KNOWN_COMPUTES);
    if (!trainer->setup->device_view || !trainer->evaluation || !job->member.trains || is_certain)
        return;
    if (trainer->settles) /* other threads evaluate, too */
        frs_trainer_finish_training(trainer);
    double began_s = trainer->timing ? frs_cpu_s() : 0;
    frs_trainer_evaluate_device(trainer, job);
    trainer->sampled.evaluation_s += trainer->timing ? frs_cpu_s() - began_s : 0;
}

void frs_trainer_received(struct frs_trainer *trainer, size_t handle) {
    const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    if (job->version->course.receives) {
        frs_downlink_received(
            frs_downlinks_of(trainer->downlinks, job->work.client), job->work.client, job->version->number);
        evaluate_downloaded(trainer, job);
    }
}

struct frs_upload_size frs_trainer_untrained_size(struct frs_trainer *trainer, uint32_t budget) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_upload_size *size = &trainer->untrained[budget];
    if (size->bytes == 0) {
        struct frs_tables tables = frs_model_tables(setup->model);
        *size = frs_client_update_untrained_size(setup, &tables, budget);
    }
    return *size;
}

/* The estimate is of an upload under the largest budget; sizes under another one are in proportion. */
static void predict(
    struct frs_trainer *trainer, const struct frs_training_job *job, struct frs_usage *usage) {
    const struct frs_training_setup *setup = trainer->setup;
    uint32_t budget = job->work.budget, largest = frs_training_budgets(setup).max;
    if (job->member.waits)
        return;
    frs_training_estimate_tell(setup->estimate, job->work.client, job->work.epochs_limit, usage);
    if (!job->version->course.sends) {
        usage->up_bytes = usage->nominal_up_bytes = usage->up_values = 0;
    } else if (budget < largest) {
        double share = (double)frs_trainer_untrained_size(trainer, budget).bytes /
                       (double)frs_trainer_untrained_size(trainer, largest).bytes;
        const struct frs_learner_budgets *budgets = setup->learner->budgets;
        double work =
            budgets ? budgets->work(setup->model, budget) / budgets->work(setup->model, largest) : 1;
        usage->up_bytes = (size_t)llround((double)usage->up_bytes * share);
        usage->nominal_up_bytes = (size_t)llround((double)usage->nominal_up_bytes * share);
        usage->up_values = (size_t)llround((double)usage->up_values * share);
        usage->flop *= work;
    }
}

void frs_trainer_result(struct frs_trainer *trainer, size_t handle, struct frs_usage *usage) {
    struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    const struct frs_client_update *work = &job->work;
    const struct frs_usage download = frs_usage_of_download(&job->told.usage);
    *usage = download;
    if (trainer->setup->workload) {
        if (!job->member.waits)
            *usage = work->usage;
        return;
    }
    if (trainer->setup->estimate) {
        predict(trainer, job, usage);
        if (!job->member.waits)
            usage->flop += frs_privacy_open_flop(&trainer->setup->mechanisms, (double)usage->down_bytes);
        return;
    }
    if (!trainer->setup->trains) {
        struct frs_upload_size size = {0};
        if (trainer->setup->counts_samples)
            usage->samples = frs_untrained_samples(trainer->setup, work->client);
        if (job->version->course.sends)
            size = frs_trainer_untrained_size(trainer, work->budget);
        usage->up_bytes = size.bytes;
        usage->nominal_up_bytes = size.nominal_bytes;
        usage->up_values = size.values;
        return;
    }
    if (!job->member.trains || job->member.waits)
        return;
    frs_trainer_await(trainer, job);
    *usage = work->usage;
    frs_usage_take_download(usage, &download);
    usage->flop += frs_privacy_open_flop(&trainer->setup->mechanisms, (double)usage->down_bytes);
}

const uint8_t *frs_trainer_message(struct frs_trainer *trainer, size_t handle, bool up, size_t *n) {
    struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    const struct frs_buffer *message = up ? &job->work.sent : &job->download;
    if (up && job->member.trains && !job->member.waits)
        frs_trainer_await(trainer, job);
    *n = message->n;
    return message->bytes;
}

/* Trained once more: the streams are the same, so are the first epochs. */
void frs_trainer_truncate(
    struct frs_trainer *trainer, const size_t *handles, const uint32_t *epochs, size_t n) {
    frs_trainer_finish_training(trainer);
    for (size_t i = 0; i < n; i++) {
        struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handles[i]);
        job->work.epochs_limit = epochs[i];
        if (job->member.trains && !job->member.waits)
            frs_trainer_add_waiting(trainer, job);
    }
    frs_trainer_finish_training(trainer);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static struct frs_structure_figures figures_of(
    const struct frs_trainer *trainer, const struct frs_tables *tables) {
    const struct frs_part *items = &trainer->jobs.versions.shapes[0];
    return trainer->setup->structure
               ? frs_structure_figures(&trainer->structure, tables->part[0], items->n_rows * items->dim)
               : frs_structure_unknown();
}

struct frs_quality frs_trainer_evaluate(struct frs_trainer *trainer) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_tables tables = frs_model_tables(setup->model);
    struct view view = {setup, &tables, trainer->downlinks->n > 1 ? trainer->downlinks : NULL,
        setup->gossips && trainer->jobs.held[0] ? trainer->jobs.held : NULL};
    bool done = setup->device_view && trainer->updates > 0; /* device by device, as clients committed */
    frs_trainer_finish_batch(trainer);
    frs_trainer_finish_commits(trainer);
    double began_s = frs_pool_cpu_s(trainer->pool);
    struct frs_scorer scorer = scorer_of(&view);
    if (!done)
        frs_evaluation_run(trainer->evaluation, &scorer);
    struct frs_quality quality = frs_evaluation_quality(trainer->evaluation, trainer->trained);
    trainer->times.evaluation_s += frs_pool_cpu_s(trainer->pool) - began_s;
    quality.client_loss = frs_information_loss_mean(trainer->loss.client, trainer->loss.n_client);
    quality.server_loss = frs_information_loss_mean(trainer->loss.server, trainer->loss.n_server);
    quality.structure = figures_of(trainer, &tables);
    const struct frs_leakage *read = &trainer->leakage;
    quality.items_read = frs_information_loss_mean((double)read->items, read->uploads);
    quality.interactions_found = frs_information_loss_mean(frs_leakage_found(read), read->interactions);
    quality.sums_of_few = frs_information_loss_mean((double)read->sums_of_few, read->sums);
    quality.consensus_distance = setup->gossips ? frs_trainer_consensus_distance(trainer) : NAN;
    quality.clipped = frs_information_loss_mean((double)trainer->masked.clipped, trainer->masked.values);
    return quality;
}

/* Where no device's view is evaluated nothing is done here that would take as long as a look at the clock. */
static void settle_committed(struct frs_trainer *trainer, struct frs_training_job *job) {
    bool looks = trainer->timing && trainer->setup->device_view;
    double began_s = looks ? frs_cpu_s() : 0;
    frs_trainer_receive(trainer, job);
    frs_trainer_start_commit(trainer, job);
    double committed_s = looks ? frs_cpu_s() : 0;
    frs_trainer_evaluate_device(trainer, job);
    trainer->sampled.commits_s += committed_s - began_s;
    trainer->sampled.evaluation_s += looks ? frs_cpu_s() - committed_s : 0;
}

void frs_trainer_commit(struct frs_trainer *trainer, size_t handle) {
    struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    if (!job->member.trains)
        return;
    if (!job->settled)
        settle_committed(trainer, job);
    if (trainer->feedback)
        frs_feedback_commit(trainer->feedback, job->work.client, &job->work.residual);
    trainer->trained[job->work.client] = true;
    trainer->updates++;
}

void frs_trainer_drop(struct frs_trainer *trainer, size_t handle) {
    struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    if (job->version && job->member.trains && !job->done)
        frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    frs_training_jobs_return(&trainer->jobs, job);
}

/* ---- archive --------------------------------------------------------------------------------- */

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
    frs_training_jobs_archive(&trainer->jobs, archive);
    frs_archive_u64(archive, &trainer->updates);
    frs_information_loss_archive(&trainer->loss, archive);
    frs_structure_archive(&trainer->structure, archive);
    frs_leakage_archive(&trainer->leakage, archive);
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
    times.ordered_s += all * sampled->ordered_s;
    times.evaluation_s += all * sampled->evaluation_s;
    return times;
}

uint64_t frs_trainer_updates(const struct frs_trainer *trainer) {
    return trainer->updates;
}

size_t frs_trainer_log_bytes(const struct frs_trainer *trainer) {
    return frs_downlinks_kept_bytes(trainer->downlinks);
}
