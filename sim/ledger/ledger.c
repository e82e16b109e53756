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
    double *busy_until_s; /* [n_clients] with work after an upload */
    struct frs_totals totals;
    size_t n_rounds;
    double end_s, idle_s;
};

struct frs_ledger *frs_ledger_create(uint32_t n_clients, FILE *rounds, FILE *events, size_t k) {
    struct frs_ledger *ledger = frs_alloc(1, sizeof *ledger);
    *ledger = (struct frs_ledger){.n_clients = n_clients, .k = k, .rounds = rounds, .events = events};
    ledger->clients = frs_alloc(n_clients, sizeof *ledger->clients);
    ledger->busy_until_s = frs_alloc(n_clients, sizeof *ledger->busy_until_s);
    frs_rounds_csv_header(rounds, k);
    return ledger;
}

void frs_ledger_destroy(struct frs_ledger *ledger) {
    if (!ledger)
        return;
    free(ledger->clients);
    free(ledger->busy_until_s);
    free(ledger);
}

/* Dates that were reached are in order and lie within the round, as far as it holds them. */
static void check_dates(const struct frs_participation *p, const struct frs_closed_round *closed) {
    const double dates[] = {p->selected_s, p->started_s, p->down_start_s, p->down_end_s, p->compute_start_s,
        p->compute_end_s, p->up_start_s, p->up_end_s, p->ended_s};
    double before_s = closed->overlaps ? 0 : closed->start_s, end_s = p->closed ? INFINITY : closed->end_s;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        FRS_INVARIANT(isfinite(dates[i]) || (isnan(dates[i]) && p->outcome != FRS_DELIVERED),
            "client %u: date %zu is missing", p->client, i);
        if (isnan(dates[i]))
            continue;
        FRS_INVARIANT(dates[i] >= before_s - CLOCK_SLACK_S,
            "client %u: time runs backwards from %.17g to %.17g", p->client, before_s, dates[i]);
        before_s = dates[i];
    }
    FRS_INVARIANT(isfinite(p->selected_s) && isfinite(p->ended_s), "client %u has no end", p->client);
    FRS_INVARIANT(
        end_s >= before_s - CLOCK_SLACK_S, "client %u ends at %.17g, after its round", p->client, before_s);
}

static void check_bytes(const struct frs_participation *p) {
    bool got_all = isfinite(p->down_end_s), sent_all = isfinite(p->up_end_s);
    FRS_INVARIANT(p->down_bytes > 0 || p->no_download || p->outcome == FRS_REFUSED,
        "client %u was sent an empty message", p->client);
    FRS_INVARIANT(!isfinite(p->compute_end_s) || p->up_bytes > 0 || p->no_upload,
        "client %u sent an empty message", p->client);
    FRS_INVARIANT(p->down_crossed_bytes <= p->down_bytes && p->up_crossed_bytes <= p->up_bytes,
        "client %u exchanged more than its messages", p->client);
    FRS_INVARIANT((!got_all || p->down_crossed_bytes == p->down_bytes) &&
                      (!sent_all || p->up_crossed_bytes == p->up_bytes),
        "client %u finished a message without all its bytes having crossed", p->client);
    FRS_INVARIANT(
        p->outcome != FRS_DELIVERED || (got_all && sent_all), "client %u delivered nothing", p->client);
}

/* What counted needs no reason, what did not has one. */
static bool has_right_cause(const struct frs_participation *p) {
    bool none = p->cause == FRS_CAUSE_NONE;
    if (p->outcome == FRS_DELIVERED)
        return none || p->cause == FRS_CAUSE_END_OF_RUN;
    return p->outcome == FRS_LATE || (p->outcome == FRS_REFUSED) == none;
}

