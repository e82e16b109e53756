#include "sim/run/trainer.h"
#include "algorithms/kernels/compare.h"
#include "sim/base/memory.h"
#include "sim/run/downlinks.h"
#include "sim/run/information_loss.h"
#include "sim/run/seats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct frs_trainer {
    const struct frs_setup *setup;
    struct frs_pool *pool;
    struct frs_evaluation *evaluation;
    struct frs_downlinks *downlinks;
    struct frs_feedback *feedback;      /* NULL: none */
    struct frs_message_size *untrained; /* [largest budget + 1] */
    bool *trained;                      /* [n_clients] has committed at least once */
    struct frs_seats seats;
    struct frs_version *current[FRS_MAX_SETS]; /* what a client that is opened now will hold, by its downlink;
                                                  NULL: to be opened */
    uint32_t round;                            /* it was opened for */
    uint64_t n_changes;                        /* of the tables so far */
    /* Training, a batch after the other: what is in the running one, and what comes next. */
    struct frs_seat **batch, **waiting;
    size_t n_batch, n_waiting, batch_capacity, waiting_capacity;
    struct frs_workbench *benches; /* [threads] */
    struct frs_arena arena;        /* of the server */
    struct frs_information_loss loss;
    double batch_wall_s, training_s;
    uint64_t updates;
};

static double wall_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    if (setup->uplink_feedback) {
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t n_parts = setup->learner->parts(setup->model, FRS_UPLOAD, shapes);
        trainer->feedback = frs_feedback_create(setup->data->population.n_clients, shapes, n_parts);
    }
    trainer->trained = frs_alloc(setup->data->population.n_clients, sizeof *trainer->trained);
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
    trainer->training_s += wall_s() - trainer->batch_wall_s;
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
    trainer->batch_wall_s = wall_s();
    if (trainer->n_batch > 0)
        frs_pool_start(trainer->pool, train, trainer, trainer->n_batch);
}

