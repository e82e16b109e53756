#include "sim/ledger/ledger.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/ledger/files.h"

#include <math.h>
#include <stdlib.h>

/* Dates of one participation may differ by rounding where they are compared with the round's own. */
#define CLOCK_SLACK_S 1e-9

struct frs_ledger {
    uint32_t n_clients;
    size_t k;
    FILE *rounds, *events;
    struct frs_client_row *clients;
    struct frs_totals totals;
    size_t n_rounds;
    double end_s;
};

struct frs_ledger *frs_ledger_create(uint32_t n_clients, FILE *rounds, FILE *events, size_t k) {
    struct frs_ledger *ledger = frs_alloc(1, sizeof *ledger);
    *ledger = (struct frs_ledger){.n_clients = n_clients, .k = k, .rounds = rounds, .events = events};
    ledger->clients = frs_alloc(n_clients, sizeof *ledger->clients);
    frs_rounds_csv_header(rounds, k);
    return ledger;
}

void frs_ledger_destroy(struct frs_ledger *ledger) {
    if (!ledger)
        return;
    free(ledger->clients);
    free(ledger);
}

static void check_dates(const struct frs_participation *p, double start_s, double end_s) {
    const double dates[] = {start_s, p->selected_s, p->down_start_s, p->down_end_s, p->compute_end_s,
        p->up_start_s, p->up_end_s, end_s};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        FRS_INVARIANT(isfinite(dates[i]), "client %u: date %zu is missing", p->client, i);
        FRS_INVARIANT(i == 0 || dates[i] >= dates[i - 1] - CLOCK_SLACK_S,
            "client %u: time runs backwards from %.17g to %.17g", p->client, dates[i - 1], dates[i]);
    }
}

static void check_entry(const struct frs_entry *entry, double start_s, double end_s) {
    const struct frs_participation *p = entry->participation;
    FRS_INVARIANT(
        p->outcome > FRS_PENDING && p->outcome < FRS_N_OUTCOMES, "client %u has no outcome", p->client);
    check_dates(p, start_s, end_s);
    FRS_INVARIANT(p->down_bytes > 0 && p->up_bytes > 0, "client %u exchanged an empty message", p->client);
    FRS_INVARIANT(p->down_crossed_bytes == p->down_bytes && p->up_crossed_bytes == p->up_bytes,
        "client %u delivered without all its bytes having crossed", p->client);
    FRS_INVARIANT(
        isfinite(entry->flop) && entry->flop >= 0, "client %u computed %g flop", p->client, entry->flop);
}

static void add_entry(struct frs_totals *totals, const struct frs_entry *entry) {
    const struct frs_participation *p = entry->participation;
    totals->participations++;
    totals->outcomes[p->outcome]++;
    totals->down_bytes += p->down_crossed_bytes;
    totals->up_bytes += p->up_crossed_bytes;
    totals->nominal_down_bytes += entry->nominal_down_bytes;
    totals->nominal_up_bytes += entry->nominal_up_bytes;
    totals->flop += entry->flop;
    if (p->outcome != FRS_DELIVERED) {
        totals->wasted_down_bytes += p->down_crossed_bytes;
        totals->wasted_up_bytes += p->up_crossed_bytes;
        totals->wasted_flop += entry->flop;
    }
}

static double latency_s(const struct frs_participation *p) {
    return (p->down_start_s - p->selected_s) + (p->up_start_s - p->compute_end_s);
}

/* The phases of the participation that ended last, and whatever the round lasted beyond it. */
static struct frs_path critical_path(const struct frs_participation *last, double start_s, double end_s) {
    struct frs_path path = {.down_s = last->down_end_s - last->down_start_s,
        .compute_s = last->compute_end_s - last->down_end_s,
        .up_s = last->up_end_s - last->up_start_s,
        .latency_s = latency_s(last)};
    double rest_s = (end_s - start_s) - (path.down_s + path.compute_s + path.up_s + path.latency_s);
    path.wait_s = rest_s > CLOCK_SLACK_S ? rest_s : 0;
    return path;
}

