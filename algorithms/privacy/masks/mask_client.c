#include "algorithms/privacy/masks/mask_client.h"
#include "algorithms/privacy/masks/mask.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Where the client stands: what it has sent last. */
enum phase { CREATED, SENT_KEYS, SENT_SHARES, SENT_MASKED, SENT_UNMASKING, GAVE_UP };

struct frs_mask_client {
    const struct frs_mask_round *round;
    struct frs_mask_context context;
    enum phase phase;
    struct frs_key_pair box, mask;
    uint8_t seed[FRS_SECRET_BYTES];         /* of its own mask */
    uint8_t coefficients[FRS_SECRET_BYTES]; /* from which those of its polynomials come */
    struct frs_mask_member *roster;         /* [n_roster], at most the degree */
    uint8_t (*box_keys)[FRS_KEY_BYTES];     /* [n_roster] agreed with each of them */
    struct frs_mask_shares *held;           /* [n_held]: its own, and of each who sent it a box */
    size_t n_roster, n_held;
    struct frs_mask_tally tally;
};

struct frs_mask_client *frs_mask_client_create(
    const struct frs_mask_round *round, uint32_t place, struct frs_rng rng) {
    struct frs_mask_client *client = frs_alloc(1, sizeof *client);
    size_t degree = round->graph.degree;
    uint8_t secret[2][FRS_KEY_BYTES];
    *client = (struct frs_mask_client){
        .round = round, .context = {.round = round->round, .party = place, .n_clients = round->graph.n}};
    frs_key_draw(&rng, secret[0]);
    frs_key_draw(&rng, secret[1]);
    frs_key_draw(&rng, client->seed);
    frs_key_draw(&rng, client->coefficients);
    client->box = frs_key_pair_of(secret[0]);
    client->mask = frs_key_pair_of(secret[1]);
    client->tally.agreements = 2;
    client->roster = frs_alloc(degree + 1, sizeof *client->roster);
    client->box_keys = frs_alloc(degree + 1, sizeof *client->box_keys);
    client->held = frs_alloc(degree + 1, sizeof *client->held);
    return client;
}

void frs_mask_client_destroy(struct frs_mask_client *client) {
    if (!client)
        return;
    free(client->roster);
    free(client->box_keys);
    free(client->held);
    free(client);
}

const struct frs_mask_tally *frs_mask_client_tally(const struct frs_mask_client *client) {
    return &client->tally;
}

/* It has done what belongs to the phase, or never will. */
static bool leave(struct frs_mask_client *client, bool done, enum phase next) {
    client->phase = done ? next : GAVE_UP;
    return done;
}

void frs_mask_client_keys(struct frs_mask_client *client, struct frs_buffer *keys) {
    struct frs_mask_keys public;
    memcpy(public.box, client->box.public, FRS_KEY_BYTES);
    memcpy(public.mask, client->mask.public, FRS_KEY_BYTES);
    frs_mask_put_keys(keys, &client->context, &public);
    leave(client, client->phase == CREATED, SENT_KEYS);
}

/* ---- sharing --------------------------------------------------------------------------------- */

static bool is_neighbour(const struct frs_mask_client *client, uint32_t place) {
    const struct frs_neighbours *graph = &client->round->graph;
    return frs_neighbours_find(graph, client->context.party, place) < graph->degree;
}

/* Agrees with every client of the roster; false where a key is none. */
static bool agree_on_boxes(struct frs_mask_client *client) {
    bool agreed = true;
    for (size_t i = 0; agreed && i < client->n_roster; i++)
        agreed = is_neighbour(client, client->roster[i].place) &&
                 frs_key_agree(&client->box, client->roster[i].keys.box, client->box_keys[i]);
    client->tally.agreements += client->n_roster;
    return agreed;
}

/* The first is the client's own, the others of the roster. */
static void share_out(
    struct frs_mask_client *client, uint8_t (*keys)[FRS_SECRET_BYTES], uint8_t (*seeds)[FRS_SECRET_BYTES]) {
    size_t n = client->n_roster + 1, threshold = client->round->threshold,
           bytes = (threshold - 1) * FRS_SECRET_BYTES;
    uint32_t *holders = frs_alloc(n, sizeof *holders);
    uint8_t *coefficients = frs_alloc(2, bytes);
    holders[0] = client->context.party;
    for (size_t i = 1; i < n; i++)
        holders[i] = client->roster[i - 1].place;
    frs_mask_bytes(coefficients, 2 * bytes, client->coefficients, client->context.round);
    frs_shamir_share(client->mask.secret, coefficients, threshold, holders, n, keys);
    frs_shamir_share(client->seed, coefficients + bytes, threshold, holders, n, seeds);
    client->tally.share_steps += 2 * (uint64_t)n * threshold;
    free(coefficients);
    free(holders);
}

