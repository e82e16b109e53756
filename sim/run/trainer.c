#include "sim/run/trainer.h"
#include "algorithms/kernels/compare.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/run/foresight.h"
#include "sim/run/trainer_internal.h"
#include "sim/run/untrained.h"

#include <math.h>
#include <stdlib.h>

struct frs_trainer *frs_trainer_create(
    const struct frs_setup *setup, struct frs_pool *pool, struct frs_evaluation *evaluation) {
    struct frs_trainer *trainer = frs_alloc(1, sizeof *trainer);
    *trainer = (struct frs_trainer){
        .setup = setup, .pool = pool, .evaluation = evaluation, .seats = {.setup = setup}};
    trainer->seats.n_parts = setup->learner->parts(setup->model, FRS_STATE, trainer->seats.shapes);
    if (setup->learner->personal)
        trainer->seats.n_personal =
            setup->learner->parts(setup->model, FRS_PERSONAL, trainer->seats.personal_shapes);
    trainer->downlinks = frs_downlinks_create(setup);
    trainer->feedback = frs_setup_feedback(setup);
    trainer->trained = frs_alloc(setup->data->population.n_clients, sizeof *trainer->trained);
    if (setup->foresight && setup->learner->personal)
        trainer->foreseen_personal = frs_alloc(setup->data->population.n_clients, sizeof(bool));
    trainer->benches = frs_alloc(frs_pool_threads(pool), sizeof *trainer->benches);
    trainer->untrained = frs_alloc(frs_setup_budgets(setup).max + (size_t)1, sizeof *trainer->untrained);
    return trainer;
}

/* ---- training ------------------------------------------------------------------------------------------ */

static void train(void *context, size_t task, size_t thread) {
    struct frs_trainer *trainer = context;
    struct frs_seat *seat = trainer->batch[task];
    const struct frs_version *version = seat->version;
    frs_work_run(&seat->work, trainer->setup,
        &(struct frs_work_order){.tables = version->course.receives ? &version->tables : NULL,
            .personal = &seat->personal,
            .word = version->word,
            .sends = version->course.sends,
            .forgets = trainer->setup->trains_again,
            .feedback = trainer->feedback},
        &trainer->benches[thread]);
    if (!seat->version->finite)
        seat->work.loss = NAN;
}

static void finish_batch(struct frs_trainer *trainer) {
    if (trainer->n_batch == 0)
        return;
    frs_pool_finish(trainer->pool);
    trainer->training_s += frs_wall_s() - trainer->batch_wall_s;
    for (size_t i = 0; i < trainer->n_batch; i++)
        trainer->batch[i]->done = true;
    trainer->n_batch = 0;
}

/* Everybody who waits; the batch before has been finished. */
static void start_batch(struct frs_trainer *trainer) {
    struct frs_seat **emptied = trainer->batch;
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

static void add_to_waiting(struct frs_trainer *trainer, struct frs_seat *seat) {
    seat->done = false;
    trainer->waiting = frs_grow(
        trainer->waiting, trainer->n_waiting + 1, &trainer->waiting_capacity, sizeof *trainer->waiting);
    trainer->waiting[trainer->n_waiting++] = seat;
}

void frs_trainer_destroy(struct frs_trainer *trainer) {
    if (!trainer)
        return;
    finish_batch(trainer);
    frs_seats_fini(&trainer->seats);
    for (size_t i = 0; i < frs_pool_threads(trainer->pool); i++)
        frs_workbench_fini(&trainer->benches[i]);
    frs_arena_fini(&trainer->arena);
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
    uint32_t client = cohort->clients[cohort->round % cohort->n];
    uint32_t budget = cohort->budgets[cohort->round % cohort->n];
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
            frs_seats_release(&trainer->seats, trainer->current[i]);
        trainer->current[i] = NULL;
    }
}

/* Finite uploads can add up to what is too large for a float. */
static bool are_finite(const struct frs_trainer *trainer, const struct frs_tables *tables) {
    bool finite = true;
    for (size_t i = 0; i < trainer->seats.n_parts; i++)
        finite &=
            frs_all_finite(tables->part[i], trainer->seats.shapes[i].n_rows * trainer->seats.shapes[i].dim);
    return finite;
}

static void measure_state_loss(struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    const struct frs_part *items = &trainer->seats.shapes[0];
    struct frs_rows meant = {.n_rows = items->n_rows, .dim = items->dim, .n = items->n_rows}, decoded = meant;
    meant.values = setup->learner->tables(setup->model).part[0];
    decoded.values = frs_downlink_tables(trainer->downlinks->all[0])->part[0];
    frs_information_loss_server(&trainer->loss, &meant, &decoded);
}

