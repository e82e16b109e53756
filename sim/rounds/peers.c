#include "sim/rounds/peers.h"
#include "actors/peers/exchange.h"
#include "actors/speeds.h"
#include "algorithms/mixing.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/rounds/peer_barrier.h"
#include "sim/rounds/peer_sending.h"
#include "sim/rounds/phase_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_peers {
    const struct frs_setup *setup;
    struct frs_sender_rules sender;
    struct frs_peer_sending sending;
    uint64_t message_bytes;
    double n_values;                         /* of a message */
    const struct frs_learner_gossip *gossip; /* NULL: whole models are averaged */
    /* The open round. */
    struct frs_participation **list; /* [n] those that can take part, ascending client id */
    uint32_t *clients;
    size_t *of_opened; /* [n] their places among all that were opened */
    uint32_t n;
    struct frs_peer_graph graph;
    struct frs_peer_member *members; /* [n] */
    struct frs_peer_message
        *messages; /* [graph.start[n]] from i to its k-th neighbour at graph.start[i] + k */
    struct frs_mixing_plan plan;
    size_t *handles, *start;
    uint32_t *of, *place;
    double *weights;
    double *weight_of; /* [graph.start[n]] of each message in the average; NAN: it has none */
};

struct frs_peers *frs_peers_create(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    if (!setup->peers.neighbours)
        return NULL;
    struct frs_peers *peers = frs_alloc(1, sizeof *peers);
    *peers = (struct frs_peers){.setup = setup, .message_bytes = FRS_MESSAGE_HEADER_BYTES};
    peers->gossip = setup->training.learner->gossip;
    enum frs_payload flow = peers->gossip ? FRS_UPDATE : FRS_STATE;
    for (size_t i = 0, n = frs_model_parts(setup->training.model, flow, shapes); i < n; i++)
        peers->n_values += (double)(shapes[i].n_rows * shapes[i].dim);
    peers->message_bytes += (uint64_t)peers->n_values * sizeof(float);
    frs_peer_sending_of(setup, &peers->sender, &peers->sending);
    return peers;
}

static void end_round(struct frs_peers *peers) {
    if (peers->messages)
        frs_peer_messages_fini(peers->messages, peers->graph.start[peers->n]);
    frs_peer_graph_fini(&peers->graph);
    free(peers->list);
    free(peers->clients);
    free(peers->of_opened);
    free(peers->members);
    free(peers->messages);
    free(peers->handles);
    free(peers->start);
    free(peers->of);
    free(peers->place);
    free(peers->weights);
    free(peers->weight_of);
    peers->list = NULL;
    peers->clients = NULL;
    peers->of_opened = NULL;
    peers->members = NULL;
    peers->messages = NULL;
    peers->handles = peers->start = NULL;
    peers->of = peers->place = NULL;
    peers->weights = peers->weight_of = NULL;
    peers->n = 0;
}

void frs_peers_destroy(struct frs_peers *peers) {
    if (peers)
        end_round(peers);
    free(peers);
}

/* ---- a round opens --------------------------------------------------------------------------- */

static void list_members(struct frs_peers *peers, struct frs_participation *const *list, size_t n) {
    peers->list = frs_alloc(n, sizeof(void *));
    peers->clients = frs_alloc(n, sizeof *peers->clients);
    peers->of_opened = frs_alloc(n, sizeof *peers->of_opened);
    for (size_t i = 0; i < n; i++) {
        if (list[i]->plan.refused || list[i]->plan.unreachable)
            continue;
        peers->of_opened[peers->n] = i;
        peers->clients[peers->n] = list[i]->client;
        peers->list[peers->n++] = list[i];
    }
}

/* When the client has computed, or is lost before, as the lifecycle will find. */
static void plan_member(struct frs_peers *peers, uint32_t i, const struct frs_peer_computing *computing) {
    struct frs_participation *p = peers->list[i];
    struct frs_peer_member *member = &peers->members[i];
    const struct frs_loss *loss = &p->plan.compute_loss;
    double start_s = computing->start_s;
    p->plan.compute_s = p->plan.work_s = computing->work_s;
    *member = (struct frs_peer_member){.ready_s = start_s + computing->work_s,
        .dies_s = p->plan.leaves_s,
        .dies_cause = p->plan.leaves_cause,
        .links = frs_participation_terms(p, true)};
    double planned_s = loss->planned ? start_s + frs_speeds_until_share_s(p, loss->at_share) : INFINITY,
           struck_s = start_s + loss->after_s;
    if (struck_s < member->dies_s && struck_s < fmin(planned_s, member->ready_s)) {
        member->dies_s = struck_s;
        member->dies_cause = loss->after_cause;
    }
    if (loss->planned && planned_s <= member->dies_s) {
        member->dies_s = planned_s;
        member->dies_cause = loss->cause;
        member->ready_s = INFINITY;
    }
}

