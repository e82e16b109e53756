#include "sim/rounds/layer_exchange.h"
#include "actors/peers/arrival.h"
#include "actors/peers/group_layers.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/rounds/peer_sending.h"
#include "sim/rounds/phase_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct group {
    struct frs_layers layers;
    size_t *places; /* [layers.n] of its members among the participations */
};

struct frs_layer_exchanges {
    const struct frs_setup *setup;
    struct frs_layer_shape shape;
    struct frs_sender_rules sender;
    struct frs_peer_sending sending;
    /* The open round. */
    struct frs_layer_opening opening;
    struct frs_participation **list; /* [n] */
    struct group *groups;            /* [n_groups] */
    uint32_t n_groups;
    struct frs_unheard *unheard;
    size_t n_unheard, unheard_capacity;
};

struct frs_layer_exchanges *frs_layer_exchanges_create(const struct frs_setup *setup) {
    if (!frs_training_exchanges_layers(&setup->training))
        return NULL;
    struct frs_layer_exchanges *exchanges = frs_alloc(1, sizeof *exchanges);
    *exchanges = (struct frs_layer_exchanges){
        .setup = setup, .shape = frs_learner_layer_shape(setup->training.learner, setup->training.model)};
    frs_peer_sending_of(setup, &exchanges->sender, &exchanges->sending);
    return exchanges;
}

static void end_round(struct frs_layer_exchanges *exchanges) {
    for (uint32_t g = 0; g < exchanges->n_groups; g++) {
        frs_layers_fini(&exchanges->groups[g].layers);
        free(exchanges->groups[g].layers.members);
        free(exchanges->groups[g].places);
    }
    free(exchanges->groups);
    free(exchanges->list);
    exchanges->groups = NULL;
    exchanges->list = NULL;
    exchanges->n_groups = 0;
    exchanges->n_unheard = 0;
}

void frs_layer_exchanges_destroy(struct frs_layer_exchanges *exchanges) {
    if (!exchanges)
        return;
    end_round(exchanges);
    free(exchanges->unheard);
    free(exchanges);
}

/* ---- a round opens --------------------------------------------------------------------------- */

/* A group that is being played. */
struct playing {
    const struct frs_layer_exchanges *exchanges;
    const struct group *group;
};

static struct frs_participation *participation_of(const struct playing *playing, uint32_t member) {
    return playing->exchanges->list[playing->group->places[member]];
}

static uint64_t message_bytes(const struct frs_layer_shape *shape) {
    return FRS_MESSAGE_HEADER_BYTES + (uint64_t)shape->message.n_rows * shape->message.dim * sizeof(float);
}

static struct frs_phase_failure draw(
    const struct frs_setup *setup, const struct frs_participation *p, bool up, size_t number) {
    return frs_failures_aside(&setup->failures, setup->training.seed, p->client, p->round, p->attempt,
        up ? FRS_FAILS_UP : FRS_FAILS_DOWN, number);
}

/* By draws of its own for each message, for the sender as for an upload, for the receiver as for a download;
 * the first draw is that of the device. */
static void lose(const void *context, uint32_t stage, uint32_t from, uint32_t to, struct frs_loss loss[2]) {
    const struct playing *playing = context;
    const struct frs_setup *setup = playing->exchanges->setup;
    size_t n = playing->group->layers.n, before = 2 + stage * n;
    struct frs_phase_failure sender = draw(setup, participation_of(playing, from), true, before + to),
                             receiver = draw(setup, participation_of(playing, to), false, before + from);
    loss[1] = frs_simulation_loss_by_itself(&sender);
    loss[0] = frs_simulation_loss_by_itself(&receiver);
}

static double add_s(const void *context, uint32_t member, uint32_t n, bool goes_on) {
    const struct playing *playing = context;
    const struct frs_layer_opening *opening = &playing->exchanges->opening;
    const struct frs_layer_shape *shape = &playing->exchanges->shape;
    return opening->work_s(opening->context, participation_of(playing, member),
        (goes_on ? shape->go_flop : 0) + shape->add_flop * (double)n);
}

/* A client that cannot be reached, or does not fit its memory, is missing from the beginning. */
static struct frs_peer_member plan_member(
    const struct frs_layer_exchanges *exchanges, const struct frs_participation *p) {
    const struct frs_setup *setup = exchanges->setup;
    double starts_s = exchanges->opening.starts_s;
    struct frs_peer_member member = {.links = frs_participation_terms(p, true)};
    if (p->plan.unreachable || p->plan.refused) {
        member.ready_s = INFINITY;
        member.dies_s = starts_s;
        member.dies_cause = p->plan.leaves_cause;
        return member;
    }
    struct frs_arrival arrival = frs_arrival_of(p, starts_s);
    member.ready_s = arrival.lost ? INFINITY : arrival.at_s;
    member.dies_s = arrival.lost ? arrival.at_s : p->plan.leaves_s;
    member.dies_cause = arrival.lost ? arrival.cause : p->plan.leaves_cause;
    if (arrival.lost || !frs_failures_can_strike(&setup->failures))
        return member;
    double fails_s = arrival.at_s + draw(setup, p, true, 1).device_after_s;
    if (fails_s < member.dies_s) {
        member.dies_s = fails_s;
        member.dies_cause = FRS_CAUSE_DEVICE;
    }
    return member;
}

