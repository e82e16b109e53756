/* FedAWE: client i keeps its own model x_i and trains from it without a download; the server takes
 * w = (1/|A|) Σ_A (x_i − η (t − τ_i) G_i), G_i = x_i − x_i', which echoes the rounds that a client has
 * missed, and sends w to A alone. Steps are unstable where η (t − τ_i) exceeds 2: as in public code the mean
 * of the (t − τ_i) G_i is shortened to the length `clip`, and the learning rates of clients fall. */
#include "algorithms/correction.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>

/* Rounds after which rates have fallen to 1/√2. */
#define FALLING_ROUNDS 10

struct fedawe {
    double clip;
    bool falls;
};

static const struct frs_param params[] = {
    {.key = "clip",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 0,
        .max = 1e9,
        .help =
            "largest length, over all shared tables, of the mean of (t - tau) times what clients changed; "
            "0: it is not shortened"},
    {.key = "falling_rate",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "clients' learning rates are multiplied by 1/sqrt(1 + t/10) in round t, as in public code"},
    {0},
};

static void *create(const struct frs_values *values, uint32_t n_clients) {
    struct fedawe *fedawe = frs_alloc(1, sizeof *fedawe);
    (void)n_clients;
    fedawe->clip = frs_values_real(values, "clip");
    fedawe->falls = frs_values_bool(values, "falling_rate");
    return fedawe;
}

static double shorten(const void *state, double length) {
    const struct fedawe *fedawe = state;
    return fedawe->clip > 0 && length > fedawe->clip ? fedawe->clip / length : 1;
}

static double client_rate(const void *state, uint32_t round) {
    const struct fedawe *fedawe = state;
    return fedawe->falls ? 1 / sqrt(1 + (double)round / FALLING_ROUNDS) : 1;
}

const struct frs_correction frs_correction_fedawe = {
    .plugin = {.name = "fedawe",
        .summary = "FedAWE: clients train from models of their own, count for the rounds that they have "
                   "missed, and download after the aggregation",
        .source = "Xiang et al., NeurIPS 2024, algorithm 1, with the clipping and the rates of its code",
        .params = params},
    .create = create,
    .shorten = shorten,
    .client_rate = client_rate,
};