/* A device that fails some time after it has computed ends its participation, whatever it does then. */
static void plan_device(struct frs_peers *peers, uint32_t i) {
    const struct frs_setup *setup = peers->setup;
    struct frs_participation *p = peers->list[i];
    struct frs_peer_member *member = &peers->members[i];
    struct frs_failure_plan plan =
        frs_failures_plan(&setup->failures, setup->training.seed, p->client, p->round, p->attempt);
    double fails_s = member->ready_s + plan.phase[FRS_FAILS_UP].device_after_s;
    if (!(fails_s < member->dies_s))
        return;
    member->dies_s = p->plan.leaves_s = fails_s;
    member->dies_cause = p->plan.leaves_cause = FRS_CAUSE_DEVICE;
}

/* By a draw of its own for each neighbour, for the sender as for an upload, for the receiver as for a
 * download. */
static struct frs_loss plan_loss(
    const struct frs_peers *peers, const struct frs_participation *p, uint32_t peer, bool up) {
    const struct frs_setup *setup = peers->setup;
    struct frs_phase_failure failure = frs_failures_aside(&setup->failures, setup->training.seed, p->client,
        p->round, p->attempt, up ? FRS_FAILS_UP : FRS_FAILS_DOWN, (size_t)peer + 1);
    return frs_simulation_loss_by_itself(&failure);
}

static void plan_messages(struct frs_peers *peers) {
    const struct frs_loss none = {.at_share = NAN, .after_s = INFINITY};
    bool strikes = frs_failures_can_strike(&peers->setup->failures);
    for (uint32_t i = 0; i < peers->n; i++)
        for (size_t k = peers->graph.start[i]; k < peers->graph.start[i + 1]; k++) {
            uint32_t j = peers->graph.peers[k];
            struct frs_peer_message *message = &peers->messages[k];
            *message = (struct frs_peer_message){
                .from = i, .to = j, .bytes = peers->message_bytes, .loss = {none, none}};
            if (!strikes)
                continue;
            message->loss[1] = plan_loss(peers, peers->list[i], peers->clients[j], true);
            message->loss[0] = plan_loss(peers, peers->list[j], peers->clients[i], false);
        }
}

/* What the links carried is what the messages count, but for the byte that was under way. */
static void check_carried(const struct frs_peers *peers, double carried) {
    double counted = 0, slack = 1e-9 * carried + 1e-3;
    for (size_t m = 0; m < peers->graph.start[peers->n]; m++) {
        const struct frs_peer_message *message = &peers->messages[m];
        counted += (double)(message->crossed_bytes + message->setup_bytes[0] + message->setup_bytes[1]);
        slack += message->fate != FRS_PEER_DELIVERED;
    }
    FRS_INVARIANT(fabs(carried - counted) <= slack,
        "links between clients carried %.17g bytes, and their messages count %.17g", carried, counted);
}

/* How many messages reach each member. */
static uint32_t *count_received(const struct frs_peers *peers) {
    uint32_t *n = frs_alloc((size_t)peers->n + 1, sizeof *n);
    for (size_t m = 0; m < peers->graph.start[peers->n]; m++)
        n[peers->messages[m].to] += peers->messages[m].fate == FRS_PEER_DELIVERED;
    return n;
}

/* The bytes of connecting cross both ends, too. */
static void tell_participations(struct frs_peers *peers) {
    for (size_t m = 0; m < peers->graph.start[peers->n]; m++) {
        const struct frs_peer_message *message = &peers->messages[m];
        struct frs_peer_usage *from = &peers->list[message->from]->result.peers,
                              *to = &peers->list[message->to]->result.peers;
        from->up_bytes += message->crossed_bytes + message->setup_bytes[1];
        from->down_bytes += message->setup_bytes[0];
        to->down_bytes += message->crossed_bytes + message->setup_bytes[1];
        to->up_bytes += message->setup_bytes[0];
    }
}

