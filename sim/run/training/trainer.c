#include "sim/run/training/trainer.h"
#include "algorithms/kernels/compare.h"
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
    trainer->untrained = frs_alloc(frs_setup_budgets(setup).max + (size_t)1, sizeof *trainer->untrained);
    return trainer;
}

/* ---- training ------------------------------------------------------------------------------------------ */

static void train(void *context, size_t task, size_t thread) {
    struct frs_trainer *trainer = context;
    struct frs_trainee *trainee = trainer->batch[task];
    const struct frs_version *version = trainee->version;
    frs_work_run(&trainee->work, trainer->setup,
        &(struct frs_work_order){.tables = version->course.receives ? &version->tables : NULL,
            .personal = &trainee->personal,
            .round_seed = version->round_seed,
            .sends = version->course.sends,
            .forgets = trainer->setup->trains_again,
            .feedback = trainer->feedback},
        &trainer->benches[thread]);
    if (!trainee->version->finite)
        trainee->work.charge.loss = NAN;
}

static void finish_batch(struct frs_trainer *trainer) {
    if (trainer->n_batch == 0)
        return;
    frs_pool_finish(trainer->pool);
    trainer->training_s += frs_wall_s() - trainer->batch_wall_s;
    for (size_t i = 0; i < trainer->n_batch; i++) {
        trainer->batch[i]->done = true;
        trainer->times.training_s += trainer->batch[i]->work.charge.cpu_s;
        trainer->times.messages_s += trainer->batch[i]->work.message_s;
    }
    trainer->n_batch = 0;
}

/* Everybody who waits; the batch before has been finished. */
static void start_batch(struct frs_trainer *trainer) {
    struct frs_trainee **emptied = trainer->batch;
    size_t capacity = trainer->batch_capacity;
    trainer->batch = trainer->waiting;
    trainer->batch_capacity = trainer->waiting_capacity;
    trainer->n_batch = trainer->n_waiting;
    trainer->waiting = emptied;
    trainer->waiting_capacity = capacity;
    trainer->n_waiting = 0;
    for (size_t i = 0; i < trainer->n_batch; i++)
        trainer->batch[i]->task = i;
    trainer->batch_wall_s = frs_wall_s();
    if (trainer->n_batch > 0)
        frs_pool_start(trainer->pool, train, trainer, trainer->n_batch);
}

void frs_trainer_finish_training(struct frs_trainer *trainer) {
    finish_batch(trainer);
    start_batch(trainer);
    finish_batch(trainer);
}

