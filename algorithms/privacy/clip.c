/* Clip: limits how much a client's update changes the tables, to a bound C, as a whole or value by value.
 *
 *   l2, l1   Δ ← Δ · min(1, C / ‖Δ‖), the norm over all tables together (Abadi et al. 2016, algorithm 1)
 *   value    δ ← min(C, max(−C, δ)) for every value δ of Δ
 *
 * A trusted server can clip (at = server) the decoded update, which no lossy codec enlarges afterwards. */
#include "algorithms/privacy_mechanism.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>

/* Operations for each value: difference, square or size, comparison or factor. */
#define CLIP_FLOP 3

enum at { CLIENT, SERVER };
static const char *const at_names[] = {[CLIENT] = "client", [SERVER] = "server", NULL};

enum norm { L2, L1, VALUE };
static const char *const norm_names[] = {[L2] = "l2", [L1] = "l1", [VALUE] = "value", NULL};

struct settings {
    enum at at;
    enum norm norm;
    double size;
};

static const struct frs_param params[] = {
    {.key = "norm",
        .type = FRS_CHOICE,
        .initial = "l2",
        .choices = norm_names,
        .help = "what is bounded: l2 or l1, the norm of a client's whole update; value, each of its values"},
    {.key = "bound",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-30,
        .max = 1e30,
        .help =
            "C: the largest norm, or the largest size of a value; larger updates are scaled, or cut, to it"},
    {.key = "at",
        .type = FRS_CHOICE,
        .initial = "client",
        .choices = at_names,
        .help =
            "who does it: client, with its own update; server, which is trusted then, with each upload as it "
            "has decoded it"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors) {
    (void)setup;
    (void)errors;
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->at = (enum at)frs_values_choice(values, "at");
    settings->norm = (enum norm)frs_values_choice(values, "norm");
    settings->size = frs_values_real(values, "bound");
    return settings;
}

static enum frs_privacy_place place(const void *context) {
    return ((const struct settings *)context)->at == CLIENT ? FRS_PRIVACY_VALUES : FRS_PRIVACY_DECODED;
}

static double change(const float *row, const float *base, size_t k) {
    return base ? (double)row[k] - (double)base[k] : (double)row[k];
}

static double norm_of(const struct settings *settings, const struct frs_protected_update *protected) {
    double sum = 0;
    for (size_t part = 0; part < protected->n_parts; part++) {
        const struct frs_rows *rows = &protected->parts[part];
        for (size_t i = 0; i < rows->n; i++) {
            const float *base = frs_protected_update_base(protected, part, i);
            for (size_t k = 0; k < rows->dim; k++) {
                double size = change(rows->values + i * rows->dim, base, k);
                sum += settings->norm == L2 ? size * size : fabs(size);
            }
        }
    }
    return settings->norm == L2 ? sqrt(sum) : sum;
}

/* Every change δ becomes factor · δ, and is cut to ±most. */
static void shrink(const struct frs_protected_update *protected, float factor, float most) {
    for (size_t part = 0; part < protected->n_parts; part++) {
        const struct frs_rows *rows = &protected->parts[part];
        float *values = frs_protected_update_own(protected, part);
        for (size_t i = 0; i < rows->n; i++) {
            const float *base = frs_protected_update_base(protected, part, i);
            for (size_t k = 0; k < rows->dim; k++) {
                float *value = &values[i * rows->dim + k], from = base ? base[k] : 0;
                float away = factor * (*value - from);
                *value = from + (away > most ? most : away < -most ? -most : away);
            }
        }
    }
}

static void protect(const void *context, const struct frs_protected_update *protected) {
    const struct settings *settings = context;
    frs_protected_update_spent(protected, CLIP_FLOP);
    if (settings->norm == VALUE) {
        shrink(protected, 1, (float)settings->size);
        return;
    }
    double norm = norm_of(settings, protected);
    if (norm > settings->size)
        shrink(protected, (float)(settings->size / norm), INFINITY);
}

static struct frs_bound bound(const void *context) {
    static const int norms[] = {[L2] = FRS_BOUND_L2, [L1] = FRS_BOUND_L1, [VALUE] = FRS_BOUND_VALUE};
    const struct settings *settings = context;
    return (struct frs_bound){.norm = norms[settings->norm], .size = settings->size};
}

const struct frs_privacy_mechanism frs_privacy_clip = {
    .plugin = {.name = "clip",
        .summary = "a client's update changes the tables by no more than a bound",
        .source = "Abadi et al. 2016, algorithm 1, as McMahan et al. 2018 use it for whole updates",
        .params = params},
    .create = create,
    .place = place,
    .values = protect,
    .values_flop = CLIP_FLOP,
    .bound = bound,
};
