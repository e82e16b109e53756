#include "actors/emulation/emulation.h"
#include "actors/emulation/emulation_internal.h"
#include "actors/emulation/process.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/utsname.h>

#define RANK 3 /* behind network and clients */
/* Share of the time that pauses of a process may take: each delays by its length at most. */
#define TRUSTED_PAUSED 0.002
#define UNNUMBERED SIZE_MAX /* there is one such process */

/* NOLINTNEXTLINE(misc-redundant-expression): that they are equal is what is asserted. */
_Static_assert(FRS_MOST_EMULATED_CLIENTS == FRS_EMULATED_LINES, "one limit");
/* NOLINTNEXTLINE(misc-redundant-expression) */
_Static_assert(FRS_MOST_EMULATED_EDGES == FRS_EMULATED_EDGES, "one limit");
/* NOLINTNEXTLINE(misc-redundant-expression) */
_Static_assert(FRS_MOST_EMULATED_MESSAGE_BYTES == FRS_EMULATED_BYTES, "one limit");

/* On the clock, which runs speed_up times as fast as simulated time. */
static void put_links(const struct frs_emulation_settings *settings, struct frs_router_links *links) {
    double speed_up = settings->speed_up;
    *links = (struct frs_router_links){.queue_s = settings->queue_s / speed_up, .fair = settings->fair};
    for (int up = 0; up < 2; up++)
        links->server_bytes_per_s[up] = settings->server_bytes_per_s[up] * speed_up;
    for (size_t i = 0; i < settings->n_edges; i++) {
        links->edges[i] = settings->edges[i];
        links->edges[i].latency_s /= speed_up;
        for (int up = 0; up < 2; up++) {
            links->edges[i].backhaul_bytes_per_s[up] *= speed_up;
            links->edges[i].access_bytes_per_s[up] *= speed_up;
        }
    }
}

enum frs_status frs_emulation_create(
    const struct frs_emulation_settings *settings, struct frs_emulation **made, struct frs_errors *errors) {
    struct frs_emulation *emulation = frs_alloc(1, sizeof *emulation);
    const char *why;
    bool tls = settings->tls || settings->tls_again;
    *emulation = (struct frs_emulation){
        .settings = *settings, .ends_wall_s = frs_wall_s() + settings->limit_s, .has_tls = tls};
    *made = NULL;
    if (tls && frs_tls_create(&emulation->tls, &why)) {
        frs_errors_add(errors, FRS_ERR_RUN, "TLS cannot be set up: %s", why);
        free(emulation);
        return FRS_ERR_RUN;
    }
    struct frs_supervisor_settings supervisor = {.n_lines = settings->n_lines,
        .n_edges = settings->n_edges,
        .restarts = !settings->keeps_windows,
        .tls = tls ? &emulation->tls : NULL};
    put_links(settings, &supervisor.links);
    enum frs_status status = frs_supervisor_start(&supervisor, &emulation->supervisor, errors);
    if (status != FRS_OK) {
        frs_emulation_destroy(emulation);
        return status;
    }
    emulation->lines = frs_endpoints_create(&emulation->supervisor, tls ? &emulation->tls : NULL);
    *made = emulation;
    return FRS_OK;
}

void frs_emulation_destroy(struct frs_emulation *emulation) {
    if (!emulation)
        return;
    frs_endpoints_destroy(emulation->lines);
    frs_supervisor_stop(&emulation->supervisor);
    if (emulation->has_tls)
        frs_tls_destroy(&emulation->tls);
    free(emulation);
}

void frs_emulation_set_links(struct frs_emulation *emulation, const struct frs_emulation_links *links) {
    emulation->links = *links;
}

void frs_emulation_fail(struct frs_emulation *emulation, const char *why) {
    frs_supervisor_stop(&emulation->supervisor);
    emulation->links.fail(emulation->links.context, why);
    abort();
}

/* ---- links ----------------------------------------------------------------------------------- */

/* The server's own thread goes before what else the machine does, where it may; it moves bytes meanwhile. */
void frs_emulation_set_active(struct frs_emulation *emulation, bool active) {
    struct frs_activity *activity = &emulation->supervisor.record->activity;
    bool was_active = atomic_load(&activity->active);
    if (active && !was_active) {
        frs_process_hurry(RANK);
        atomic_store(&activity->from_s, frs_wall_s());
    } else if (!active && was_active)
        frs_process_relax();
    atomic_store(&activity->active, active);
}

static void tell_router(struct frs_emulation *emulation, const struct frs_router_order *order) {
    ssize_t ignored = send(emulation->supervisor.router, order, sizeof *order, MSG_NOSIGNAL);
    (void)ignored; /* the supervisor reports a process that has ended */
}

/* The very draws of the simulation, as far as they reach. */
static void draw_losses(
    const struct frs_emulation *emulation, struct frs_participation *p, struct frs_router_order *order) {
    order->loses = emulation->links.lost;
    for (uint32_t n = 0; order->loses && n < FRS_LOSS_DRAWS; n++)
        if (emulation->links.lost(emulation->links.context, p, n))
            order->lost[n / 8] |= (uint8_t)(1u << n % 8);
}

