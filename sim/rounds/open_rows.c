#include "sim/rounds/open_rows.h"
#include "actors/phase_times.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_open_rows {
    const struct frs_setup *setup;
    struct frs_ledger *ledger;
    struct frs_pool *pool;        /* NULL: the caller enters rows */
    struct frs_open_entry **last; /* [n_clients] */
    struct frs_row *first, **end;
    struct frs_row *entering; /* complete, and being entered, in order */
    bool failed;
    /* Entries that have not been entered, in the order in which they were added; NULL: one that has. */
    struct frs_open_entry **waiting;
    size_t first_waiting, n_waiting, waiting_capacity; /* number of the first of these */
    /* Memory of rows that were entered, as much as the next rows need; the system would have to clear new
     * memory. */
    struct frs_open_entry **spare;
    size_t n_spare, spare_capacity;
    double entering_s;
};

struct frs_open_rows *frs_open_rows_create(
    const struct frs_setup *setup, struct frs_ledger *ledger, struct frs_pool *pool) {
    struct frs_open_rows *open_rows = frs_alloc(1, sizeof *open_rows);
    *open_rows =
        (struct frs_open_rows){.setup = setup, .ledger = ledger, .pool = pool, .end = &open_rows->first};
    open_rows->last = frs_alloc(setup->training.data->population.n_clients, sizeof *open_rows->last);
    return open_rows;
}

static void free_row(struct frs_open_rows *open_rows, struct frs_row *row) {
    for (size_t i = 0; i < row->n; i++) {
        uint32_t client = row->open_entries[i]->p.client;
        if (open_rows->last[client] == row->open_entries[i])
            open_rows->last[client] = NULL;
        frs_participation_fini(&row->open_entries[i]->p);
        open_rows->spare =
            frs_grow(open_rows->spare, open_rows->n_spare + 1, &open_rows->spare_capacity, sizeof(void *));
        open_rows->spare[open_rows->n_spare++] = row->open_entries[i];
    }
    free(row->open_entries);
    for (size_t i = 0; i < row->closed.n_edge_messages; i++)
        free(row->edge_messages[i].windows.of);
    free(row->edge_messages);
    for (size_t i = 0; i < row->closed.n_peer_messages; i++)
        free(row->peer_messages[i].message.windows.of);
    free(row->peer_messages);
    free(row);
}

void frs_open_rows_destroy(struct frs_open_rows *open_rows) {
    if (!open_rows)
        return;
    frs_open_rows_wait(open_rows);
    for (struct frs_row *row; (row = open_rows->first); free_row(open_rows, row))
        open_rows->first = row->next;
    while (open_rows->n_spare > 0)
        free(open_rows->spare[--open_rows->n_spare]);
    free(open_rows->spare);
    free(open_rows->waiting);
    free(open_rows->last);
    free(open_rows);
}

/* The load of a run has to know until when nothing can come any more. */
static void note_waiting(struct frs_open_rows *open_rows, struct frs_open_entry *open_entry, double now_s) {
    open_entry->since_s = now_s;
    open_entry->number = open_rows->first_waiting + open_rows->n_waiting;
    open_rows->waiting =
        frs_grow(open_rows->waiting, open_rows->n_waiting + 1, &open_rows->waiting_capacity, sizeof(void *));
    open_rows->waiting[open_rows->n_waiting++] = open_entry;
}

static void tell_load(struct frs_open_rows *open_rows) {
    struct frs_load *load = frs_ledger_load(open_rows->ledger);
    size_t n = 0;
    while (n < open_rows->n_waiting && !open_rows->waiting[n])
        n++;
    open_rows->n_waiting -= n;
    open_rows->first_waiting += n;
    if (n > 0)
        memmove(
            open_rows->waiting, open_rows->waiting + n, open_rows->n_waiting * sizeof *open_rows->waiting);
    if (load)
        frs_load_until(load,
            open_rows->n_waiting > 0 ? open_rows->waiting[0]->since_s : frs_ledger_end_s(open_rows->ledger));
}

struct frs_open_entry *frs_open_rows_add_entry(
    struct frs_open_rows *open_rows, uint32_t client, uint32_t round, uint32_t attempt, double now_s) {
    struct frs_open_entry *open_entry =
        open_rows->n_spare > 0 ? open_rows->spare[--open_rows->n_spare] : frs_alloc(1, sizeof *open_entry);
    *open_entry = (struct frs_open_entry){0};
    open_entry->p = frs_participation_new(client);
    open_entry->p.round = round;
    open_entry->p.attempt = attempt;
    open_rows->last[client] = open_entry;
    note_waiting(open_rows, open_entry, now_s);
    return open_entry;
}

