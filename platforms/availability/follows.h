/* Follows: clients differ in how much they are online, by what they are like.
 *
 * The law is that of failures.follows (platforms/distributions/personal.h): a client's place among all
 * follows a quantity by a Gaussian copula, and the probabilities of the places are spread as Beta(κm, κ(1 −
 * m)) around the mean m, which they keep exactly. */
#ifndef FRS_PLATFORMS_AVAILABILITY_FOLLOWS_H
#define FRS_PLATFORMS_AVAILABILITY_FOLLOWS_H

#include "platforms/distributions/personal.h"
#include "sim/base/settings/param.h"

struct frs_values;

enum frs_availability_follows {
    FRS_HEARD_BY_NOTHING,
    FRS_HEARD_BY_TASTE,
    FRS_HEARD_BY_ACTIVITY,
    FRS_HEARD_BY_UPLINK,
    FRS_HEARD_BY_SPEED,
};
extern const char *const frs_availability_follows_names[];

/* The keys, for the parameter table of a model. */
#define FRS_AVAILABILITY_FOLLOWS_PARAMS                                                                      \
    {.key = "follows",                                                                                       \
        .type = FRS_CHOICE,                                                                                  \
        .choices = frs_availability_follows_names,                                                           \
        .initial = "none",                                                                                   \
        .help = "who is online less than others: those who like what few like (taste), have few training "   \
                "interactions (activity), slow uplinks, or slow devices (speed); the mean over all clients " \
                "stays as it is; none: all alike"},                                                          \
        {.key = "correlation",                                                                               \
            .type = FRS_REAL,                                                                                \
            .initial = "1",                                                                                  \
            .min = -1,                                                                                       \
            .max = 1,                                                                                        \
            .help = "with `follows`: rank correlation (Spearman) between how much a client is online and "   \
                    "how usual, active or fast it is; 1: strictly in that order, the largest effect there "  \
                    "can be (assumed); 0: by chance; below 0: the other way round"},                         \
    {                                                                                                        \
        .key = "concentration", .type = FRS_REAL, .initial = "2", .min = 0, .max = FRS_CONCENTRATION_MOST,   \
        .help = "with `follows`: how alike clients are: probabilities of mean m are spread as Beta(κm, "    \
                "κ(1 − m)); 2: at m = 50 % all are equally likely (assumed); 0: some are always online, " \
                "others never"                                                                               \
    }

struct frs_follows {
    enum frs_availability_follows by;
    double correlation, concentration;
};

/* Reads the keys; by nothing where the section has none of them. */
struct frs_follows frs_follows_read(const struct frs_values *values);

#endif
