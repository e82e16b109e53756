/* A round opens: which clients are selected, which budgets they are assigned and what will fail; or how
 * long the server sleeps. */
#include "actors/links/uncontended_flow.h"
#include "sim/base/memory.h"
#include "sim/setup/memory_fit.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>
#include <stdlib.h>

static void plan_failures(const struct frs_simulation *s, struct frs_open_entry *open_entry) {
    const struct frs_setup *setup = s->setup;
    struct frs_participation *p = &open_entry->p;
    if (!frs_failures_can_strike(&setup->failures))
        return;
    struct frs_failure_plan plan =
        frs_failures_plan(&setup->failures, setup->training.seed, p->client, s->round, s->attempt);
    if (s->course.receives)
        p->plan.down_loss = frs_simulation_loss(&plan.phase[FRS_FAILS_DOWN]);
    if (s->course.trains)
        p->plan.compute_loss = frs_simulation_loss(&plan.phase[FRS_FAILS_COMPUTE]);
    if (s->course.sends)
        p->plan.up_loss = frs_simulation_loss(&plan.phase[FRS_FAILS_UP]);
    p->post.fails_after_s = plan.phase[FRS_FAILS_POST].device_after_s;
    open_entry->up_loss_by_itself = frs_simulation_loss_by_itself(&plan.phase[FRS_FAILS_UP]);
}

struct frs_path_memory frs_simulation_memory_of(
    const struct frs_participation *p, bool up, struct frs_tcp_stream *stream) {
    const struct frs_link_terms terms = frs_participation_terms(p, up);
    double start_s = up ? p->times.up_start_s : p->times.down_start_s;
    if (p->plan.by_packets)
        return p->learnt[up];
    struct frs_path_memory memory = frs_uncontended_flow_memory(
        &(struct frs_uncontended_flow){
            .bytes = (double)(up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes),
            .bytes_per_s = terms.bytes_per_s[up],
            .round_trip_s = frs_participation_round_trip_s(p, &terms),
            .queue_s = p->plan.sender->queue_s,
            .up = up,
            .interactive = (up ? p->plan.up_slow_start : p->plan.down_slow_start) == FRS_SLOW_START_PAIRED,
            .from = p->begun[up],
            .stream = p->follows ? p->stream : NULL},
        stream);
    memory.sent_s += start_s - terms.latency_s[up];
    return memory;
}

/* When a message or its connection broke off, no memory of the path is left. */
static void keep_memory(struct frs_simulation *s, const struct frs_participation *ended) {
    for (int up = 0; up < 2; up++) {
        struct frs_path_memory *memory = &s->memory[ended->client][up];
        bool begun = !isnan(up ? ended->times.up_start_s : ended->times.down_start_s),
             whole = isfinite(up ? ended->times.up_end_s : ended->times.down_end_s);
        uint64_t bytes = up ? ended->result.up_crossed_bytes : ended->result.down_crossed_bytes;
        if (ended->n_breaks > 0 || (begun && !whole))
            *memory = (struct frs_path_memory){0};
        else if (bytes > 0 && whole)
            *memory = frs_simulation_memory_of(ended, up, NULL);
    }
}

/* A window is lost with its connection. */
void frs_simulation_keep_windows(struct frs_simulation *s, const struct frs_participation *ended) {
    if (s->memory)
        keep_memory(s, ended);
    if (s->memory && ended->receive)
        keep_memory(s, ended->receive);
}

/* A client that is still at work after its last upload downloads at once, and then waits for its device. */
static void await_device(struct frs_simulation *s, struct frs_open_entry *open_entry) {
    struct frs_open_entry *before = frs_post_uploads_of(s->post_uploads, open_entry->p.client, s->now_s);
    open_entry->p.before = before ? &before->p : NULL;
    open_entry->member.waits = before;
}

/* A client that cannot be reached at a time, or stops then, is offline, or its device is in another state. */
static enum frs_cause leaves_cause(
    const struct frs_simulation *s, const struct frs_participation *p, double time_s) {
    const struct frs_reachability *reachability = &s->setup->reachability;
    bool online = frs_reachability_has_states(reachability) && time_s < INFINITY &&
                  frs_reachability_online(reachability, p->client, p->round, p->attempt, time_s);
    return online ? FRS_CAUSE_INELIGIBLE : FRS_CAUSE_OFFLINE;
}

