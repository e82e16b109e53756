#include "algorithms/privacy/masks/mask_play.h"
#include "algorithms/privacy/masks/mask_client.h"
#include "algorithms/privacy/masks/mask_server.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct party {
    struct frs_mask_client *client;
    struct frs_buffer down; /* what it was sent last */
    bool there;
};

static bool answer(const struct frs_mask_play *play, struct party *party, uint32_t place,
    enum frs_mask_kind kind, struct frs_buffer *up) {
    switch (kind) {
    case FRS_MASK_SHARES:
        return frs_mask_client_share(party->client, &party->down, up);
    case FRS_MASK_MASKED:
        return frs_mask_client_mask(party->client, &party->down, play->numbers[place], up);
    case FRS_MASK_UNMASKING:
        return frs_mask_client_unmask(party->client, &party->down, up);
    default:
        frs_mask_client_keys(party->client, up);
        return true;
    }
}

static const struct {
    enum frs_mask_kind down, up;
    enum frs_mask_reached after;
    void (*tell)(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out);
    bool (*take)(struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);
} phases[] = {
    {0, FRS_MASK_KEYS, FRS_REACHED_KEYS, NULL, frs_mask_server_take_keys},
    {FRS_MASK_ROSTER, FRS_MASK_SHARES, FRS_REACHED_SHARES, frs_mask_server_roster,
        frs_mask_server_take_shares},
    {FRS_MASK_DELIVERY, FRS_MASK_MASKED, FRS_REACHED_MASKED, frs_mask_server_delivery,
        frs_mask_server_take_masked},
    {FRS_MASK_SURVIVORS, FRS_MASK_UNMASKING, FRS_REACHED_UNMASKING, frs_mask_server_survivors,
        frs_mask_server_take_unmasking},
};

static void tell(const struct frs_mask_play *play, enum frs_mask_kind kind, uint32_t place,
    const struct frs_buffer *message) {
    if (play->seen)
        play->seen(play->context, kind, place, message);
}

/* All are told before anybody's answer is taken. */
static void play_phase(const struct frs_mask_play *play, size_t phase, struct party *parties,
    struct frs_mask_server *server, struct frs_buffer *up) {
    for (uint32_t place = 0; phases[phase].tell && place < play->round->graph.n; place++) {
        if (!parties[place].there)
            continue;
        phases[phase].tell(server, place, &parties[place].down);
        tell(play, phases[phase].down, place, &parties[place].down);
    }
    for (uint32_t place = 0; place < play->round->graph.n; place++) {
        struct party *party = &parties[place];
        party->there = party->there && play->reached[place] >= phases[phase].after &&
                       answer(play, party, place, phases[phase].up, up) &&
                       phases[phase].take(server, place, up);
        if (party->there)
            tell(play, phases[phase].up, place, up);
    }
}

static void add_tally(struct frs_mask_tally *sum, const struct frs_mask_tally *tally) {
    sum->agreements += tally->agreements;
    sum->masked_numbers += tally->masked_numbers;
    sum->share_steps += tally->share_steps;
    sum->weight_steps += tally->weight_steps;
    sum->boxes += tally->boxes;
}

bool frs_mask_play(const struct frs_mask_play *play, uint32_t *sums, struct frs_mask_tally *clients,
    struct frs_mask_tally *server_tally) {
    size_t n = play->round->graph.n;
    struct party *parties = frs_alloc(n, sizeof *parties);
    struct frs_mask_server *server = frs_mask_server_create(play->round);
    struct frs_buffer up = {0};
    for (uint32_t place = 0; place < n; place++)
        parties[place] = (struct party){
            .client = frs_mask_client_create(play->round, place, play->stream(play->context, place)),
            .there = true};
    for (size_t phase = 0; phase < sizeof phases / sizeof *phases; phase++)
        if (phases[phase].up != FRS_MASK_UNMASKING || frs_mask_server_has_one_sum(server))
            play_phase(play, phase, parties, server, &up);
    bool whole = frs_mask_server_unmask(server, sums);
    add_tally(server_tally, frs_mask_server_tally(server));
    for (size_t i = 0; i < n; i++) {
        add_tally(clients, frs_mask_client_tally(parties[i].client));
        frs_mask_client_destroy(parties[i].client);
        frs_buffer_fini(&parties[i].down);
    }
    frs_buffer_fini(&up);
    frs_mask_server_destroy(server);
    free(parties);
    return whole;
}
