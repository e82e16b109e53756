#include "sim/ledger/ledger.h"
#include "sim/ledger/connection_spans.h"
#include "actors/phase_times.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/ledger/edge_messages.h"
#include "sim/ledger/entry_checks.h"
#include "sim/ledger/peer_messages.h"
#include "sim/ledger/files.h"
#include "sim/ledger/server_link.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Relative error of sums of real numbers, in whatever order they were added up. */
#define SUM_SLACK 1e-9

struct frs_ledger {
    uint32_t n_clients;
    struct frs_list_rules ranking;
    FILE *rounds, *events;
    FILE *edges;                        /* edges.csv; NULL: not written */
    FILE *peers;                        /* peers.csv, likewise */
    uint32_t events_every;              /* rounds */
    struct frs_client_row **clients;    /* [n_clients] NULL: never selected */
    double *busy_until_s;               /* [n_clients] with work after an upload */
    struct frs_client_periods *periods; /* NULL: not counted */
    struct frs_load *load;              /* NULL: not counted */
    struct frs_own_links links;
    struct frs_totals totals;
    struct frs_cohorts cohorts;
    size_t n_rounds, n_attempts;
    double end_s, idle_s, scheduled_idle_s, restart_s;
};

struct frs_ledger *frs_ledger_create(
    uint32_t n_clients, FILE *rounds, FILE *events, const struct frs_list_rules *ranking) {
    struct frs_ledger *ledger = frs_alloc(1, sizeof *ledger);
    *ledger = (struct frs_ledger){
        .n_clients = n_clients, .ranking = *ranking, .rounds = rounds, .events = events, .events_every = 1};
    ledger->clients = frs_alloc(n_clients, sizeof *ledger->clients);
    ledger->busy_until_s = frs_alloc(n_clients, sizeof *ledger->busy_until_s);
    frs_rounds_csv_header(rounds, ranking);
    return ledger;
}

void frs_ledger_destroy(struct frs_ledger *ledger) {
    if (!ledger)
        return;
    for (uint32_t client = 0; client < ledger->n_clients; client++)
        free(ledger->clients[client]);
    frs_client_periods_destroy(ledger->periods);
    frs_load_destroy(ledger->load);
    free(ledger->clients);
    free(ledger->busy_until_s);
    free(ledger);
}

void frs_ledger_thin_events(struct frs_ledger *ledger, uint32_t every) {
    ledger->events_every = every;
}

void frs_ledger_count_periods(struct frs_ledger *ledger, double period_s) {
    ledger->periods = frs_client_periods_create(ledger->n_clients, period_s);
}

const struct frs_client_periods *frs_ledger_periods(const struct frs_ledger *ledger) {
    return ledger->periods;
}

void frs_ledger_set_load(struct frs_ledger *ledger, struct frs_load *load) {
    ledger->load = load;
}

void frs_ledger_set_edges(struct frs_ledger *ledger, FILE *edges) {
    ledger->edges = edges;
    frs_edges_csv_header(edges);
}

void frs_ledger_set_peers(struct frs_ledger *ledger, FILE *peers) {
    ledger->peers = peers;
    frs_peers_csv_header(peers);
}

struct frs_load *frs_ledger_load(const struct frs_ledger *ledger) {
    return ledger->load;
}

void frs_ledger_set_links(struct frs_ledger *ledger, const struct frs_own_links *links) {
    ledger->links = *links;
}

static bool has_arrived(const struct frs_participation *p) {
    return p->result.outcome == FRS_DELIVERED || p->result.outcome == FRS_LATE;
}

/* It was aggregated, in its own round or the next. */
static bool is_used(const struct frs_participation *p, enum frs_cause lost) {
    return has_arrived(p) && p->result.cause == FRS_CAUSE_NONE && lost == FRS_CAUSE_NONE;
}

static double flop_run(const struct frs_participation *p) {
    return frs_compute_flop(&p->usage) * p->result.computed_share + p->result.peers.mix_flop;
}

static double post_flop_run(const struct frs_participation *p) {
    return p->usage.post_flop * p->post.share;
}