struct frs_open_entry *frs_open_rows_last_entry(const struct frs_open_rows *open_rows, uint32_t client) {
    return open_rows->last[client];
}

struct frs_row *frs_open_rows_add_row(struct frs_open_rows *open_rows) {
    struct frs_row *row = frs_alloc(1, sizeof *row);
    *open_rows->end = row;
    open_rows->end = &row->next;
    return row;
}

void frs_row_add_entry(struct frs_row *row, struct frs_open_entry *open_entry) {
    row->open_entries = frs_grow(row->open_entries, row->n + 1, &row->capacity, sizeof *row->open_entries);
    row->open_entries[row->n++] = open_entry;
    open_entry->row = row;
}

/* Returns how long the radio stays awake behind messages: after the last one, and between two messages as
 * long as the pause lasts. Ignores that the client's next participation may cut the last tail short.
 * Exchanges around the upload have no tail of their own. */
static double tail_s(
    const struct frs_participation *p, const struct frs_phase_times *t, double radio_s, double most_s) {
    if (p->aside || radio_s == 0)
        return 0;
    bool pauses = frs_participation_has_computed(p) && !p->plan.no_download && !p->plan.no_upload;
    double sum_s = most_s + (pauses ? fmin(t->queue_s + t->compute_s, most_s) : 0);
    for (size_t i = 0; i < p->n_breaks; i++)
        if (isfinite(p->breaks[i].again_s))
            sum_s += fmin(p->breaks[i].again_s - p->breaks[i].broke_s, most_s);
    return sum_s;
}

/* Returns how long the device waits in the participation: until its message has left the server, before it
 * connects anew, and between exchanges for the others of its cohort. The exchanges themselves are counted
 * elsewhere. */
static double awake_s(const struct frs_participation *p, const struct frs_phase_times *t) {
    double sum_s = t->retry_s, last_s = p->times.ended_s;
    if (p->plan.unreachable || p->plan.refused || isnan(p->times.started_s))
        return 0; /* it was not there, or no message has left for it */
    if (p->aside)
        return sum_s;
    sum_s += t->encode_s + t->edge_down_s;
    for (size_t i = 0; i < p->result.n_asides; i++) {
        const struct frs_aside *aside = &p->result.asides[i];
        if (aside->from_s < p->times.ended_s) { /* while the participation waited to begin */
            sum_s -= aside->to_s - aside->from_s;
            continue;
        }
        sum_s += aside->from_s - last_s;
        last_s = aside->to_s;
    }
    return fmax(sum_s, 0);
}

/* How long each phase lasted, and what crossed. */
static struct frs_exertion exertion_of(
    const struct frs_setup *setup, const struct frs_participation *p, enum frs_radio radio) {
    const struct frs_participation_result *result = &p->result;
    struct frs_phase_times t = frs_participation_times(p);
    struct frs_exertion exertion = {.compute_s = t.compute_s + t.post_s,
        .radio_s = t.setup_s + t.latency_s + t.down_s + t.up_s,
        .connecting_s = t.setup_s,
        .down_s = t.latency_s - t.up_latency_s + t.down_s,
        .up_s = t.up_latency_s + t.up_s,
        .awake_s = awake_s(p, &t),
        .setup_down_bytes = (double)result->setup_down_bytes,
        .setup_up_bytes = (double)result->setup_up_bytes,
        .down_bytes =
            (double)(result->down_crossed_bytes + result->resent_down_bytes + result->setup_down_bytes),
        .up_bytes = (double)(result->up_crossed_bytes + result->resent_up_bytes + result->setup_up_bytes)};
    if (p->plan.peers.exchanges || p->plan.peers.layers) {
        const struct frs_peer_usage *peers = &result->peers;
        exertion.radio_s += peers->radio_s;
        exertion.up_s += peers->radio_s;
        exertion.up_bytes += (double)peers->up_bytes;
        exertion.down_bytes += (double)peers->down_bytes;
        exertion.awake_s += fmax(t.exchange_s - peers->radio_s, 0);
    }
    if (setup->network.has_tails)
        exertion.tail_s = tail_s(p, &t, exertion.radio_s, frs_radio_figures(radio)->tail_s);
    return exertion;
}

/* Where links follow states: what of it was on which link. */
struct by_link {
    enum frs_radio radio;
    struct frs_exertion exertion;
};

