#include "analysis/statistics/pareto.h"

#include <math.h>

bool frs_pareto_dominates(const double *a, const double *b, size_t n) {
    bool better = false;
    for (size_t i = 0; i < n; i++) {
        if (!(a[i] <= b[i])) /* NaN, too */
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

static bool is_complete(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return false;
    return true;
}

void frs_pareto_front(const double *values, size_t n_alternatives, size_t n_criteria, bool *on_front) {
    for (size_t i = 0; i < n_alternatives; i++) {
        const double *own = values + i * n_criteria;
        on_front[i] = is_complete(own, n_criteria);
        for (size_t k = 0; k < n_alternatives && on_front[i]; k++)
            on_front[i] = !frs_pareto_dominates(values + k * n_criteria, own, n_criteria);
    }
}