/* All it exchanged in a protocol around the upload. */
static struct frs_aside aside_of(const struct frs_participation *p) {
    struct frs_aside sum = {0};
    for (size_t i = 0; i < p->result.n_asides; i++) {
        const struct frs_aside *aside = &p->result.asides[i];
        sum.down_bytes += aside->down_bytes;
        sum.up_bytes += aside->up_bytes;
        sum.setup_down_bytes += aside->setup_down_bytes;
        sum.setup_up_bytes += aside->setup_up_bytes;
        sum.metered_down_bytes += aside->metered_down_bytes;
        sum.metered_up_bytes += aside->metered_up_bytes;
        sum.flop += aside->flop;
        sum.retries += aside->retries;
        sum.message_down_bytes += aside->message_down_bytes;
        sum.resent_down_bytes += aside->resent_down_bytes;
        sum.wasted_down_bytes += aside->wasted_down_bytes;
        sum.nominal_down_bytes += aside->nominal_down_bytes;
    }
    return sum;
}

static bool is_post_used(const struct frs_participation *p) {
    return p->post.outcome == FRS_POST_NONE || p->post.outcome == FRS_POST_ENDED;
}

static void add_waste(struct frs_totals *totals, const struct frs_participation *p, enum frs_cause cause) {
    const struct frs_aside aside = aside_of(p);
    frs_waste_add(&totals->waste[cause][p->result.outcome],
        &(struct frs_waste){.participations = 1,
            .down_bytes = p->result.down_crossed_bytes + aside.down_bytes,
            .up_bytes = p->result.up_crossed_bytes + aside.up_bytes,
            .setup_down_bytes = p->result.setup_down_bytes + aside.setup_down_bytes,
            .setup_up_bytes = p->result.setup_up_bytes + aside.setup_up_bytes,
            .flop = flop_run(p) + aside.flop});
}

static void add_to_round(struct frs_totals *totals, const struct frs_participation *p, enum frs_cause lost) {
    bool used = is_used(p, lost), post_used = is_post_used(p);
    const struct frs_aside aside = aside_of(p);
#define FRS_COLUMN_OF_ROUND(type, name, value, of_post) totals->name = totals->name + (value) + (of_post);
#define FRS_SUM_OF_ROUND FRS_COLUMN_OF_ROUND
#include "sim/ledger/columns.def"
    totals->outcomes[p->result.outcome]++;
    totals->post_uploads[p->post.outcome]++;
    if (!used)
        add_waste(totals, p, has_arrived(p) && p->result.cause == FRS_CAUSE_NONE ? lost : p->result.cause);
    struct frs_waste resent = {.participations = 1,
        .down_bytes = p->result.resent_down_bytes + aside.resent_down_bytes,
        .up_bytes = p->result.resent_up_bytes};
    if (resent.down_bytes + resent.up_bytes > 0)
        frs_waste_add(&totals->waste[FRS_CAUSE_RESENT][p->result.outcome], &resent);
    for (size_t i = 0; used && i < p->result.n_asides; i++) {
        const struct frs_aside *part = &p->result.asides[i];
        if (part->lost != FRS_CAUSE_NONE)
            frs_waste_add(&totals->receive_waste[part->lost],
                &(struct frs_waste){
                    .participations = 1, .down_bytes = part->wasted_down_bytes - part->resent_down_bytes});
    }
    if (!post_used)
        frs_waste_add(&totals->post_waste[p->post.cause],
            &(struct frs_waste){.participations = 1, .flop = post_flop_run(p)});
}

/* The time until which the round waited for uploads. */
static double collected_s(const struct frs_closed_round *closed) {
    return closed->end_s - closed->server_s - closed->after_s;
}

/* From the end of the last participation until the round went on: a loss had not been noticed yet. */
static double noticing_s(const struct frs_participation *last, const struct frs_closed_round *closed) {
    return fmax(collected_s(closed) - fmax(last->times.ended_s, closed->start_s), 0);
}

/* Returns the time in which nothing of the critical path was under way: the server tried in vain to reach
 * its client, the client waited for its device, a failure was not detected yet, or (where rounds overlap)
 * the client that closed the round had not been selected. */
