/* Dynamics: how the availability of all clients changes in the course of a run.
 *
 * A client's probability p to be online is multiplied by a factor of the time x, in periods since the start:
 *
 *   stationary        p
 *   staircase         p in the first half of each period, 0.4 p in the second
 *   sine              (γ sin(2πx) + 1 − γ) p
 *   interleaved_sine  the same, and 0 where that is below 0.1
 *
 * and cut at 0 and 1 (Xiang et al., NeurIPS 2024, whose code has a period of 20 rounds and γ = 0.3). */
#ifndef FRS_PLATFORMS_CHAINS_DYNAMICS_H
#define FRS_PLATFORMS_CHAINS_DYNAMICS_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_values;

enum frs_dynamics_kind {
    FRS_DYNAMICS_STATIONARY,
    FRS_DYNAMICS_STAIRCASE,
    FRS_DYNAMICS_SINE,
    FRS_DYNAMICS_INTERLEAVED_SINE,
};
extern const char *const frs_dynamics_names[];

#define FRS_DYNAMICS_LOW 0.4     /* factor in the second half of a staircase's period */
#define FRS_DYNAMICS_CUT_OFF 0.1 /* below which interleaved_sine is 0 */

/* The keys but the period, for the parameter table of a model. */
#define FRS_DYNAMICS_PARAMS                                                                                  \
    {.key = "dynamics",                                                                                      \
        .type = FRS_CHOICE,                                                                                  \
        .choices = frs_dynamics_names,                                                                       \
        .initial = "stationary",                                                                             \
        .help = "how the probability to be online changes over the run: stationary: not at all; staircase: " \
                "0.4 times as large in the second half of each period; sine: times γ sin + 1 − γ; "      \
                "interleaved_sine: the same, and 0 where it is below 0.1"},                                  \
    {                                                                                                        \
        .key = "amplitude", .type = FRS_REAL, .initial = "0.3", .min = 0, .max = 1,                          \
        .help = "γ of sine and interleaved_sine: the probability is lowest at 1 − 2γ of its highest"     \
    }

/* The period of a model that follows time. */
#define FRS_DYNAMICS_PERIOD_PARAM                                                                            \
    {                                                                                                        \
        .key = "dynamics_period", .type = FRS_QUANTITY, .dimension = FRS_TIME, .initial = "1 d", .min = 1,   \
        .max = 1e9, .help = "after this time the dynamics repeat themselves"                                 \
    }

/* The period of a model that answers per attempt. */
#define FRS_DYNAMICS_ROUNDS_PARAM                                                                            \
    {                                                                                                        \
        .key = "dynamics_period", .type = FRS_TEXT, .initial = "20 rounds",                                  \
        .help = "after this the dynamics repeat themselves: so many rounds (\"20 rounds\"), or a time"       \
    }

struct frs_dynamics {
    enum frs_dynamics_kind kind;
    double amplitude, period; /* in s, or in rounds; 0 where they are stationary */
    bool in_rounds;
};

/* Reads the keys. False after adding errors; the dynamics are then stationary. */
bool frs_dynamics_read(
    struct frs_dynamics *dynamics, const struct frs_values *values, struct frs_errors *errors);

/* The probability at a time, given in periods since the start, of a client whose own is p; all are in [0, 1].
 */
double frs_dynamics_share(const struct frs_dynamics *dynamics, double p, double periods);

/* The time in periods at t_s, or in a round where the period is of rounds; the first one is round 0. */
double frs_dynamics_periods(const struct frs_dynamics *dynamics, unsigned round, double t_s);

#endif
