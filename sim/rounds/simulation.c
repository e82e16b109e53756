#include "sim/rounds/simulation.h"
#include "actors/links/window_cache.h"
#include "actors/emulation/emulation.h"
#include "actors/simgrid.h"
#include "platforms/networks/slots.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/threads/pool.h"
#include "sim/setup/memory_fit.h"
#include "sim/rounds/simulation_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* SimGrid ends the program if it cannot open its platform. That takes one descriptor, and a library may
 * need another. */
#define SIMGRID_DESCRIPTORS 2

static enum frs_status check_descriptors(struct frs_errors *errors) {
    int spare[SIMGRID_DESCRIPTORS], n = 0, why = 0;
    while (n < SIMGRID_DESCRIPTORS && (spare[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        n++;
    if (n < SIMGRID_DESCRIPTORS)
        why = errno;
    for (int i = 0; i < n; i++)
        close(spare[i]);
    return n == SIMGRID_DESCRIPTORS
               ? FRS_OK
               : frs_errors_add(errors, FRS_ERR_RUN, "SimGrid cannot open its platform: %s", strerror(why));
}

static struct frs_channel *create_user_channel(const struct frs_simulation *s, struct frs_errors *errors) {
    if (frs_simgrid_load(errors) != FRS_OK || check_descriptors(errors) != FRS_OK)
        return NULL;
    const struct frs_user_platform *platform = &s->setup->platform;
    return frs_channel_create(&(struct frs_channel_settings){.platform_file = platform->file,
        .n_slots = s->setup->policy_settings.n_selected,
        .lv08 = s->setup->network.model == FRS_LV08,
        .server_host = platform->server,
        .client_hosts = platform->clients});
}

/* The platform of a run on SimGrid. */
static int write_slots(const struct frs_simulation *s, size_t n_slots, bool edges, FILE *file) {
    const struct frs_network *network = &s->setup->network;
    if (!edges)
        return frs_slots_write(
            file, n_slots, network->server_down_bytes_per_s, network->server_up_bytes_per_s);
    return frs_slots_write_edges(file, n_slots, network->server_down_bytes_per_s,
        network->server_up_bytes_per_s, (const double(*)[2])s->access_bytes_per_s, s->setup->edges.n);
}

/* The platform file exists only in memory: SimGrid reads it at once, and it needs no removal, however a
 * run ends. */
static struct frs_channel *create_channel(const struct frs_simulation *s, struct frs_errors *errors) {
    int descriptor = memfd_create("platform", MFD_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    char *path = frs_format("/proc/self/fd/%d", descriptor);
    struct frs_channel *channel = NULL;
    const struct frs_network *network = &s->setup->network;
    bool slots = s->setup->backend == &frs_backend_simgrid;
    bool edges = slots && s->relays;
    size_t n_slots = slots ? frs_setup_under_way(s->setup) : 1;
    if (!file || write_slots(s, n_slots, edges, file) != 0 || fflush(file) != 0 || access(path, R_OK) != 0)
        frs_errors_add(
            errors, FRS_ERR_RUN, "cannot write the platform that SimGrid reads: %s", strerror(errno));
    else if (frs_simgrid_load(errors) == FRS_OK && check_descriptors(errors) == FRS_OK)
        channel = frs_channel_create(&(struct frs_channel_settings){.platform_file = path,
            .n_slots = n_slots,
            .n_edges = edges ? s->setup->edges.n : 0,
            .contended =
                network->server_down_bytes_per_s < INFINITY || network->server_up_bytes_per_s < INFINITY,
            .lv08 = network->model == FRS_LV08});
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    free(path);
    return channel;
}

/* Whether a client's links change while it uses them. */
static bool links_change(const struct frs_simulation *s) {
    return frs_client_trace_varies(&s->setup->network.trace) || s->setup->network.by_state.follows;
}

/* Capacity of the server's link while it follows a trace. */
static double server_capacity(void *context, bool up, double now_s, double *until_s) {
    const struct frs_simulation *s = context;
    const struct frs_network *network = &s->setup->network;
    double factor = frs_server_trace_factor(
        &s->setup->server.trace, up ? FRS_SERVER_UP : FRS_SERVER_DOWN, now_s, until_s);
    return frs_network_scaled(up ? network->server_up_bytes_per_s : network->server_down_bytes_per_s, factor);
}

/* Backhauls have a share of their own. */
static bool is_lost(void *context, struct frs_participation *p, uint32_t n) {
    const struct frs_simulation *s = context;
    double share = p->carries ? s->setup->edges.packet_loss : s->setup->network.queues.packet_loss;
    return frs_network_loses(share, s->setup->training.seed, p->client, p->round, p->attempt, n);
}

static bool loses(const struct frs_simulation *s) {
    return s->setup->network.queues.packet_loss > 0 || s->setup->edges.packet_loss > 0;
}

static double start_s(void *context, struct frs_participation *p, uint32_t n) {
    const struct frs_simulation *s = context;
    return frs_network_start_s(s->setup->training.seed, p->client, p->round, p->attempt, n);
}

static void emulation_failed(void *context, const char *why) {
    const struct frs_simulation *s = context;
    s->settings.emulation_failed(s->settings.failed_context, why);
}

static void link_emulation(struct frs_simulation *s) {
    const struct frs_network *network = &s->setup->network;
    frs_emulation_set_links(
        s->settings.emulation, &(struct frs_emulation_links){.plan = frs_simulation_plan_links,
                                   .capacity = links_change(s) ? frs_simulation_capacity : NULL,
                                   .server_capacity = s->setup->server.trace.path ? server_capacity : NULL,
                                   .edge_of = s->relays ? frs_simulation_edge_of : NULL,
                                   .lost = network->queues.packet_loss > 0 ? is_lost : NULL,
                                   .fail = emulation_failed,
                                   .context = s});
}

static struct frs_event_queue *create_event_queue(struct frs_simulation *s) {
    const struct frs_network *network = &s->setup->network;
    const struct frs_by_packets by_packets = {.queue_s = network->queues.queue_s,
        .fair = network->queues.fair,
        .start_s = start_s,
        .lost = loses(s) ? is_lost : NULL};
    return frs_event_queue_create(
        &(struct frs_event_queue_settings){.server_down_bytes_per_s = network->server_down_bytes_per_s,
            .server_up_bytes_per_s = network->server_up_bytes_per_s,
            .access_bytes_per_s = (const double(*)[2])s->access_bytes_per_s,
            .n_access = s->setup->edges.n,
            .server_capacity = s->setup->server.trace.path ? server_capacity : NULL,
            .capacity = links_change(s) ? frs_simulation_capacity : NULL,
            .crossing = network->by_state.follows ? frs_simulation_crossing : NULL,
            .by_packets = network->model == FRS_PACKETS ? &by_packets : NULL,
            .stopped = frs_backend_stopped,
            .context = s});
}

static void set_links(struct frs_simulation *s) {
    const struct frs_network *network = &s->setup->network;
    bool exact = network->model == FRS_EXACT;
    frs_ledger_set_links(s->settings.ledger, &(struct frs_own_links){.known = !s->setup->platform.file,
                                                 .alone = {exact && frs_simulation_is_unshared(s, false),
                                                     exact && frs_simulation_is_unshared(s, true)},
                                                 .capacity = links_change(s) ? frs_simulation_capacity : NULL,
                                                 .context = s});
}

static void init(struct frs_simulation *s) {
    const struct frs_setup *setup = s->setup;
    size_t n = setup->policy_settings.n_selected;
    s->state_bytes = frs_memory_needed_bytes(setup, 0);
    s->trainer = frs_journaled_trainer_create(
        &setup->training, s->settings.pool, s->settings.evaluation, s->settings.journal);
    frs_simulation_create_edges(s);
    if (s->settings.emulation)
        link_emulation(s);
    else if (setup->backend != &frs_backend_simgrid)
        s->event_queue = create_event_queue(s);
    set_links(s);
    s->open_rows = frs_open_rows_create(
        setup, s->settings.ledger, setup->training.trains && !links_change(s) ? s->settings.pool : NULL);
    s->exchanges = frs_exchanges_create(setup);
    s->deliveries = frs_deliveries_create(setup);
    s->peers = frs_peers_create(setup);
    s->layers = frs_layer_exchanges_create(setup);
    if (s->deliveries)
        s->held = frs_alloc(setup->training.data->population.n_clients, sizeof *s->held);
    s->post_uploads =
        frs_post_uploads_create(setup->training.data->population.n_clients, s->open_rows, s->trainer);
    s->cohort = frs_alloc(n, sizeof *s->cohort);
    s->members = frs_alloc(n, sizeof *s->members);
    s->opened = frs_alloc(n, sizeof *s->opened);
    if (frs_network_connects(&setup->network) && setup->network.connection == FRS_CONNECTION_KEPT)
        s->memory = frs_alloc(setup->training.data->population.n_clients, sizeof *s->memory);
    if (setup->network.model == FRS_TCP)
        s->sender = (struct frs_sender_rules){
            setup->network.queues.queue_s, frs_window_cache_windows, setup->window_cache};
    s->rests = frs_rests_create(&setup->pacing, setup->training.data->population.n_clients);
    if (frs_simulation_overlaps(s))
        s->barred = frs_alloc(setup->training.data->population.n_clients, sizeof *s->barred);
}

static void fini(struct frs_simulation *s) {
    frs_journaled_trainer_destroy(s->trainer);
    frs_event_queue_destroy(s->event_queue);
    frs_simulation_destroy_edges(s);
    frs_open_rows_destroy(s->open_rows);
    frs_post_uploads_destroy(s->post_uploads);
    frs_exchanges_destroy(s->exchanges);
    frs_deliveries_destroy(s->deliveries);
    frs_peers_destroy(s->peers);
    frs_layer_exchanges_destroy(s->layers);
    free(s->held);
    free(s->cohort);
    free(s->members);
    free(s->opened);
    free(s->barred);
    frs_reachable_clients_destroy(s->reachable);
    frs_rests_destroy(s->rests);
    free(s->memory);
}

/* The network layer's own count against the ledger's. */
static void check_network(const struct frs_simulation *s, const struct frs_channel *channel) {
    struct frs_carried carried = s->settings.emulation ? frs_emulation_carried(s->settings.emulation)
                                 : s->event_queue      ? frs_event_queue_carried(s->event_queue)
                                                       : frs_channel_carried(channel);
    frs_ledger_check_network(s->settings.ledger, &carried);
    const double peak[2] = {s->event_queue ? frs_event_queue_peak(s->event_queue, false) : NAN,
        s->event_queue ? frs_event_queue_peak(s->event_queue, true) : NAN};
    frs_ledger_end_load(s->settings.ledger, peak);
    frs_ledger_check_clients(s->settings.ledger);
}

static void run_server(struct frs_simulation *s, struct frs_channel *channel) {
    const struct frs_setup *setup = s->setup;
    struct frs_server_operations operations = {
        .play = {.context = s,
            .received = frs_simulation_received,
            .compute = frs_simulation_compute,
            .computed = frs_simulation_computed,
            .retried = frs_simulation_retried,
            .follow_link = frs_simulation_follow_link,
            .message = frs_simulation_message},
        .goes_on = frs_simulation_goes_on,
        .open = frs_simulation_open_round,
        .truncate = frs_simulation_truncate,
        .exchange = frs_simulation_exchange,
        .exchanged = frs_simulation_exchanged,
        .freed = frs_simulation_freed,
        .aggregate_s = frs_simulation_aggregate_s,
        .deliver = s->deliveries ? frs_simulation_deliver : NULL,
        .open_edge_round = frs_simulation_open_edge_round,
        .settled = frs_simulation_settled,
        .close = frs_simulation_close_round,
        .restarted = frs_simulation_restarted,
    };
    struct frs_server_settings settings = {.channel = channel,
        .policy = setup->policy,
        .policy_settings = setup->policy_settings,
        .backend = setup->backend,
        .event_queue = s->event_queue,
        .relays = s->relays,
        .emulation = s->settings.emulation,
        .operations = &operations,
        .restarts_s = setup->failures.server_restarts_s,
        .n_restarts = setup->failures.n_server_restarts,
        .restart_s = setup->failures.restart_s,
        .detect_s = s->peers ? 0 : setup->failures.detect_s}; /* peers detect losses among themselves */
    frs_simulation_close_rows(s, frs_server_run(&settings));
}

void frs_simulation_strand(struct frs_simulation *s, const char *why, const char *kept) {
    s->ending = FRS_ENDED_STRANDED;
    snprintf(s->result->why, sizeof s->result->why, "%s", why);
    frs_errors_add(s->errors, FRS_ERR_RUN, "%s%s", why, kept);
}

static enum frs_status status_of(enum frs_ending ending) {
    switch (ending) {
    case FRS_ENDED_WHOLE:
        return FRS_OK;
    case FRS_ENDED_INTERRUPTED:
        return FRS_INTERRUPTED;
    case FRS_ENDED_STRANDED:
    case FRS_ENDED_DIVERGED:
        break;
    }
    return FRS_ERR_RUN;
}

static double serial_s(const struct frs_pool *pool) {
    return frs_cpu_s() - frs_pool_caller_s(pool);
}

enum frs_status frs_simulate(const struct frs_simulation_settings *settings,
    struct frs_simulation_result *result, struct frs_errors *errors) {
    struct frs_simulation s = {
        .settings = *settings, .setup = settings->setup, .result = result, .errors = errors};
    *result = (struct frs_simulation_result){0};
    double began_s = serial_s(settings->pool);
    init(&s);
    struct frs_channel *channel =
        s.setup->platform.file ? create_user_channel(&s, errors) : create_channel(&s, errors);
    enum frs_status status = channel ? FRS_OK : FRS_ERR_RUN;
    if (channel) {
        if (settings->evaluation) {
            result->initial = result->last = frs_journaled_trainer_evaluate(s.trainer, false);
            (void)frs_simulation_learner_failed(&s);
        }
        run_server(&s, channel);
        if (s.ending == FRS_ENDED_STRANDED &&
            settings->evaluation) /* the round that turned out to be the last */
            result->last = frs_journaled_trainer_evaluate(s.trainer, true);
        check_network(&s, channel);
        result->ending = s.ending;
        result->stops = s.stops;
        result->updates = frs_journaled_trainer_updates(s.trainer);
        result->training_s = frs_journaled_trainer_training_s(s.trainer);
        result->times = frs_journaled_trainer_times(s.trainer);
        result->serial_s = serial_s(settings->pool) - began_s;
        result->ledger_s = frs_open_rows_entering_s(s.open_rows);
        result->recalled = !frs_journaled_trainer_trained(s.trainer);
        status = status_of(s.ending);
    }
    frs_channel_destroy(channel);
    fini(&s);
    return status;
}
