#include "actors/participation.h"

const char *const frs_outcome_names[FRS_N_OUTCOMES] = {
    [FRS_PENDING] = "pending", [FRS_DELIVERED] = "delivered"};
