#include "tests/algorithms/shields/masks/mask_fixture.h"
#include "algorithms/shields/masks/mask.h"

struct frs_mask_round mask_round(
    size_t n, size_t degree, double threshold, size_t n_values, unsigned bits, uint32_t seed) {
    struct frs_rng rng = test_rng(seed);
    struct frs_mask_round round = {
        .graph = frs_neighbours_draw(n, degree, &rng), .round = seed, .n_values = n_values, .bits = bits};
    round.threshold = frs_mask_threshold(threshold, round.graph.degree);
    return round;
}

static void tell(
    const struct mask_play *play, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message) {
    if (play->seen)
        play->seen(play->context, kind, place, message);
}

static void add_tally(struct frs_mask_tally *sum, const struct frs_mask_tally *tally) {
    sum->agreements += tally->agreements;
    sum->masked_numbers += tally->masked_numbers;
    sum->share_steps += tally->share_steps;
    sum->weight_steps += tally->weight_steps;
    sum->boxes += tally->boxes;
}

/* The messages of a phase: `down` was made for this client before anybody's `up` is taken. */
struct party {
    struct frs_mask_client *client;
    struct frs_buffer down;
    bool there;
    uint32_t *numbers;
};

static bool answer(struct party *party, enum frs_mask_kind kind, struct frs_buffer *up) {
    switch (kind) {
    case FRS_MASK_KEYS:
        frs_mask_client_keys(party->client, up);
        return true;
    case FRS_MASK_SHARES:
        return frs_mask_client_share(party->client, &party->down, up);
    case FRS_MASK_MASKED:
        return frs_mask_client_mask(party->client, &party->down, party->numbers, up);
    case FRS_MASK_UNMASKING:
        return frs_mask_client_unmask(party->client, &party->down, up);
    default:
        ck_abort();
    }
}

static const struct {
    enum frs_mask_kind down, up;
    enum mask_vanishes before;
    void (*tell)(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out);
    bool (*take)(struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);
} phases[] = {
    {0, FRS_MASK_KEYS, BEFORE_KEYS, NULL, frs_mask_server_take_keys},
    {FRS_MASK_ROSTER, FRS_MASK_SHARES, BEFORE_SHARES, frs_mask_server_roster, frs_mask_server_take_shares},
    {FRS_MASK_DELIVERY, FRS_MASK_MASKED, BEFORE_MASKED, frs_mask_server_delivery,
        frs_mask_server_take_masked},
    {FRS_MASK_SURVIVORS, FRS_MASK_UNMASKING, BEFORE_UNMASKING, frs_mask_server_survivors,
        frs_mask_server_take_unmasking},
};

static void play_phase(
    const struct mask_play *play, size_t phase, struct party *parties, struct frs_mask_server *server) {
    struct frs_buffer up = {0};
    size_t n = play->round->graph.n;
    for (uint32_t place = 0; place < n; place++) {
        struct party *party = &parties[place];
        if (party->there && phases[phase].tell) {
            phases[phase].tell(server, place, &party->down);
            tell(play, phases[phase].down, place, &party->down);
        }
    }
    for (uint32_t place = 0; place < n; place++) {
        struct party *party = &parties[place];
        party->there = party->there && play->vanishes[place] != phases[phase].before &&
                       answer(party, phases[phase].up, &up) && phases[phase].take(server, place, &up);
        if (party->there)
            tell(play, phases[phase].up, place, &up);
        if (play->survived && phases[phase].up == FRS_MASK_MASKED)
            play->survived[place] = party->there;
    }
    frs_buffer_fini(&up);
}

bool mask_play(struct mask_play *play, uint32_t *sums) {
    size_t n = play->round->graph.n, m = play->round->n_values;
    struct party *parties = frs_alloc(n, sizeof *parties);
    struct frs_mask_server *server = frs_mask_server_create(play->round);
    uint32_t *numbers = frs_alloc(n * m, sizeof *numbers);
    memcpy(numbers, play->numbers, n * m * sizeof *numbers);
    for (uint32_t place = 0; place < n; place++)
        parties[place] = (struct party){.client = frs_mask_client_create(play->round, place,
                                            frs_rng_stream(77, place, play->round->round, 0, FRS_RNG_TEST)),
            .there = true,
            .numbers = numbers + place * m};
    for (size_t phase = 0; phase < 4; phase++)
        play_phase(play, phase, parties, server);
    bool whole = frs_mask_server_unmask(server, sums);
    add_tally(&play->server_tally, frs_mask_server_tally(server));
    for (size_t i = 0; i < n; i++) {
        add_tally(&play->client_tally, frs_mask_client_tally(parties[i].client));
        frs_mask_client_destroy(parties[i].client);
        frs_buffer_fini(&parties[i].down);
    }
    frs_mask_server_destroy(server);
    free(numbers);
    free(parties);
    return whole;
}

void mask_plain_sum(const struct mask_play *play, uint32_t *sums) {
    size_t n = play->round->graph.n, m = play->round->n_values;
    memset(sums, 0, m * sizeof *sums);
    for (size_t u = 0; u < n; u++)
        for (size_t i = 0; play->survived[u] && i < m; i++)
            sums[i] += play->numbers[u * m + i];
    frs_mask_reduce(sums, m, play->round->bits);
}
