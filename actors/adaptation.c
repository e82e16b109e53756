#include "actors/adaptation.h"
#include "sim/base/settings/params.h"

double frs_adaptation_known_s(const struct frs_adaptation_request *request, size_t i, uint32_t budget) {
    static const struct frs_slow_start_kinds none = {FRS_SLOW_START_NONE, FRS_SLOW_START_NONE};
    struct frs_pace pace = frs_observations_pace(request->observations, request->clients[i]);
    return frs_pace_duration_s(&pace, request->slow_start ? &request->slow_start[i] : &none,
        request->work(request->context, budget), request->up_bytes(request->context, budget));
}

double frs_adaptation_predict_s(const struct frs_adaptation_request *request, size_t i, uint32_t budget) {
    return frs_observations_factor(request->observations, request->clients[i]) *
           frs_adaptation_known_s(request, i, budget);
}

uint32_t frs_adaptation_most(const struct frs_adaptation_request *request, size_t i) {
    return frs_observations_most(
        request->observations, request->clients[i], request->range.min, request->range.max);
}

uint32_t frs_adaptation_budget(const struct frs_values *values, const char *key,
    const struct frs_budget_range *range, uint32_t initial, struct frs_errors *errors) {
    int64_t budget = frs_values_int(values, key);
    if (budget == 0)
        return initial;
    if (budget < range->min || budget > range->max)
        frs_values_error(values, key, errors,
            "%lld is outside of what the method can do; allowed: 0 or %u … %u", (long long)budget, range->min,
            range->max);
    return (uint32_t)budget;
}