static void add_times(
    const struct frs_setup *setup, const struct frs_participation *p, struct by_link on[2]) {
    double at_s = p->times.started_s;
    while (at_s < p->times.ended_s) {
        struct frs_device_state device = frs_reachability_device(&setup->reachability, p->client, at_s);
        double until_s = fmin(device.link_until_s, p->times.ended_s);
        struct frs_phase_times t = frs_participation_times_within(p, at_s, until_s);
        struct frs_exertion *exertion = &on[device.link == FRS_LINK_WIFI].exertion;
        exertion->radio_s += t.setup_s + t.latency_s + t.down_s + t.up_s;
        exertion->connecting_s += t.setup_s;
        exertion->down_s += t.latency_s - t.up_latency_s + t.down_s;
        exertion->up_s += t.up_latency_s + t.up_s;
        at_s = until_s;
    }
}

/* Computing and waiting take the same on both. */
static void split(const struct frs_setup *setup, const struct frs_participation *p, struct by_link on[2]) {
    const struct frs_exertion whole = exertion_of(setup, p, FRS_RADIO_LTE);
    on[0].exertion = (struct frs_exertion){.compute_s = whole.compute_s,
        .awake_s = whole.awake_s,
        .down_bytes = (double)p->result.metered_down_bytes,
        .up_bytes = (double)p->result.metered_up_bytes,
        .setup_down_bytes = (double)p->result.metered_setup_down_bytes,
        .setup_up_bytes = (double)p->result.metered_setup_up_bytes};
    on[1].exertion = (struct frs_exertion){.down_bytes = whole.down_bytes - on[0].exertion.down_bytes,
        .up_bytes = whole.up_bytes - on[0].exertion.up_bytes,
        .setup_down_bytes = whole.setup_down_bytes - on[0].exertion.setup_down_bytes,
        .setup_up_bytes = whole.setup_up_bytes - on[0].exertion.setup_up_bytes};
    add_times(setup, p, on);
    for (int wifi = 0; wifi < 2; wifi++)
        on[wifi].radio = frs_network_radio_in_state(&setup->network, wifi, setup->training.seed, p->client);
}

double frs_open_rows_energy_j(const struct frs_setup *setup, const struct frs_participation *p) {
    const struct frs_devices *devices = &setup->devices;
    uint64_t seed = setup->training.seed;
    struct by_link on[2];
    if (!setup->network.by_state.differs) {
        enum frs_radio radio = frs_network_radio(&setup->network, seed, p->client);
        struct frs_exertion exertion = exertion_of(setup, p, radio);
        return frs_devices_energy_j(devices, seed, p->client, radio, &exertion);
    }
    split(setup, p, on);
    return frs_devices_energy_j(devices, seed, p->client, on[0].radio, &on[0].exertion) +
           frs_devices_energy_j(devices, seed, p->client, on[1].radio, &on[1].exertion);
}

struct frs_energy frs_open_rows_energy(const struct frs_setup *setup, const struct frs_participation *p) {
    const struct frs_devices *devices = &setup->devices;
    uint64_t seed = setup->training.seed;
    struct by_link on[2];
    if (!setup->network.by_state.differs) {
        enum frs_radio radio = frs_network_radio(&setup->network, seed, p->client);
        struct frs_exertion exertion = exertion_of(setup, p, radio);
        return frs_devices_energy(devices, seed, p->client, radio, &exertion);
    }
    split(setup, p, on);
    struct frs_energy energy = frs_devices_energy(devices, seed, p->client, on[0].radio, &on[0].exertion),
                      wifi = frs_devices_energy(devices, seed, p->client, on[1].radio, &on[1].exertion);
    frs_energy_add(&energy, &wifi);
    return energy;
}

struct frs_aside *frs_open_entry_add_aside(struct frs_open_entry *of, const struct frs_setup *setup,
    const struct frs_participation *p, const char *name) {
    const struct frs_participation_result *result = &p->result;
    struct frs_participation_result *all = &of->p.result;
    FRS_INVARIANT(all->n_asides < FRS_MAX_ASIDES, "client %u exchanges too often", p->client);
    struct frs_aside *aside = &all->asides[all->n_asides++];
    *aside = (struct frs_aside){.name = name,
        .from_s = p->times.selected_s,
        .to_s = p->times.ended_s,
        .down_bytes = result->down_crossed_bytes + result->resent_down_bytes,
        .up_bytes = result->up_crossed_bytes + result->resent_up_bytes,
        .setup_down_bytes = result->setup_down_bytes,
        .setup_up_bytes = result->setup_up_bytes,
        .metered_down_bytes = result->metered_down_bytes,
        .metered_up_bytes = result->metered_up_bytes,
        .flop = p->usage.flop * result->computed_share};
    struct frs_energy energy = frs_open_rows_energy(setup, p);
    of->aside_energy_j += frs_open_rows_energy_j(setup, p);
    frs_energy_add(&of->aside_energy, &energy);
    return aside;
}

