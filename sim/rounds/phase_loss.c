#include "sim/rounds/phase_loss.h"

#include <math.h>

struct frs_loss frs_simulation_loss(const struct frs_phase_failure *failure) {
    double device_s = fmin(failure->device_after_s, failure->exposed_device_after_s),
           connection_s = fmin(failure->connection_after_s, failure->exposed_connection_after_s);
    bool device_first = device_s <= connection_s;
    return (struct frs_loss){.planned = failure->kind != FRS_FAILURE_NONE,
        .at_share = failure->fraction,
        .cause = failure->kind == FRS_FAILURE_DEVICE ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION,
        .after_s = device_first ? device_s : connection_s,
        .after_cause = device_first ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION};
}

struct frs_loss frs_simulation_loss_by_itself(const struct frs_phase_failure *failure) {
    struct frs_phase_failure by_itself = *failure;
    by_itself.device_after_s = INFINITY;
    return frs_simulation_loss(&by_itself);
}