/* Work after the upload starts with it and ends in one way, at whatever date. */
static void check_post(const struct frs_ledger *ledger, const struct frs_entry *entry) {
    const struct frs_participation *p = entry->participation;
    const struct frs_post *post = &p->post;
    bool due = entry->post_flop > 0 && isfinite(p->compute_end_s);
    FRS_INVARIANT(due == (post->outcome != FRS_POST_NONE), "client %u: %g flop after its upload, outcome %s",
        p->client, entry->post_flop, frs_post_outcome_names[post->outcome]);
    FRS_INVARIANT(!isfinite(p->compute_start_s) ||
                      p->compute_start_s >= ledger->busy_until_s[p->client] - CLOCK_SLACK_S,
        "client %u computes at %.17g, and is busy until %.17g", p->client, p->compute_start_s,
        ledger->busy_until_s[p->client]);
    if (!due)
        return;
    bool ended = post->outcome == FRS_POST_ENDED;
    FRS_INVARIANT(isfinite(post->end_s) && post->end_s >= p->compute_end_s,
        "client %u: work after the upload ends at %g", p->client, post->end_s);
    FRS_INVARIANT(post->share >= 0 && post->share <= 1 && (!ended || post->share == 1),
        "client %u: a share of %g of the work after its upload", p->client, post->share);
    FRS_INVARIANT(ended == (post->cause == FRS_CAUSE_NONE),
        "client %u: work after the upload %s for cause %s", p->client, frs_post_outcome_names[post->outcome],
        frs_cause_names[post->cause]);
}

static void check_entry(const struct frs_entry *entry, const struct frs_closed_round *closed) {
    const struct frs_participation *p = entry->participation;
    FRS_INVARIANT(
        p->outcome > FRS_PENDING && p->outcome < FRS_N_OUTCOMES, "client %u has no outcome", p->client);
    FRS_INVARIANT(has_right_cause(p), "client %u: outcome %s for cause %s", p->client,
        frs_outcome_names[p->outcome], frs_cause_names[p->cause]);
    check_dates(p, closed);
    check_bytes(p);
    FRS_INVARIANT(
        isfinite(entry->flop) && entry->flop >= 0, "client %u computed %g flop", p->client, entry->flop);
    FRS_INVARIANT(p->computed_share >= 0 && p->computed_share <= 1, "client %u computed a share of %g",
        p->client, p->computed_share);
}

static bool has_arrived(const struct frs_participation *p) {
    return p->outcome == FRS_DELIVERED || p->outcome == FRS_LATE;
}

/* It was aggregated, in its own round or the next. */
static bool is_used(const struct frs_participation *p, enum frs_cause lost) {
    return has_arrived(p) && p->cause == FRS_CAUSE_NONE && lost == FRS_CAUSE_NONE;
}

static double flop_run(const struct frs_entry *entry) {
    return entry->flop * entry->participation->computed_share;
}

static double post_flop_run(const struct frs_entry *entry) {
    return entry->post_flop * entry->participation->post.share;
}

static void add_waste(struct frs_totals *totals, const struct frs_entry *entry, enum frs_cause cause) {
    const struct frs_participation *p = entry->participation;
    struct frs_waste *waste = &totals->waste[cause][p->outcome];
    waste->participations++;
    waste->down_bytes += p->down_crossed_bytes;
    waste->up_bytes += p->up_crossed_bytes;
    waste->flop += flop_run(entry);
    totals->wasted_down_bytes += p->down_crossed_bytes;
    totals->wasted_up_bytes += p->up_crossed_bytes;
    totals->wasted_flop += flop_run(entry);
}

static void add_post(struct frs_totals *totals, const struct frs_entry *entry) {
    const struct frs_post *post = &entry->participation->post;
    double flop = post_flop_run(entry);
    totals->posts[post->outcome]++;
    totals->flop += flop;
    if (post->outcome == FRS_POST_NONE || post->outcome == FRS_POST_ENDED)
        return;
    totals->post_waste[post->cause].participations++;
    totals->post_waste[post->cause].flop += flop;
    totals->wasted_flop += flop;
}

/* A message counts in the papers' way once it has arrived. */
static void add_entry(struct frs_totals *totals, const struct frs_entry *entry, enum frs_cause lost) {
    const struct frs_participation *p = entry->participation;
    totals->participations++;
    totals->outcomes[p->outcome]++;
    totals->down_bytes += p->down_crossed_bytes;
    totals->up_bytes += p->up_crossed_bytes;
    if (isfinite(p->down_end_s))
        totals->nominal_down_bytes += entry->nominal_down_bytes;
    if (isfinite(p->up_end_s))
        totals->nominal_up_bytes += entry->nominal_up_bytes;
    totals->flop += flop_run(entry);
    totals->energy_j += entry->energy_j;
    if (is_used(p, lost)) {
        totals->used++;
        totals->staleness += entry->staleness;
    } else {
        add_waste(totals, entry, has_arrived(p) && p->cause == FRS_CAUSE_NONE ? lost : p->cause);
    }
    add_post(totals, entry);
}