static void open_downlink(struct frs_trainer *trainer, size_t set, struct frs_course course) {
    struct frs_downlink *downlink = trainer->downlinks->all[set];
    if (course.receives)
        frs_downlink_open(downlink, trainer->round);
    struct frs_version *version = frs_seats_add_version(&trainer->seats, frs_downlink_tables(downlink));
    version->course = course;
    version->finite = are_finite(trainer, &version->tables);
    version->word = frs_downlink_word(downlink);
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
        frs_seats_detach_versions(&trainer->seats);
    for (size_t i = 0; i < trainer->downlinks->n; i++)
        open_downlink(trainer, i, course);
    if (!course.receives)
        return;
    if (setup->information_loss && !setup->learner->sends_updates)
        measure_state_loss(trainer);
    audit_download(trainer, cohort);
    if (setup->learner->broadcast)
        setup->learner->broadcast(setup->model, cohort->round, &trainer->current[0]->tables);
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

size_t frs_trainer_open(struct frs_trainer *trainer, const struct frs_cohort *cohort,
    struct frs_learnt *learnt, double *encode_flop) {
    const struct frs_learner *learner = trainer->setup->learner;
    size_t first = 0;
    for (size_t i = 0; i < cohort->n; i++)
        frs_downlinks_grant(trainer->downlinks, cohort->clients[i], cohort->budgets[i]);
    if (!trainer->current[0] || trainer->round != cohort->round)
        renew_current(trainer, cohort);
    *encode_flop = 0;
    for (size_t i = 0; i < trainer->downlinks->n; i++)
        *encode_flop += frs_downlink_encode_flop(trainer->downlinks->all[i]);
    for (size_t i = 0; i < cohort->n; i++) {
        uint32_t client = cohort->clients[i];
        struct frs_downlink *downlink = frs_downlinks_of(trainer->downlinks, client);
        struct frs_version *version = trainer->current[trainer->downlinks->set_of[client]];
        struct frs_message_size size = {0};
        if (version->course.receives)
            size = download_size(trainer, downlink, client);
        struct frs_seat *seat = frs_seats_take(&trainer->seats, version);
        first = i == 0 ? seat->ticket : first;
        seat->work.client = client;
        seat->work.round = cohort->round;
        seat->work.attempt = cohort->attempt;
        seat->work.budget = cohort->budgets[i];
        seat->trains = cohort->trains[i] && trainer->setup->training;
        if (learner->personal)
            seat->personal = learner->personal(trainer->setup->model, client);
        *encode_flop += (double)frs_downlink_personal_values(downlink, client);
        seat->waits = (seat->trains || trainer->setup->foresight) && cohort->waits && cohort->waits[i];
        if (seat->trains && !seat->waits)
            add_to_waiting(trainer, seat);
        learnt[i] = (struct frs_learnt){.down_bytes = size.bytes, .nominal_down_bytes = size.nominal_bytes};
    }
    if (trainer->n_batch == 0)
        start_batch(trainer);
    return first;
}

void frs_trainer_train(struct frs_trainer *trainer, size_t ticket) {
    struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    FRS_INVARIANT(seat->waits, "client %u is trained twice", seat->work.client);
    seat->waits = false;
    if (seat->trains)
        add_to_waiting(trainer, seat);
    if (trainer->n_batch == 0)
        start_batch(trainer);
}

void frs_trainer_received(struct frs_trainer *trainer, size_t ticket) {
    const struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    if (seat->version->course.receives)
        frs_downlink_received(frs_downlinks_of(trainer->downlinks, seat->work.client), seat->work.client,
            seat->version->number);
}

static bool is_in_batch(const struct frs_trainer *trainer, const struct frs_seat *seat) {
    return seat->task < trainer->n_batch && trainer->batch[seat->task] == seat;
}

static void await(struct frs_trainer *trainer, struct frs_seat *seat) {
    if (seat->done)
        return;
    if (!is_in_batch(trainer, seat)) {
        finish_batch(trainer);
        start_batch(trainer);
    }
    frs_pool_wait(trainer->pool, seat->task);
}

/* Upload size where only timing is asked for; found once for every budget. */
static struct frs_upload_size untrained_size(struct frs_trainer *trainer, uint32_t budget) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_upload_size *size = &trainer->untrained[budget];
    if (size->bytes == 0) {
        struct frs_tables tables = setup->learner->tables(setup->model);
        *size = frs_work_untrained_size(setup, &tables, budget);
    }
    return *size;
}

/* What was foreseen is an upload under the largest budget; sizes under another one are in proportion. */
static void foresee(struct frs_trainer *trainer, const struct frs_seat *seat, struct frs_learnt *learnt) {
    const struct frs_setup *setup = trainer->setup;
    uint32_t budget = seat->work.budget, largest = frs_setup_budgets(setup).max;
    if (seat->waits)
        return;
    frs_foresight_tell(setup->foresight, seat->work.client, seat->work.epochs_limit, learnt);
    if (!seat->version->course.sends) {
        learnt->up_bytes = learnt->nominal_up_bytes = learnt->up_values = 0;
    } else if (budget < largest) {
        double share =
            (double)untrained_size(trainer, budget).bytes / (double)untrained_size(trainer, largest).bytes;
        double work = setup->learner->work ? setup->learner->work(setup->model, budget) /
                                                 setup->learner->work(setup->model, largest)
                                           : 1;
        learnt->up_bytes = (size_t)llround((double)learnt->up_bytes * share);
        learnt->nominal_up_bytes = (size_t)llround((double)learnt->nominal_up_bytes * share);
        learnt->up_values = (size_t)llround((double)learnt->up_values * share);
        learnt->flop *= work;
    }
}