static struct frs_router_order path_of(
    const struct frs_emulation *emulation, uint32_t line, const struct frs_participation *p, uint32_t hub) {
    double speed_up = emulation->settings.speed_up;
    return (struct frs_router_order){.kind = FRS_ROUTER_PATH,
        .line = line,
        .hub = hub,
        .anew = !emulation->settings.by_client,
        .bytes_per_s = {p->plan.down_bytes_per_s * speed_up, p->plan.up_bytes_per_s * speed_up},
        .latency_s = {p->plan.down_latency_s / speed_up, p->plan.up_latency_s / speed_up}};
}

uint32_t frs_emulation_hub_of(const struct frs_emulation *emulation, uint32_t client) {
    return emulation->settings.n_edges > 0 ? 1 + emulation->links.edge_of(emulation->links.context, client)
                                           : 0;
}

void frs_emulation_set_path(struct frs_emulation *emulation, uint32_t line, struct frs_participation *p) {
    struct frs_router_order order = path_of(emulation, line, p, p->shares);
    draw_losses(emulation, p, &order);
    tell_router(emulation, &order);
}

void frs_emulation_open_path(struct frs_emulation *emulation, uint32_t client) {
    struct frs_participation p = frs_participation_new(client);
    emulation->links.plan(emulation->links.context, &p);
    const struct frs_router_order order =
        path_of(emulation, client, &p, frs_emulation_hub_of(emulation, client));
    tell_router(emulation, &order);
    frs_participation_fini(&p);
}

void frs_emulation_try_path(struct frs_emulation *emulation, uint32_t line, uint32_t hub) {
    tell_router(emulation,
        &(struct frs_router_order){
            .kind = FRS_ROUTER_PATH, .line = line, .hub = hub, .bytes_per_s = {INFINITY, INFINITY}});
}

void frs_emulation_cut_path(struct frs_emulation *emulation, uint32_t line) {
    tell_router(emulation, &(struct frs_router_order){.kind = FRS_ROUTER_PATH, .line = line, .cut = true});
}

void frs_emulation_set_rate(
    struct frs_emulation *emulation, uint32_t line, bool up, double bytes_per_s, double from_wall_s) {
    struct frs_router_order order = {.kind = FRS_ROUTER_RATE, .line = line, .up = up, .from_s = from_wall_s};
    order.bytes_per_s[up] = bytes_per_s * emulation->settings.speed_up;
    tell_router(emulation, &order);
}

/* ---- records --------------------------------------------------------------------------------- */

struct frs_carried frs_emulation_carried(const struct frs_emulation *emulation) {
    return emulation->carried;
}

static const char *kernel(void) {
    static struct utsname name;
    return uname(&name) == 0 ? name.release : "unknown";
}

static void add_process(
    struct frs_emulation_record *record, const char *name, size_t number, struct frs_pauses *pauses) {
    struct frs_paused_process *process = &record->paused[record->n_paused];
    *process = (struct frs_paused_process){.n = atomic_load(&pauses->n),
        .paused_s = atomic_load(&pauses->paused_s),
        .greatest_s = atomic_load(&pauses->greatest_s)};
    process->matters = process->paused_s > TRUSTED_PAUSED * record->active_s;
    if (number != UNNUMBERED)
        snprintf(process->name, sizeof process->name, "%s %zu", name, number);
    else
        snprintf(process->name, sizeof process->name, "%s", name);
    record->n_paused += process->n > 0;
    record->trusted = record->trusted && !process->matters;
}

static int by_length(const void *a, const void *b) {
    const struct frs_paused_process *p = a, *q = b;
    return (p->paused_s < q->paused_s) - (p->paused_s > q->paused_s);
}

static void add_processes(const struct frs_emulation *emulation, struct frs_emulation_record *record) {
    struct frs_router_record *seen = emulation->supervisor.record;
    record->trusted = true;
    add_process(record, "the server", UNNUMBERED, &seen->server);
    add_process(record, "the network", UNNUMBERED, &seen->router);
    add_process(record, "the supervisor", UNNUMBERED, &seen->supervisor);
    for (size_t i = 0; i < emulation->supervisor.n_lines; i++)
        add_process(record, "the client on line", i + 1, &seen->clients[i]);
    for (size_t i = 0; i < emulation->supervisor.n_edges; i++)
        add_process(record, "edge", i, &seen->edges[i]);
    qsort(record->paused, record->n_paused, sizeof *record->paused, by_length);
}

struct frs_emulation_record frs_emulation_record(const struct frs_emulation *emulation) {
    struct frs_router_record *router = emulation->supervisor.record;
    struct frs_emulation_record record = {.kernel = kernel(),
        .tls = emulation->has_tls ? frs_tls_version() : NULL,
        .speed_up = emulation->settings.speed_up,
        .real_time = router->real_time,
        .n_packets = atomic_load(&router->n_packets),
        .n_dropped = atomic_load(&router->n_dropped),
        .n_lost = atomic_load(&router->n_lost),
        .n_late = atomic_load(&router->n_late),
        .n_pauses = atomic_load(&router->router.n),
        .paused_s = atomic_load(&router->router.paused_s),
        .active_s = atomic_load(&router->active_s),
        .greatest_pause_s = atomic_load(&router->router.greatest_s),
        .greatest_lateness_s = atomic_load(&router->greatest_lateness_s),
        .greatest_absence_s = frs_endpoints_greatest_absence_s(emulation->lines)};
    add_processes(emulation, &record);
    return record;
}
