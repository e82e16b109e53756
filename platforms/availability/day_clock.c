#include "platforms/availability/day_clock.h"
#include "platforms/chains/day_chain.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>

struct frs_day_clock frs_day_clock_read(const struct frs_values *values, uint64_t seed) {
    return (struct frs_day_clock){.seed = seed,
        .start_s = frs_values_real(values, "start"),
        .time_zones_s = frs_values_real(values, "time_zones")};
}

double frs_day_clock_s(const struct frs_day_clock *clock, uint32_t client) {
    if (!(clock->time_zones_s > 0))
        return clock->start_s;
    struct frs_rng rng = frs_rng_stream(clock->seed, client, 0, 0, FRS_RNG_TIME_ZONE);
    return clock->start_s + clock->time_zones_s * frs_rng_unit(&rng);
}

/* The middles of pieces, and of parts of the time zones no longer than a piece. */
void frs_day_clock_average(const struct frs_day_clock *clock,
    double (*share)(const void *context, double time_of_day_s), const void *context, size_t n,
    struct frs_average_day *day) {
    size_t zones = (size_t)ceil(clock->time_zones_s / FRS_PIECE_S);
    zones = zones > 0 ? zones : 1;
    for (size_t i = 0; i < FRS_DAY_PIECES; i++) {
        double from_s = (double)i * FRS_PIECE_S, sum = 0;
        for (size_t zone = 0; zone < zones; zone++)
            sum += share(context, clock->start_s + from_s + FRS_PIECE_S / 2 +
                                      ((double)zone + 0.5) / (double)zones * clock->time_zones_s);
        frs_average_day_add(day, from_s, from_s + FRS_PIECE_S, (double)n * sum / (double)zones);
    }
}