void frs_trainer_result(struct frs_trainer *trainer, size_t ticket, struct frs_learnt *learnt) {
    struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    const struct frs_work *work = &seat->work;
    if (trainer->setup->foresight) {
        foresee(trainer, seat, learnt);
        return;
    }
    if (!trainer->setup->training) {
        struct frs_upload_size size = {0};
        if (trainer->setup->devices.compute == FRS_COMPUTE_PER_SAMPLE)
            learnt->samples = frs_untrained_samples(trainer->setup, work->client);
        if (seat->version->course.sends)
            size = untrained_size(trainer, work->budget);
        learnt->up_bytes = size.bytes;
        learnt->nominal_up_bytes = size.nominal_bytes;
        learnt->up_values = size.values;
        return;
    }
    if (!seat->trains || seat->waits)
        return;
    await(trainer, seat);
    learnt->up_bytes = work->up_bytes;
    learnt->nominal_up_bytes = work->nominal_up_bytes;
    learnt->up_values = work->up_values;
    learnt->flop = work->flop;
    learnt->samples = work->samples;
    learnt->post_flop = work->post_flop;
    learnt->post_samples = work->post_samples;
    learnt->loss = work->loss;
    learnt->epochs = work->epochs;
    learnt->cpu_s = work->cpu_s;
}

/* Trained once more: the streams are the same, so are the first epochs. */
void frs_trainer_truncate(
    struct frs_trainer *trainer, const size_t *tickets, const uint32_t *epochs, size_t n) {
    frs_trainer_finish_training(trainer);
    for (size_t i = 0; i < n; i++) {
        struct frs_seat *seat = frs_seats_find(&trainer->seats, tickets[i]);
        seat->work.epochs_limit = epochs[i];
        if (seat->trains && !seat->waits)
            add_to_waiting(trainer, seat);
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
static void evaluate_device(struct frs_trainer *trainer, const struct frs_seat *seat) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_tables held =
        frs_learner_join(setup->learner, setup->model, &seat->version->tables, &seat->personal);
    struct view view = {setup, &held, NULL};
    frs_evaluation_run_client(
        trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score}, seat->work.client);
}

struct frs_quality frs_trainer_evaluate(struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_tables tables = setup->learner->tables(setup->model);
    struct view view = {setup, &tables, trainer->downlinks->n > 1 ? trainer->downlinks : NULL};
    bool done = setup->device_view && trainer->updates > 0; /* device by device, as clients committed */
    finish_batch(trainer);
    if (!done)
        frs_evaluation_run(trainer->evaluation, &(struct frs_scorer){.context = &view, .score = score});
    struct frs_quality quality = frs_evaluation_quality(trainer->evaluation, trainer->trained);
    quality.client_loss = frs_information_loss_mean(trainer->loss.client, trainer->loss.n_client);
    quality.server_loss = frs_information_loss_mean(trainer->loss.server, trainer->loss.n_server);
    return quality;
}

void frs_trainer_commit(struct frs_trainer *trainer, size_t ticket) {
    const struct frs_setup *setup = trainer->setup;
    const struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    if (!seat->trains)
        return;
    if (setup->learner->keep)
        setup->learner->keep(setup->model, seat->work.client, &seat->version->tables,
            (uint64_t)seat->work.round << 32 | (uint32_t)seat->version->n_changes);
    setup->learner->commit(
        setup->model, seat->work.client, seat->work.private_state, seat->work.private_bytes);
    if (trainer->feedback)
        frs_feedback_commit(trainer->feedback, seat->work.client, &seat->work.residual);
    trainer->trained[seat->work.client] = true;
    trainer->updates++;
    if (setup->device_view && trainer->evaluation)
        evaluate_device(trainer, seat);
}

void frs_trainer_drop(struct frs_trainer *trainer, size_t ticket) {
    struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    if (seat->trains && !seat->done)
        frs_trainer_finish_training(trainer);
    frs_seats_return(&trainer->seats, seat);
}

/* ---- archive ------------------------------------------------------------------------------------------- */

void frs_trainer_archive(struct frs_trainer *trainer, struct frs_archive *archive) {
    const struct frs_setup *setup = trainer->setup;
    frs_trainer_finish_training(trainer);
    frs_trainer_leave_current(trainer);
    setup->learner->archive(setup->model, archive);
    frs_downlinks_archive(trainer->downlinks, archive);
    if (trainer->feedback)
        frs_feedback_archive(trainer->feedback, archive);
    frs_archive_bools(archive, trainer->trained, setup->data->population.n_clients);
    frs_archive_u64(archive, &trainer->n_changes);
    frs_seats_archive(&trainer->seats, archive);
    frs_archive_u64(archive, &trainer->updates);
    frs_information_loss_archive(&trainer->loss, archive);
    if (trainer->evaluation)
        frs_evaluation_archive(trainer->evaluation, archive);
}

double frs_trainer_training_s(const struct frs_trainer *trainer) {
    return trainer->training_s;
}

uint64_t frs_trainer_updates(const struct frs_trainer *trainer) {
    return trainer->updates;
}