static void seal(struct frs_mask_client *client, struct frs_buffer *message) {
    size_t n = client->n_roster;
    uint8_t(*keys)[FRS_SECRET_BYTES] = frs_alloc(n + 1, sizeof *keys);
    uint8_t(*seeds)[FRS_SECRET_BYTES] = frs_alloc(n + 1, sizeof *seeds);
    struct frs_mask_box *boxes = frs_alloc(n + 1, sizeof *boxes);
    share_out(client, keys, seeds);
    for (size_t i = 0; i <= n; i++) {
        struct frs_mask_shares shares;
        memcpy(shares.key, keys[i], FRS_SECRET_BYTES);
        memcpy(shares.seed, seeds[i], FRS_SECRET_BYTES);
        if (i == 0) {
            client->held[client->n_held++] = shares;
            continue;
        }
        struct frs_mask_box *box = &boxes[i - 1];
        box->place = client->roster[i - 1].place;
        frs_box_seal(client->box_keys[i - 1],
            &(struct frs_box_address){client->context.round, client->context.party, box->place},
            (const uint8_t *)&shares, sizeof shares, box->bytes);
    }
    client->tally.boxes += n;
    frs_mask_put_boxes(message, &client->context, FRS_MASK_SHARES, boxes, n);
    free(boxes);
    free(seeds);
    free(keys);
}

bool frs_mask_client_share(
    struct frs_mask_client *client, const struct frs_buffer *roster, struct frs_buffer *shares) {
    bool goes_on = client->phase == SENT_KEYS &&
                   frs_mask_take_roster(roster, &client->context, client->roster, client->round->graph.degree,
                       &client->n_roster) &&
                   client->n_roster + 1 >= client->round->threshold && agree_on_boxes(client);
    if (goes_on)
        seal(client, shares);
    return leave(client, goes_on, SENT_SHARES);
}

/* ---- masking --------------------------------------------------------------------------------- */

/* The client of a pair with the lower place adds the mask, the other subtracts it. */
static int sign_of(uint32_t place, uint32_t other) {
    return place < other ? 1 : -1;
}

/* Opens a box and masks with its sender. False where the sender is not in the roster, or the box holds
 * something else. */
static bool mask_with(struct frs_mask_client *client, const struct frs_mask_box *box, uint32_t *numbers) {
    const struct frs_mask_context *context = &client->context;
    uint8_t seed[FRS_KEY_BYTES];
    size_t i = 0;
    while (i < client->n_roster && client->roster[i].place != box->place)
        i++;
    struct frs_mask_shares *held = &client->held[client->n_held];
    if (i == client->n_roster ||
        !frs_box_open(client->box_keys[i],
            &(struct frs_box_address){context->round, box->place, context->party}, box->bytes, sizeof *held,
            (uint8_t *)held) ||
        !frs_key_agree(&client->mask, client->roster[i].keys.mask, seed))
        return false;
    client->n_held++;
    client->tally.boxes++;
    client->tally.agreements++;
    client->tally.masked_numbers += client->round->n_values;
    frs_mask_add(numbers, client->round->n_values, seed, context->round, sign_of(context->party, box->place));
    return true;
}

bool frs_mask_client_mask(struct frs_mask_client *client, const struct frs_buffer *delivery,
    uint32_t *numbers, struct frs_buffer *masked) {
    const struct frs_mask_round *round = client->round;
    struct frs_mask_box *boxes = frs_alloc(client->n_roster + 1, sizeof *boxes);
    size_t n = 0;
    bool goes_on =
        client->phase == SENT_SHARES &&
        frs_mask_take_boxes(delivery, &client->context, FRS_MASK_DELIVERY, boxes, client->n_roster, &n) &&
        n + 1 >= round->threshold;
    for (size_t i = 0; goes_on && i < n; i++)
        goes_on = mask_with(client, &boxes[i], numbers);
    if (goes_on) {
        frs_mask_add(numbers, round->n_values, client->seed, round->round, 1);
        client->tally.masked_numbers += round->n_values;
        frs_mask_reduce(numbers, round->n_values, round->bits);
        frs_mask_put_masked(masked, &client->context, numbers, round->n_values, round->bits);
    }
    free(boxes);
    return leave(client, goes_on, SENT_MASKED);
}

/* ---- unmasking ------------------------------------------------------------------------------- */

bool frs_mask_client_unmask(
    struct frs_mask_client *client, const struct frs_buffer *survivors, struct frs_buffer *unmasking) {
    size_t n = client->n_held, n_survivors = 0;
    bool *survived = frs_alloc(n + 1, sizeof *survived);
    bool goes_on = client->phase == SENT_MASKED &&
                   frs_mask_take_survivors(survivors, &client->context, survived, n) && survived[0];
    for (size_t i = 0; i < n; i++)
        n_survivors += survived[i];
    goes_on &= n_survivors >= client->round->threshold;
    if (goes_on) {
        uint8_t(*shares)[FRS_SECRET_BYTES] = frs_alloc(n, sizeof *shares);
        for (size_t i = 0; i < n; i++)
            memcpy(shares[i], survived[i] ? client->held[i].seed : client->held[i].key, FRS_SECRET_BYTES);
        frs_mask_put_unmasking(unmasking, &client->context, (const uint8_t(*)[FRS_SECRET_BYTES])shares, n);
        free(shares);
    }
    free(survived);
    return leave(client, goes_on, SENT_UNMASKING);
}