/* The phases of the participation that closed the round, as far as they lie in it; what the server needed
 * before it and after it; and whatever the round lasted beyond (a client waited for in vain, a loss not yet
 * noticed). */
static struct frs_path critical_path(
    const struct frs_participation *last, const struct frs_closed_round *closed, double server_s) {
    struct frs_phase_times spent =
        frs_participation_times_within(last, closed->start_s, closed->end_s - closed->server_s);
    struct frs_path path = {.down_s = spent.down_s,
        .compute_s = spent.compute_s,
        .up_s = spent.up_s,
        .latency_s = spent.latency_s,
        .server_s = server_s};
    double rest_s = (closed->end_s - closed->start_s) -
                    (path.down_s + path.compute_s + path.up_s + path.latency_s + path.server_s);
    path.wait_s = rest_s > CLOCK_SLACK_S ? rest_s : 0;
    return path;
}

void frs_waste_add(struct frs_waste *sum, const struct frs_waste *more) {
    sum->participations += more->participations;
    sum->down_bytes += more->down_bytes;
    sum->up_bytes += more->up_bytes;
    sum->flop += more->flop;
}

/* How much longer the transfers took than alone on the client's own links. */
static double server_link_s(const struct frs_participation *p, const struct frs_phase_times *times) {
    double alone_s =
        (double)p->down_crossed_bytes / p->down_bytes_per_s + (double)p->up_crossed_bytes / p->up_bytes_per_s;
    double longer_s = times->down_s + times->up_s - alone_s;
    return longer_s > CLOCK_SLACK_S ? longer_s : 0;
}

static void add_totals(struct frs_totals *sum, const struct frs_totals *more) {
    sum->participations += more->participations;
    sum->used += more->used;
    sum->staleness += more->staleness;
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
    sum->server_flop += more->server_flop;
    sum->energy_j += more->energy_j;
    for (size_t i = 0; i < FRS_N_CAUSES; i++)
        for (size_t j = 0; j < FRS_N_OUTCOMES; j++)
            frs_waste_add(&sum->waste[i][j], &more->waste[i][j]);
    for (size_t i = 0; i < FRS_N_CAUSES; i++)
        frs_waste_add(&sum->post_waste[i], &more->post_waste[i]);
    for (size_t i = 0; i < FRS_N_POST_OUTCOMES; i++)
        sum->posts[i] += more->posts[i];
    sum->path.down_s += more->path.down_s;
    sum->path.compute_s += more->path.compute_s;
    sum->path.up_s += more->path.up_s;
    sum->path.latency_s += more->path.latency_s;
    sum->path.server_s += more->path.server_s;
    sum->path.wait_s += more->path.wait_s;
    sum->path.server_link_s += more->path.server_link_s;
}

static void add_to_client(struct frs_client_row *row, const struct frs_entry *entry, enum frs_cause lost) {
    const struct frs_participation *p = entry->participation;
    struct frs_phase_times spent = frs_participation_times(p);
    row->participations++;
    row->delivered += is_used(p, lost);
    row->uploads += p->up_crossed_bytes > 0;
    row->unavailable += p->outcome == FRS_UNAVAILABLE;
    row->lost += lost != FRS_CAUSE_NONE || (!is_used(p, lost) && p->outcome != FRS_UNAVAILABLE);
    row->down_bytes += p->down_crossed_bytes;
    row->up_bytes += p->up_crossed_bytes;
    row->down_s += spent.down_s;
    row->queue_s += spent.queue_s;
    row->compute_s += spent.compute_s;
    row->up_s += spent.up_s;
    row->post_s += spent.post_s;
    row->latency_s += spent.latency_s;
    row->flop += flop_run(entry) + post_flop_run(entry);
    row->energy_j += entry->energy_j;
}

/* Whether the round waited for p rather than for q: until p ended, or until the round no longer waited. A
 * round that closes when enough have arrived waits for the one that arrived. */
