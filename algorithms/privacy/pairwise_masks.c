/* Pairwise masks: the server learns the sum of a cohort's updates, and no client's own update
 * (docs/secure-aggregation.md).
 *
 * In fixed point a value of a clipped update moves by at most half a step, and becomes at most twice as
 * large, because zero is exact. The bound in which noise on the sum is measured grows accordingly. */
#include "algorithms/privacy_mechanism.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <string.h>

enum neighbours { NEIGHBOURS_USUAL, NEIGHBOURS_ALL, NEIGHBOURS_COUNT };
static const char *const neighbours_names[] = {
    [NEIGHBOURS_USUAL] = "usual", [NEIGHBOURS_ALL] = "all", [NEIGHBOURS_COUNT] = "count", NULL};

enum arithmetic { CARRIED_OUT, COUNTED };
static const char *const arithmetic_names[] = {[CARRIED_OUT] = "carried_out", [COUNTED] = "counted", NULL};

static const struct frs_param params[] = {
    {.key = "neighbours",
        .type = FRS_CHOICE,
        .initial = "usual",
        .choices = neighbours_names,
        .help =
            "whom a client masks with: usual (2 ⌈log2 n⌉ of a cohort of n), all of the cohort, or a count"},
    {.key = "count",
        .type = FRS_INT,
        .initial = "20",
        .min = 2,
        .max = 65534,
        .help = "with neighbours = \"count\": how many; an odd number is one more"},
    {.key = "threshold",
        .type = FRS_REAL,
        .initial = "0.66",
        .min = 0.01,
        .max = 1,
        .help = "share of those who hold shares of a secret, itself and its neighbours, that give it back "
                "(at least two clients); with fewer the round is void"},
    {.key = "bits",
        .type = FRS_INT,
        .initial = "16",
        .min = 2,
        .max = 24,
        .help = "of a value in fixed point; a sum of n clients has log2 n more"},
    {.key = "range",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "a value of an update lies within ± this; others are clipped, and counted"},
    {.key = "max_attempts",
        .type = FRS_INT,
        .initial = "10",
        .min = 1,
        .max = 1e6,
        .help = "a round is void so often in a row, and then the run ends"},
    {.key = "patience",
        .type = FRS_QUANTITY,
        .initial = "60 s",
        .dimension = FRS_TIME,
        .min = 1e-3,
        .max = INFINITY,
        .unlimited = true,
        .help = "how long the server waits for answers in each phase of the protocol but the upload"},
    {.key = "arithmetic",
        .type = FRS_CHOICE,
        .initial = "carried_out",
        .choices = arithmetic_names,
        .help = "carried_out: keys, masks and shares are computed; counted: their messages, bytes and "
                "operations are those of carried_out, and so is the sum, which is added up without masks "
                "(for studies with many rounds)"},
    {0},
};

struct settings {
    struct frs_masks masks;
    struct frs_bound bound; /* of an update in fixed point */
};

/* As algorithms/privacy/masks/fixed_point.h has steps. */
static double half_step(const struct frs_masks *masks) {
    uint32_t steps = (((uint32_t)1 << masks->bits) - 1) / 2;
    return masks->range / steps / 2;
}

static struct frs_bound rounded(struct frs_bound bound, const struct frs_masks *masks, size_t n_values) {
    double n = (double)n_values, half = half_step(masks);
    double away[] = {[FRS_BOUND_L2] = half * sqrt(n), [FRS_BOUND_L1] = half * n, [FRS_BOUND_VALUE] = half};
    bound.size += fmin(bound.size, away[bound.norm]);
    return bound;
}

static void *create(
    const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct settings *settings = frs_alloc(1, sizeof *settings);
    struct frs_masks *masks = &settings->masks;
    enum neighbours neighbours = (enum neighbours)frs_values_choice(values, "neighbours");
    *masks = (struct frs_masks){.threshold = frs_values_real(values, "threshold"),
        .bits = (unsigned)frs_values_int(values, "bits"),
        .max_attempts = (uint32_t)frs_values_int(values, "max_attempts"),
        .range = frs_values_real(values, "range"),
        .counted = frs_values_choice(values, "arithmetic") == COUNTED,
        .patience_s = frs_values_real(values, "patience")};
    if (neighbours == NEIGHBOURS_ALL)
        masks->neighbours = UINT32_MAX;
    else if (neighbours == NEIGHBOURS_COUNT)
        masks->neighbours = (uint32_t)frs_values_int(values, "count");
    settings->bound = rounded(setup->bound, masks, setup->n_values);
    return settings;
}

static enum frs_privacy_place place(const void *settings) {
    (void)settings;
    return FRS_PRIVACY_MESSAGE;
}

static struct frs_masks masks(const void *settings) {
    return ((const struct settings *)settings)->masks;
}

static struct frs_bound bound(const void *settings) {
    return ((const struct settings *)settings)->bound;
}

const struct frs_privacy_mechanism frs_privacy_pairwise_masks = {
    .plugin = {.name = "pairwise_masks",
        .summary = "updates are masked so that the server can read their sum alone",
        .source = "Bonawitz et al. 2017; neighbours: Bell et al. 2020",
        .params = params},
    .codecs = FRS_PRIVACY_MECHANISMS_TABLES,
    .sight = FRS_SEES_SUMS,
    .create = create,
    .place = place,
    .masks = masks,
    .bound = bound,
};
