/* Mixing plan: whose models each client averages when a round without a server closes (algorithms/mixing.h).
 */
#ifndef FRS_ALGORITHMS_TRAINING_MIXING_PLAN_H
#define FRS_ALGORITHMS_TRAINING_MIXING_PLAN_H

#include <stddef.h>
#include <stdint.h>

/* All participations that have trained to the end, by their handles, in ascending client id; also one that
 * was lost then, which keeps its own trained model and which others may average. */
struct frs_mixing_plan {
    size_t n;
    const size_t *handles; /* [n] */
    const size_t *start;   /* [n + 1] */
    const uint32_t *of;    /* [start[n]] places in `handles`: of place i from start[i] on, its own first */
    const double *weights; /* [start[n]] beside them; each client's add up to 1 */
};

#endif
