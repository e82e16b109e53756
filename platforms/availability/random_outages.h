/* Random outages: regions that are cut off at random times.
 *
 * Written as "4 regions every 2 d for 1 h": region r of n holds the clients whose id modulo n is r − 1. Each
 * region is cut off, independently of the others, for an exponential time of the mean that follows `for`, and
 * then not for an exponential time of the mean that follows `every`, from a stationary start. */
#ifndef FRS_PLATFORMS_AVAILABILITY_RANDOM_OUTAGES_H
#define FRS_PLATFORMS_AVAILABILITY_RANDOM_OUTAGES_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct frs_values;

/* The key, for the parameter table of the section that holds it (`availability`). */
#define FRS_RANDOM_OUTAGES_PARAMS                                                                            \
    {                                                                                                        \
        .key = "random_outages", .type = FRS_TEXT, .initial = "",                                            \
        .help =                                                                                              \
            "regions that are cut off at random times, as \"4 regions every 2 d for 1 h\": each of them "    \
            "is reachable for an exponential time of mean 2 d, and then not for one of mean 1 h"             \
    }

struct frs_random_outages {
    uint32_t regions; /* 0: there are none */
    double every_s, for_s;
    uint64_t seed;
};

/* Reads the key; false after adding errors, *outages then has no regions. */
bool frs_random_outages_read(struct frs_random_outages *outages, const struct frs_values *values,
    uint64_t seed, struct frs_errors *errors);

/* Whether the client's region is not cut off at t_s ≥ 0; *until_s: the time, later than t_s, at which that
 * changes. */
bool frs_random_outages_at(
    const struct frs_random_outages *outages, uint32_t client, double t_s, double *until_s);

#endif