static double waited_s(const struct frs_participation *last, const struct frs_phase_times *spent,
    const struct frs_closed_round *closed) {
    double before_s = closed->overlaps ? fmax(last->times.selected_s - closed->start_s, 0) : 0;
    return spent->contact_s + spent->queue_s + before_s + noticing_s(last, closed);
}

/* The last of several participations at an edge: what came before its first message is that of the client's
 * first one. Returns the time of the edge rounds in between. */
static double before_edge_round(const struct frs_participation *last, const struct frs_closed_round *closed,
    struct frs_phase_times *spent) {
    const struct frs_participation *first = last->first_at_edge;
    struct frs_phase_times before =
        frs_participation_times_within(first, closed->start_s, collected_s(closed));
    spent->encode_s = before.encode_s;
    spent->edge_down_s = before.edge_down_s;
    return last->times.started_s - first->times.started_s;
}

/* Returns the phases of the participation that closed the round, as far as they lie in the round, the
 * server's time before and after it, and waiting. Each is measured separately. Their sum has to be the
 * duration of the round; otherwise a second is unaccounted for. */
static struct frs_path critical_path(
    const struct frs_participation *last, const struct frs_closed_round *closed) {
    struct frs_phase_times spent = frs_participation_times_within(last, closed->start_s, collected_s(closed));
    double edge_rounds_s = 0;
    if (last->first_at_edge)
        edge_rounds_s = before_edge_round(last, closed, &spent);
    double before_s = fmin(closed->before_s, spent.encode_s);
    const struct frs_phase_times *delivery = &closed->delivery;
    double delivered_s =
        delivery->setup_s + delivery->retry_s + delivery->down_s + delivery->latency_s + delivery->encode_s;
    struct frs_path path = {.setup_s = spent.setup_s + delivery->setup_s,
        .retry_s = spent.retry_s + delivery->retry_s,
        .down_s = spent.down_s + delivery->down_s,
        .compute_s = spent.compute_s,
        .up_s = spent.up_s,
        .exchange_s = spent.exchange_s,
        .latency_s = spent.latency_s + delivery->latency_s,
        .edge_down_s = spent.edge_down_s,
        .edge_up_s = spent.edge_up_s,
        .edge_rounds_s = edge_rounds_s,
        .server_s = spent.encode_s - before_s + closed->server_s + delivery->encode_s,
        .wait_s = before_s + waited_s(last, &spent, closed) + closed->after_s - delivered_s};
    double slack_s = frs_clock_slack_s(closed->end_s), duration_s = closed->end_s - closed->start_s,
           sum_s = path.setup_s + path.retry_s + path.down_s + path.compute_s + path.up_s + path.latency_s +
                   path.edge_down_s + path.edge_up_s + path.edge_rounds_s + path.exchange_s + path.server_s +
                   path.wait_s;
    FRS_INVARIANT(fabs(sum_s - duration_s) <= slack_s,
        "the critical path from %.17g to %.17g, of client %u, adds up to %.17g s", closed->start_s,
        closed->end_s, last->client, sum_s);
    path.wait_s = path.wait_s > slack_s ? path.wait_s : 0;
    path.unreachable_s = spent.contact_s + delivery->contact_s;
    path.noticing_s = path.wait_s > 0 ? noticing_s(last, closed) +
                                            fmax(closed->deliver_s - delivered_s - delivery->contact_s, 0)
                                      : 0;
    return path;
}

void frs_waste_add(struct frs_waste *sum, const struct frs_waste *more) {
    sum->participations += more->participations;
    sum->down_bytes += more->down_bytes;
    sum->up_bytes += more->up_bytes;
    sum->setup_down_bytes += more->setup_down_bytes;
    sum->setup_up_bytes += more->setup_up_bytes;
    sum->flop += more->flop;
}

