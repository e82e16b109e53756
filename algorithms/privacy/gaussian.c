/* Gaussian noise of standard deviation z·s. s is the largest L2 distance between two clients' updates, or
 * between aggregates with either: 2C where each is clipped to C.
 *
 *   at = client   on every value of an update, including rows that it has not touched
 *   at = server   on the sum of the uploads; the server is trusted, and s is 2C times the largest
 *                 weight of an upload (McMahan et al. 2018; FedRAP's property 2)
 *
 * Where each client enters a round by a chance of its own, s is the distance between a sum with its upload
 * and one without: C times the weight (Mironov, Talwar & Zhang 2019 know no other bound). */

#include "algorithms/privacy/noise.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

enum at { CLIENT, SERVER };
static const char *const at_names[] = {[CLIENT] = "client", [SERVER] = "server", NULL};

struct settings {
    enum at at;
    double apart; /* by how much two updates can differ */
    struct frs_guarantee guarantee;
};

static const struct frs_param params[] = {
    {.key = "at",
        .type = FRS_CHOICE,
        .initial = "client",
        .choices = at_names,
        .help = "who adds it: client, to its own update; server, which is trusted then, to the sum of all"},
    {.key = "noise",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "z: standard deviation in units of what it has to hide; 0: what epsilon needs"},
    FRS_NOISE_TARGET_PARAMS("1e-5"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->at = (enum at)frs_values_choice(values, "at");
    settings->apart = frs_bound_l2(&setup->bound, setup->n_values);
    struct frs_guarantee guarantee = {.noise = FRS_GAUSSIAN,
        .local = settings->at == CLIENT,
        .delta = frs_values_real(values, "delta"),
        .protects = "all data of one client"};
    if (settings->at == SERVER)
        guarantee.sampling = setup->sampling;
    if (guarantee.sampling.kind == FRS_SAMPLED_BERNOULLI) {
        settings->apart /= 2;
        guarantee.protects = "whether one client's data are there";
    }
    size_t before = errors->n;
    if (!(guarantee.delta > 0))
        frs_values_error(
            values, "delta", errors, "Gaussian noise keeps no epsilon at delta 0; allowed: above 0");
    if (setup->bound.norm == FRS_UNBOUNDED)
        frs_values_error(values, "name", errors,
            "nothing bounds what the noise has to hide; allowed: after a mechanism \"clip\"");
    double noise = errors->n > before ? NAN
                                      : frs_noise_scale(values, "noise", frs_values_real(values, "noise"),
                                            setup, guarantee, errors);
    if (isnan(noise)) {
        free(settings);
        return NULL;
    }
    settings->guarantee = guarantee;
    settings->guarantee.aim = frs_noise_aim(values, setup);
    settings->guarantee.scale = noise;
    return settings;
}

static enum frs_privacy_place place(const void *context) {
    return ((const struct settings *)context)->at == CLIENT ? FRS_PRIVACY_VALUES : FRS_PRIVACY_AGGREGATE;
}

static void protect(const void *context, const struct frs_protected_update *protected) {
    const struct settings *settings = context;
    double sd = settings->guarantee.scale * settings->apart;
    for (size_t part = 0; part < protected->n_parts; part++) {
        float *table = frs_protected_update_whole(protected, part);
        for (size_t i = 0; i < protected->parts[part].n_rows * protected->parts[part].dim; i++)
            table[i] += (float)(sd * frs_rng_normal(protected->rng));
    }
    frs_protected_update_spent(protected, FRS_NOISE_FLOP);
}

static double noise_sd(const void *context, double weight) {
    const struct settings *settings = context;
    return settings->guarantee.scale * settings->apart * weight;
}

static struct frs_guarantee guarantee_of(const void *context) {
    return ((const struct settings *)context)->guarantee;
}

const struct frs_privacy_mechanism frs_privacy_gaussian = {
    .plugin = {.name = "gaussian",
        .summary = "Gaussian noise of each client, or of a trusted server on the sum",
        .source =
            "Dwork & Roth 2014, appendix A; McMahan et al. 2018; its loss: Balle & Wang 2018, theorem 8",
        .params = params},
    .create = create,
    .place = place,
    .values = protect,
    .noise_sd = noise_sd,
    .guarantee = guarantee_of,
};