static void add_to_waiting(struct frs_trainer *trainer, struct frs_trainee *trainee) {
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
    free(trainer->untrained);
    free(trainer->trained);
    free(trainer->foreseen_personal);
    free(trainer->batch);
    free(trainer->waiting);
    free(trainer->benches);
    free(trainer);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Sizes of downloads are added up from encoded parts;
 * once a round the message itself is built and measured. */
static void audit_download(const struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    struct frs_buffer message = {0};
    const struct frs_member *member = &cohort->members[cohort->round % cohort->n];
    uint32_t client = member->client, budget = member->budget;
    const struct frs_downlink *downlink = frs_downlinks_of(trainer->downlinks, client);
    frs_downlink_encode(downlink, client, budget, &message);
    FRS_INVARIANT(message.n == frs_downlink_size(downlink, client).bytes,
        "client %u is charged %zu bytes for a message of %zu", client,
        frs_downlink_size(downlink, client).bytes, message.n);
    frs_buffer_fini(&message);
}

void frs_trainer_leave_current(struct frs_trainer *trainer) {
    for (size_t i = 0; i < trainer->downlinks->n; i++) {
        if (trainer->current[i])
            frs_trainees_release(&trainer->trainees, trainer->current[i]);
        trainer->current[i] = NULL;
    }
}

/* Finite uploads can add up to what is too large for a float. */
static bool are_finite(const struct frs_trainer *trainer, const struct frs_tables *tables) {
    bool finite = true;
    for (size_t i = 0; i < trainer->trainees.n_parts; i++)
        finite &= frs_all_finite(
            tables->part[i], trainer->trainees.shapes[i].n_rows * trainer->trainees.shapes[i].dim);
    return finite;
}

static void measure_state_loss(struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    const struct frs_part *items = &trainer->trainees.shapes[0];
    struct frs_rows meant = {.n_rows = items->n_rows, .dim = items->dim, .n = items->n_rows}, decoded = meant;
    meant.values = frs_model_tables(setup->model).part[0];
    decoded.values = frs_downlink_tables(trainer->downlinks->all[0])->part[0];
    frs_information_loss_server(&trainer->loss, &meant, &decoded);
}

static void open_downlink(struct frs_trainer *trainer, size_t set, struct frs_course course) {
    struct frs_downlink *downlink = trainer->downlinks->all[set];
    if (course.receives)
        frs_downlink_open(downlink, trainer->round);
    struct frs_version *version = frs_trainees_add_version(&trainer->trainees, frs_downlink_tables(downlink));
    version->course = course;
    version->finite = are_finite(trainer, &version->tables);
    version->round_seed = frs_downlink_round_seed(downlink);
    version->number = frs_downlink_current(downlink);
    version->n_changes = trainer->n_changes;
    trainer->current[set] = version;
}

/* Methods that send state decode it into the same tables every time. */
static void renew_current(struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_course course = frs_learner_course(setup->learner, setup->model, cohort->round);
    frs_trainer_leave_current(trainer);
    trainer->round = cohort->round;
    if (course.receives && !setup->learner->sends_updates)
        frs_trainees_detach_versions(&trainer->trainees);
    for (size_t i = 0; i < trainer->downlinks->n; i++)
        open_downlink(trainer, i, course);
    if (!course.receives)
        return;
    if (setup->information_loss && !setup->learner->sends_updates)
        measure_state_loss(trainer);
    if (cohort->n > 0) /* a round may be empty */
        audit_download(trainer, cohort);
    frs_learner_broadcast(setup->learner, setup->model, cohort->round, &trainer->current[0]->tables);
}

static struct frs_message_size download_size(
    const struct frs_trainer *trainer, const struct frs_downlink *downlink, uint32_t client) {
    struct frs_message_size size = frs_downlink_size(downlink, client);
    if (trainer->foreseen_personal && trainer->foreseen_personal[client]) {
        struct frs_message_size more = frs_downlink_personal_size(downlink);
        size.bytes += more.bytes;
        size.nominal_bytes += more.nominal_bytes;
    }
    return size;
}

size_t frs_trainer_open(struct frs_trainer *trainer, const struct frs_cohort *cohort, double *encode_flop) {
    size_t first = 0;
    for (size_t i = 0; i < cohort->n; i++)
        frs_downlinks_grant(trainer->downlinks, cohort->members[i].client, cohort->members[i].budget);
    if (!trainer->current[0] || trainer->round != cohort->round)
        renew_current(trainer, cohort);
    *encode_flop = 0;
    for (size_t i = 0; i < trainer->downlinks->n; i++)
        *encode_flop += frs_downlink_encode_flop(trainer->downlinks->all[i]);
    for (size_t i = 0; i < cohort->n; i++) {
        struct frs_member *member = &cohort->members[i];
        uint32_t client = member->client;
        struct frs_downlink *downlink = frs_downlinks_of(trainer->downlinks, client);
        struct frs_version *version = trainer->current[trainer->downlinks->set_of[client]];
        struct frs_message_size size = {0};
        if (version->course.receives)
            size = download_size(trainer, downlink, client);
        struct frs_trainee *trainee = frs_trainees_take(&trainer->trainees, version);
        first = i == 0 ? trainee->ticket : first;
        trainee->work.client = client;
        trainee->work.round = cohort->round;
        trainee->work.attempt = cohort->attempt;
        trainee->work.budget = member->budget;
        trainee->trains = member->trains && trainer->setup->training;
        if (trainer->setup->keeps_messages && version->course.receives && !trainer->setup->foresight)
            frs_downlink_encode(downlink, client, member->budget, &trainee->download);
        if (frs_model_has_personal(trainer->setup->model))
            trainee->personal = frs_model_personal(trainer->setup->model, client);
        *encode_flop += (double)frs_downlink_personal_values(downlink, client);
        trainee->waits = (trainee->trains || trainer->setup->foresight) && member->waits;
        if (trainee->trains && !trainee->waits)
            add_to_waiting(trainer, trainee);
        member->charge =
            (struct frs_charge){.down_bytes = size.bytes, .nominal_down_bytes = size.nominal_bytes};
        if (version->course.receives)
            member->charge.catchup_bytes = frs_downlink_catchup_bytes(downlink, client);
    }
    if (trainer->n_batch == 0)
        start_batch(trainer);
    return first;
}

void frs_trainer_train(struct frs_trainer *trainer, size_t ticket) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    FRS_INVARIANT(trainee->waits, "client %u is trained twice", trainee->work.client);
    trainee->waits = false;
    if (trainee->trains)
        add_to_waiting(trainer, trainee);
    if (trainer->n_batch == 0)
        start_batch(trainer);
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
        start_batch(trainer);
    }
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
            add_to_waiting(trainer, trainee);
    }
    frs_trainer_finish_training(trainer);
}

