/* Contract of distributions: values never fall with the quantile, in each dimension that a distribution
 * has. */
#include "platforms/distributions/distribution.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DISTRIBUTION_H "platforms/distributions/distribution.h, "

/* What a distribution that goes by a file is given, in SI units. */
static const char measured[] = "value,share\n20,0\n30,0.5\n30,0.75\n700,1\n";

struct subject {
    struct frs_check *check;
    const struct frs_distribution_kind *kind;
    struct frs_distribution distribution;
};

/* With a file where it refuses to be without one. */
static bool read_trial(struct subject *s, char **why) {
    const struct frs_plugin *plugin = &s->kind->plugin;
    bool good = false;
    for (int with_file = 0; with_file < 2 && !good; with_file++) {
        char *path = with_file ? frs_trial_file(s->check, measured) : NULL;
        struct frs_values values =
            frs_trial_values(s->check, plugin, path ? (const char *const[]){"file", path, NULL} : NULL);
        struct frs_errors errors = {0};
        good = frs_distribution_read(plugin, &values, &s->distribution, &errors);
        frs_clause(s->check, DISTRIBUTION_H "read", "read is true, or adds errors");
        FRS_HOLDS(s->check, good == (errors.n == 0), "it is %s after %zu errors", good ? "true" : "false",
            errors.n);
        free(*why);
        *why = frs_strdup(errors.n > 0 ? errors.lines[0] : "");
        frs_errors_clear(&errors);
        frs_values_fini(&values);
        if (path)
            unlink(path);
        free(path);
        if (!frs_has_key(plugin, "file"))
            break;
    }
    return good;
}

static void quantiles_never_fall(struct subject *s) {
    enum { STEPS = 2000 };
    const struct frs_distribution *d = &s->distribution;
    double first = s->kind->quantile(d, FRS_QUANTILE_LEAST), before = first;
    for (int i = 0; i <= STEPS; i++) {
        double u = fmin(fmax((double)i / STEPS, FRS_QUANTILE_LEAST), 1 - FRS_QUANTILE_LEAST),
               value = s->kind->quantile(d, u);
        frs_clause(s->check, DISTRIBUTION_H "quantile", "a quantile is a number from 0");
        FRS_HOLDS(s->check, value >= 0, "%g at u = %g", value, u);
        frs_clause(s->check, DISTRIBUTION_H "quantile", "values never fall as u rises");
        FRS_HOLDS(s->check, value >= before, "%.17g at u = %g, and %.17g before", value, u, before);
        frs_clause(s->check, DISTRIBUTION_H "quantile", "a quantile is the same when it is asked for again");
        FRS_HOLDS(s->check, s->kind->quantile(d, u) == value, "another value than %.17g at u = %g", value, u);
        frs_clause(s->check, DISTRIBUTION_H "is_constant", "a constant has one value at every quantile");
        FRS_HOLDS(
            s->check, !s->kind->is_constant || value == first, "%.17g at u = %g, and %.17g", value, u, first);
        before = value;
    }
}

static void draws_are_within_bounds(struct subject *s) {
    double most = frs_units_most(s->kind->dimension);
    frs_clause(s->check, DISTRIBUTION_H "least",
        "values are drawn from `least` to the largest of their dimension, or are unlimited");
    for (uint32_t client = 0; client < 1000; client++) {
        double value = frs_distribution_draw(&s->distribution, 5, client, FRS_RNG_DOWNLINK);
        FRS_HOLDS(s->check, value >= s->kind->least && (value <= most || isinf(value)),
            "%g of client %u, from %g to %g", value, client, s->kind->least, most);
        FRS_HOLDS(s->check, frs_distribution_draw(&s->distribution, 5, client, FRS_RNG_DOWNLINK) == value,
            "client %u has another value when it is drawn again", client);
    }
}

static void read_and_forget(void *context, const struct frs_values *values) {
    const struct frs_distribution_kind *kind = context;
    struct frs_distribution distribution;
    struct frs_errors errors = {0};
    if (frs_distribution_read(&kind->plugin, values, &distribution, &errors))
        frs_distribution_fini(&distribution);
    frs_errors_clear(&errors);
}

static void check_kind(struct frs_check *check, const struct frs_distribution_kind *kind) {
    struct subject s = {.check = check, .kind = kind};
    char *why = NULL;
    frs_clause(check, DISTRIBUTION_H "dimension", "a distribution has a dimension, and a least value from 0");
    FRS_HOLDS(check, (unsigned)kind->dimension < FRS_DIMENSIONS && kind->least >= 0 && isfinite(kind->least),
        "dimension %d, least %g", (int)kind->dimension, kind->least);
    bool good = read_trial(&s, &why);
    if (!good)
        frs_check_impossible(check, "its settings are refused: %s", why);
    const struct frs_key_reader reader = {.where = DISTRIBUTION_H "read",
        .read = read_and_forget,
        .file = measured,
        .context = (void *)(uintptr_t)kind};
    frs_check_keys(check, &kind->plugin, &reader);
    quantiles_never_fall(&s);
    draws_are_within_bounds(&s);
    frs_distribution_fini(&s.distribution);
    free(why);
}

void frs_check_distribution(struct frs_check *check, const struct frs_plugin *plugin) {
    const struct frs_plugin *const *const registries[] = {frs_time_distributions, frs_rate_distributions,
        frs_speed_distributions, frs_bytes_distributions, frs_message_distributions, frs_work_distributions};
    bool found = false;
    if (strcmp(plugin->name, "by_class") ==
        0) /* answers for the distributions of classes, and has no values */
        return;
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (size_t i = 0; registries[r][i]; i++)
            if (strcmp(registries[r][i]->name, plugin->name) == 0) {
                /* The plug-in is the first member of its distribution. */
                check_kind(check, (const struct frs_distribution_kind *)(const void *)registries[r][i]);
                found |= registries[r][i] == plugin;
            }
    if (!found)
        check_kind(check, (const struct frs_distribution_kind *)(const void *)plugin);
}
