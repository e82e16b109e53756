/* Shifts: every client is online for the first part of each period; where its periods begin is its own. */
#include "platforms/availability/model.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

#include <math.h>
#include <stdlib.h>

struct shifts {
    double period_s, share;
    uint64_t seed;
};

static const struct frs_param params[] = {
    {.key = "period",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "1 d",
        .min = 1,
        .max = 1e9,
        .help = "time from the beginning of one shift to that of the next"},
    {.key = "share",
        .type = FRS_REAL,
        .initial = "0.3",
        .min = 0.001,
        .max = 0.999,
        .help = "share of the period in which a client is online"},
    {0},
};

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients, (void)errors;
    struct shifts *shifts = frs_alloc(1, sizeof *shifts);
    *shifts = (struct shifts){.period_s = frs_values_real(values, "period"),
        .share = frs_values_real(values, "share"),
        .seed = seed};
    *state = shifts;
    return true;
}

/* The time at which the client's shift k begins. Both answers of `at` come from here, so that what it says of
 * the time it named is the other answer, whatever the rounding. */
static double begin_s(const struct shifts *shifts, double phase, double k) {
    return (k - phase) * shifts->period_s;
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    const struct shifts *shifts = state;
    (void)round, (void)attempt;
    struct frs_rng rng = frs_rng_stream(shifts->seed, client, 0, 0, FRS_RNG_TIME_ZONE);
    double phase = frs_rng_unit(&rng), k = floor(t_s / shifts->period_s + phase);
    while (begin_s(shifts, phase, k) > t_s)
        k--;
    while (begin_s(shifts, phase, k + 1) <= t_s)
        k++;
    double end_s = begin_s(shifts, phase, k + shifts->share);
    *until_s = t_s < end_s ? end_s : begin_s(shifts, phase, k + 1);
    return t_s < end_s;
}

const struct frs_availability_model frs_availability_shifts = {
    .plugin = {.name = "shifts",
        .summary = "every client is online for the same share of each period",
        .params = params},
    .create = create,
    .destroy = free,
    .at = at,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .availabilities = (const struct frs_availability_model *const[]){&frs_availability_shifts, NULL},
};