/* ---- evaluation ---------------------------------------------------------------------------------------- */

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
    struct frs_tables held = frs_learner_join(setup->model, &trainee->version->tables, &trainee->personal);
    struct view view = {setup, &held, NULL};
    frs_evaluation_run_client(
        trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score}, trainee->work.client);
}

struct frs_quality frs_trainer_evaluate(struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_tables tables = frs_model_tables(setup->model);
    struct view view = {setup, &tables, trainer->downlinks->n > 1 ? trainer->downlinks : NULL};
    bool done = setup->device_view && trainer->updates > 0; /* device by device, as clients committed */
    finish_batch(trainer);
    double began_s = frs_process_cpu_s();
    if (!done)
        frs_evaluation_run(trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score});
    struct frs_quality quality = frs_evaluation_quality(trainer->evaluation, trainer->trained);
    trainer->times.evaluation_s += frs_process_cpu_s() - began_s;
    quality.client_loss = frs_information_loss_mean(trainer->loss.client, trainer->loss.n_client);
    quality.server_loss = frs_information_loss_mean(trainer->loss.server, trainer->loss.n_server);
    const struct frs_reading *read = &trainer->reading;
    quality.items_read = frs_information_loss_mean((double)read->items, read->uploads);
    quality.interactions_found = frs_information_loss_mean((double)read->found, read->interactions);
    quality.sums_of_few = frs_information_loss_mean((double)read->sums_of_few, read->sums);
    quality.clipped = frs_information_loss_mean((double)trainer->masked.clipped, trainer->masked.values);
    return quality;
}

void frs_trainer_commit(struct frs_trainer *trainer, size_t ticket) {
    const struct frs_setup *setup = trainer->setup;
    const struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (!trainee->trains)
        return;
    frs_model_receive(setup->model, trainee->work.client, &trainee->version->tables,
        (uint64_t)trainee->work.round << 32 | (uint32_t)trainee->version->n_changes);
    frs_model_commit(
        setup->model, trainee->work.client, trainee->work.private_state, trainee->work.private_bytes);
    if (trainer->feedback)
        frs_feedback_commit(trainer->feedback, trainee->work.client, &trainee->work.residual);
    trainer->trained[trainee->work.client] = true;
    trainer->updates++;
    if (setup->device_view && trainer->evaluation)
        evaluate_device(trainer, trainee);
}

void frs_trainer_drop(struct frs_trainer *trainer, size_t ticket) {
    struct frs_trainee *trainee = frs_trainees_find(&trainer->trainees, ticket);
    if (trainee->trains && !trainee->done)
        frs_trainer_finish_training(trainer);
    frs_trainees_return(&trainer->trainees, trainee);
}

/* ---- archive ------------------------------------------------------------------------------------------- */

void frs_trainer_archive(struct frs_trainer *trainer, struct frs_archive *archive) {
    const struct frs_setup *setup = trainer->setup;
    frs_trainer_finish_training(trainer);
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
    return trainer->times;
}

uint64_t frs_trainer_updates(const struct frs_trainer *trainer) {
    return trainer->updates;
}

size_t frs_trainer_log_bytes(const struct frs_trainer *trainer) {
    return frs_downlinks_kept_bytes(trainer->downlinks);
}
