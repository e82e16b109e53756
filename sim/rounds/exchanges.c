#include "sim/rounds/exchanges.h"
#include "algorithms/messages/message.h"
#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/privacy/masks/mask_cost.h"
#include "algorithms/privacy/masks/mask_standing.h"
#include "algorithms/privacy/masks/mask_traffic.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/closed_form/exchange_stages.h"

#include <math.h>
#include <stdlib.h>

/* In the order of a round. The upload stands between the second and the third. */
enum { KEYS, SHARES, UNMASK, N_EXCHANGES };

static const struct {
    const char *name;
    enum frs_mask_kind down, up; /* down 0: nothing is sent to clients before */
    enum frs_mask_reached before, after;
} kinds[N_EXCHANGES] = {
    [KEYS] = {"keys", 0, FRS_MASK_KEYS, FRS_REACHED_NOTHING, FRS_REACHED_KEYS},
    [SHARES] = {"shares", FRS_MASK_ROSTER, FRS_MASK_SHARES, FRS_REACHED_KEYS, FRS_REACHED_SHARES},
    [UNMASK] = {"unmask", FRS_MASK_SURVIVORS, FRS_MASK_UNMASKING, FRS_REACHED_MASKED, FRS_REACHED_UNMASKING},
};

struct part {
    struct frs_participation p; /* first */
    struct frs_open_entry *of;
    size_t place, number;
};

struct frs_exchanges {
    const struct frs_setup *setup;
    struct frs_masks masks;
    struct frs_mask_round round;
    struct frs_masked masked;
    uint32_t *clients;               /* [n] */
    struct frs_open_entry **members; /* [n], ascending client id */
    enum frs_mask_reached *reached;
    size_t n, capacity;
    struct part *parts; /* of the open exchange */
    struct frs_participation **list;
    size_t n_parts, next;
    double began_s, before_s, after_s; /* began_s NaN: no exchange is under way */
};

struct frs_exchanges *frs_exchanges_create(const struct frs_setup *setup) {
    struct frs_masks masks = frs_privacy_masks(&setup->training.mechanisms);
    if (masks.range == 0)
        return NULL;
    struct frs_exchanges *exchanges = frs_alloc(1, sizeof *exchanges);
    *exchanges = (struct frs_exchanges){.setup = setup, .masks = masks, .began_s = NAN};
    exchanges->round.n_values = frs_training_masked_values(&setup->training);
    exchanges->capacity = setup->policy_settings.n_selected;
    exchanges->members = frs_alloc(exchanges->capacity, sizeof *exchanges->members);
    exchanges->reached = frs_alloc(exchanges->capacity, sizeof *exchanges->reached);
    exchanges->clients = frs_alloc(exchanges->capacity, sizeof *exchanges->clients);
    exchanges->parts = frs_alloc(exchanges->capacity, sizeof *exchanges->parts);
    exchanges->list = frs_alloc(exchanges->capacity, sizeof *exchanges->list);
    return exchanges;
}

static void end_parts(struct frs_exchanges *exchanges) {
    for (size_t i = 0; i < exchanges->n_parts; i++)
        frs_participation_fini(&exchanges->parts[i].p);
    exchanges->n_parts = 0;
}

void frs_exchanges_destroy(struct frs_exchanges *exchanges) {
    if (!exchanges)
        return;
    end_parts(exchanges);
    frs_neighbours_fini(&exchanges->round.graph);
    free(exchanges->members);
    free(exchanges->reached);
    free(exchanges->clients);
    free(exchanges->parts);
    free(exchanges->list);
    free(exchanges);
}

/* ---- the round ------------------------------------------------------------------------------- */

void frs_exchanges_begin(struct frs_exchanges *exchanges, struct frs_participation *const *list, size_t n,
    uint32_t round, uint32_t attempt) {
    const struct frs_masks *masks = &exchanges->masks;
    struct frs_rng rng =
        frs_rng_stream(exchanges->setup->training.seed, FRS_RNG_SERVER, round, attempt, FRS_RNG_NEIGHBOURS);
    struct frs_fixed_point fixed;
    bool fits = frs_fixed_point_init(&fixed, masks->range, masks->bits, (uint32_t)n);
    FRS_INVARIANT(fits, "a sum of %zu clients does not fit", n);
    frs_neighbours_fini(&exchanges->round.graph);
    exchanges->round.graph = frs_neighbours_draw(n, frs_exchange_degree(masks, n), &rng);
    exchanges->round.round = round;
    exchanges->round.threshold = frs_mask_threshold(masks->threshold, exchanges->round.graph.degree);
    exchanges->round.bits = fixed.sum_bits;
    exchanges->n = n;
    exchanges->next = KEYS;
    exchanges->before_s = exchanges->after_s = 0;
    exchanges->began_s = NAN;
    exchanges->masked = (struct frs_masked){.round = &exchanges->round,
        .reached = exchanges->reached,
        .clients = exchanges->clients,
        .attempt = attempt};
    for (size_t i = 0; i < n; i++) {
        exchanges->members[i] = (struct frs_open_entry *)list[i];
        exchanges->clients[i] = list[i]->client;
        exchanges->reached[i] = FRS_REACHED_NOTHING;
    }
}