/* What the links carried is what the messages count, but for the byte that was under way. */
static void check_carried(const struct frs_layers *layers) {
    double counted = 0, slack = 1e-9 * layers->carried + 1e-3;
    for (size_t m = 0; m < layers->n_messages; m++) {
        const struct frs_peer_message *message = &layers->messages[m].message;
        counted += (double)(message->crossed_bytes + message->setup_bytes[0] + message->setup_bytes[1]);
        slack += message->fate != FRS_PEER_DELIVERED;
    }
    FRS_INVARIANT(fabs(layers->carried - counted) <= slack,
        "links between clients carried %.17g bytes, and their messages count %.17g", layers->carried,
        counted);
}

static void note_unheard(struct frs_layer_exchanges *exchanges, const struct group *group) {
    uint32_t n = group->layers.n;
    for (uint32_t layer = 0; layer < group->layers.layers; layer++)
        for (uint32_t to = 0; to < n; to++)
            for (uint32_t from = 0; from < n; from++) {
                if (from == to || group->layers.heard[((size_t)layer * n + to) * n + from])
                    continue;
                exchanges->unheard = frs_grow(exchanges->unheard, exchanges->n_unheard + 1,
                    &exchanges->unheard_capacity, sizeof *exchanges->unheard);
                exchanges->unheard[exchanges->n_unheard++] =
                    (struct frs_unheard){layer, (uint32_t)group->places[from], (uint32_t)group->places[to]};
            }
}

/* The bytes of connecting cross both ends, too. */
static void tell_participations(const struct playing *playing) {
    const struct frs_layers *layers = &playing->group->layers;
    for (size_t m = 0; m < layers->n_messages; m++) {
        const struct frs_peer_message *message = &layers->messages[m].message;
        struct frs_peer_usage *from = &participation_of(playing, message->from)->result.peers,
                              *to = &participation_of(playing, message->to)->result.peers;
        from->up_bytes += message->crossed_bytes + message->setup_bytes[1];
        from->down_bytes += message->setup_bytes[0];
        to->down_bytes += message->crossed_bytes + message->setup_bytes[1];
        to->up_bytes += message->setup_bytes[0];
    }
    for (uint32_t i = 0; i < layers->n; i++) {
        const struct frs_peer_member *member = &layers->members[i];
        struct frs_participation *p = participation_of(playing, i);
        p->plan.peers = (struct frs_peer_plan){.layers = true,
            .lost = isnan(member->done_s),
            .cause = member->cause,
            .until_s = isnan(member->done_s) ? member->lost_s : member->done_s,
            .mix_flop = layers->layers * playing->exchanges->shape.go_flop +
                        layers->adds[i] * playing->exchanges->shape.add_flop};
        if (isfinite(member->first_s))
            p->result.peers.radio_s = member->last_s - member->first_s;
    }
}

static void play(struct frs_layer_exchanges *exchanges, struct group *group) {
    const struct frs_setup *setup = exchanges->setup;
    const struct playing playing = {exchanges, group};
    struct frs_layers *layers = &group->layers;
    layers->layers = (uint32_t)exchanges->shape.layers;
    layers->by_head = exchanges->shape.by_head;
    layers->head = frs_layer_head(exchanges->list[group->places[0]]->round, layers->n);
    layers->bytes = message_bytes(&exchanges->shape);
    layers->sending = &exchanges->sending;
    layers->detect_s = setup->failures.detect_s;
    layers->context = &playing;
    layers->lose = frs_failures_can_strike(&setup->failures) ? lose : NULL;
    layers->add_s = add_s;
    for (uint32_t i = 0; i < layers->n; i++)
        layers->members[i] = plan_member(exchanges, exchanges->list[group->places[i]]);
    frs_layers_play(layers);
    layers->context = NULL;
    check_carried(layers);
    note_unheard(exchanges, group);
    tell_participations(&playing);
}

