/* Check-in: how many clients have to be eligible before a round opens (docs/rounds.md, "When a round
 * opens"). Bonawitz et al. 2019, section 2.2, open a round when enough devices have checked in; Flower has
 * min_available_clients. */
#ifndef FRS_ACTORS_OPENING_CHECK_IN_H
#define FRS_ACTORS_OPENING_CHECK_IN_H

#include "sim/base/settings/units.h"

#include <stdbool.h>
#include <stdint.h>

/* A round that has not opened after so long ends the run. */
#define FRS_CHECK_IN_MOST_DAYS 30
#define FRS_CHECK_IN_MOST_S (FRS_CHECK_IN_MOST_DAYS * 86400.0)

/* The keys, for the parameter table of the section that has them (`rounds.selection`). */
#define FRS_CHECK_IN_PARAMS                                                                                  \
    {.key = "at_least",                                                                                      \
        .type = FRS_SHARE,                                                                                   \
        .initial = "auto",                                                                                   \
        .automatic = true,                                                                                   \
        .help = "a round opens when so many clients can be selected (online, not under way, allowed by the " \
                "selection and by rounds.cool_down and the like); buffered_async begins with so many; a "    \
                "share is one of the cohort; auto: where availability follows time and the server sees it, " \
                "the cohort, or half of the most that are online at once in an average day if that is "      \
                "smaller; else 1"},                                                                          \
        {.key = "wait",                                                                                      \
            .type = FRS_QUANTITY,                                                                            \
            .dimension = FRS_TIME,                                                                           \
            .initial = "unlimited",                                                                          \
            .min = 0,                                                                                        \
            .max = INFINITY,                                                                                 \
            .unlimited = true,                                                                               \
            .help = "at_least: after it a round opens with `minimum` clients; unlimited: it waits 30 days, " \
                    "and then the run ends"},                                                                \
    {                                                                                                        \
        .key = "minimum", .type = FRS_INT, .initial = "1", .min = 1, .max = 1e9,                             \
        .help = "wait: how many clients a round opens with then; with fewer it waits on"                     \
    }

struct frs_check_in {
    uint32_t at_least;    /* ≥ 1 */
    bool by_default;      /* at_least follows from the availability: */
    uint32_t most_online; /* at once in an average day; 0: not known */
    bool dwindles;        /* at_least is 1 by default, because clients leave for good */
    double wait_s;        /* INFINITY: until 30 days are over */
    uint32_t minimum;     /* of a round that has waited so long, ≤ at_least */
};

/* How many clients have to be eligible at now_s for a round that has been waiting since since_s. The time
 * since_s + wait is computed exactly as the time until which the server sleeps. */
static inline uint32_t frs_check_in_needed(
    const struct frs_check_in *check_in, double since_s, double now_s) {
    return now_s >= since_s + check_in->wait_s ? check_in->minimum : check_in->at_least;
}

#endif