static void add_totals(struct frs_totals *sum, const struct frs_totals *more) {
#define FRS_COLUMN_OF_ROUND(type, name, value, of_post) sum->name += more->name;
#define FRS_SUM_OF_ROUND FRS_COLUMN_OF_ROUND
#define FRS_COLUMN_OF_PATH(name) sum->path.name += more->path.name;
#define FRS_SUM_OF_PATH FRS_COLUMN_OF_PATH
#include "sim/ledger/columns.def"
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        sum->outcomes[i] += more->outcomes[i];
    for (size_t i = 0; i < FRS_N_CAUSES; i++)
        for (size_t j = 0; j < FRS_N_OUTCOMES; j++)
            frs_waste_add(&sum->waste[i][j], &more->waste[i][j]);
    for (size_t i = 0; i < FRS_N_CAUSES; i++)
        frs_waste_add(&sum->post_waste[i], &more->post_waste[i]);
    for (size_t i = 0; i < FRS_N_CAUSES; i++)
        frs_waste_add(&sum->receive_waste[i], &more->receive_waste[i]);
    for (size_t i = 0; i < FRS_N_POST_OUTCOMES; i++)
        sum->post_uploads[i] += more->post_uploads[i];
}

/* Most of a million clients may never be selected. */
static struct frs_client_row *row_of(struct frs_ledger *ledger, uint32_t client) {
    if (!ledger->clients[client])
        ledger->clients[client] = frs_alloc(1, sizeof *ledger->clients[client]);
    return ledger->clients[client];
}

/* With its download after the aggregation. */
static struct frs_phase_times times_of(const struct frs_participation *p) {
    struct frs_phase_times spent = frs_participation_times(p), after;
    if (!p->receive)
        return spent;
    after = frs_participation_times(p->receive);
    spent.setup_s += after.setup_s;
    spent.retry_s += after.retry_s;
    spent.latency_s += after.latency_s;
    spent.down_s += after.down_s;
    return spent;
}

static void add_to_client(
    struct frs_client_row *row, const struct frs_participation *p, enum frs_cause lost) {
    struct frs_phase_times spent = times_of(p);
    const struct frs_aside aside = aside_of(p);
    bool used = is_used(p, lost);
#define FRS_COLUMN_OF_CLIENT(type, name, value, of_post) row->name += (value) + (of_post);
#define FRS_SUM_OF_CLIENT FRS_COLUMN_OF_CLIENT
#include "sim/ledger/columns.def"
}

/* Whether the round waited for p rather than for q, until p ended or until the round stopped waiting. A
 * round that closes when enough uploads have arrived waits for the last of these. */
static bool is_later(const struct frs_participation *p, const struct frs_participation *q, double until_s) {
    double p_s = fmin(p->times.ended_s, until_s), q_s = fmin(q->times.ended_s, until_s);
    bool p_arrived = p->result.outcome == FRS_DELIVERED, q_arrived = q->result.outcome == FRS_DELIVERED;
    if (p_s == q_s && p_arrived && q_arrived) /* of those in one sum of an edge, which waited for its last */
        return frs_participation_left_s(p) > frs_participation_left_s(q);
    return p_s > q_s || (p_s == q_s && p_arrived && !q_arrived);
}

/* Whether p is a later participation of the same client, in a round that can have several. */
static bool comes_again(
    const struct frs_participation *p, const struct frs_participation *before, bool overlaps) {
    bool follows = p->edge_round == before->edge_round + 1;
    return p->client == before->client && (overlaps || follows) &&
           p->times.selected_s >= frs_participation_left_s(before);
}

static const struct frs_participation *enter_all(
    struct frs_ledger *ledger, const struct frs_closed_round *closed, struct frs_round_row *row) {
    const struct frs_participation *last = NULL;
    for (size_t i = 0; i < closed->n; i++) {
        const struct frs_participation *p = closed->list[i], *before = i ? closed->list[i - 1] : NULL;
        FRS_INVARIANT(p->client < ledger->n_clients, "there is no client %u", p->client);
        FRS_INVARIANT(!before || p->client > before->client || comes_again(p, before, closed->overlaps),
            "client %u is entered after client %u", p->client, before->client);
        frs_check_entry(p, closed, ledger->busy_until_s[p->client], &ledger->links);
        if (p->post.outcome != FRS_POST_NONE)
            ledger->busy_until_s[p->client] = p->post.end_s;
        add_to_round(&row->totals, p, closed->lost);
        add_to_client(row_of(ledger, p->client), p, closed->lost);
        if (ledger->periods)
            frs_client_periods_add(ledger->periods, p);
        if (ledger->load)
            frs_load_participation(ledger->load, p);
        if (!last || is_later(p, last, collected_s(closed)))
            last = p;
        if (ledger->events && (row->round - 1) % ledger->events_every == 0)
            frs_events_write(ledger->events, row, p, &ledger->links);
    }
    return last;
}

