/* Laplace noise of a client: Laplace(0, b) on every value of its update, including rows that it has not
 * touched.
 *
 * Under clip.norm = "value" each value lies in an interval of length r, so ε = r/b for each of the n
 * values and n·r/b for all of them. Under a norm of the whole update two clients' updates are at most s
 * apart in L1, and ε = s/b (Dwork & Roth 2014, theorem 3.6). Without clip there is no unit for the noise,
 * and it guarantees nothing. */

#include "algorithms/privacy/noise.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    double scale;
    struct frs_guarantee guarantee;
};

static const struct frs_param params[] = {
    {.key = "scale",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "b: scale of the noise on every value; 0: what epsilon needs"},
    FRS_NOISE_TARGET_PARAMS("0"),
    {0},
};

/* In units of r and n times, or in units of s. */
static struct frs_guarantee claim(const struct frs_privacy_setup *setup, double delta) {
    bool by_value = setup->bound.norm == FRS_BOUND_VALUE;
    return (struct frs_guarantee){.noise = FRS_LAPLACE,
        .local = true,
        .values = by_value ? (double)setup->n_values : 1,
        .unit = by_value ? 2 * setup->bound.size : frs_bound_l1(&setup->bound, setup->n_values),
        .delta = delta,
        .protects = "all data of one client"};
}

static void *create(
    const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    struct frs_guarantee guarantee = claim(setup, frs_values_real(values, "delta"));
    double given = frs_values_real(values, "scale");
    if (frs_values_real(values, "epsilon") > 0 && setup->bound.norm == FRS_UNBOUNDED)
        frs_values_error(values, "epsilon", errors,
            "nothing bounds what the noise has to hide; allowed: a mechanism \"clip\" before it, or scale");
    bool bounded = guarantee.unit > 0;
    double ratio =
        frs_noise_scale(values, "scale", bounded ? given / guarantee.unit : given, setup, guarantee, errors);
    if (isnan(ratio)) {
        free(settings);
        return NULL;
    }
    settings->scale = given > 0 ? given : ratio * guarantee.unit;
    settings->guarantee = guarantee;
    settings->guarantee.aim = frs_noise_aim(values, setup);
    settings->guarantee.scale = bounded ? ratio : 0;
    return settings;
}

static enum frs_privacy_place place(const void *settings) {
    (void)settings;
    return FRS_PRIVACY_VALUES;
}

static void protect(const void *context, const struct frs_protected_update *protected) {
    const struct settings *settings = context;
    for (size_t part = 0; part < protected->n_parts; part++) {
        float *table = frs_protected_update_whole(protected, part);
        for (size_t i = 0; i < protected->parts[part].n_rows * protected->parts[part].dim; i++) {
            double u = 2 * frs_rng_unit(protected->rng) - 1; /* in [−1, 1) */
            double size = -settings->scale * log1p(-fabs(u) * (1 - 0x1p-53));
            table[i] += (float)(u < 0 ? -size : size);
        }
    }
    frs_protected_update_spent(protected, FRS_NOISE_FLOP);
}

static struct frs_guarantee guarantee_of(const void *context) {
    return ((const struct settings *)context)->guarantee;
}

const struct frs_privacy_mechanism frs_privacy_laplace = {
    .plugin = {.name = "laplace",
        .summary = "each client adds Laplace noise to every value of its update",
        .source = "Dwork & Roth 2014, section 3.3; PFedCLR's appendix B.4, RFRec's equation 9",
        .params = params},
    .create = create,
    .place = place,
    .values = protect,
    .guarantee = guarantee_of,
};