/* Whether it cannot hold what it would download. */
static bool lacks_memory(const struct frs_simulation *s, uint32_t client) {
    const struct frs_setup *setup = s->setup;
    double bytes = frs_devices_memory_bytes(&setup->devices, setup->training.seed, client);
    if (isinf(bytes))
        return false;
    return bytes < (setup->training.workload ? frs_memory_needed_bytes(setup, client) : s->state_bytes);
}

static struct frs_open_entry *prepare(struct frs_simulation *s, size_t i) {
    const struct frs_setup *setup = s->setup;
    const struct frs_open_entry *last = frs_open_rows_last_entry(s->open_rows, s->cohort[i]);
    if (last) /* it has ended, but may wait to be aggregated */
        frs_simulation_keep_windows(s, &last->p);
    struct frs_open_entry *open_entry =
        frs_open_rows_add_entry(s->open_rows, s->cohort[i], s->round, s->attempt, s->now_s);
    struct frs_participation *p = &open_entry->p;
    frs_simulation_plan_links(s, p);
    if (p->plan.link.follows)
        frs_simulation_follow_link(s, p, s->now_s);
    p->plan.unreachable = !frs_simulation_reaches(s, p->client, &p->plan.leaves_s);
    p->plan.leaves_cause = leaves_cause(s, p, p->plan.unreachable ? s->now_s : p->plan.leaves_s);
    p->plan.contact_s = setup->contact_s;
    p->plan.no_download = !s->course.receives;
    p->plan.no_upload = !s->course.sends;
    frs_simulation_plan_connection(s, p);
    p->plan.refused = lacks_memory(s, p->client);
    if (s->barred)
        s->barred[p->client] = p->plan.refused;
    open_entry->version = s->held ? s->held[p->client] : s->n_versions;
    await_device(s, open_entry);
    plan_failures(s, open_entry);
    s->opened[i] = p;
    p->busy = true;
    if (s->reachable)
        frs_reachable_clients_take(s->reachable, p->client);
    s->n_unsettled++;
    if (!frs_simulation_overlaps(s))
        frs_row_add_entry(s->row, open_entry);
    return open_entry;
}

/* Whether the connection of the exchange before, or of the upload, is there still. */
static bool keeps_connection(
    const struct frs_simulation *s, const struct frs_participation *p, const struct frs_participation *of) {
    const struct frs_participation_result *before = &of->result;
    double since_s = before->n_asides > 0 ? before->asides[before->n_asides - 1].to_s : of->times.up_end_s;
    return !p->plan.link.follows || !p->plan.link.breaks ||
           frs_reachability_device(&s->setup->reachability, p->client, since_s).link_until_s > s->exchange_s;
}

/* Its links are those of the client in this round, and it may fail by draws of its own. */
static void plan_reach(
    struct frs_simulation *s, struct frs_participation *p, const struct frs_open_entry *of) {
    const struct frs_setup *setup = s->setup;
    frs_simulation_plan_links(s, p);
    if (p->plan.link.follows)
        frs_simulation_follow_link(s, p, s->exchange_s);
    p->plan.unreachable = !frs_reachable(
        &setup->reachability, p->client, p->round, p->attempt, s->exchange_s, &p->plan.leaves_s);
    p->plan.leaves_cause = leaves_cause(s, p, p->plan.unreachable ? s->exchange_s : p->plan.leaves_s);
    p->plan.contact_s = setup->contact_s;
    p->plan.refused = of->p.plan.refused;
    frs_simulation_plan_connection(s, p);
}

static void plan_exchange(void *context, struct frs_participation *p, const struct frs_open_entry *of) {
    const struct frs_simulation *s = context;
    const struct frs_setup *setup = s->setup;
    plan_reach(context, p, of);
    if (of->p.result.n_asides > 0 && keeps_connection(s, p, &of->p))
        p->plan.handshake = (struct frs_handshake){0};
    for (int up = 0; up < 2 && frs_failures_can_strike(&setup->failures); up++) {
        struct frs_phase_failure failure = frs_failures_aside(&setup->failures, setup->training.seed,
            p->client, p->round, p->attempt, up ? FRS_FAILS_UP : FRS_FAILS_DOWN, frs_exchange_draw(p, 0));
        if (up || !p->plan.no_download)
            *(up ? &p->plan.up_loss : &p->plan.down_loss) = frs_simulation_loss(&failure);
    }
}