/* What edges exchanged with the server. */
static void enter_edges(
    struct frs_ledger *ledger, const struct frs_closed_round *closed, struct frs_round_row *row) {
    if (closed->n_edge_messages == 0)
        return;
    bool *used = frs_alloc(closed->n_edge_messages, sizeof *used);
    for (size_t i = 0; i < closed->n; i++)
        if (is_used(closed->list[i], closed->lost))
            frs_edge_messages_use(closed, closed->list[i], used);
    frs_edge_messages_enter(closed, used, &row->totals);
    if (ledger->edges && (row->round - 1) % ledger->events_every == 0)
        frs_edges_csv_rows(ledger->edges, row, closed, used);
    free(used);
}

/* What clients exchanged. */
static void enter_peers(
    struct frs_ledger *ledger, const struct frs_closed_round *closed, const struct frs_round_row *row) {
    frs_peer_messages_check(closed, &row->totals);
    if (ledger->peers && (row->round - 1) % ledger->events_every == 0)
        frs_peers_csv_rows(ledger->peers, row, closed);
}

struct frs_server_traffic frs_totals_at_server(const struct frs_totals *totals) {
    if (totals->edge_messages > 0)
        return (struct frs_server_traffic){
            (double)totals->edge_down_bytes, (double)totals->edge_up_bytes, totals->edge_connected_s};
    return (struct frs_server_traffic){(double)(totals->down_bytes + totals->setup_down_bytes),
        (double)(totals->up_bytes + totals->setup_up_bytes), totals->connected_s};
}

struct frs_sent frs_totals_sent(const struct frs_totals *totals) {
    uint64_t connecting = totals->setup_down_bytes + totals->setup_up_bytes,
             edges = totals->edge_down_bytes + totals->edge_up_bytes;
    return (struct frs_sent){
        totals->down_bytes + totals->up_bytes + totals->peer_up_bytes + connecting + edges, connecting,
        edges};
}

struct frs_sent frs_totals_sent_wasted(const struct frs_totals *totals) {
    uint64_t connecting = totals->wasted_setup_down_bytes + totals->wasted_setup_up_bytes,
             edges = totals->wasted_edge_down_bytes + totals->wasted_edge_up_bytes;
    return (struct frs_sent){totals->wasted_down_bytes + totals->wasted_up_bytes +
                                 totals->wasted_peer_up_bytes + connecting + edges,
        connecting, edges};
}

/* The time before a round in which the server was up. */
static double idle_s(const struct frs_ledger *ledger, const struct frs_closed_round *closed) {
    double gap_s = closed->start_s - ledger->end_s, idle_s = gap_s - closed->restart_s;
    FRS_INVARIANT(closed->restart_s >= 0 && idle_s >= -frs_clock_slack_s(closed->start_s),
        "the server was down for %.17g s of the %.17g s before round %zu", closed->restart_s, gap_s,
        ledger->n_rounds + 1);
    return fmax(idle_s, 0);
}

/* Checks the bytes of one kind: the total against those by outcome. */
static void check_bytes(const char *kind, uint64_t all, uint64_t used, uint64_t wasted, uint64_t by_cause) {
    FRS_INVARIANT(all == used + by_cause && by_cause == wasted,
        "%" PRIu64 " bytes %s, %" PRIu64 " used and %" PRIu64 " wasted", all, kind, used, by_cause);
}

/* Checks that everything was entered once, and was either used or wasted for one reason. Bytes that were
 * sent again are wasted whatever the outcome of their participation, which counts under its own outcome. */
