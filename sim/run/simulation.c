#include "sim/run/simulation.h"
#include "actors/server.h"
#include "actors/timeline.h"
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
    struct frs_timeline *timeline;     /* NULL under SimGrid's own solver */
    struct frs_message_size untrained; /* upload size when only timing is asked for */
    uint32_t round;                    /* of the open round, counted from 0 */
    double opened_s;
    uint32_t attempt; /* at this round, from 0 */
    size_t n;         /* clients of the open round */
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
    double server_s;    /* of aggregating the open round */
    double state_bytes; /* of the tables a client has to hold */
    bool diverged, stranded;
    bool stopping; /* interrupted, as seen when the last round was closed: its row and the end of the run
                      agree */
    double training_began_s;
};

static double wall_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct frs_tables server_tables(const struct simulation *s) {
    return s->setup->learner->tables(s->setup->model);
}

/* A method's model and tables as something that ranks items. */
struct view {
    const struct frs_setup *setup;
    const struct frs_tables *tables;
};

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct view *view = context;
    view->setup->learner->score(view->setup->model, view->tables, client, items, n, scores);
}

static void evaluate_all(struct simulation *s) {
    struct frs_tables tables = server_tables(s);
    struct view view = {s->setup, &tables};
    frs_evaluation_run(s->settings.evaluation, &(struct frs_scorer){.context = &view, .score = score});
}