static size_t place_of(const struct frs_exchanges *exchanges, uint32_t client) {
    size_t from = 0, to = exchanges->n;
    while (to - from > 1) {
        size_t middle = (from + to) / 2;
        *(exchanges->members[middle]->p.client <= client ? &from : &to) = middle;
    }
    FRS_INVARIANT(
        from < to && exchanges->members[from]->p.client == client, "client %u masks with nobody", client);
    return from;
}

/* Where all members are named, the message names those present at the time. */
static uint64_t message_bytes(const struct frs_exchanges *exchanges, enum frs_mask_kind kind, size_t place) {
    static const enum frs_mask_reached named[FRS_N_MASK_KINDS] = {[FRS_MASK_ROSTER] = FRS_REACHED_KEYS,
        [FRS_MASK_SHARES] = FRS_REACHED_KEYS,
        [FRS_MASK_DELIVERY] = FRS_REACHED_SHARES,
        [FRS_MASK_MASKED] = FRS_REACHED_SHARES,
        [FRS_MASK_SURVIVORS] = FRS_REACHED_SHARES,
        [FRS_MASK_UNMASKING] = FRS_REACHED_SHARES};
    const struct frs_mask_round *round = &exchanges->round;
    size_t n = frs_mask_neighbours_at(round, exchanges->reached, place, named[kind]);
    return frs_mask_message_bits(&frs_mask_own_sizes, kind, n, round->n_values, round->bits) / 8;
}

