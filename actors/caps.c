#include "actors/caps.h"
#include "sim/base/settings/params.h"

#include <math.h>

const struct frs_param frs_caps_params[] = {
    {.key = "bytes",
        .type = FRS_QUANTITY,
        .dimension = FRS_BYTES,
        .initial = "unlimited",
        .min = 0,
        .max = INFINITY,
        .unlimited = true,
        .help = "that a client may move in a period, both ways, connecting included; one whose next "
                "participation is not expected to fit is not selected before the next period"},
    {.key = "metered_bytes",
        .type = FRS_QUANTITY,
        .dimension = FRS_BYTES,
        .initial = "unlimited",
        .min = 0,
        .max = INFINITY,
        .unlimited = true,
        .help =
            "the same of the bytes that it moves over a metered link (availability.model = \"states\"): one "
            "whose next participation is not expected to fit is not selected while its link is metered"},
    {.key = "energy",
        .type = FRS_QUANTITY,
        .dimension = FRS_ENERGY,
        .initial = "unlimited",
        .min = 0,
        .max = INFINITY,
        .unlimited = true,
        .help = "the same of the energy that a client uses, as modelled"},
    {.key = "period",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "30 d",
        .min = 1e-3,
        .max = 1e9,
        .help = "periods of this length, from the run's start on, are what a client's bytes, energy, seconds "
                "and participations are counted in (per_client in summary.json)"},
    {0},
};

struct frs_caps frs_caps_read(const struct frs_values *values) {
    return (struct frs_caps){.period_s = frs_values_real(values, "period"),
        .bytes = frs_values_real(values, "bytes"),
        .metered_bytes = frs_values_real(values, "metered_bytes"),
        .energy_j = frs_values_real(values, "energy")};
}
