/* Noise: the common part of privacy mechanisms that add noise: its scale, given directly or by the ε that
 * has to be kept. */
#ifndef FRS_ALGORITHMS_PRIVACY_NOISE_H
#define FRS_ALGORITHMS_PRIVACY_NOISE_H

#include "algorithms/privacy_mechanism.h"

/* Entries of a parameter table. */
#define FRS_NOISE_TARGET_PARAMS(delta_)                                                                      \
    {.key = "epsilon",                                                                                       \
        .type = FRS_REAL,                                                                                    \
        .initial = "0",                                                                                      \
        .min = 0,                                                                                            \
        .max = 1e9,                                                                                          \
        .help = "the epsilon to be kept over a client's participations, which chooses the noise; 0: the "    \
                "noise is given"},                                                                           \
        {.key = "participations",                                                                            \
            .type = FRS_INT,                                                                                 \
            .initial = "0",                                                                                  \
            .min = 0,                                                                                        \
            .max = 1e9,                                                                                      \
            .help = "rounds of one client that epsilon is to be kept over; 0: all rounds of the run"},       \
    {                                                                                                        \
        .key = "delta", .type = FRS_REAL, .initial = delta_, .min = 0, .max = 0.5,                           \
        .help = "delta at which epsilon is told"                                                             \
    }

/* The scale of the noise in units of what it has to hide: the scale with which `guarantee` keeps the
 * target, or `given` where there is no target. NAN after an error: both are given, or neither, or no noise
 * can keep the target. */
double frs_noise_scale(const struct frs_values *values, const char *key, double given,
    const struct frs_privacy_setup *setup, struct frs_guarantee guarantee, struct frs_errors *errors);

/* The target that the noise is chosen by. */
struct frs_privacy_aim frs_noise_aim(const struct frs_values *values, const struct frs_privacy_setup *setup);

/* By how much two clients' updates can differ in these norms; 0: nothing bounds them. */
double frs_bound_l1(const struct frs_bound *bound, size_t n_values);
double frs_bound_l2(const struct frs_bound *bound, size_t n_values);

#endif
