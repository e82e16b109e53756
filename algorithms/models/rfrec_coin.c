/* RFRecF's shared coin ζ_k, and how it determines a round (Liu et al. 2024, algorithm 2).
 *
 *   ζ_k = 0, and ζ_{k−1} = 0 or k = 0   main step: the local loss f_i alone
 *   ζ_k = 0, and ζ_{k−1} = 1            the server broadcasts V̄; clients move towards it by θ
 *   ζ_k = 1, and ζ_{k−1} = 0            clients upload, the server averages (ζ_{−1} = 0)
 *   ζ_k = 1, and ζ_{k−1} = 1            nothing: the average exists already */
#include "algorithms/models/rfrec_model.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <string.h>

bool frs_rfrecf_read_coins(struct frs_rfrecf_coins *coins, const char *probability_key,
    const struct frs_values *values, uint64_t seed, struct frs_errors *errors) {
    const char *text = frs_values_text(values, "coins");
    size_t n = strlen(text);
    *coins = (struct frs_rfrecf_coins){
        .seed = seed, .probability = frs_values_real(values, probability_key), .n_given = (uint32_t)n};
    if (n > FRS_RFRECF_MOST_COINS || strspn(text, "01") != n) {
        frs_values_error(values, "coins", errors,
            "\"%.20s%s\" is no row of coins; allowed: at most %u digits 0 or 1", text, n > 20 ? "…" : "",
            FRS_RFRECF_MOST_COINS);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (text[i] == '1')
            coins->given[i / 64] |= UINT64_C(1) << i % 64;
    return true;
}

/* Every iteration has a stream of its own, so that a coin is known without those before it. */
static bool toss(const struct frs_rfrecf_coins *coins, uint32_t round) {
    if (round < coins->n_given)
        return coins->given[round / 64] >> round % 64 & 1;
    struct frs_rng rng = frs_rng_stream(coins->seed, FRS_RNG_SERVER, round, 0, FRS_RNG_COIN);
    return frs_rng_unit(&rng) < coins->probability;
}

struct frs_course frs_rfrecf_course_of(const struct frs_rfrecf_coins *coins, uint32_t round) {
    bool averages = toss(coins, round), averaged = round > 0 && toss(coins, round - 1);
    return (struct frs_course){
        .receives = !averages && averaged, .trains = !averages, .sends = averages && !averaged};
}

/* What clients have not sent when the run ends they send for the evaluation. */
struct frs_course frs_rfrecf_course(const void *context, uint32_t round) {
    const struct frs_rfrec *model = context;
    struct frs_course course = frs_rfrecf_course_of(&model->coins, round);
    course.extra = course.trains && round + 1 == model->base.setup.n_rounds;
    course.sends |= course.extra;
    return course;
}