static double work_flop(const struct frs_exchanges *exchanges, enum frs_mask_kind kind, size_t place) {
    enum frs_mask_reached named = kind == FRS_MASK_SHARES ? FRS_REACHED_KEYS : FRS_REACHED_SHARES;
    struct frs_mask_tally work = frs_mask_client_work(
        &exchanges->round, kind, frs_mask_neighbours_at(&exchanges->round, exchanges->reached, place, named));
    return frs_mask_flop(&work);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* Whether a client is selected and would answer if nothing happened in between. A client gives up where
 * too few others are left. */
static bool takes_part(const struct frs_exchanges *exchanges, size_t number, size_t place) {
    return exchanges->reached[place] == kinds[number].before &&
           (number == KEYS ||
               frs_mask_goes_on(&exchanges->round, exchanges->reached, place, kinds[number].before));
}

static void open_part(struct frs_exchanges *exchanges, size_t number, size_t place) {
    struct part *part = &exchanges->parts[exchanges->n_parts];
    struct frs_open_entry *of = exchanges->members[place];
    *part =
        (struct part){.p = frs_participation_new(of->p.client), .of = of, .place = place, .number = number};
    part->p.round = of->p.round;
    part->p.attempt = of->p.attempt;
    part->p.plan.no_download = kinds[number].down == 0;
    part->p.usage.down_bytes = kinds[number].down ? message_bytes(exchanges, kinds[number].down, place) : 0;
    part->p.usage.up_bytes = message_bytes(exchanges, kinds[number].up, place);
    part->p.usage.flop = work_flop(exchanges, kinds[number].up, place);
    exchanges->list[exchanges->n_parts++] = &part->p;
}

static bool open_exchange(struct frs_exchanges *exchanges, size_t number, double now_s,
    void (*plan)(void *context, struct frs_participation *p, const struct frs_open_entry *of), void *context,
    struct frs_opening *exchange) {
    end_parts(exchanges);
    for (size_t place = 0; place < exchanges->n; place++)
        if (takes_part(exchanges, number, place))
            open_part(exchanges, number, place);
    for (size_t i = 0; i < exchanges->n_parts; i++)
        plan(context, &exchanges->parts[i].p, exchanges->parts[i].of);
    *exchange = (struct frs_opening){.kind = FRS_OPEN_ROUND,
        .until_s = now_s + exchanges->masks.patience_s,
        .participants = exchanges->list,
        .n = exchanges->n_parts};
    return exchanges->n_parts > 0;
}

/* Determines which members get the round's message, with which they learn what became of the others. For
 * the server, all others are absent. Returns whether any client is present. */
static bool let_in(struct frs_exchanges *exchanges) {
    size_t n = 0;
    for (size_t place = 0; place < exchanges->n; place++) {
        struct frs_participation *p = &exchanges->members[place]->p;
        if (exchanges->reached[place] == FRS_REACHED_SHARES &&
            frs_mask_goes_on(&exchanges->round, exchanges->reached, place, FRS_REACHED_SHARES)) {
            p->usage.down_bytes += message_bytes(exchanges, FRS_MASK_DELIVERY, place);
            p->plan.handshake = (struct frs_handshake){0}; /* connected for the first exchange */
            n++;
        } else if (!p->plan.refused) {
            p->plan.unreachable = true;
            p->plan.contact_s = 0;
        }
    }
    return n > 0;
}

static void note_uploads(struct frs_exchanges *exchanges, const struct frs_closing *closing) {
    for (size_t i = 0; i < closing->n; i++)
        exchanges->reached[place_of(exchanges, closing->arrivals[i]->client)] = FRS_REACHED_MASKED;
}

static enum frs_exchange_state end_of_exchanges(
    struct frs_exchanges *exchanges, double *spent_s, double now_s, bool enough) {
    *spent_s = now_s - exchanges->began_s;
    exchanges->began_s = NAN;
    end_parts(exchanges);
    return enough ? FRS_EXCHANGE_OVER : FRS_EXCHANGE_VOID;
}

enum frs_exchange_state frs_exchanges_next(struct frs_exchanges *exchanges, const struct frs_closing *closing,
    double now_s, void (*plan)(void *context, struct frs_participation *p, const struct frs_open_entry *of),
    void *context, struct frs_opening *exchange) {
    if (isnan(exchanges->began_s)) {
        exchanges->began_s = now_s;
        if (closing)
            note_uploads(exchanges, closing);
    }
    size_t end = closing ? N_EXCHANGES : UNMASK;
    if (closing && !frs_mask_is_one_sum(&exchanges->round, exchanges->reached))
        exchanges->next = end; /* no client is asked for secrets that would reveal a part of the cohort */
    while (exchanges->next < end)
        if (open_exchange(exchanges, exchanges->next++, now_s, plan, context, exchange))
            return FRS_EXCHANGE_OPEN;
    if (!closing)
        return end_of_exchanges(exchanges, &exchanges->before_s, now_s, let_in(exchanges));
    return end_of_exchanges(
        exchanges, &exchanges->after_s, now_s, frs_mask_can_unmask(&exchanges->round, exchanges->reached));
}

size_t frs_exchange_draw(const struct frs_participation *p, uint32_t retry_state) {
    return 1 + ((const struct part *)p)->number + N_EXCHANGES * (size_t)retry_state;
}

void frs_exchanges_ended(struct frs_exchanges *exchanges, const struct frs_participation *p) {
    const struct part *part = (const struct part *)p;
    if (p->result.outcome == FRS_DELIVERED)
        exchanges->reached[part->place] = kinds[part->number].after;
    (void)frs_open_entry_add_aside(part->of, exchanges->setup, p, kinds[part->number].name);
}

/* ---- usage ------------------------------------------------------------------------------------ */

void frs_exchanges_usage(
    const struct frs_exchanges *exchanges, const struct frs_participation *p, struct frs_usage *usage) {
    size_t place = place_of(exchanges, p->client);
    usage->down_bytes += message_bytes(exchanges, FRS_MASK_DELIVERY, place);
    usage->up_bytes = FRS_MESSAGE_HEADER_BYTES + message_bytes(exchanges, FRS_MASK_MASKED, place);
    usage->flop += work_flop(exchanges, FRS_MASK_MASKED, place);
}

const struct frs_masked *frs_exchanges_masked(const struct frs_exchanges *exchanges) {
    return &exchanges->masked;
}

double frs_exchanges_server_flop(const struct frs_exchanges *exchanges) {
    struct frs_mask_tally work = frs_mask_server_work(&exchanges->round, exchanges->reached);
    return frs_mask_flop(&work);
}

double frs_exchanges_before_s(const struct frs_exchanges *exchanges) {
    return exchanges->before_s;
}

double frs_exchanges_after_s(const struct frs_exchanges *exchanges) {
    return exchanges->after_s;
}