static double mix_flop(const struct frs_peers *peers, size_t n) {
    return peers->gossip ? peers->gossip->mix_flop(peers->setup->training.model, n)
                         : 2 * peers->n_values * (double)n;
}

double frs_peers_tell_flop(const struct frs_peers *peers) {
    return peers->gossip && peers->setup->training.trains
               ? peers->gossip->tell_flop(peers->setup->training.model)
               : 0;
}

void frs_peers_plan(struct frs_peers *peers, struct frs_participation *const *list,
    const struct frs_peer_computing *computing, size_t n,
    double (*mix_s)(const void *context, const struct frs_participation *p, double flop),
    const void *context) {
    const struct frs_setup *setup = peers->setup;
    end_round(peers);
    list_members(peers, list, n);
    if (peers->n > 0)
        peers->graph = frs_peer_graph_of_round(
            &setup->peers, peers->clients, peers->n, peers->list[0]->round, peers->list[0]->attempt);
    else
        peers->graph = (struct frs_peer_graph){.start = frs_alloc(1, sizeof(size_t))};
    size_t n_messages = peers->graph.start[peers->n];
    FRS_INVARIANT(
        n_messages < UINT32_MAX - peers->n, "%zu messages between clients are too many", n_messages);
    peers->members = frs_alloc(peers->n, sizeof *peers->members);
    peers->messages = frs_alloc(n_messages, sizeof *peers->messages);
    for (uint32_t i = 0; i < peers->n; i++) {
        plan_member(peers, i, &computing[peers->of_opened[i]]);
        if (frs_failures_can_strike(&setup->failures) && isfinite(peers->members[i].ready_s))
            plan_device(peers, i);
    }
    plan_messages(peers);
    if (setup->peer_barrier)
        frs_peer_barrier(&peers->graph, peers->members, setup->failures.detect_s);
    check_carried(peers, frs_peer_exchange(peers->members, peers->n, peers->messages, (uint32_t)n_messages,
                             &peers->sending, setup->failures.detect_s));
    uint32_t *received = count_received(peers);
    for (uint32_t i = 0; i < peers->n; i++) {
        const struct frs_peer_member *member = &peers->members[i];
        struct frs_participation *p = peers->list[i];
        const struct frs_peer_computing *own = &computing[peers->of_opened[i]];
        if (member->lost_s < own->start_s + own->work_s &&
            member->lost_s < p->plan.leaves_s) { /* by what it receives */
            p->plan.leaves_s = member->lost_s;
            p->plan.leaves_cause = member->cause;
        }
        double flop = received[i] > 0 ? mix_flop(peers, (size_t)received[i] + 1) : 0;
        p->plan.peers = (struct frs_peer_plan){.exchanges = true,
            .lost = isnan(member->done_s),
            .cause = member->cause,
            .until_s = isnan(member->done_s) ? member->lost_s : member->done_s,
            .mix_flop = flop,
            .mix_s = flop > 0 ? mix_s(context, p, flop) : 0};
        if (isfinite(member->first_s))
            p->result.peers.radio_s = member->last_s - member->first_s;
    }
    free(received);
    tell_participations(peers);
}

/* ---- it has ended ---------------------------------------------------------------------------- */

static bool has_trained(const struct frs_participation *p) {
    return isfinite(p->times.compute_end_s);
}

static bool has_mixed(const struct frs_participation *p) {
    return p->result.outcome == FRS_DELIVERED;
}

/* A message is of use where its receiver has averaged what it brought. */
static void tell_waste(struct frs_peers *peers) {
    for (size_t m = 0; m < peers->graph.start[peers->n]; m++) {
        const struct frs_peer_message *message = &peers->messages[m];
        struct frs_participation *from = peers->list[message->from], *to = peers->list[message->to];
        bool used = message->fate == FRS_PEER_DELIVERED && has_mixed(to);
        from->result.peers.sent += message->fate == FRS_PEER_DELIVERED;
        to->result.peers.received += message->fate == FRS_PEER_DELIVERED;
        if (used)
            continue;
        uint64_t there = message->crossed_bytes + message->setup_bytes[1], back = message->setup_bytes[0];
        from->result.peers.wasted_up_bytes += there;
        from->result.peers.wasted_down_bytes += back;
        to->result.peers.wasted_down_bytes += there;
        to->result.peers.wasted_up_bytes += back;
    }
}