enum frs_exchange_state frs_simulation_exchange(
    void *context, const struct frs_closing *closing, double now_s, struct frs_opening *exchange) {
    struct frs_simulation *s = context;
    if (!s->exchanges || s->row->n == 0 || (closing && closing->n == 0))
        return FRS_EXCHANGE_OVER;
    s->exchange_s = now_s;
    enum frs_exchange_state state =
        frs_exchanges_next(s->exchanges, closing, now_s, plan_exchange, s, exchange);
    s->row->closed.before_s = frs_exchanges_before_s(s->exchanges);
    s->row->closed.after_s = frs_exchanges_after_s(s->exchanges);
    return state;
}

/* A download after the aggregation comes on the connection of the upload, if that is there still: the client
 * has not been away, and its link is the same. A connection that was opened after a break remembers nothing
 * of earlier participations. */
static void plan_delivery_connection(
    const struct frs_simulation *s, struct frs_participation *p, const struct frs_participation *of) {
    bool anew = of->n_breaks > 0;
    for (int up = 0; up < 2 && anew; up++)
        p->plan.memory[up] = (struct frs_path_memory){0};
    if (of->plan.leaves_s <= s->exchange_s || !keeps_connection(s, p, of))
        return;
    p->plan.handshake = (struct frs_handshake){0};
    p->greeted[0] = of->greeted[0];
    frs_simulation_plan_second_message(s, p, anew);
}

/* It fails like the one that the participation would have begun with. Where the device works on after its
 * upload, one clock counts for all that it does from the end of its compute phase on, and this ends with
 * the work. */
static void plan_delivery_failures(
    const struct frs_simulation *s, struct frs_participation *p, struct frs_participation *of) {
    const struct frs_setup *setup = s->setup;
    bool works = of->post.outcome != FRS_POST_NONE;
    if (works && of->post.end_s > s->exchange_s)
        p->before = of;
    if (!frs_failures_can_strike(&setup->failures))
        return;
    struct frs_failure_plan plan =
        frs_failures_plan(&setup->failures, setup->training.seed, p->client, p->round, p->attempt);
    const struct frs_phase_failure *down = &plan.phase[FRS_FAILS_DOWN];
    p->plan.down_loss = works ? frs_simulation_loss_by_itself(down) : frs_simulation_loss(down);
    double fails_s = of->times.compute_end_s + of->post.fails_after_s;
    if (!works || p->plan.unreachable || fails_s > p->plan.leaves_s)
        return;
    p->plan.unreachable = fails_s <= s->exchange_s;
    p->plan.leaves_s = fails_s;
    p->plan.leaves_cause = FRS_CAUSE_DEVICE;
}

static void plan_delivery(struct frs_simulation *s, struct frs_participation *p) {
    struct frs_open_entry *of = frs_delivery_of(p);
    plan_reach(s, p, of);
    plan_delivery_connection(s, p, &of->p);
    plan_delivery_failures(s, p, &of->p);
}

bool frs_simulation_deliver(void *context, const struct frs_closing *closing, struct frs_opening *downloads) {
    struct frs_simulation *s = context;
    frs_simulation_aggregate(s, closing);
    if (closing->n == 0 || !s->course.delivers || frs_simulation_diverged(s))
        return false;
    uint32_t *clients = frs_alloc(closing->n, sizeof *clients);
    double encode_flop;
    for (size_t i = 0; i < closing->n; i++)
        clients[i] = closing->arrivals[i]->client;
    struct frs_message_size size =
        frs_journaled_trainer_publish(s->trainer, clients, closing->n, &encode_flop);
    free(clients);
    frs_deliveries_begin(s->deliveries, closing, size, downloads);
    downloads->server_s = frs_server_encode_s(&s->setup->server, encode_flop, closing->now_s);
    s->row->closed.server_flop += encode_flop;
    s->exchange_s = closing->now_s + downloads->server_s;
    for (size_t i = 0; i < downloads->n; i++)
        plan_delivery(s, downloads->participants[i]);
    return true;
}

static void delivered(struct frs_simulation *s, struct frs_participation *p) {
    frs_deliveries_ended(s->deliveries, p);
    if (p->result.outcome != FRS_DELIVERED)
        return;
    s->held[p->client] = s->n_versions;
    frs_journaled_trainer_delivered(s->trainer, frs_delivery_of(p)->member.handle);
}