static bool is_later(const struct frs_participation *p, const struct frs_participation *q, double until_s) {
    double p_s = fmin(p->ended_s, until_s), q_s = fmin(q->ended_s, until_s);
    bool p_arrived = p->outcome == FRS_DELIVERED, q_arrived = q->outcome == FRS_DELIVERED;
    return p_s > q_s || (p_s == q_s && p_arrived && !q_arrived);
}

static const struct frs_participation *enter_all(
    struct frs_ledger *ledger, const struct frs_closed_round *closed, struct frs_round_row *row) {
    const struct frs_participation *last = NULL;
    for (size_t i = 0; i < closed->n; i++) {
        const struct frs_entry *entry = &closed->entries[i];
        const struct frs_participation *p = entry->participation,
                                       *before = i ? entry[-1].participation : NULL;
        FRS_INVARIANT(p->client < ledger->n_clients, "there is no client %u", p->client);
        bool again = closed->overlaps && before && p->client == before->client;
        FRS_INVARIANT(!before || p->client > before->client || (again && p->selected_s >= before->ended_s),
            "client %u is entered after client %u", p->client, before->client);
        check_entry(entry, closed);
        check_post(ledger, entry);
        if (p->post.outcome != FRS_POST_NONE)
            ledger->busy_until_s[p->client] = p->post.end_s;
        add_entry(&row->totals, entry, closed->lost);
        add_to_client(&ledger->clients[p->client], entry, closed->lost);
        if (!last || is_later(p, last, closed->end_s - closed->server_s))
            last = p;
        if (ledger->events)
            frs_events_write(ledger->events, row, entry);
    }
    return last;
}

/* What the server needed to encode, as far as it lies in the round; a restart may have struck in the middle
 * of it. */
static double before_start_s(const struct frs_participation *p, double from_s) {
    double until_s = isfinite(p->started_s) ? p->started_s : p->ended_s;
    return fmax(until_s - fmax(p->selected_s, from_s), 0);
}

void frs_ledger_close_round(struct frs_ledger *ledger, const struct frs_closed_round *closed) {
    FRS_INVARIANT(closed->n > 0, "a round without participants");
    FRS_INVARIANT(
        closed->start_s >= ledger->end_s, "round %zu starts before the last one ended", ledger->n_rounds + 1);
    struct frs_round_row row = {.round = (uint32_t)ledger->n_rounds + 1,
        .attempt = closed->attempt,
        .lost = closed->lost,
        .idle_s = closed->start_s - ledger->end_s,
        .start_s = closed->start_s,
        .end_s = closed->end_s,
        .totals = {.server_flop = closed->server_flop}};
    FRS_INVARIANT(isfinite(closed->server_flop) && closed->server_flop >= 0, "the server computed %g flop",
        closed->server_flop);
    const struct frs_participation *last = enter_all(ledger, closed, &row);
    row.critical_client = last->client;
    row.totals.path = critical_path(last, closed, closed->server_s + before_start_s(last, closed->start_s));
    bool within = last->selected_s >= closed->start_s && last->ended_s <= closed->end_s;
    if (closed->contended && within && !last->unreachable && !last->refused) {
        struct frs_phase_times times = frs_participation_times(last);
        row.totals.path.server_link_s = server_link_s(last, &times);
    }
    add_totals(&ledger->totals, &row.totals);
    ledger->idle_s += row.idle_s;
    ledger->n_rounds += closed->lost == FRS_CAUSE_NONE;
    ledger->end_s = closed->end_s;
    frs_rounds_csv_row(ledger->rounds, &row, closed->quality);
}

void frs_ledger_check_network(const struct frs_ledger *ledger, double down_bytes, double up_bytes,
    double down_slack_bytes, double up_slack_bytes) {
    double down = (double)ledger->totals.down_bytes, up = (double)ledger->totals.up_bytes;
    FRS_INVARIANT(fabs(down_bytes - down) <= 1e-9 * down + down_slack_bytes &&
                      fabs(up_bytes - up) <= 1e-9 * up + up_slack_bytes,
        "the network carried %.17g and %.17g bytes, the ledger charged %.17g and %.17g", down_bytes, up_bytes,
        down, up);
}

bool frs_ledger_failed(const struct frs_ledger *ledger) {
    return ferror(ledger->rounds) || (ledger->events && ferror(ledger->events));
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

double frs_ledger_idle_s(const struct frs_ledger *ledger) {
    return ledger->idle_s;
}
