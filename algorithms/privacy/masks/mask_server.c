#include "algorithms/privacy/masks/mask_server.h"
#include "algorithms/privacy/masks/mask.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What of a client has come in. */
enum phase { NOTHING, KEYS, SHARES, MASKED, UNMASKING };

struct frs_mask_server {
    const struct frs_mask_round *round;
    enum phase *phases;         /* [n] */
    struct frs_mask_keys *keys; /* [n] */
    /* [n × degree] the box of each client for each of its neighbours, by the neighbour's number among its
     * own. */
    uint8_t (*boxes)[FRS_MASK_BOX_BYTES];
    /* [n × (degree + 1)] what each client gave to unmask: of itself, and of each of its neighbours. */
    uint8_t (*shares)[FRS_SECRET_BYTES];
    uint32_t *sums, *numbers; /* [n_values] */
    /* Holders of the shares that recovered the last secret, `threshold` of them. */
    uint32_t *holders, *last_holders;
    uint16_t *weights;
    bool has_weights;
    struct frs_mask_tally tally;
};

struct frs_mask_server *frs_mask_server_create(const struct frs_mask_round *round) {
    struct frs_mask_server *server = frs_alloc(1, sizeof *server);
    size_t n = round->graph.n, degree = round->graph.degree;
    *server = (struct frs_mask_server){.round = round,
        .phases = frs_alloc(n, sizeof *server->phases),
        .keys = frs_alloc(n, sizeof *server->keys),
        .boxes = frs_alloc(n * degree + 1, sizeof *server->boxes),
        .shares = frs_alloc(n * (degree + 1), sizeof *server->shares),
        .sums = frs_alloc(round->n_values + 1, sizeof *server->sums),
        .numbers = frs_alloc(round->n_values + 1, sizeof *server->numbers),
        .holders = frs_alloc(round->threshold, sizeof *server->holders),
        .last_holders = frs_alloc(round->threshold, sizeof *server->last_holders),
        .weights = frs_alloc(round->threshold, sizeof *server->weights)};
    return server;
}

void frs_mask_server_destroy(struct frs_mask_server *server) {
    if (!server)
        return;
    free(server->phases);
    free(server->keys);
    free(server->boxes);
    free(server->shares);
    free(server->sums);
    free(server->numbers);
    free(server->holders);
    free(server->last_holders);
    free(server->weights);
    free(server);
}

const struct frs_mask_tally *frs_mask_server_tally(const struct frs_mask_server *server) {
    return &server->tally;
}

static struct frs_mask_context context_of(const struct frs_mask_server *server, uint32_t place) {
    return (struct frs_mask_context){
        .round = server->round->round, .party = place, .n_clients = server->round->graph.n};
}

static bool enter(struct frs_mask_server *server, uint32_t place, bool taken, enum phase phase) {
    if (taken)
        server->phases[place] = phase;
    return taken;
}

/* ---- keys ------------------------------------------------------------------------------------ */

bool frs_mask_server_take_keys(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message) {
    struct frs_mask_context context = context_of(server, place);
    struct frs_mask_keys keys;
    bool taken = server->phases[place] == NOTHING && frs_mask_take_keys(message, &context, &keys);
    if (taken)
        server->keys[place] = keys;
    return enter(server, place, taken, KEYS);
}