/* The device's own view changes when its client has finished training, and only then. */
static void evaluate_device(struct simulation *s, uint32_t client) {
    struct view view = {s->setup, frs_downlink_tables(s->downlink)};
    frs_evaluation_run_client(
        s->settings.evaluation, &(struct frs_scorer){.context = &view, .score = score}, client);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void train(void *context, size_t task, size_t thread) {
    struct simulation *s = context;
    if (!s->participants[task].unreachable && !s->participants[task].refused)
        frs_work_run(&s->work[task], s->setup, frs_downlink_tables(s->downlink),
            frs_downlink_word(s->downlink), s->round, s->attempt, &s->benches[thread]);
}

static struct frs_loss loss_of(const struct frs_phase_failure *failure) {
    bool device_first = failure->device_after_s <= failure->connection_after_s;
    return (struct frs_loss){.planned = failure->kind != FRS_FAILURE_NONE,
        .at_share = failure->fraction,
        .cause = failure->kind == FRS_FAILURE_DEVICE ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION,
        .after_s = device_first ? failure->device_after_s : failure->connection_after_s,
        .after_cause = device_first ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION};
}

static void plan_failures(const struct simulation *s, struct frs_participation *p) {
    const struct frs_setup *setup = s->setup;
    if (!frs_failures_can_strike(&setup->failures))
        return;
    struct frs_failure_plan plan =
        frs_failures_plan(&setup->failures, setup->seed, p->client, s->round, s->attempt);
    p->down_loss = loss_of(&plan.phase[FRS_FAILS_DOWN]);
    p->compute_loss = loss_of(&plan.phase[FRS_FAILS_COMPUTE]);
    p->up_loss = loss_of(&plan.phase[FRS_FAILS_UP]);
}

static bool is_reachable(void *context, uint32_t client) {
    const struct simulation *s = context;
    double until_s;
    return frs_reachable(&s->setup->reachability, client, s->round, s->attempt, s->opened_s, &until_s);
}

/* The client's links for this participation, jitter included. */
static void attach(const struct simulation *s, struct frs_participation *p) {
    const struct frs_network *network = &s->setup->network;
    if (s->setup->platform.file)
        return;
    uint64_t seed = s->setup->seed;
    uint32_t client = p->client, round = s->round, attempt = s->attempt;
    p->down_bytes_per_s =
        frs_network_transfer_bytes_per_s(network, seed, client, round, attempt, FRS_DIRECTION_DOWN);
    p->up_bytes_per_s =
        frs_network_transfer_bytes_per_s(network, seed, client, round, attempt, FRS_DIRECTION_UP);
    double down_s = frs_network_transfer_latency_s(network, seed, client, round, attempt, FRS_DIRECTION_DOWN);
    if (network->model == FRS_LV08) {
        p->link_latency_s = down_s;
        return;
    }
    p->latency_s = down_s;
    p->up_latency_s = frs_network_transfer_latency_s(network, seed, client, round, attempt, FRS_DIRECTION_UP);
}

static void prepare(struct simulation *s, size_t i) {
    const struct frs_setup *setup = s->setup;
    uint32_t client = s->cohort[i];
    struct frs_message_size down = frs_downlink_size(s->downlink, client);
    struct frs_participation *p = &s->participants[i];
    *p = frs_participation_new(client);
    attach(s, p);
    p->down_bytes = down.bytes;
    p->unreachable =
        !frs_reachable(&setup->reachability, client, s->round, s->attempt, s->opened_s, &p->leaves_s);
    p->contact_s = setup->contact_s;
    p->refused = s->state_bytes > frs_devices_memory_bytes(&setup->devices, setup->seed, client);
    plan_failures(s, p);
    s->entries[i] = (struct frs_entry){.participation = p, .nominal_down_bytes = down.nominal_bytes};
    s->work[i].client = client;
}

/* Capacity of a client's link while its bandwidth follows a trace. */
static double capacity(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    const struct simulation *s = context;
    double factor = frs_network_factor(&s->setup->network, s->setup->seed, p->client, now_s, until_s);
    return frs_network_scaled(up ? p->up_bytes_per_s : p->down_bytes_per_s, factor);
}

/* Sizes of downloads are added up from encoded parts; once a round the message itself is built and measured.
 */
static void audit_download(const struct simulation *s) {
    struct frs_buffer message = {0};
    uint32_t client = s->cohort[s->round % s->n];
    frs_downlink_encode(s->downlink, client, &message);
    FRS_INVARIANT(message.n == frs_downlink_size(s->downlink, client).bytes,
        "client %u is charged %zu bytes for a message of %zu", client,
        frs_downlink_size(s->downlink, client).bytes, message.n);
    frs_buffer_fini(&message);
}

/* The cohort of the round, in ascending client id; 0 when nobody can be reached. */
static size_t select_cohort(struct simulation *s) {
    const struct frs_setup *setup = s->setup;
    struct frs_selection_request request = {.seed = setup->seed,
        .round = s->round,
        .attempt = s->attempt,
        .n_clients = setup->data->population.n_clients,
        .n = setup->cohort};
    if (setup->sees_availability && !frs_reachability_is_trivial(&setup->reachability)) {
        request.eligible = is_reachable;
        request.context = s;
    }
    uint32_t n = setup->selection->select(&request, s->cohort);
    qsort(s->cohort, n, sizeof *s->cohort, ascending);
    return n;
}

/* Nobody can be reached: the server sleeps until somebody can, or gives up when that will never be. */
static struct frs_opening sleep_or_end(struct simulation *s) {
    double next_s = frs_reachable_next_any_s(&s->setup->reachability, s->round, s->attempt, s->opened_s);
    if (next_s > s->opened_s && next_s < INFINITY) {
        s->attempt++;
        return (struct frs_opening){.kind = FRS_OPEN_SLEEP, .until_s = next_s};
    }
    s->stranded = true;
    frs_errors_add(s->errors, FRS_ERR_RUN,
        "round %u: no client can be reached at %.15g s, nor ever again; the rounds closed so far were kept",
        s->round + 1, s->opened_s);
    return (struct frs_opening){.kind = FRS_OPEN_END};
}

/* One operation for every value of the message that goes out. */
static double encode_s(const struct simulation *s) {
    const struct frs_learner *learner = s->setup->learner;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = learner->parts(s->setup->model, learner->sends_updates ? FRS_UPDATE : FRS_STATE, shapes);
    double values = 0;
    for (size_t i = 0; i < n; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return frs_server_compute_s(&s->setup->server, values);
}

static struct frs_opening open_round(void *context, double now_s) {
    struct simulation *s = context;
    if (s->round == 0)
        s->stopping = *s->settings.interrupted;
    s->result->interrupted = s->stopping && s->round < s->setup->n_rounds;
    if (s->result->interrupted || s->diverged || s->round == s->setup->n_rounds)
        return (struct frs_opening){.kind = FRS_OPEN_END};
    s->opened_s = now_s;
    s->n = select_cohort(s);
    if (s->n == 0)
        return sleep_or_end(s);
    frs_downlink_open(s->downlink, s->round);
    for (size_t i = 0; i < s->n; i++)
        prepare(s, i);
    audit_download(s);
    if (s->setup->training) {
        s->training_began_s = wall_s();
        frs_pool_start(s->settings.pool, train, s, s->n);
    }
    return (struct frs_opening){
        .kind = FRS_OPEN_ROUND, .server_s = encode_s(s), .participants = s->participants, .n = s->n};
}

static void compute(void *context, struct frs_participation *p) {
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

static void computed(void *context, struct frs_participation *p) {
    struct simulation *s = context;
    const struct frs_work *work = &s->work[p - s->participants];
    if (!s->setup->training)
        return;
    if (!isfinite(work->loss) && !s->diverged) {
        s->diverged = true;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of client %u is not a number: training has diverged (smaller "
            "method.learning_rate?)",
            s->round + 1, p->client);
    }
    s->setup->learner->commit(s->setup->model, p->client, work->private_state, work->private_bytes);
    s->trained[p->client] = true;
    s->result->updates++;
    if (s->setup->device_view)
        evaluate_device(s, p->client);
}

/* Only what arrived is aggregated; nothing arrived: the model stays as it is. */
static void aggregate(struct simulation *s) {
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
static void publish_nothing(struct simulation *s) {
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

static bool is_evaluated(const struct simulation *s) {
    bool last = s->round + 1 == s->setup->n_rounds || s->stopping || s->diverged;
    return s->settings.evaluation && (last || (s->round + 1) % s->setup->evaluate_every == 0);
}

static double headline(const struct simulation *s, const struct frs_scores *scores) {
    return s->setup->data->explicit_feedback ? -scores->rmse : scores->hit;
}

static void keep_best(struct simulation *s, const struct frs_quality *quality) {
    struct frs_simulation_result *result = s->result;
    if (quality->validation.n == 0)
        return;
    if (result->best_round == 0 ||
        headline(s, &quality->validation) > headline(s, &result->best.validation)) {
        result->best_round = s->round + 1;
        result->best = *quality;
    }
}

static void report_progress(const struct simulation *s, double now_s, const struct frs_quality *quality) {
    bool rating = s->setup->data->explicit_feedback;
    const struct frs_scores *scores = quality ? &quality->test : &s->result->last.test;
    frs_progress_round(s->settings.progress, s->round + 1, now_s,
        s->settings.evaluation ? s->setup->headline : NULL, rating ? scores->rmse : scores->hit);
}

/* Modelled from how long each phase lasted and what crossed. */
static void charge_energy(struct simulation *s) {
    for (size_t i = 0; i < s->n; i++) {
        const struct frs_participation *p = &s->participants[i];
        struct frs_phase_times t = frs_participation_times(p);
        s->entries[i].energy_j =
            frs_devices_energy_j(&s->setup->devices, s->setup->seed, p->client, t.compute_s,
                t.latency_s + t.down_s + t.up_s, (double)p->down_crossed_bytes + (double)p->up_crossed_bytes);
    }
}

static double state_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = setup->learner->parts(setup->model, FRS_STATE, shapes);
    double bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += 4.0 * (double)(shapes[i].n_rows * shapes[i].dim);
    return bytes;
}

/* The server's link is finite, and what makes a transfer longer than on the client's own can only be that
 * link. */
static bool is_contended(const struct frs_setup *setup) {
    const struct frs_network *network = &setup->network;
    return !setup->platform.file && network->model == FRS_EXACT && network->trace.n_cycles == 0 &&
           (network->server_down_bytes_per_s < INFINITY || network->server_up_bytes_per_s < INFINITY);
}

static void enter(
    struct simulation *s, double now_s, enum frs_cause lost, const struct frs_quality *quality) {
    charge_energy(s);
    struct frs_closed_round closed = {.start_s = s->opened_s,
        .end_s = now_s,
        .server_s = lost == FRS_CAUSE_NONE ? s->server_s : 0,
        .contended = is_contended(s->setup),
        .attempt = s->attempt,
        .lost = lost,
        .entries = s->entries,
        .n = s->n,
        .quality = quality};
    frs_ledger_close_round(s->settings.ledger, &closed);
}

/* One multiplication and one addition for every value that arrived. */
static double aggregate_s(void *context) {
    struct simulation *s = context;
    double values = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->participants[i].outcome == FRS_DELIVERED)
            values += (double)s->entries[i].nominal_up_bytes / sizeof(float);
    s->server_s = frs_server_compute_s(&s->setup->server, 2 * values);
    return s->server_s;
}

static void close_round(void *context, double now_s, enum frs_cause lost) {
    struct simulation *s = context;
    struct frs_quality quality;
    if (s->setup->training) {
        frs_pool_finish(s->settings.pool);
        s->result->training_s += wall_s() - s->training_began_s;
    }
    s->stopping = *s->settings.interrupted;
    if (lost != FRS_CAUSE_NONE) { /* the state is that of the last closed round; the round repeats */
        enter(s, now_s, lost, NULL);
        s->attempt++;
        return;
    }
    if (s->setup->training && !s->diverged)
        aggregate(s);
    else if (!s->setup->training)
        publish_nothing(s);
    bool evaluated = is_evaluated(s);
    if (evaluated) {
        if (!s->setup->device_view)
            evaluate_all(s);
        quality = frs_evaluation_quality(s->settings.evaluation, s->trained);
        s->result->last = quality;
        keep_best(s, &quality);
    }
    enter(s, now_s, lost, evaluated ? &quality : NULL);
    report_progress(s, now_s, evaluated ? &quality : NULL);
    s->round++;
    s->attempt = 0;
}

static struct frs_channel *create_user_channel(const struct simulation *s) {
    const struct frs_user_platform *platform = &s->setup->platform;
    return frs_channel_create(&(struct frs_channel_settings){.platform_file = platform->file,
        .n_slots = s->setup->cohort,
        .lv08 = s->setup->network.model == FRS_LV08,
        .server_host = platform->server,
        .client_prefix = platform->clients});
}

/* The platform file is read at once and removed again. */
static struct frs_channel *create_channel(const struct simulation *s, struct frs_errors *errors) {
    const char *folder = getenv("TMPDIR");
    char *path = frs_format("%s/fedrecsim-XXXXXX.xml", folder && *folder ? folder : "/tmp");
    struct frs_channel *channel = NULL;
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    const struct frs_network *network = &s->setup->network;
    bool slots = s->setup->player == &frs_player_simgrid;
    size_t n_slots = slots ? s->setup->cohort : 1;
    int failed = file ? frs_slots_write(
                            file, n_slots, network->server_down_bytes_per_s, network->server_up_bytes_per_s)
                      : -1;
    if (file && fclose(file) != 0)
        failed = -1;
    if (failed)
        frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot write the platform file: %s", path, strerror(errno));
    else
        channel = frs_channel_create(&(struct frs_channel_settings){.platform_file = path,
            .n_slots = n_slots,
            .contended =
                network->server_down_bytes_per_s < INFINITY || network->server_up_bytes_per_s < INFINITY,
            .lv08 = network->model == FRS_LV08});
    if (descriptor >= 0)
        unlink(path);
    free(path);
    return channel;
}

static void init(struct simulation *s) {
    const struct frs_setup *setup = s->setup;
    size_t n = setup->cohort;
    s->state_bytes = state_bytes(setup);
    s->downlink = frs_setup_downlink(setup);
    if (setup->player != &frs_player_simgrid)
        s->timeline = frs_timeline_create(
            &(struct frs_timeline_settings){.server_down_bytes_per_s = setup->network.server_down_bytes_per_s,
                .server_up_bytes_per_s = setup->network.server_up_bytes_per_s,
                .capacity = setup->network.trace.n_cycles > 0 ? capacity : NULL,
                .stopped = frs_player_stopped,
                .context = s});
    s->cohort = frs_alloc(n, sizeof *s->cohort);
    s->participants = frs_alloc(n, sizeof *s->participants);
    s->work = frs_alloc(n, sizeof *s->work);
    s->entries = frs_alloc(n, sizeof *s->entries);
    s->contributions = frs_alloc(n, sizeof *s->contributions);
    s->benches = frs_alloc(frs_pool_threads(s->settings.pool), sizeof *s->benches);
    s->trained = frs_alloc(setup->data->population.n_clients, sizeof *s->trained);
    if (!setup->training) {
        struct frs_tables tables = server_tables(s);
        s->untrained = frs_work_untrained_size(setup, &tables);
    }
}

static void fini(struct simulation *s) {
    for (size_t i = 0; i < s->setup->cohort; i++)
        frs_work_fini(&s->work[i]);
    for (size_t i = 0; i < frs_pool_threads(s->settings.pool); i++)
        frs_workbench_fini(&s->benches[i]);
    frs_arena_fini(&s->arena);
    frs_downlink_destroy(s->downlink);
    frs_timeline_destroy(s->timeline);
    free(s->cohort);
    free(s->participants);
    free(s->work);
    free(s->entries);
    free(s->contributions);
    free(s->benches);
    free(s->trained);
}

/* The network layer's own count against the ledger's. */
static void check_network(const struct simulation *s, const struct frs_channel *channel) {
    struct frs_carried carried;
    if (s->timeline) {
        uint64_t lost = 0;
        const struct frs_totals *totals = frs_ledger_totals(s->settings.ledger);
        for (size_t i = FRS_DELIVERED + 1; i < FRS_N_OUTCOMES; i++)
            lost += totals->outcomes[i];
        frs_timeline_carried(s->timeline, &carried.down_bytes, &carried.up_bytes);
        /* What crossed before a loss is counted in whole bytes. */
        carried.down_slack_bytes = carried.up_slack_bytes = (double)lost;
    } else {
        carried = frs_channel_carried(channel);
    }
    frs_ledger_check_network(s->settings.ledger, carried.down_bytes, carried.up_bytes,
        carried.down_slack_bytes, carried.up_slack_bytes);
}

static void run_server(struct simulation *s, struct frs_channel *channel) {
    const struct frs_setup *setup = s->setup;
    struct frs_server_operations operations = {
        .play = {.context = s, .compute = compute, .computed = computed},
        .open = open_round,
        .aggregate_s = aggregate_s,
        .close = close_round,
    };
    struct frs_server_settings settings = {.channel = channel,
        .policy = setup->policy,
        .player = setup->player,
        .timeline = s->timeline,
        .operations = &operations,
        .restarts_s = setup->failures.server_restarts_s,
        .n_restarts = setup->failures.n_server_restarts,
        .restart_s = setup->failures.restart_s,
        .detect_s = setup->failures.detect_s};
    frs_server_run(&settings);
}

enum frs_status frs_simulate(const struct frs_simulation_settings *settings,
    struct frs_simulation_result *result, struct frs_errors *errors) {
    struct simulation s = {
        .settings = *settings, .setup = settings->setup, .result = result, .errors = errors};
    *result = (struct frs_simulation_result){0};
    init(&s);
    struct frs_channel *channel =
        s.setup->platform.file ? create_user_channel(&s) : create_channel(&s, errors);
    enum frs_status status = channel ? FRS_OK : FRS_ERR_RUN;
    if (channel) {
        if (settings->evaluation) {
            evaluate_all(&s);
            result->initial = result->last = frs_evaluation_quality(settings->evaluation, s.trained);
        }
        run_server(&s, channel);
        check_network(&s, channel);
        result->stranded = s.stranded;
        status = s.diverged || s.stranded ? FRS_ERR_RUN : result->interrupted ? FRS_INTERRUPTED : FRS_OK;
    }
    frs_channel_destroy(channel);
    fini(&s);
    return status;
}
