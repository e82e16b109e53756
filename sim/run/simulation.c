#include "sim/run/simulation.h"
#include "actors/server.h"
#include "algorithms/metrics/metrics.h"
#include "platforms/slots.h"
#include "sim/base/memory.h"
#include "sim/run/work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct simulation {
    struct frs_simulation_settings settings;
    const struct frs_setup *setup;
    struct frs_downlink *downlink;
    struct frs_message_size untrained; /* upload size when only timing is asked for */
    uint32_t round;                    /* of the open round, counted from 0 */
    double opened_s;
    uint32_t n; /* cohort size */
    uint32_t *cohort;
    struct frs_participation *participants;
    struct frs_work *work;
    struct frs_entry *entries;
    struct frs_contribution *contributions;
    struct frs_workbench *benches; /* [threads] */
    struct frs_arena arena;        /* of the server */
    bool *trained;                 /* [n_clients] has committed at least once */
    struct frs_simulation_result *result;
    struct frs_errors *errors;
    bool diverged;
    bool stopping; /* interrupted, as seen when the last round was closed: its row and the end of the run agree */
    double training_began_s;
};

static double wall_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct frs_tables server_tables(const struct simulation *s)
{
    return s->setup->learner->tables(s->setup->model);
}

/* A method's model and tables as something that ranks items. */
struct view {
    const struct frs_setup *setup;
    const struct frs_tables *tables;
};

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores)
{
    const struct view *view = context;
    view->setup->learner->score(view->setup->model, view->tables, client, items, n, scores);
}

static void evaluate_all(struct simulation *s)
{
    struct frs_tables tables = server_tables(s);
    struct view view = {s->setup, &tables};
    frs_evaluation_run(s->settings.evaluation, &(struct frs_scorer){.context = &view, .score = score});
}

/* The device's own view changes when its client has finished training, and only then. */
static void evaluate_device(struct simulation *s, uint32_t client)
{
    struct view view = {s->setup, frs_downlink_tables(s->downlink)};
    frs_evaluation_run_client(
        s->settings.evaluation, &(struct frs_scorer){.context = &view, .score = score}, client);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void train(void *context, size_t task, size_t thread)
{
    struct simulation *s = context;
    frs_work_run(&s->work[task], s->setup, frs_downlink_tables(s->downlink), frs_downlink_word(s->downlink), s->round,
        &s->benches[thread]);
}

static void prepare(struct simulation *s, size_t i)
{
    uint32_t client = s->cohort[i];
    struct frs_client_link link = frs_network_client(&s->setup->network, s->setup->seed, client);
    struct frs_message_size down = frs_downlink_size(s->downlink, client);
    s->participants[i] = (struct frs_participation){
        .client = client,
        .down_bytes_per_s = link.down_bytes_per_s,
        .up_bytes_per_s = link.up_bytes_per_s,
        .latency_s = link.latency_s,
        .down_bytes = down.bytes,
        .compute_s = NAN,
        .selected_s = NAN,
        .down_start_s = NAN,
        .down_end_s = NAN,
        .compute_end_s = NAN,
        .up_start_s = NAN,
        .up_end_s = NAN,
    };
    s->entries[i] = (struct frs_entry){.participation = &s->participants[i], .nominal_down_bytes = down.nominal_bytes};
    s->work[i].client = client;
}

/* Sizes of downloads are added up from encoded parts; once a round the message itself is built and measured. */
static void audit_download(const struct simulation *s)
{
    struct frs_buffer message = {0};
    uint32_t client = s->cohort[s->round % s->n];
    frs_downlink_encode(s->downlink, client, &message);
    FRS_INVARIANT(message.n == frs_downlink_size(s->downlink, client).bytes,
        "client %u is charged %zu bytes for a message of %zu", client, frs_downlink_size(s->downlink, client).bytes,
        message.n);
    frs_buffer_fini(&message);
}

static bool open_round(void *context, double now_s, struct frs_participation **participants, size_t *n)
{
    struct simulation *s = context;
    if (s->round == 0)
        s->stopping = *s->settings.interrupted;
    s->result->interrupted = s->stopping && s->round < s->setup->n_rounds;
    if (s->result->interrupted || s->diverged || s->round == s->setup->n_rounds)
        return false;
    struct frs_selection_request request = {.seed = s->setup->seed,
        .round = s->round,
        .n_clients = s->setup->data->population.n_clients,
        .n = s->n};
    s->opened_s = now_s;
    s->setup->selection->select(&request, s->cohort);
    qsort(s->cohort, s->n, sizeof *s->cohort, ascending);
    frs_downlink_open(s->downlink, s->round);
    for (size_t i = 0; i < s->n; i++)
        prepare(s, i);
    audit_download(s);
    if (s->setup->training) {
        s->training_began_s = wall_s();
        frs_pool_start(s->settings.pool, train, s, s->n);
    }
    *participants = s->participants;
    *n = s->n;
    return true;
}

static void compute(void *context, struct frs_participation *p)
{
    struct simulation *s = context;
    size_t i = (size_t)(p - s->participants);
    struct frs_spent spent = {0};
    frs_downlink_received(s->downlink, p->client);
    if (s->setup->training) {
        frs_pool_wait(s->settings.pool, i);
        spent = (struct frs_spent){
            .flop = s->work[i].flop, .samples = s->work[i].samples, .cpu_s = s->work[i].cpu_s};
        p->up_bytes = s->work[i].up_bytes;
        s->entries[i].nominal_up_bytes = s->work[i].nominal_up_bytes;
        s->entries[i].flop = spent.flop;
    } else {
        p->up_bytes = s->untrained.bytes;
        s->entries[i].nominal_up_bytes = s->untrained.nominal_bytes;
    }
    p->compute_s = frs_devices_compute_s(&s->setup->devices, s->setup->seed, p->client, spent);
}

static void computed(void *context, struct frs_participation *p)
{
    struct simulation *s = context;
    const struct frs_work *work = &s->work[p - s->participants];
    if (!s->setup->training)
        return;
    if (!isfinite(work->loss) && !s->diverged) {
        s->diverged = true;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of client %u is not a number: training has diverged (smaller method.learning_rate?)",
            s->round + 1, p->client);
    }
    s->setup->learner->commit(s->setup->model, p->client, work->private_state, work->private_bytes);
    s->trained[p->client] = true;
    s->result->updates++;
    if (s->setup->device_view)
        evaluate_device(s, p->client);
}

