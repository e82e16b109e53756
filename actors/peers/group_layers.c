#include "actors/peers/group_layers.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One exchange of a layer. */
struct stage {
    uint32_t number, layer;
    bool mesh, up; /* up: to the head; neither: from it */
};

static bool sends(const struct frs_layers *layers, const struct stage *stage, uint32_t from, uint32_t to) {
    return from != to && (stage->mesh || (stage->up ? to : from) == layers->head);
}

static bool is_there(const struct frs_peer_member *member) {
    return isnan(member->lost_s);
}

static void add_message(struct frs_layers *layers, const struct stage *stage, uint32_t from, uint32_t to,
    struct frs_peer_message *message) {
    const struct frs_loss none = {.at_share = NAN, .after_s = INFINITY};
    *message =
        (struct frs_peer_message){.from = from, .to = to, .bytes = layers->bytes, .loss = {none, none}};
    if (layers->lose)
        layers->lose(layers->context, stage->number, from, to, message->loss);
}

/* Among members that are still there, by their places in `of`; returns the number of messages. */
static uint32_t list_messages(struct frs_layers *layers, const struct stage *stage, const uint32_t *of,
    uint32_t n, struct frs_peer_message *messages) {
    uint32_t n_messages = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (sends(layers, stage, of[i], of[j])) {
                add_message(layers, stage, of[i], of[j], &messages[n_messages]);
                messages[n_messages].from = i;
                messages[n_messages++].to = j;
            }
    return n_messages;
}

static void take_member(struct frs_peer_member *member, const struct frs_peer_member *played) {
    double first_s = member->first_s, last_s = member->last_s;
    member->done_s = played->done_s;
    member->lost_s = played->lost_s;
    member->cause = played->cause;
    if (isnan(played->first_s))
        return;
    member->first_s = isnan(first_s) ? played->first_s : frs_smaller(first_s, played->first_s);
    member->last_s = isnan(last_s) ? played->last_s : frs_larger(last_s, played->last_s);
}

/* What a member hears of the others where the head tells it all that it has; else directly. */
static void note_heard(
    struct frs_layers *layers, const struct stage *stage, const struct frs_peer_message *message) {
    uint32_t n = layers->n, from = message->from, to = message->to;
    bool *heard = layers->heard + (size_t)stage->layer * n * n;
    if (message->fate != FRS_PEER_DELIVERED)
        return;
    layers->adds[to]++;
    if (stage->mesh || stage->up)
        heard[(size_t)to * n + from] = true;
    for (uint32_t v = 0; !stage->mesh && !stage->up && v < n; v++)
        heard[(size_t)to * n + v] = v == from || heard[(size_t)from * n + v];
}

/* Members that are lost before it begins never become ready. */
static void play_stage(struct frs_layers *layers, const struct stage *stage, double begins_s) {
    uint32_t n = 0, *of = frs_alloc(layers->n, sizeof *of);
    for (uint32_t i = 0; i < layers->n; i++)
        if (is_there(&layers->members[i]))
            of[n++] = i;
    struct frs_peer_member *members = frs_alloc((size_t)n + 1, sizeof *members);
    struct frs_peer_message *messages = frs_alloc((size_t)n * n + 1, sizeof *messages);
    for (uint32_t i = 0; i < n; i++) {
        members[i] = layers->members[of[i]];
        members[i].ready_s = frs_larger(begins_s, members[i].ready_s);
    }
    uint32_t n_messages = list_messages(layers, stage, of, n, messages);
    layers->carried += frs_peer_exchange(members, n, messages, n_messages, layers->sending, layers->detect_s);
    for (uint32_t i = 0; i < n; i++)
        take_member(&layers->members[of[i]], &members[i]);
    for (uint32_t m = 0; m < n_messages; m++) {
        messages[m].from = of[messages[m].from];
        messages[m].to = of[messages[m].to];
        layers->messages[layers->n_messages++] = (struct frs_layer_message){stage->layer, messages[m]};
        note_heard(layers, stage, &messages[m]);
    }
    free(of);
    free(members);
    free(messages);
}

/* How many messages each member has got in this stage: they are the last ones. */
static void add_up(struct frs_layers *layers, const struct stage *stage, size_t first) {
    uint32_t *n = frs_alloc(layers->n, sizeof *n);
    for (size_t m = first; m < layers->n_messages; m++)
        n[layers->messages[m].message.to] += layers->messages[m].message.fate == FRS_PEER_DELIVERED;
    for (uint32_t i = 0; i < layers->n; i++)
        if (is_there(&layers->members[i]))
            layers->members[i].done_s += layers->add_s(layers->context, i, n[i], !stage->up);
    free(n);
}

/* When the last member that is there is through. */
static double last_done_s(const struct frs_layers *layers) {
    double last_s = -INFINITY;
    for (uint32_t i = 0; i < layers->n; i++)
        if (is_there(&layers->members[i]))
            last_s = frs_larger(last_s, layers->members[i].done_s);
    return last_s;
}

/* When all have their downloads, or are known to have lost them. */
static double first_begins_s(const struct frs_layers *layers) {
    double begins_s = -INFINITY;
    for (uint32_t i = 0; i < layers->n; i++) {
        const struct frs_peer_member *member = &layers->members[i];
        begins_s = frs_larger(
            begins_s, member->dies_s < member->ready_s ? member->dies_s + layers->detect_s : member->ready_s);
    }
    return begins_s;
}

/* Those whose devices drop out while they add up their last messages. */
static void lose_at_last(struct frs_layers *layers) {
    for (uint32_t i = 0; i < layers->n; i++) {
        struct frs_peer_member *member = &layers->members[i];
        if (!is_there(member) || member->dies_s >= member->done_s)
            continue;
        member->lost_s = member->dies_s;
        member->cause = member->dies_cause;
        member->done_s = NAN;
    }
}

void frs_layers_play(struct frs_layers *layers) {
    size_t n = layers->n, n_each = layers->by_head ? 2 * (n - 1) : n * (n - 1);
    layers->messages = frs_alloc(n_each * layers->layers + 1, sizeof *layers->messages);
    layers->heard = frs_alloc(n * n * layers->layers + 1, sizeof *layers->heard);
    layers->adds = frs_alloc(n, sizeof *layers->adds);
    layers->n_messages = 0;
    layers->carried = 0;
    for (uint32_t i = 0; i < n; i++)
        layers->members[i].done_s = layers->members[i].lost_s = layers->members[i].first_s =
            layers->members[i].last_s = NAN;
    double begins_s = first_begins_s(layers);
    for (uint32_t number = 0; begins_s > -INFINITY && number < layers->layers * (layers->by_head ? 2 : 1);
         number++) {
        const struct stage stage = {.number = number,
            .layer = layers->by_head ? number / 2 : number,
            .mesh = !layers->by_head,
            .up = layers->by_head && number % 2 == 0};
        size_t first = layers->n_messages;
        play_stage(layers, &stage, begins_s);
        add_up(layers, &stage, first);
        begins_s = last_done_s(layers); /* −INFINITY: all are lost */
    }
    lose_at_last(layers);
}

void frs_layers_fini(struct frs_layers *layers) {
    for (size_t m = 0; m < layers->n_messages; m++)
        frs_peer_messages_fini(&layers->messages[m].message, 1);
    free(layers->messages);
    free(layers->heard);
    free(layers->adds);
    layers->messages = NULL;
    layers->heard = NULL;
    layers->adds = NULL;
    layers->n_messages = 0;
}