static void check_balance(const struct frs_totals *totals) {
    struct frs_waste waste = {0}, resent = {0};
    uint64_t outcomes = 0;
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        frs_waste_add(&resent, &totals->waste[FRS_CAUSE_RESENT][i]);
    FRS_INVARIANT(
        resent.down_bytes == totals->resent_down_bytes && resent.up_bytes == totals->resent_up_bytes,
        "%" PRIu64 " and %" PRIu64 " bytes sent again, and %" PRIu64 " and %" PRIu64 " wasted for that",
        totals->resent_down_bytes, totals->resent_up_bytes, resent.down_bytes, resent.up_bytes);
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        outcomes += totals->outcomes[i];
    for (size_t i = 0; i < FRS_N_CAUSES; i++) {
        for (size_t j = 0; j < FRS_N_OUTCOMES; j++)
            frs_waste_add(&waste, &totals->waste[i][j]);
        waste.flop += totals->post_waste[i].flop;
        waste.down_bytes += totals->receive_waste[i].down_bytes;
    }
    FRS_INVARIANT(totals->participations == outcomes &&
                      totals->participations == totals->used + waste.participations - resent.participations,
        "%" PRIu64 " participations, %" PRIu64 " outcomes, %" PRIu64 " used and %" PRIu64 " wasted",
        totals->participations, outcomes, totals->used, waste.participations);
    check_bytes(
        "down", totals->down_bytes, totals->used_down_bytes, totals->wasted_down_bytes, waste.down_bytes);
    check_bytes("up", totals->up_bytes, totals->used_up_bytes, totals->wasted_up_bytes, waste.up_bytes);
    check_bytes("of connecting down", totals->setup_down_bytes, totals->used_setup_down_bytes,
        totals->wasted_setup_down_bytes, waste.setup_down_bytes);
    check_bytes("of connecting up", totals->setup_up_bytes, totals->used_setup_up_bytes,
        totals->wasted_setup_up_bytes, waste.setup_up_bytes);
    FRS_INVARIANT(fabs(totals->flop - totals->used_flop - waste.flop) <= SUM_SLACK * totals->flop &&
                      fabs(waste.flop - totals->wasted_flop) <= SUM_SLACK * totals->flop,
        "%.17g flop, %.17g used and %.17g wasted", totals->flop, totals->used_flop, waste.flop);
    FRS_INVARIANT(totals->peer_up_bytes == totals->peer_down_bytes &&
                      totals->wasted_peer_up_bytes == totals->wasted_peer_down_bytes &&
                      totals->wasted_peer_up_bytes <= totals->peer_up_bytes,
        "clients sent each other %" PRIu64 " bytes and received %" PRIu64 ", %" PRIu64 " and %" PRIu64
        " of these in vain",
        totals->peer_up_bytes, totals->peer_down_bytes, totals->wasted_peer_up_bytes,
        totals->wasted_peer_down_bytes);
    double parts_j =
        totals->compute_j + totals->connecting_j + totals->down_j + totals->up_j + totals->awake_j;
    FRS_INVARIANT(fabs(totals->energy_j - parts_j) <= SUM_SLACK * totals->energy_j,
        "%.17g J, and %.17g J by phase", totals->energy_j, parts_j);
}

/* A client that was selected without result, or refused, has done nothing. */
static void add_cohort(struct frs_cohorts *cohorts, const struct frs_totals *round) {
    const uint64_t *outcomes = round->outcomes;
    size_t n = (size_t)(round->participations - outcomes[FRS_UNAVAILABLE] - outcomes[FRS_REFUSED]);
    cohorts->least = cohorts->n_rounds == 0 || n < cohorts->least ? n : cohorts->least;
    cohorts->most = n > cohorts->most ? n : cohorts->most;
    cohorts->n_without_upload += outcomes[FRS_DELIVERED] + outcomes[FRS_LATE] == 0;
    cohorts->sum += n;
    cohorts->n_rounds++;
}