void frs_open_rows_settle(struct frs_open_rows *open_rows, struct frs_open_entry *open_entry) {
    FRS_INVARIANT(open_entry->row && !open_entry->settled, "client %u is settled twice, or in no row",
        open_entry->p.client);
    open_entry->settled = true;
    open_entry->row->n_settled++;
    open_entry->p.result.energy_j =
        frs_open_rows_energy_j(open_rows->setup, &open_entry->p) + open_entry->aside_energy_j;
    open_entry->p.result.energy = frs_open_rows_energy(open_rows->setup, &open_entry->p);
    frs_energy_add(&open_entry->p.result.energy, &open_entry->aside_energy);
}

/* By client, and a client's participations as they came. */
static int by_client(const void *a, const void *b) {
    const struct frs_participation *p = &(*(struct frs_open_entry *const *)a)->p,
                                   *q = &(*(struct frs_open_entry *const *)b)->p;
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    if (p->times.selected_s != q->times.selected_s)
        return (p->times.selected_s > q->times.selected_s) - (p->times.selected_s < q->times.selected_s);
    return (p->edge_round > q->edge_round) - (p->edge_round < q->edge_round);
}

/* Of rows no part is changed any more. */
static void enter(struct frs_open_rows *open_rows, struct frs_row *row) {
    const struct frs_participation **list = frs_alloc(row->n, sizeof *list);
    if (row->n > 0) /* an empty round has none */
        qsort(row->open_entries, row->n, sizeof *row->open_entries, by_client);
    for (size_t i = 0; i < row->n; i++)
        list[i] = &row->open_entries[i]->p;
    row->closed.list = list;
    row->closed.n = row->n;
    frs_ledger_close_round(open_rows->ledger, &row->closed);
    free(list);
}

double frs_open_rows_entering_s(const struct frs_open_rows *open_rows) {
    return open_rows->entering_s;
}

static void enter_all(void *context) {
    struct frs_open_rows *open_rows = context;
    double began_s = frs_cpu_s();
    for (struct frs_row *row = open_rows->entering; row; row = row->next)
        if (row->n > 0 || row->is_empty)
            enter(open_rows, row);
    open_rows->entering_s += frs_cpu_s() - began_s;
}

/* Takes complete rows from the front. Returns how many participations they have. */
static size_t take_complete(struct frs_open_rows *open_rows) {
    size_t n = 0;
    struct frs_row **end = &open_rows->entering;
    for (struct frs_row *row;
         (row = open_rows->first) && row->is_closed && !row->is_held && row->n_settled == row->n;) {
        open_rows->first = row->next;
        if (!row->next)
            open_rows->end = &open_rows->first;
        row->next = NULL;
        *end = row;
        end = &row->next;
        n += row->n;
    }
    return n;
}

/* The ledger has them. */
static void drop_entered(struct frs_open_rows *open_rows) {
    for (struct frs_row *row; (row = open_rows->entering); free_row(open_rows, row)) {
        open_rows->entering = row->next;
        for (size_t i = 0; i < row->n; i++)
            open_rows->waiting[row->open_entries[i]->number - open_rows->first_waiting] = NULL;
    }
    tell_load(open_rows);
    open_rows->failed = frs_ledger_failed(open_rows->ledger);
}

void frs_open_rows_wait(struct frs_open_rows *open_rows) {
    if (!open_rows->entering)
        return;
    if (open_rows->pool)
        frs_pool_finish_beside(open_rows->pool, FRS_BESIDE_LEDGER);
    drop_entered(open_rows);
}

/* Waking a thread takes as long as entering some ten participations; the rows of very many stay in memory for
 * another round if they are not entered at once. */
#define FEWEST_BESIDE 64u
#define MOST_BESIDE 100000u

void frs_open_rows_enter(struct frs_open_rows *open_rows) {
    frs_open_rows_wait(open_rows);
    size_t n = take_complete(open_rows);
    if (!open_rows->entering) {
        tell_load(open_rows);
    } else if (open_rows->pool && n >= FEWEST_BESIDE && n <= MOST_BESIDE) {
        frs_pool_start_beside(open_rows->pool, FRS_BESIDE_LEDGER, enter_all, open_rows);
        if (frs_pool_threads(open_rows->pool) == 1)
            frs_open_rows_wait(open_rows);
    } else {
        enter_all(open_rows);
        drop_entered(open_rows);
    }
}

bool frs_open_rows_failed(const struct frs_open_rows *open_rows) {
    return open_rows->failed;
}