static void finish_training(struct frs_trainer *trainer) {
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
    free(trainer->batch);
    free(trainer->waiting);
    free(trainer->benches);
    free(trainer);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Sizes of downloads are added up from encoded parts; once a round the message itself is built and measured.
 */
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

static void leave_current(struct frs_trainer *trainer) {
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
    leave_current(trainer);
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
            size = frs_downlink_size(downlink, client);
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
        seat->waits = seat->trains && cohort->waits && cohort->waits[i];
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
static struct frs_message_size untrained_size(struct frs_trainer *trainer, uint32_t budget) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_message_size *size = &trainer->untrained[budget];
    if (size->bytes == 0) {
        struct frs_tables tables = setup->learner->tables(setup->model);
        *size = frs_work_untrained_size(setup, &tables, budget);
    }
    return *size;
}

void frs_trainer_result(struct frs_trainer *trainer, size_t ticket, struct frs_learnt *learnt) {
    struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    const struct frs_work *work = &seat->work;
    if (!trainer->setup->training) {
        struct frs_message_size size = {0};
        if (seat->version->course.sends)
            size = untrained_size(trainer, work->budget);
        learnt->up_bytes = size.bytes;
        learnt->nominal_up_bytes = size.nominal_bytes;
        return;
    }
    if (!seat->trains || seat->waits)
        return;
    await(trainer, seat);
    learnt->up_bytes = work->up_bytes;
    learnt->nominal_up_bytes = work->nominal_up_bytes;
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
    finish_training(trainer);
    for (size_t i = 0; i < n; i++) {
        struct frs_seat *seat = frs_seats_find(&trainer->seats, tickets[i]);
        seat->work.epochs_limit = epochs[i];
        if (seat->trains && !seat->waits)
            add_to_waiting(trainer, seat);
    }
    finish_training(trainer);
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

/* ---- closing ------------------------------------------------------------------------------------------- */

/* FedBuff: Q += η_g Σ s(τ_u) Δ_u / K. Otherwise the learner's own weighting. */
static double weight_of(const struct frs_trainer *trainer, const struct frs_seat *seat, size_t n) {
    const struct frs_policy_settings *policy = &trainer->setup->policy_settings;
    if (!trainer->setup->policy->asynchronous)
        return 0;
    double staleness = (double)(trainer->n_changes - seat->version->n_changes);
    return policy->server_rate / (double)n / (policy->damps_stale ? sqrt(1 + staleness) : 1);
}

static void stand_in(struct frs_trainer *trainer, struct frs_rows *update) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = trainer->setup->learner->parts(trainer->setup->model, FRS_UPDATE, shapes);
    frs_message_stand_in(shapes, n_parts, trainer->setup->whole_messages, &trainer->arena, update);
}

/* What was trained under one word; without training an update that is as large as any other. */
static void publish_word(struct frs_trainer *trainer, struct frs_contribution *contributions, size_t n,
    uint64_t word, bool goes_on) {
    const struct frs_setup *setup = trainer->setup;
    struct frs_rows update[FRS_MAX_PARTS];
    frs_arena_reset(&trainer->arena);
    for (size_t i = 0; i < n; i++)
        contributions[i].apart = contributions[i].word != word;
    if (setup->training)
        setup->learner->aggregate(setup->model, contributions, n, &trainer->arena, update);
    else
        stand_in(trainer, update);
    struct frs_rows decoded[FRS_MAX_PARTS];
    for (size_t i = 0; i < trainer->downlinks->n; i++) {
        frs_downlink_publish(trainer->downlinks->all[i], word, update, goes_on, &trainer->arena, decoded);
        if (setup->information_loss)
            frs_information_loss_server(&trainer->loss, &update[0], &decoded[0]);
    }
}

/* Older words first. */
static void publish(struct frs_trainer *trainer, struct frs_contribution *contributions, size_t n) {
    bool goes_on = false;
    if (trainer->setup->device_view) /* only a device's view outlives training */
        frs_seats_detach_versions(&trainer->seats);
    for (const struct frs_version *version = trainer->seats.versions; version; version = version->next) {
        bool is_there = false, is_done = false;
        for (size_t i = 0; i < n; i++)
            is_there |= contributions[i].word == version->word;
        for (const struct frs_version *older = trainer->seats.versions; older != version; older = older->next)
            is_done |= older->word == version->word;
        if (!is_there || is_done)
            continue;
        publish_word(trainer, contributions, n, version->word, goes_on);
        goes_on = true;
    }
}

/* Who is still under way keeps the personal tables it was sent; what arrived has no more need of them. */
static void leave_personal(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    for (size_t i = 0; i < arrivals->n; i++) {
        struct frs_seat *seat = frs_seats_find(&trainer->seats, arrivals->tickets[i]);
        if (!seat->owns_personal)
            seat->personal = (struct frs_tables){0};
    }
    if (trainer->setup->policy_settings.run_on)
        frs_seats_detach_personal(&trainer->seats);
}

static void measure_client_loss(struct frs_trainer *trainer, const struct frs_contribution *contributions,
    const struct frs_arrivals *arrivals) {
    size_t n = arrivals->n;
    struct frs_contribution *exact = frs_alloc(n, sizeof *exact);
    for (size_t i = 0; i < n; i++) {
        exact[i] = contributions[i];
        memcpy(exact[i].parts, frs_seats_find(&trainer->seats, arrivals->tickets[i])->work.exact,
            sizeof exact[i].parts);
    }
    frs_information_loss_client(&trainer->loss, trainer->setup, contributions, exact, n);
    free(exact);
}

/* At a time: their uploads wait for each other. */
#define GATHERED 1024u

/* Uploads that were not kept. */
struct gathering {
    struct frs_trainer *trainer;
    const struct frs_seat *seats[GATHERED];
    struct frs_work works[GATHERED];
};

static void train_again(void *context, size_t task, size_t thread) {
    struct gathering *gathering = context;
    const struct frs_trainer *trainer = gathering->trainer;
    const struct frs_seat *seat = gathering->seats[task];
    struct frs_work *work = &gathering->works[task];
    struct frs_buffer kept = work->kept;
    *work = (struct frs_work){.client = seat->work.client,
        .round = seat->work.round,
        .attempt = seat->work.attempt,
        .budget = seat->work.budget,
        .epochs_limit = seat->work.epochs_limit,
        .kept = kept};
    frs_work_run(work, trainer->setup,
        &(struct frs_work_order){.tables = &seat->version->tables,
            .personal = &seat->personal,
            .word = seat->version->word,
            .sends = true},
        &trainer->benches[thread]);
}

/* The same uploads as before, and the model has seen them when this returns. */
static void gather_again(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    const struct frs_setup *setup = trainer->setup;
    struct gathering *gathering = frs_alloc(1, sizeof *gathering);
    struct frs_contribution *contributions = frs_alloc(GATHERED, sizeof *contributions);
    gathering->trainer = trainer;
    for (size_t first = 0; first < arrivals->n; first += GATHERED) {
        size_t n = arrivals->n - first < GATHERED ? arrivals->n - first : GATHERED;
        for (size_t i = 0; i < n; i++)
            gathering->seats[i] = frs_seats_find(&trainer->seats, arrivals->tickets[first + i]);
        frs_pool_start(trainer->pool, train_again, gathering, n);
        frs_pool_finish(trainer->pool);
        for (size_t i = 0; i < n; i++) {
            FRS_INVARIANT(gathering->works[i].up_bytes == gathering->seats[i]->work.up_bytes,
                "client %u uploads something else than before", gathering->works[i].client);
            contributions[i] = gathering->works[i].contribution;
        }
        setup->learner->gather(setup->model, contributions, n);
    }
    for (size_t i = 0; i < GATHERED; i++)
        frs_work_fini(&gathering->works[i]);
    free(contributions);
    free(gathering);
}

static struct frs_contribution *list_contributions(
    const struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    struct frs_contribution *contributions = frs_alloc(arrivals->n, sizeof *contributions);
    for (size_t i = 0; i < arrivals->n; i++) {
        const struct frs_seat *seat = frs_seats_find(&trainer->seats, arrivals->tickets[i]);
        contributions[i] = seat->work.contribution;
        contributions[i].word = seat->version->word;
        contributions[i].weight = weight_of(trainer, seat, arrivals->n);
    }
    return contributions;
}

/* Only what arrived is aggregated; nothing arrived: the model stays as it is. */
static void aggregate(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    const struct frs_setup *setup = trainer->setup;
    size_t n = arrivals->n;
    struct frs_contribution *contributions = NULL;
    if (setup->trains_again)
        gather_again(trainer, arrivals);
    else
        contributions = list_contributions(trainer, arrivals);
    leave_current(trainer);
    leave_personal(trainer, arrivals);
    if (setup->information_loss)
        measure_client_loss(trainer, contributions, arrivals);
    if (setup->learner->sends_updates) {
        publish(trainer, contributions, n);
    } else if (setup->training) {
        struct frs_rows none[FRS_MAX_PARTS];
        frs_arena_reset(&trainer->arena);
        setup->learner->aggregate(setup->model, contributions, n, &trainer->arena, none);
    }
    trainer->n_changes++;
    free(contributions);
}

/* The server's tables, one after the other; NULL where nobody asks how much they change. */
static float *copy_tables(const struct frs_trainer *trainer) {
    const struct frs_setup *setup = trainer->setup;
    const struct frs_seats *seats = &trainer->seats;
    if (!(setup->stop_change > 0))
        return NULL;
    struct frs_tables tables = setup->learner->tables(setup->model);
    size_t n = 0;
    for (size_t i = 0; i < seats->n_parts; i++)
        n += seats->shapes[i].n_rows * seats->shapes[i].dim;
    float *copy = frs_alloc(n, sizeof *copy);
    for (size_t i = 0, at = 0; i < seats->n_parts; i++) {
        size_t length = seats->shapes[i].n_rows * seats->shapes[i].dim;
        memcpy(copy + at, tables.part[i], length * sizeof *copy);
        at += length;
    }
    return copy;
}

static double relative_change(const float *before, const float *after, size_t n) {
    double change = 0, length = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = (double)after[i] - (double)before[i];
        change += difference * difference;
        length += (double)before[i] * (double)before[i];
    }
    return length > 0 ? sqrt(change / length) : NAN;
}