void frs_ledger_close_round(struct frs_ledger *ledger, const struct frs_closed_round *closed) {
    FRS_INVARIANT(closed->n > 0 || closed->end_s == closed->start_s,
        "a round without participants takes %g s", closed->end_s - closed->start_s);
    FRS_INVARIANT(
        closed->start_s >= ledger->end_s, "round %zu starts before the last one ended", ledger->n_rounds + 1);
    struct frs_round_row row = {.round = (uint32_t)ledger->n_rounds + 1,
        .attempt = closed->attempt,
        .lost = closed->lost,
        .idle_s = idle_s(ledger, closed),
        .restart_s = closed->restart_s,
        .start_s = closed->start_s,
        .end_s = closed->end_s,
        .totals = {.server_flop = closed->server_flop}};
    FRS_INVARIANT(isfinite(closed->server_flop) && closed->server_flop >= 0, "the server computed %g flop",
        closed->server_flop);
    const struct frs_participation *last = enter_all(ledger, closed, &row);
    row.critical_client = last ? last->client : FRS_NO_CLIENT;
    if (last)
        row.totals.path = critical_path(last, closed);
    enter_edges(ledger, closed, &row);
    enter_peers(ledger, closed, &row);
    check_balance(&row.totals);
    if (ledger->load)
        frs_load_round(ledger->load, closed);
    if (last && closed->contended)
        row.totals.path.server_link_s =
            frs_server_link_s(last, &ledger->links, closed->start_s, collected_s(closed));
    if (closed->last_delivery && closed->contended)
        row.totals.path.server_link_s +=
            frs_server_link_s(closed->last_delivery, &ledger->links, collected_s(closed), closed->end_s);
    add_totals(&ledger->totals, &row.totals);
    if (closed->lost == FRS_CAUSE_NONE)
        add_cohort(&ledger->cohorts, &row.totals);
    ledger->idle_s += row.idle_s;
    ledger->scheduled_idle_s += fmin(closed->scheduled_s, row.idle_s);
    ledger->restart_s += row.restart_s;
    ledger->n_rounds += closed->lost == FRS_CAUSE_NONE;
    ledger->n_attempts++;
    ledger->end_s = closed->end_s;
    frs_rounds_csv_row(ledger->rounds, &row, closed->quality, &ledger->ranking);
}

void frs_ledger_check_network(const struct frs_ledger *ledger, const struct frs_carried *carried) {
    const struct frs_totals *totals = &ledger->totals;
    double down = (double)(totals->down_bytes + totals->setup_down_bytes),
           up = (double)(totals->up_bytes + totals->setup_up_bytes);
    FRS_INVARIANT(fabs(carried->down_bytes - down) <= SUM_SLACK * down + carried->down_slack_bytes &&
                      fabs(carried->up_bytes - up) <= SUM_SLACK * up + carried->up_slack_bytes,
        "the network carried %.17g and %.17g bytes, the ledger charged %.17g and %.17g", carried->down_bytes,
        carried->up_bytes, down, up);
    double edge_down = (double)totals->edge_down_bytes, edge_up = (double)totals->edge_up_bytes;
    FRS_INVARIANT(
        fabs(carried->backhaul_down_bytes - edge_down) <= SUM_SLACK * edge_down + carried->down_slack_bytes &&
            fabs(carried->backhaul_up_bytes - edge_up) <= SUM_SLACK * edge_up + carried->up_slack_bytes,
        "edges and the server exchanged %.17g and %.17g bytes, the ledger charged %.17g and %.17g",
        carried->backhaul_down_bytes, carried->backhaul_up_bytes, edge_down, edge_up);
}

void frs_ledger_end_load(struct frs_ledger *ledger, const double *peak_bytes_per_s) {
    const struct frs_server_traffic server = frs_totals_at_server(&ledger->totals);
    if (!ledger->load)
        return;
    frs_load_end(ledger->load, ledger->end_s, peak_bytes_per_s);
    frs_load_check(ledger->load, (uint64_t)server.down_bytes, (uint64_t)server.up_bytes, server.connected_s);
}

