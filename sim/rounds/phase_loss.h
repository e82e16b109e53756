/* Phase loss: what befalls a phase, as the lifecycle of a participation knows it. */
#ifndef FRS_ROUNDS_PHASE_LOSS_H
#define FRS_ROUNDS_PHASE_LOSS_H

#include "actors/participation.h"
#include "platforms/failures/failures.h"

struct frs_loss frs_simulation_loss(const struct frs_phase_failure *failure);
/* Without the device's mean time between failures, which may count from an earlier time. */
struct frs_loss frs_simulation_loss_by_itself(const struct frs_phase_failure *failure);

#endif
