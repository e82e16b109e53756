/* RFRecF's shared coin ζ_k, and what a round consists of by it (Liu et al. 2024, algorithm 2).
 *
 *   ζ_k = 0, and ζ_{k−1} = 0 or k = 0   main step: the local loss f_i alone
 *   ζ_k = 0, and ζ_{k−1} = 1            the server broadcasts V̄; clients move towards it by θ
 *   ζ_k = 1, and ζ_{k−1} = 0            clients upload, the server averages (ζ_{−1} = 0)
 *   ζ_k = 1, and ζ_{k−1} = 1            nothing: the average is there already */
#include "algorithms/models/rfrec_model.h"
#include "sim/base/numbers/rng.h"

/* Every iteration has a stream of its own, so that a coin is known without those before it. */
static bool toss(uint64_t seed, double coin, uint32_t round) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, round, 0, FRS_RNG_COIN);
    return frs_rng_unit(&rng) < coin;
}

struct frs_course frs_rfrecf_course_of(uint64_t seed, double coin, uint32_t round) {
    bool averages = toss(seed, coin, round), averaged = round > 0 && toss(seed, coin, round - 1);
    return (struct frs_course){
        .receives = !averages && averaged, .trains = !averages, .sends = averages && !averaged};
}

/* What clients have not sent when the run ends they send for the evaluation. */
struct frs_course frs_rfrecf_course(const void *context, uint32_t round) {
    const struct frs_rfrec *model = context;
    struct frs_course course = frs_rfrecf_course_of(model->base.setup.population->seed, model->coin, round);
    course.extra = course.trains && round + 1 == model->base.setup.n_rounds;
    course.sends |= course.extra;
    return course;
}