void frs_ledger_check_clients(const struct frs_ledger *ledger) {
    const struct frs_totals *totals = &ledger->totals;
    struct frs_client_row sum = {0};
    uint64_t participations = 0, delivered = 0, lost = 0, unavailable = 0;
    check_balance(totals);
    for (uint32_t client = 0; client < ledger->n_clients; client++) {
        const struct frs_client_row *row = frs_ledger_client(ledger, client);
        FRS_INVARIANT(row->delivered + row->lost + row->unavailable == row->participations,
            "client %u: %u delivered, %u lost and %u unavailable of %u participations", client,
            row->delivered, row->lost, row->unavailable, row->participations);
        participations += row->participations;
        delivered += row->delivered;
        lost += row->lost;
        unavailable += row->unavailable;
        sum.down_bytes += row->down_bytes;
        sum.up_bytes += row->up_bytes;
        sum.setup_down_bytes += row->setup_down_bytes;
        sum.setup_up_bytes += row->setup_up_bytes;
        sum.flop += row->flop;
        sum.peer_up_bytes += row->peer_up_bytes;
        sum.peer_down_bytes += row->peer_down_bytes;
    }
    FRS_INVARIANT(participations == totals->participations && delivered == totals->used &&
                      unavailable == totals->outcomes[FRS_UNAVAILABLE] &&
                      lost == participations - delivered - unavailable,
        "clients had %" PRIu64 " participations, rounds %" PRIu64, participations, totals->participations);
    FRS_INVARIANT(sum.down_bytes == totals->down_bytes && sum.up_bytes == totals->up_bytes &&
                      fabs(sum.flop - totals->flop) <= SUM_SLACK * totals->flop,
        "clients were charged %" PRIu64 " and %" PRIu64 " bytes and %.17g flop, rounds %" PRIu64
        " and %" PRIu64 " bytes and %.17g flop",
        sum.down_bytes, sum.up_bytes, sum.flop, totals->down_bytes, totals->up_bytes, totals->flop);
    FRS_INVARIANT(
        sum.peer_up_bytes == totals->peer_up_bytes && sum.peer_down_bytes == totals->peer_down_bytes,
        "clients were charged %" PRIu64 " and %" PRIu64 " bytes between them, rounds %" PRIu64
        " and %" PRIu64,
        sum.peer_up_bytes, sum.peer_down_bytes, totals->peer_up_bytes, totals->peer_down_bytes);
    FRS_INVARIANT(
        sum.setup_down_bytes == totals->setup_down_bytes && sum.setup_up_bytes == totals->setup_up_bytes,
        "clients were charged %" PRIu64 " and %" PRIu64 " bytes of connecting, rounds %" PRIu64
        " and %" PRIu64,
        sum.setup_down_bytes, sum.setup_up_bytes, totals->setup_down_bytes, totals->setup_up_bytes);
}

bool frs_ledger_failed(const struct frs_ledger *ledger) {
    return ferror(ledger->rounds) || (ledger->events && ferror(ledger->events)) ||
           (ledger->edges && ferror(ledger->edges)) || (ledger->peers && ferror(ledger->peers));
}

size_t frs_ledger_rounds(const struct frs_ledger *ledger) {
    return ledger->n_rounds;
}

size_t frs_ledger_attempts(const struct frs_ledger *ledger) {
    return ledger->n_attempts;
}

double frs_ledger_end_s(const struct frs_ledger *ledger) {
    return ledger->end_s;
}

const struct frs_totals *frs_ledger_totals(const struct frs_ledger *ledger) {
    return &ledger->totals;
}

struct frs_cohorts frs_ledger_cohorts(const struct frs_ledger *ledger) {
    return ledger->cohorts;
}

const struct frs_client_row *frs_ledger_client(const struct frs_ledger *ledger, uint32_t client) {
    static const struct frs_client_row nothing;
    return ledger->clients[client] ? ledger->clients[client] : &nothing;
}

double frs_ledger_idle_s(const struct frs_ledger *ledger) {
    return ledger->idle_s;
}

double frs_ledger_scheduled_idle_s(const struct frs_ledger *ledger) {
    return ledger->scheduled_idle_s;
}

double frs_ledger_restart_s(const struct frs_ledger *ledger) {
    return ledger->restart_s;
}