double frs_trainer_close(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    double change = NAN;
    finish_training(trainer);
    if (!arrivals || arrivals->n == 0)
        return change;
    float *before = copy_tables(trainer);
    aggregate(trainer, arrivals);
    float *after = copy_tables(trainer);
    size_t n = 0;
    for (size_t i = 0; i < trainer->seats.n_parts; i++)
        n += trainer->seats.shapes[i].n_rows * trainer->seats.shapes[i].dim;
    if (before)
        change = relative_change(before, after, n);
    free(before);
    free(after);
    return change;
}

/* ---- clients on their own ------------------------------------------------------------------------------ */

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
    struct frs_trainer *trainer, const struct frs_work *work, struct frs_learnt *learnt) {
    const struct frs_setup *setup = trainer->setup;
    setup->learner->commit(setup->model, work->client, work->private_state, work->private_bytes);
    trainer->trained[work->client] = true;
    learnt->flop += work->flop;
    learnt->samples += work->samples;
    learnt->loss = isfinite(work->loss) ? learnt->loss : NAN;
}

void frs_trainer_alone(
    struct frs_trainer *trainer, const struct frs_loners *loners, struct frs_learnt *learnt) {
    struct loners *batch = frs_alloc(1, sizeof *batch);
    *learnt = (struct frs_learnt){0};
    batch->trainer = trainer;
    finish_training(trainer);
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
            commit_loner(trainer, &batch->works[i], learnt);
    }
    for (size_t i = 0; i < LONERS; i++)
        frs_work_fini(&batch->works[i]);
    free(batch);
}

void frs_trainer_drop(struct frs_trainer *trainer, size_t ticket) {
    struct frs_seat *seat = frs_seats_find(&trainer->seats, ticket);
    if (seat->trains && !seat->done)
        finish_training(trainer);
    frs_seats_return(&trainer->seats, seat);
}

/* ---- archive ------------------------------------------------------------------------------------------- */

void frs_trainer_archive(struct frs_trainer *trainer, struct frs_archive *archive) {
    const struct frs_setup *setup = trainer->setup;
    finish_training(trainer);
    leave_current(trainer);
    setup->learner->archive(setup->model, archive);
    frs_downlinks_archive(trainer->downlinks, archive);
    if (trainer->feedback)
        frs_feedback_archive(trainer->feedback, archive);
    frs_archive_bytes(
        archive, trainer->trained, setup->data->population.n_clients * sizeof *trainer->trained);
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
