#include "platforms/availability/follows.h"
#include "sim/base/settings/params.h"

const char *const frs_availability_follows_names[] = {[FRS_HEARD_BY_NOTHING] = "none",
    [FRS_HEARD_BY_TASTE] = "taste",
    [FRS_HEARD_BY_ACTIVITY] = "activity",
    [FRS_HEARD_BY_UPLINK] = "uplink",
    [FRS_HEARD_BY_SPEED] = "speed",
    NULL};

struct frs_follows frs_follows_read(const struct frs_values *values) {
    const struct frs_value *key = frs_values_find(values, "follows");
    struct frs_follows follows = {0};
    if (!key)
        return follows;
    follows.by = (enum frs_availability_follows)frs_values_choice(values, "follows");
    /* "none" that was written is one point of a series; then the other keys belong to it. */
    if (follows.by == FRS_HEARD_BY_NOTHING && !key->given)
        return follows;
    follows.correlation = frs_values_real(values, "correlation");
    follows.concentration = frs_values_real(values, "concentration");
    return follows;
}
