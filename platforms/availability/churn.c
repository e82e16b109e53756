#include "platforms/availability/churn.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>

struct frs_churn frs_churn_read(const struct frs_values *values, uint64_t seed) {
    struct frs_churn churn = {.late_share = frs_values_real(values, "late_share"),
        .mean_lifetime_s = frs_values_real(values, "mean_lifetime"),
        .absent_share = frs_values_real(values, "absent_share"),
        .seed = seed};
    /* An explicit share of 0 is one point of a series; then the other key belongs to the series too. */
    if (churn.late_share > 0 || frs_values_find(values, "late_share")->given)
        churn.join_over_s = frs_values_real(values, "join_over");
    return churn;
}

bool frs_churn_is_trivial(const struct frs_churn *churn) {
    return !(churn->late_share > 0) && !(churn->mean_lifetime_s > 0) && !(churn->absent_share > 0);
}

/* A draw after those of joining and leaving, which stay as they are. */
static bool is_absent(const struct frs_churn *churn, struct frs_rng *rng) {
    return churn->absent_share > 0 && frs_rng_unit(rng) < churn->absent_share;
}

bool frs_churn_is_absent(const struct frs_churn *churn, uint32_t client) {
    struct frs_rng rng = frs_rng_stream(churn->seed, client, 0, 0, FRS_RNG_CHURN);
    for (int of_joining_and_leaving = 0; of_joining_and_leaving < 3; of_joining_and_leaving++)
        frs_rng_unit(&rng);
    return is_absent(churn, &rng);
}

bool frs_churn_at(const struct frs_churn *churn, uint32_t client, double t_s, double *until_s) {
    *until_s = INFINITY;
    if (frs_churn_is_trivial(churn))
        return true;
    struct frs_rng rng = frs_rng_stream(churn->seed, client, 0, 0, FRS_RNG_CHURN);
    bool late = frs_rng_unit(&rng) < churn->late_share;
    double time = frs_rng_unit(&rng), life = -log1p(-frs_rng_unit(&rng));
    double join_s = late ? time * churn->join_over_s : 0;
    double leave_s = churn->mean_lifetime_s > 0 ? join_s + life * churn->mean_lifetime_s : INFINITY;
    if (is_absent(churn, &rng))
        return false;
    if (t_s >= leave_s || !(join_s < leave_s)) /* a life that rounding leaves no time for never is */
        return false;
    *until_s = t_s < join_s ? join_s : leave_s;
    return t_s >= join_s;
}
