/* The size of a step of Adam, which is the same at every level of processors (adam.c steps the rows). */
#include "algorithms/kernels/adam.h"

#include <math.h>

/* Moments are kept as m/(1−β1) and v/(1−β2), which saves two multiplications a step; the factors move into
 * the step size and into ε. */
struct frs_adam_step frs_adam_step(double rate, unsigned t) {
    double beta1 = (double)FRS_ADAM_BETA1, beta2 = (double)FRS_ADAM_BETA2;
    double root = sqrt((1 - pow(beta2, t)) / (1 - beta2));
    return (struct frs_adam_step){
        .rate = (float)(rate * root * (1 - beta1) / (1 - pow(beta1, t))),
        .epsilon = (float)((double)FRS_ADAM_EPSILON * root),
    };
}
