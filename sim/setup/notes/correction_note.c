#include "sim/setup/notes/correction_note.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/setup/expected_uploads.h"

#include <math.h>
#include <stdlib.h>

/* Rounds at the start over which steps are compared. */
#define FIRST_ROUNDS 30u

/* Late enough for ω to have settled, whatever the rounds of this run. */
#define LATE_ROUND 1000000u

/* A mean ω that is less than this share of what is due is said. */
#define SHORT_OF 0.9

/* Whether a part of the uploads is divided by the number of all clients. */
static bool divides_by_all(const struct frs_setup *setup) {
    const struct frs_corrected_sum *correction = &setup->training.server_step.correction;
    for (size_t part = 0; part < correction->n_parts; part++)
        if (frs_model_weighting(setup->training.model, part) != FRS_PER_ITEM)
            return correction->correction->divides_by_all;
    return false;
}

/* Expected length of its step in the first rounds, as a share of the mean's: (1/N) Σ_A ω_i or, where updates
 * are remembered, those of the clients heard so far. */
static double first_steps(const struct frs_corrected_sum *correction, double p) {
    double share = 0;
    for (uint32_t round = 0; round < FIRST_ROUNDS; round++)
        share += correction->correction->step ? 1 - pow(1 - p, round + 1)
                                              : p * frs_corrected_sum_expected(correction, p, round);
    return fmin(share / FIRST_ROUNDS, 1);
}

/* "; its mean ω is 43 where 157 is due" */
static char *shortfall(const struct frs_corrected_sum *correction, double p) {
    double omega =
        correction->correction->expected ? frs_corrected_sum_expected(correction, p, LATE_ROUND) : 1 / p;
    return omega < SHORT_OF / p ? frs_format("; its mean ω tends to %.3g where %.3g is due", omega, 1 / p)
                                : frs_strdup("");
}

static char *of_steps(const struct frs_setup *setup) {
    const struct frs_corrected_sum *correction = &setup->training.server_step.correction;
    double p = frs_setup_upload_probability(setup);
    uint32_t n_clients = setup->training.data->population.n_clients;
    if (!divides_by_all(setup) || !(p > 0))
        return frs_strdup("");
    char *more = shortfall(correction, p),
         *text = frs_format(
             ", divides by all %u clients: with about %.3g uploads in a round its step is %.2g of the "
             "mean's in the first %u rounds%s",
             n_clients, p * n_clients, first_steps(correction, p), FIRST_ROUNDS, more);
    free(more);
    return text;
}

static char *of_own_models(const struct frs_setup *setup) {
    char each[64];
    return frs_format(", every client keeps a table of its own, %s, which is the initial values until it has "
                      "received one, and "
                      "downloads after an aggregation that has used its upload",
        frs_units_format(frs_model_bytes(setup->training.model, FRS_STATE), FRS_BYTES, each, sizeof each));
}

static char *of_memory(const struct frs_setup *setup) {
    if (frs_corrected_sum_own_models(&setup->training.server_step.correction))
        return of_own_models(setup);
    double bytes = frs_corrected_sum_client_bytes(&setup->training.server_step.correction),
           heard = frs_setup_heard(setup, setup->n_rounds);
    char each[64], all[64];
    if (!(bytes > 0))
        return frs_strdup("");
    return frs_format(", keeps the newest update of about %.0f clients at the server, %s each: %s", heard,
        frs_units_format(bytes, FRS_BYTES, each, sizeof each),
        frs_units_format(bytes * heard, FRS_BYTES, all, sizeof all));
}

char *frs_correction_note(const struct frs_setup *setup) {
    const struct frs_corrected_sum *correction = &setup->training.server_step.correction;
    if (!correction->is_there)
        return NULL;
    char *steps = of_steps(setup), *memory = of_memory(setup),
         *note = frs_format("%s in place of the mean of uploads (method.server.correction)%s%s",
             correction->correction->plugin.name, steps, memory);
    free(steps);
    free(memory);
    return note;
}