/* Neighbours ascend. */
static const struct frs_peer_message *message_from(
    const struct frs_peers *peers, uint32_t from, uint32_t to) {
    size_t low = peers->graph.start[from], high = peers->graph.start[from + 1];
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        *(peers->graph.peers[middle] <= to ? &low : &high) = middle;
    }
    return &peers->messages[low];
}

/* One that was lost after it had trained keeps its own model. */
static void add_row(struct frs_peers *peers, uint32_t i, size_t place) {
    size_t d = frs_peer_graph_degree(&peers->graph, i), at = peers->start[place];
    const uint32_t *neighbours = peers->graph.peers + peers->graph.start[i];
    uint32_t *degrees = frs_alloc(d, sizeof *degrees);
    bool *came = frs_alloc(d, sizeof *came);
    double *weights = frs_alloc(d + 1, sizeof *weights);
    for (size_t k = 0; k < d; k++) {
        const struct frs_peer_message *message = message_from(peers, neighbours[k], i);
        degrees[k] = frs_peer_graph_degree(&peers->graph, neighbours[k]);
        came[k] = has_mixed(peers->list[i]) && message->fate == FRS_PEER_DELIVERED;
    }
    frs_mixing_row(peers->setup->mixing, d, degrees, weights);
    frs_mixing_renormalise(d, came, weights);
    peers->of[at] = (uint32_t)place;
    peers->weights[at++] = weights[0];
    for (size_t k = 0; k < d; k++)
        if (came[k]) {
            peers->of[at] = peers->place[neighbours[k]];
            peers->weights[at++] = weights[k + 1];
            peers->weight_of[message_from(peers, neighbours[k], i) - peers->messages] = weights[k + 1];
        }
    peers->start[place + 1] = at;
    free(degrees);
    free(came);
    free(weights);
}

const struct frs_mixing_plan *frs_peers_close(struct frs_peers *peers, const size_t *handles) {
    size_t n = 0, most = peers->graph.start ? peers->graph.start[peers->n] + peers->n : 0;
    if (most > 0)
        tell_waste(peers);
    peers->handles = frs_alloc(peers->n + (size_t)1, sizeof *peers->handles);
    peers->start = frs_alloc(peers->n + (size_t)1, sizeof *peers->start);
    peers->place = frs_alloc(peers->n + (size_t)1, sizeof *peers->place);
    peers->of = frs_alloc(most + 1, sizeof *peers->of);
    peers->weights = frs_alloc(most + 1, sizeof *peers->weights);
    peers->weight_of = frs_alloc(most + 1, sizeof *peers->weight_of);
    for (size_t m = 0; m < most; m++)
        peers->weight_of[m] = NAN;
    for (uint32_t i = 0; i < peers->n; i++)
        if (has_trained(peers->list[i])) {
            peers->place[i] = (uint32_t)n;
            peers->handles[n++] = handles[peers->of_opened[i]];
        }
    for (uint32_t i = 0; i < peers->n; i++)
        if (has_trained(peers->list[i]))
            add_row(peers, i, peers->place[i]);
    peers->plan = (struct frs_mixing_plan){
        .n = n, .handles = peers->handles, .start = peers->start, .of = peers->of, .weights = peers->weights};
    return &peers->plan;
}

void frs_peers_note(const struct frs_peers *peers, struct frs_row *row) {
    size_t n = peers->graph.start ? peers->graph.start[peers->n] : 0;
    if (n == 0)
        return;
    row->peer_messages = frs_alloc(n, sizeof *row->peer_messages);
    for (size_t m = 0; m < n; m++) {
        const struct frs_peer_message *message = &peers->messages[m];
        const struct frs_windows *windows = &message->windows;
        struct frs_peer_row *to = &row->peer_messages[m];
        *to = (struct frs_peer_row){.from = peers->clients[message->from],
            .to = peers->clients[message->to],
            .message = *message,
            .used = message->fate == FRS_PEER_DELIVERED && has_mixed(peers->list[message->to]),
            .weight = peers->weight_of[m]};
        /* The row may be entered after the next round has opened. */
        to->message.windows.of = frs_alloc(windows->n, sizeof *windows->of);
        if (windows->n > 0)
            memcpy(to->message.windows.of, windows->of, windows->n * sizeof *windows->of);
    }
    row->closed.peer_messages = row->peer_messages;
    row->closed.n_peer_messages = n;
}
