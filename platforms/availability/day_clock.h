/* Day clock: what the clients' clocks show, where they are spread over time zones. */
#ifndef FRS_PLATFORMS_AVAILABILITY_DAY_CLOCK_H
#define FRS_PLATFORMS_AVAILABILITY_DAY_CLOCK_H

#include "platforms/availability/average_day.h"
#include "sim/base/settings/units.h"

#include <stdint.h>

struct frs_values;

/* The keys, for the parameter table of a model. */
#define FRS_DAY_CLOCK_PARAMS                                                                                 \
    {.key = "time_zones",                                                                                    \
        .type = FRS_QUANTITY,                                                                                \
        .by_class = true,                                                                                    \
        .dimension = FRS_TIME,                                                                               \
        .initial = "0 h",                                                                                    \
        .min = 0,                                                                                            \
        .max = 86400,                                                                                        \
        .help = "the clients' clocks are spread evenly over this"},                                          \
    {                                                                                                        \
        .key = "start", .type = FRS_QUANTITY, .by_class = true, .dimension = FRS_TIME, .initial = "0 h",     \
        .min = 0, .max = 86400,                                                                              \
        .help = "time of the day at which the run starts, in the westernmost time zone"                      \
    }

struct frs_day_clock {
    uint64_t seed;
    double start_s, time_zones_s;
};

struct frs_day_clock frs_day_clock_read(const struct frs_values *values, uint64_t seed);

/* What the client's clock shows at the start of the run, in s after a midnight. */
double frs_day_clock_s(const struct frs_day_clock *clock, uint32_t client);

/* Adds n clients to an average day; share(context, time_of_day_s) of them are online, each by its own
 * clock. */
void frs_day_clock_average(const struct frs_day_clock *clock,
    double (*share)(const void *context, double time_of_day_s), const void *context, size_t n,
    struct frs_average_day *day);

#endif