static void list_groups(struct frs_layer_exchanges *exchanges, const struct frs_layer_opening *opening) {
    uint32_t n_groups = 0;
    for (size_t i = 0; i < opening->n; i++)
        n_groups = opening->groups[i] > n_groups ? opening->groups[i] : n_groups;
    exchanges->n_groups = n_groups;
    exchanges->groups = frs_alloc((size_t)n_groups + 1, sizeof *exchanges->groups);
    for (size_t i = 0; i < opening->n; i++)
        if (opening->groups[i] > 0)
            exchanges->groups[opening->groups[i] - 1].layers.n++;
    for (uint32_t g = 0; g < n_groups; g++) {
        struct group *group = &exchanges->groups[g];
        group->places = frs_alloc(group->layers.n, sizeof *group->places);
        group->layers.members = frs_alloc(group->layers.n, sizeof *group->layers.members);
        group->layers.n = 0;
    }
    for (size_t i = 0; i < opening->n; i++)
        if (opening->groups[i] > 0) {
            struct group *group = &exchanges->groups[opening->groups[i] - 1];
            group->places[group->layers.n++] = i;
        }
}

const struct frs_unheard *frs_layer_exchanges_plan(
    struct frs_layer_exchanges *exchanges, const struct frs_layer_opening *opening, size_t *n) {
    end_round(exchanges);
    exchanges->opening = *opening;
    exchanges->list = frs_alloc(opening->n + 1, sizeof(void *));
    if (opening->n > 0)
        memcpy(exchanges->list, opening->list, opening->n * sizeof(void *));
    list_groups(exchanges, opening);
    for (uint32_t g = 0; g < exchanges->n_groups; g++)
        play(exchanges, &exchanges->groups[g]);
    exchanges->opening = (struct frs_layer_opening){0};
    *n = exchanges->n_unheard;
    return exchanges->unheard;
}

/* ---- it has ended ---------------------------------------------------------------------------- */

/* Its upload has come to use, and with it what it trained on. */
static bool has_delivered(const struct playing *playing, uint32_t member) {
    return participation_of(playing, member)->result.outcome == FRS_DELIVERED;
}

/* A message to the head is of use where one of those that have heard it through the head has delivered: not
 * its sender, which the head's sum tells nothing new by it. */
static bool is_used(const struct playing *playing, const struct frs_layer_message *one) {
    const struct frs_layers *layers = &playing->group->layers;
    const struct frs_peer_message *message = &one->message;
    bool used = has_delivered(playing, message->to);
    for (uint32_t v = 0; layers->by_head && message->to == layers->head && v < layers->n; v++)
        used |= v != message->from &&
                layers->heard[((size_t)one->layer * layers->n + v) * layers->n + message->from] &&
                has_delivered(playing, v);
    return used && message->fate == FRS_PEER_DELIVERED;
}

static void close_message(
    const struct playing *playing, const struct frs_layer_message *one, struct frs_peer_row *row) {
    const struct frs_peer_message *message = &one->message;
    const struct frs_windows *windows = &message->windows;
    struct frs_participation *from = participation_of(playing, message->from),
                             *to = participation_of(playing, message->to);
    bool used = is_used(playing, one);
    *row = (struct frs_peer_row){.from = from->client,
        .to = to->client,
        .layer = one->layer + 1,
        .message = *message,
        .used = used,
        .weight = NAN};
    /* The row may be entered after the next round has opened. */
    row->message.windows.of = frs_alloc(windows->n, sizeof *windows->of);
    if (windows->n > 0)
        memcpy(row->message.windows.of, windows->of, windows->n * sizeof *windows->of);
    from->result.peers.sent += message->fate == FRS_PEER_DELIVERED;
    to->result.peers.received += message->fate == FRS_PEER_DELIVERED;
    if (used)
        return;
    uint64_t there = message->crossed_bytes + message->setup_bytes[1], back = message->setup_bytes[0];
    from->result.peers.wasted_up_bytes += there;
    from->result.peers.wasted_down_bytes += back;
    to->result.peers.wasted_down_bytes += there;
    to->result.peers.wasted_up_bytes += back;
}

void frs_layer_exchanges_close(struct frs_layer_exchanges *exchanges, struct frs_row *row) {
    size_t n = 0;
    for (uint32_t g = 0; g < exchanges->n_groups; g++)
        n += exchanges->groups[g].layers.n_messages;
    if (n == 0)
        return;
    row->peer_messages = frs_alloc(n, sizeof *row->peer_messages);
    row->closed.peer_messages = row->peer_messages;
    row->closed.n_peer_messages = n;
    n = 0;
    for (uint32_t g = 0; g < exchanges->n_groups; g++) {
        const struct playing playing = {exchanges, &exchanges->groups[g]};
        for (size_t m = 0; m < playing.group->layers.n_messages; m++)
            close_message(&playing, &playing.group->layers.messages[m], &row->peer_messages[n++]);
    }
    end_round(exchanges);
}