/* Only what arrived is aggregated; nothing arrived: the model stays as it is. */
static void aggregate(struct simulation *s)
{
    const struct frs_learner *learner = s->setup->learner;
    struct frs_rows update[FRS_MAX_PARTS];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->participants[i].outcome == FRS_DELIVERED)
            s->contributions[n++] = s->work[i].contribution;
    if (n == 0)
        return;
    frs_arena_reset(&s->arena);
    learner->aggregate(s->setup->model, s->contributions, n, &s->arena, update);
    if (learner->sends_updates)
        frs_downlink_publish(s->downlink, update, &s->arena);
}

/* A run without training still publishes: an update of all zeros has the same size as any other. */
static void publish_nothing(struct simulation *s)
{
    static const uint32_t no_ids[1];
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows update[FRS_MAX_PARTS];
    if (!s->setup->learner->sends_updates)
        return;
    size_t n_parts = s->setup->learner->parts(s->setup->model, FRS_UPDATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        update[i] = (struct frs_rows){.n_rows = shapes[i].n_rows, .dim = shapes[i].dim, .ids = no_ids};
    frs_arena_reset(&s->arena);
    frs_downlink_publish(s->downlink, update, &s->arena);
}

static bool is_evaluated(const struct simulation *s)
{
    bool last = s->round + 1 == s->setup->n_rounds || s->stopping || s->diverged;
    return s->settings.evaluation && (last || (s->round + 1) % s->setup->evaluate_every == 0);
}

static double headline(const struct simulation *s, const struct frs_scores *scores)
{
    return s->setup->data->explicit_feedback ? -scores->rmse : scores->hit;
}

static void keep_best(struct simulation *s, const struct frs_quality *quality)
{
    struct frs_simulation_result *result = s->result;
    if (quality->validation.n == 0)
        return;
    if (result->best_round == 0 ||
        headline(s, &quality->validation) > headline(s, &result->best.validation)) {
        result->best_round = s->round + 1;
        result->best = *quality;
    }
}

static void report_progress(const struct simulation *s, double now_s, const struct frs_quality *quality)
{
    bool rating = s->setup->data->explicit_feedback;
    const struct frs_scores *scores = quality ? &quality->test : &s->result->last.test;
    frs_progress_round(s->settings.progress, s->round + 1, now_s, s->settings.evaluation ? s->setup->headline : NULL,
        rating ? scores->rmse : scores->hit);
}

static void close_round(void *context, double now_s)
{
    struct simulation *s = context;
    struct frs_quality quality;
    if (s->setup->training) {
        frs_pool_finish(s->settings.pool);
        s->result->training_s += wall_s() - s->training_began_s;
        if (!s->diverged)
            aggregate(s);
    } else {
        publish_nothing(s);
    }
    s->stopping = *s->settings.interrupted;
    bool evaluated = is_evaluated(s);
    if (evaluated) {
        if (!s->setup->device_view)
            evaluate_all(s);
        quality = frs_evaluation_quality(s->settings.evaluation, s->trained);
        s->result->last = quality;
        keep_best(s, &quality);
    }
    frs_ledger_close_round(
        s->settings.ledger, s->opened_s, now_s, s->entries, s->n, evaluated ? &quality : NULL);
    report_progress(s, now_s, evaluated ? &quality : NULL);
    s->round++;
}

/* The platform file is read at once and removed again. */
static struct frs_channel *create_channel(const struct simulation *s, struct frs_errors *errors)
{
    const char *folder = getenv("TMPDIR");
    char *path = frs_format("%s/fedrecsim-XXXXXX.xml", folder && *folder ? folder : "/tmp");
    struct frs_channel *channel = NULL;
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    int failed = file ? frs_slots_write(file, s->n) : -1;
    if (file && fclose(file) != 0)
        failed = -1;
    if (failed)
        frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot write the platform file: %s", path, strerror(errno));
    else
        channel = frs_channel_create(&(struct frs_channel_settings){
            .platform_file = path, .n_slots = s->n, .lv08 = s->setup->network.model == FRS_LV08});
    if (descriptor >= 0)
        unlink(path);
    free(path);
    return channel;
}

static void init(struct simulation *s)
{
    const struct frs_setup *setup = s->setup;
    s->n = setup->cohort;
    s->downlink = frs_setup_downlink(setup);
    s->cohort = frs_alloc(s->n, sizeof *s->cohort);
    s->participants = frs_alloc(s->n, sizeof *s->participants);
    s->work = frs_alloc(s->n, sizeof *s->work);
    s->entries = frs_alloc(s->n, sizeof *s->entries);
    s->contributions = frs_alloc(s->n, sizeof *s->contributions);
    s->benches = frs_alloc(frs_pool_threads(s->settings.pool), sizeof *s->benches);
    s->trained = frs_alloc(setup->data->population.n_clients, sizeof *s->trained);
    if (!setup->training) {
        struct frs_tables tables = server_tables(s);
        s->untrained = frs_work_untrained_size(setup, &tables);
    }
}

static void fini(struct simulation *s)
{
    for (size_t i = 0; i < s->n; i++)
        frs_work_fini(&s->work[i]);
    for (size_t i = 0; i < frs_pool_threads(s->settings.pool); i++)
        frs_workbench_fini(&s->benches[i]);
    frs_arena_fini(&s->arena);
    frs_downlink_destroy(s->downlink);
    free(s->cohort);
    free(s->participants);
    free(s->work);
    free(s->entries);
    free(s->contributions);
    free(s->benches);
    free(s->trained);
}

enum frs_status frs_simulate(const struct frs_simulation_settings *settings, struct frs_simulation_result *result,
    struct frs_errors *errors)
{
    struct simulation s = {.settings = *settings, .setup = settings->setup, .result = result, .errors = errors};
    struct frs_server_operations operations = {
        .context = &s, .open = open_round, .compute = compute, .computed = computed, .close = close_round};
    *result = (struct frs_simulation_result){0};
    init(&s);
    struct frs_channel *channel = create_channel(&s, errors);
    enum frs_status status = channel ? FRS_OK : FRS_ERR_RUN;
    if (channel) {
        if (settings->evaluation) {
            evaluate_all(&s);
            result->initial = result->last = frs_evaluation_quality(settings->evaluation, s.trained);
        }
        frs_server_run(channel, s.setup->policy, &operations);
        struct frs_carried carried = frs_channel_carried(channel);
        frs_ledger_check_network(settings->ledger, carried.down_bytes, carried.up_bytes, carried.down_slack_bytes,
            carried.up_slack_bytes);
        status = s.diverged ? FRS_ERR_RUN : result->interrupted ? FRS_INTERRUPTED : FRS_OK;
    }
    frs_channel_destroy(channel);
    fini(&s);
    return status;
}