void frs_mask_server_roster(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out) {
    const struct frs_neighbours *graph = &server->round->graph;
    const uint32_t *neighbours = frs_neighbours_of(graph, place);
    struct frs_mask_context context = context_of(server, place);
    struct frs_mask_member *members = frs_alloc(graph->degree + 1, sizeof *members);
    size_t n = 0;
    for (size_t i = 0; i < graph->degree; i++)
        if (server->phases[neighbours[i]] >= KEYS)
            members[n++] = (struct frs_mask_member){neighbours[i], server->keys[neighbours[i]]};
    frs_mask_put_roster(out, &context, members, n);
    free(members);
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* One for each of the roster that this client was sent. */
static bool are_complete(
    const struct frs_mask_server *server, uint32_t place, const struct frs_mask_box *boxes, size_t n) {
    const struct frs_neighbours *graph = &server->round->graph;
    const uint32_t *neighbours = frs_neighbours_of(graph, place);
    size_t n_there = 0;
    for (size_t i = 0; i < graph->degree; i++) {
        if (server->phases[neighbours[i]] < KEYS)
            continue;
        if (n_there >= n || boxes[n_there].place != neighbours[i])
            return false;
        n_there++;
    }
    return n_there == n;
}

bool frs_mask_server_take_shares(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message) {
    const struct frs_neighbours *graph = &server->round->graph;
    struct frs_mask_context context = context_of(server, place);
    struct frs_mask_box *boxes = frs_alloc(graph->degree + 1, sizeof *boxes);
    size_t n = 0;
    bool taken = server->phases[place] == KEYS &&
                 frs_mask_take_boxes(message, &context, FRS_MASK_SHARES, boxes, graph->degree, &n) &&
                 are_complete(server, place, boxes, n);
    for (size_t i = 0; taken && i < n; i++)
        memcpy(server->boxes[place * graph->degree + frs_neighbours_find(graph, place, boxes[i].place)],
            boxes[i].bytes, FRS_MASK_BOX_BYTES);
    free(boxes);
    return enter(server, place, taken, SHARES);
}

void frs_mask_server_delivery(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out) {
    const struct frs_neighbours *graph = &server->round->graph;
    const uint32_t *neighbours = frs_neighbours_of(graph, place);
    struct frs_mask_context context = context_of(server, place);
    struct frs_mask_box *boxes = frs_alloc(graph->degree + 1, sizeof *boxes);
    size_t n = 0;
    for (size_t i = 0; i < graph->degree; i++) {
        uint32_t from = neighbours[i];
        if (server->phases[from] < SHARES)
            continue;
        boxes[n].place = from;
        memcpy(boxes[n++].bytes,
            server->boxes[from * graph->degree + frs_neighbours_find(graph, from, place)],
            FRS_MASK_BOX_BYTES);
    }
    frs_mask_put_boxes(out, &context, FRS_MASK_DELIVERY, boxes, n);
    free(boxes);
}

/* ---- masked numbers -------------------------------------------------------------------------- */

bool frs_mask_server_take_masked(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message) {
    const struct frs_mask_round *round = server->round;
    struct frs_mask_context context = context_of(server, place);
    bool taken = server->phases[place] == SHARES &&
                 frs_mask_take_masked(message, &context, server->numbers, round->n_values, round->bits);
    for (size_t i = 0; taken && i < round->n_values; i++)
        server->sums[i] += server->numbers[i];
    return enter(server, place, taken, MASKED);
}

/* Lists the clients whose shares this client holds, itself first, and returns their number. The shares of
 * the others are in `slots` at 1 + their number among its neighbours. */
static size_t list_held(const struct frs_mask_server *server, uint32_t place, uint32_t *held, size_t *slots) {
    const struct frs_neighbours *graph = &server->round->graph;
    const uint32_t *neighbours = frs_neighbours_of(graph, place);
    size_t n = 0;
    held[n] = place;
    slots[n++] = 0;
    for (size_t i = 0; i < graph->degree; i++)
        if (server->phases[neighbours[i]] >= SHARES) {
            held[n] = neighbours[i];
            slots[n++] = i + 1;
        }
    return n;
}

void frs_mask_server_survivors(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out) {
    size_t most = server->round->graph.degree + 1;
    struct frs_mask_context context = context_of(server, place);
    uint32_t *held = frs_alloc(most, sizeof *held);
    size_t *slots = frs_alloc(most, sizeof *slots);
    bool *survived = frs_alloc(most, sizeof *survived);
    size_t n = list_held(server, place, held, slots);
    for (size_t i = 0; i < n; i++)
        survived[i] = server->phases[held[i]] >= MASKED;
    frs_mask_put_survivors(out, &context, survived, n);
    free(survived);
    free(slots);
    free(held);
}

size_t frs_mask_server_n_survivors(const struct frs_mask_server *server) {
    size_t n = 0;
    for (size_t i = 0; i < server->round->graph.n; i++)
        n += server->phases[i] >= MASKED;
    return n;
}

bool frs_mask_server_has_one_sum(const struct frs_mask_server *server) {
    bool *survived = frs_alloc(server->round->graph.n + 1, sizeof *survived);
    for (size_t i = 0; i < server->round->graph.n; i++)
        survived[i] = server->phases[i] >= MASKED;
    bool one = frs_neighbours_connect(&server->round->graph, survived);
    free(survived);
    return one;
}

/* ---- unmasking ------------------------------------------------------------------------------- */

bool frs_mask_server_take_unmasking(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message) {
    size_t most = server->round->graph.degree + 1;
    struct frs_mask_context context = context_of(server, place);
    uint32_t *held = frs_alloc(most, sizeof *held);
    size_t *slots = frs_alloc(most, sizeof *slots);
    uint8_t(*shares)[FRS_SECRET_BYTES] = frs_alloc(most, sizeof *shares);
    size_t n = list_held(server, place, held, slots);
    bool taken = server->phases[place] == MASKED && frs_mask_take_unmasking(message, &context, shares, n);
    for (size_t i = 0; taken && i < n; i++)
        memcpy(server->shares[place * most + slots[i]], shares[i], FRS_SECRET_BYTES);
    free(shares);
    free(slots);
    free(held);
    return enter(server, place, taken, UNMASKING);
}

/* Those of a full graph are the same for every secret. */
static void weigh(struct frs_mask_server *server) {
    size_t threshold = server->round->threshold, bytes = threshold * sizeof *server->holders;
    if (server->has_weights && memcmp(server->holders, server->last_holders, bytes) == 0)
        return;
    frs_shamir_weights(server->holders, threshold, server->weights);
    memcpy(server->last_holders, server->holders, bytes);
    server->has_weights = true;
    server->tally.weight_steps += 2 * (uint64_t)threshold * threshold;
}

static const uint8_t *share_of(const struct frs_mask_server *server, uint32_t holder, uint32_t owner) {
    const struct frs_neighbours *graph = &server->round->graph;
    size_t slot = holder == owner ? 0 : 1 + frs_neighbours_find(graph, holder, owner);
    return server->shares[holder * (graph->degree + 1) + slot];
}

/* Lists the first `threshold` clients that hold shares of this client's secrets and have given them,
 * ascending; false: there are fewer. */
static bool list_holders(struct frs_mask_server *server, uint32_t owner) {
    const struct frs_neighbours *graph = &server->round->graph;
    const uint32_t *neighbours = frs_neighbours_of(graph, owner);
    size_t threshold = server->round->threshold, n = 0;
    bool own_turn = true;
    for (size_t i = 0; i <= graph->degree && n < threshold; i++) {
        if (own_turn && (i == graph->degree || neighbours[i] > owner)) {
            own_turn = false;
            if (server->phases[owner] == UNMASKING)
                server->holders[n++] = owner;
        }
        if (i < graph->degree && n < threshold && server->phases[neighbours[i]] == UNMASKING)
            server->holders[n++] = neighbours[i];
    }
    return n == threshold;
}

/* Recovers the requested secret of this client. */
static bool recover(struct frs_mask_server *server, uint32_t owner, uint8_t secret[FRS_SECRET_BYTES]) {
    size_t threshold = server->round->threshold;
    if (!list_holders(server, owner))
        return false;
    weigh(server);
    memset(secret, 0, FRS_SECRET_BYTES);
    for (size_t i = 0; i < threshold; i++)
        frs_shamir_add(secret, server->weights[i], share_of(server, server->holders[i], owner));
    server->tally.share_steps += threshold;
    return true;
}

/* The mask of its own. */
static bool unmask_survivor(struct frs_mask_server *server, uint32_t place) {
    const struct frs_mask_round *round = server->round;
    uint8_t seed[FRS_SECRET_BYTES];
    if (!recover(server, place, seed))
        return false;
    frs_mask_add(server->sums, round->n_values, seed, round->round, -1);
    server->tally.masked_numbers += round->n_values;
    return true;
}

/* Removes the masks that survivors share with a client that dropped out before it sent its masked numbers. */
static bool unmask_vanished(struct frs_mask_server *server, uint32_t place) {
    const struct frs_mask_round *round = server->round;
    const uint32_t *neighbours = frs_neighbours_of(&round->graph, place);
    uint8_t secret[FRS_SECRET_BYTES], seed[FRS_KEY_BYTES];
    size_t n_with = 0;
    for (size_t i = 0; i < round->graph.degree; i++)
        n_with += server->phases[neighbours[i]] >= MASKED;
    if (n_with == 0)
        return true;
    if (!recover(server, place, secret))
        return false;
    struct frs_key_pair pair = frs_key_pair_of(secret);
    bool right = memcmp(pair.public, server->keys[place].mask, FRS_KEY_BYTES) == 0;
    for (size_t i = 0; right && i < round->graph.degree; i++) {
        uint32_t other = neighbours[i];
        if (server->phases[other] < MASKED)
            continue;
        right = frs_key_agree(&pair, server->keys[other].mask, seed);
        frs_mask_add(server->sums, round->n_values, seed, round->round, other < place ? -1 : 1);
    }
    server->tally.agreements += 1 + n_with;
    server->tally.masked_numbers += n_with * round->n_values;
    return right;
}

bool frs_mask_server_unmask(struct frs_mask_server *server, uint32_t *sums) {
    const struct frs_mask_round *round = server->round;
    bool recovered = frs_mask_server_n_survivors(server) > 0 && frs_mask_server_has_one_sum(server);
    for (uint32_t place = 0; recovered && place < round->graph.n; place++) {
        if (server->phases[place] >= MASKED)
            recovered = unmask_survivor(server, place);
        else if (server->phases[place] == SHARES)
            recovered = unmask_vanished(server, place);
    }
    if (!recovered)
        return false;
    memcpy(sums, server->sums, round->n_values * sizeof *sums);
    frs_mask_reduce(sums, round->n_values, round->bits);
    return true;
}