static void add_totals(struct frs_totals *sum, const struct frs_totals *more) {
    sum->participations += more->participations;
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        sum->outcomes[i] += more->outcomes[i];
    sum->down_bytes += more->down_bytes;
    sum->up_bytes += more->up_bytes;
    sum->wasted_down_bytes += more->wasted_down_bytes;
    sum->wasted_up_bytes += more->wasted_up_bytes;
    sum->nominal_down_bytes += more->nominal_down_bytes;
    sum->nominal_up_bytes += more->nominal_up_bytes;
    sum->flop += more->flop;
    sum->wasted_flop += more->wasted_flop;
    sum->path.down_s += more->path.down_s;
    sum->path.compute_s += more->path.compute_s;
    sum->path.up_s += more->path.up_s;
    sum->path.latency_s += more->path.latency_s;
    sum->path.server_s += more->path.server_s;
    sum->path.wait_s += more->path.wait_s;
}

static void add_to_client(struct frs_client_row *row, const struct frs_entry *entry) {
    const struct frs_participation *p = entry->participation;
    row->participations++;
    row->delivered += p->outcome == FRS_DELIVERED;
    row->down_bytes += p->down_crossed_bytes;
    row->up_bytes += p->up_crossed_bytes;
    row->down_s += p->down_end_s - p->down_start_s;
    row->compute_s += p->compute_end_s - p->down_end_s;
    row->up_s += p->up_end_s - p->up_start_s;
    row->latency_s += latency_s(p);
    row->flop += entry->flop;
}

void frs_ledger_close_round(struct frs_ledger *ledger, double start_s, double end_s,
    const struct frs_entry *entries, size_t n, const struct frs_quality *quality) {
    FRS_INVARIANT(n > 0, "a round without participants");
    FRS_INVARIANT(
        start_s >= ledger->end_s, "round %zu starts before the last one ended", ledger->n_rounds + 1);
    struct frs_round_row row = {.round = (uint32_t)++ledger->n_rounds, .start_s = start_s, .end_s = end_s};
    const struct frs_participation *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct frs_participation *p = entries[i].participation,
                                       *before = i ? entries[i - 1].participation : NULL;
        FRS_INVARIANT(p->client < ledger->n_clients, "there is no client %u", p->client);
        FRS_INVARIANT(!before || p->client > before->client, "client %u is entered after client %u",
            p->client, before->client);
        check_entry(&entries[i], start_s, end_s);
        add_entry(&row.totals, &entries[i]);
        add_to_client(&ledger->clients[p->client], &entries[i]);
        if (!last || p->up_end_s > last->up_end_s)
            last = p;
        if (ledger->events)
            frs_events_write(ledger->events, row.round, &entries[i]);
    }
    row.critical_client = last->client;
    row.totals.path = critical_path(last, start_s, end_s);
    add_totals(&ledger->totals, &row.totals);
    ledger->end_s = end_s;
    frs_rounds_csv_row(ledger->rounds, &row, quality);
}

void frs_ledger_check_network(const struct frs_ledger *ledger, double down_bytes, double up_bytes,
    double down_slack_bytes, double up_slack_bytes) {
    double down = (double)ledger->totals.down_bytes, up = (double)ledger->totals.up_bytes;
    FRS_INVARIANT(fabs(down_bytes - down) <= 1e-9 * down + down_slack_bytes &&
                      fabs(up_bytes - up) <= 1e-9 * up + up_slack_bytes,
        "the network carried %.17g and %.17g bytes, the ledger charged %.17g and %.17g", down_bytes, up_bytes,
        down, up);
}

size_t frs_ledger_rounds(const struct frs_ledger *ledger) {
    return ledger->n_rounds;
}

double frs_ledger_end_s(const struct frs_ledger *ledger) {
    return ledger->end_s;
}

const struct frs_totals *frs_ledger_totals(const struct frs_ledger *ledger) {
    return &ledger->totals;
}

const struct frs_client_row *frs_ledger_client(const struct frs_ledger *ledger, uint32_t client) {
    return &ledger->clients[client];
}