void frs_simulation_exchanged(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    if (s->deliveries)
        delivered(s, p);
    else
        frs_exchanges_ended(s->exchanges, p);
}

/* Predicted from its links, with its whole state as the download; 0 where its links are not known here. */
static double wanted_s(const struct frs_simulation *s, const struct frs_participation *p) {
    double rate = p->plan.down_bytes_per_s;
    double down_s = s->course.receives && rate > 0 ? s->state_bytes / rate : 0;
    return s->now_s + p->plan.handshake.wait_s + p->plan.down_latency_s + down_s;
}

/* The known outcome, where it depends neither on time nor on a second try. */
static enum frs_known_outcome known_outcome_of(
    const struct frs_simulation *s, const struct frs_participation *p) {
    const struct frs_participation_plan *plan = &p->plan;
    const struct frs_loss *losses[] = {&plan->down_loss, &plan->compute_loss, &plan->up_loss};
    bool breaks = plan->link.follows && plan->link.breaks && plan->link.until_s < INFINITY,
         is_open = plan->leaves_s < INFINITY || breaks || s->setup->edges.failures;
    for (size_t i = 0; i < 3; i++)
        is_open |= losses[i]->after_s < INFINITY || (losses[i]->planned && s->setup->retry.times > 0);
    if (is_open)
        return FRS_KNOWN_OPEN;
    if (plan->down_loss.planned || plan->compute_loss.planned)
        return FRS_KNOWN_VANISHES;
    return plan->up_loss.planned ? FRS_KNOWN_COMPUTES : FRS_KNOWN_ARRIVES;
}

/* Training begins; what the downloads will weigh is known. aggregated [n_aggregated]: handles of the uploads
 * whose mean these clients train on, of an edge. */
static void open_learning(struct frs_simulation *s, size_t n, const size_t *aggregated, size_t n_aggregated) {
    struct frs_cohort cohort = {.round = s->round,
        .attempt = s->attempt,
        .n = n,
        .members = s->members,
        .aggregated = aggregated,
        .n_aggregated = n_aggregated};
    frs_coordinator_grant(s->settings.coordinator, s->round, s->attempt, s->opened, n, s->now_s);
    for (size_t i = 0; i < n; i++) {
        const struct frs_participation *p = s->opened[i];
        struct frs_member *member = s->members[i] = &frs_open_entry_of(s->opened[i])->member;
        member->client = p->client;
        member->budget = p->plan.grant.budget;
        member->trains = !p->plan.unreachable && !p->plan.refused;
        member->known_outcome = known_outcome_of(s, p);
        member->wanted_s = wanted_s(s, p);
        member->waits |= s->layers != NULL; /* for what it will hear of others */
    }
    frs_journaled_trainer_open(s->trainer, &cohort, &s->encode_flop);
    for (size_t i = 0; i < n; i++)
        s->opened[i]->usage = frs_journaled_trainer_download(s->trainer, s->members[i]->handle);
}

/* No client can be reached: the server sleeps until one can, or gives up when that will never be. */
static struct frs_opening sleep_or_end(struct frs_simulation *s) {
    double next_s = frs_simulation_next_askable_s(s);
    if (next_s < INFINITY || frs_simulation_has_taken(s)) {
        s->attempt++;
        return s->wait.begun ? frs_simulation_sleep(s, next_s)
                             : (struct frs_opening){.kind = FRS_OPEN_SLEEP, .until_s = next_s};
    }
    uint32_t refused = frs_memory_too_small(s->setup);
    char *too_small = refused ? frs_format(" (%u clients have too little memory)", refused) : frs_strdup(""),
         *why = frs_format("round %u: no client can be reached at %.15g s, nor ever again%s", s->round + 1,
             s->now_s, too_small);
    frs_simulation_strand(s, why, "; the rounds closed so far were kept");
    free(why);
    free(too_small);
    return (struct frs_opening){.kind = FRS_OPEN_END};
}

void frs_simulation_begin_row(struct frs_simulation *s, double now_s) {
    if (s->row)
        return;
    s->row = frs_open_rows_add_row(s->open_rows);
    s->row->closed.start_s = now_s;
    s->row->closed.restart_s = s->away_s;
    s->row->closed.scheduled_s = s->wait.scheduled_s;
    s->wait.scheduled_s = 0;
    s->away_s = 0;
}

