#include "actors/policies/staleness.h"
#include "sim/base/settings/params.h"

enum staleness { STALENESS_INVERSE_SQRT, STALENESS_NONE };
const char *const frs_staleness_names[] = {
    [STALENESS_INVERSE_SQRT] = "inverse_sqrt", [STALENESS_NONE] = "none", NULL};

bool frs_staleness_damps(const struct frs_values *values) {
    return frs_values_choice(values, "staleness") == STALENESS_INVERSE_SQRT;
}
