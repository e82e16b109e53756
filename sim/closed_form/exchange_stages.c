#include "sim/closed_form/exchange_stages.h"
#include "algorithms/messages/message.h"
#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/privacy/masks/mask_cost.h"
#include "algorithms/privacy/masks/mask_standing.h"
#include "algorithms/privacy/masks/mask_traffic.h"

/* A round in which all selected clients reach the end. It has no graph: the degree of every client stands for
 * it. */
struct whole {
    struct frs_mask_round round;
    size_t degree;
};

size_t frs_exchange_degree(const struct frs_masks *masks, size_t n) {
    return frs_neighbours_degree(n, masks->neighbours == 0 ? frs_neighbours_usual(n) : masks->neighbours);
}

static bool whole_round(const struct frs_setup *setup, struct whole *whole) {
    const struct frs_masks masks = frs_privacy_masks(&setup->training.mechanisms);
    struct frs_fixed_point fixed;
    size_t n = setup->policy_settings.n_selected;
    if (masks.range == 0 || !frs_fixed_point_init(&fixed, masks.range, masks.bits, (uint32_t)n))
        return false;
    *whole = (struct whole){.degree = frs_exchange_degree(&masks, n)};
    whole->round.threshold = frs_mask_threshold(masks.threshold, whole->degree);
    whole->round.bits = fixed.sum_bits;
    whole->round.n_values = frs_training_masked_values(&setup->training);
    return true;
}

static uint64_t bytes_of(const struct whole *whole, enum frs_mask_kind kind) {
    return frs_mask_message_bits(
               &frs_mask_own_sizes, kind, whole->degree, whole->round.n_values, whole->round.bits) /
           8;
}

static double flop_of(const struct whole *whole, enum frs_mask_kind kind) {
    struct frs_mask_tally work = frs_mask_client_work(&whole->round, kind, whole->degree);
    return frs_mask_flop(&work);
}

size_t frs_exchange_stages(
    const struct frs_setup *setup, struct frs_exchange_stage stages[FRS_EXCHANGE_STAGES]) {
    static const struct {
        const char *name;
        enum frs_mask_kind down, up;
    } kinds[FRS_EXCHANGE_STAGES] = {{"keys", FRS_MASK_KEYS, FRS_MASK_KEYS},
        {"shares", FRS_MASK_ROSTER, FRS_MASK_SHARES}, {"unmask", FRS_MASK_SURVIVORS, FRS_MASK_UNMASKING}};
    struct whole whole;
    if (!whole_round(setup, &whole))
        return 0;
    for (size_t i = 0; i < FRS_EXCHANGE_STAGES; i++)
        stages[i] = (struct frs_exchange_stage){.name = kinds[i].name,
            .connects = i == 0,
            .of_survivors = i == FRS_EXCHANGE_STAGES - 1,
            .usage = {.down_bytes = i == 0 ? 0 : bytes_of(&whole, kinds[i].down),
                .up_bytes = bytes_of(&whole, kinds[i].up),
                .flop = flop_of(&whole, kinds[i].up)}};
    return FRS_EXCHANGE_STAGES;
}

void frs_exchange_connected(struct frs_closed_form_time *time) {
    time->whole_s -= time->setup_s;
    time->setup_s = 0;
}

struct frs_closed_form_time frs_exchange_course(
    const struct frs_setup *setup, const struct frs_exchange_stage *stage, uint32_t client, uint32_t round) {
    struct frs_closed_form_time time = frs_closed_form_time(setup, client, round, &stage->usage);
    double overhead_s = frs_closed_form_time(setup, client, round, &(struct frs_usage){0}).compute_s;
    time.compute_s -= overhead_s; /* that of training */
    time.whole_s -= overhead_s;
    if (stage->connects) {
        time.whole_s -= time.latency_s;
        time.latency_s = 0;
    } else {
        frs_exchange_connected(&time);
    }
    return time;
}

void frs_exchange_masked(const struct frs_setup *setup, struct frs_usage *usage) {
    struct whole whole;
    if (!whole_round(setup, &whole))
        return;
    usage->down_bytes += bytes_of(&whole, FRS_MASK_DELIVERY);
    usage->up_bytes = FRS_MESSAGE_HEADER_BYTES + bytes_of(&whole, FRS_MASK_MASKED);
    usage->flop += flop_of(&whole, FRS_MASK_MASKED);
}

struct frs_closed_form_time frs_exchange_participation(
    const struct frs_setup *setup, uint32_t client, const struct frs_usage *usage) {
    struct frs_exchange_stage stages[FRS_EXCHANGE_STAGES];
    struct frs_closed_form_time time = frs_closed_form_time(setup, client, FRS_NO_ROUND, usage);
    size_t n = frs_exchange_stages(setup, stages);
    if (n > 0)
        frs_exchange_connected(&time);
    for (size_t i = 0; i < n; i++)
        time.setup_s += frs_exchange_course(setup, &stages[i], client, FRS_NO_ROUND).whole_s;
    time.whole_s += n > 0 ? time.setup_s : 0;
    return time;
}

double frs_exchange_down_bytes(const struct frs_setup *setup) {
    struct frs_exchange_stage stages[FRS_EXCHANGE_STAGES];
    struct whole whole;
    double bytes = whole_round(setup, &whole) ? (double)bytes_of(&whole, FRS_MASK_DELIVERY) : 0;
    for (size_t i = 0, n = frs_exchange_stages(setup, stages); i < n; i++)
        bytes += (double)stages[i].usage.down_bytes;
    return bytes;
}