/* Encoding comes once a round. */
static double take_encode_s(struct frs_simulation *s) {
    bool again = frs_simulation_overlaps(s) && s->encoded;
    s->encoded = true;
    if (again || !s->course.receives)
        return 0;
    s->row->closed.server_flop += s->encode_flop;
    s->row->closed.encode_from_s = s->now_s;
    s->row->closed.encode_s = frs_server_encode_s(&s->setup->server, s->encode_flop, s->now_s);
    return s->row->closed.encode_s;
}

/* What caps cost. Where clients are selected one by one, the next ones make up for it. */
static void note_missing(struct frs_simulation *s, size_t n_wanted, size_t n_selected) {
    bool held = frs_accounts_held_back(frs_coordinator_accounts(s->settings.coordinator), s->now_s) > 0;
    if (n_selected >= n_wanted || !held)
        return;
    s->result->short_rounds++;
    s->result->missing_participations += frs_simulation_overlaps(s) ? 0 : n_wanted - n_selected;
}

struct frs_opening frs_simulation_open_round(void *context, double now_s, size_t n) {
    struct frs_simulation *s = context;
    frs_simulation_count_clients(s, now_s);
    s->now_s = now_s;
    s->course = frs_training_course(&s->setup->training, s->round);
    frs_post_uploads_until(s->post_uploads, now_s);
    struct frs_opening instead;
    if (!frs_simulation_may_open(s, &instead))
        return instead;
    size_t n_asked = frs_simulation_select(s, n);
    if (n_asked == 0 && !frs_simulation_left_to_chance(s))
        return sleep_or_end(s);
    frs_simulation_end_wait(s);
    s->wait.has_opened = true;
    note_missing(s, n, n_asked);
    frs_simulation_begin_row(s, now_s);
    s->row->is_empty = n_asked == 0;
    for (size_t i = 0; i < n_asked; i++)
        prepare(s, i);
    open_learning(s, n_asked, NULL, 0);
    if (s->peers)
        frs_simulation_plan_peers(s, n_asked);
    if (s->layers)
        frs_simulation_plan_layers(s, n_asked);
    if (frs_simulation_enters_later(s)) /* while others train */
        frs_open_rows_enter(s->open_rows);
    if (s->exchanges && n_asked > 0)
        frs_exchanges_begin(s->exchanges, s->opened, n_asked, s->round, s->attempt);
    struct frs_opening opening = {.kind = FRS_OPEN_ROUND,
        .until_s = INFINITY,
        .server_s = n_asked > 0 ? take_encode_s(s) : 0,
        .participants = s->opened,
        .n = n_asked};
    if (!frs_simulation_overlaps(s))
        return opening;
    s->attempt++;
    if (n_asked < n)
        opening.until_s = frs_simulation_next_askable_s(s);
    return opening;
}

/* The attempt is part of the name of a participation's random streams, which no other one of the round has;
 * seven of its 24 bits number edge rounds. */
#define EDGE_ROUND_SHIFT 17u

struct frs_opening frs_simulation_open_edge_round(
    void *context, double now_s, struct frs_participation *const *list, size_t n) {
    struct frs_simulation *s = context;
    uint32_t attempt = s->attempt;
    size_t *handles = frs_alloc(n, sizeof *handles);
    frs_simulation_count_clients(s, now_s);
    frs_post_uploads_until(s->post_uploads, now_s);
    s->now_s = now_s;
    s->attempt |= (list[0]->edge_round + 1) << EDGE_ROUND_SHIFT;
    for (size_t i = 0; i < n; i++) {
        handles[i] = frs_open_entry_of(list[i])->member.handle;
        s->cohort[i] = list[i]->client;
        struct frs_participation *p = &prepare(s, i)->p;
        p->edge_round = list[i]->edge_round + 1;
        p->first_at_edge = list[i]->first_at_edge ? list[i]->first_at_edge : list[i];
    }
    open_learning(s, n, handles, n);
    s->attempt = attempt;
    free(handles);
    return (struct frs_opening){
        .kind = FRS_OPEN_ROUND, .until_s = INFINITY, .participants = s->opened, .n = n};
}
