#include "sim/forecast/memory_forecast.h"
#include "sim/base/memory.h"
#include "sim/forecast/extent.h"
#include "sim/forecast/growth.h"
#include "sim/forecast/results.h"
#include "sim/rounds/checkpoint.h"
#include "sim/setup/compose/non_federated_settings.h"
#include "sim/setup/expected_uploads.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Memory that every round allocates anew: the share by which its resident part grows for a factor e of
 * rounds, where too few rounds were played to show it. */
#define USUAL_SPREAD 0.05
#define ROUNDS_THAT_SHOW 5u
#define JOURNAL_BYTES_PER_PARTICIPATION 45

static double most_resident_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

/* Memory of an interaction while data are loaded, and afterwards (item and rating), by `/usr/bin/time -v`
 * of two runs. */
#define LOADING_BYTES 29
#define LOADED_BYTES 8

/* Memory of a participation in a round, including its actor's stack where it has one, by rounds of 180,000
 * clients and of a million under the calendar, and of 10,000 with actors. */
static double bytes_per_player(const struct frs_setup *setup) {
    return setup->backend == &frs_backend_calendar ? 2300 : 10500;
}

/* What clients keep between their participations. */
struct keeping {
    struct frs_growth growths[FRS_MAX_PROBES];
    const double *weights; /* of the clients that were tried */
    uint32_t n;
};

/* Changes the model, which is of no use afterwards. */
static void try_growth(const struct frs_forecast_basis *e, struct keeping *keeping) {
    const uint32_t *clients;
    struct frs_downlink *downlink = frs_training_downlink(&e->setup->training, 0);
    frs_downlink_open(downlink, 0);
    keeping->n = frs_training_estimate_clients(e->estimate, &clients, &keeping->weights);
    struct frs_client_update_order order = {.tables = frs_downlink_tables(downlink),
        .round_seed = frs_downlink_round_seed(downlink),
        .sends = true,
        .forgets = e->setup->training.trains_again};
    frs_growth_try(e->setup, order, clients, keeping->n, keeping->growths);
    frs_downlink_destroy(downlink);
}

/* Memory of clients' own tables that stay with the server while others are selected. Tables of the last
 * round are counted elsewhere. */
static double lasting_bytes(const struct frs_setup *setup, double n_rounds) {
    double n = setup->training.data->population.n_clients, selected = fmin(frs_extent_per_round(setup), n);
    if (!frs_model_keeps_personal(setup->training.model))
        return 0;
    return frs_model_bytes(setup->training.model, FRS_PERSONAL) *
           (n * (1 - pow(1 - selected / n, n_rounds)) - selected);
}

/* Newest updates of clients, which a correction keeps at the server. */
static double remembered_bytes(const struct frs_setup *setup, double n_rounds) {
    double client_bytes = frs_corrected_sum_client_bytes(&setup->training.server_step.correction);
    return setup->training.trains && client_bytes > 0 ? client_bytes * frs_setup_heard(setup, n_rounds) : 0;
}

static double growth_bytes(
    const struct frs_forecast_basis *e, const struct keeping *keeping, double n_rounds) {
    double clients = e->setup->training.data->population.n_clients,
           bytes = lasting_bytes(e->setup, n_rounds) + remembered_bytes(e->setup, n_rounds);
    for (uint32_t i = 0; i < keeping->n; i++)
        bytes += keeping->weights[i] *
                 frs_growth_bytes(&keeping->growths[i], 1, clients, n_rounds, frs_extent_per_round(e->setup));
    return bytes;
}

/* Clients' results are kept in blocks of many sizes until their round closes. Every round frees such
 * blocks and takes new ones, and the longer this goes on, the worse the blocks fit into each other. The
 * resident memory grows like the logarithm of the number of rounds, by this share for a factor e. A few
 * rounds do not show it. */
static double spread_bytes(const struct frs_forecast_basis *e, const double *peaks, size_t n) {
    if (!e->estimate)
        return 0;
    size_t first = n / 3;
    double kept_bytes = frs_setup_selected(e->setup) * frs_training_estimate_kept_bytes(e->estimate);
    if (n < ROUNDS_THAT_SHOW)
        return USUAL_SPREAD * kept_bytes;
    double slope = (peaks[n - 1] - peaks[first]) / log((double)n / (double)(first + 1));
    return fmin(fmax(slope, 0), kept_bytes);
}

static bool keeps_all_updates(const struct frs_setup *setup) {
    return setup->training.learner->sends_updates && setup->training.catchup == FRS_CATCHUP_REPLAY;
}

/* The part of what is resident after round i that does not grow as the rest does. */
static double other_bytes(const struct frs_forecast_basis *e, size_t i) {
    const struct frs_pilot_round *round = &e->real.rounds[i];
    return round->journal_bytes + round->received_bytes +
           (keeps_all_updates(e->setup) ? round->log_bytes : 0);
}

/* The number of rounds whose table at least one client still has at the end. Of the m clients that a round
 * selects, some are not selected again in the k rounds after it. */
static double rounds_held(const struct frs_forecast_basis *e, double n_rounds) {
    double m = frs_extent_per_round(e->setup),
           share = fmin(m / e->setup->training.data->population.n_clients, 1), held = 0;
    for (double k = 0, some = 1; k < n_rounds && some > 1e-6; k++)
        held += some = 1 - pow(1 - pow(1 - share, k), m);
    return held;
}

/* The tables that clients keep as models of their own: one for each round whose table some client has, and
 * the initial values. */
static double own_models_bytes(const struct frs_forecast_basis *e, double n_rounds) {
    if (e->setup->training.trains &&
        e->setup->peers.neighbours) /* each its own, and those of a round twice more */
        return (e->setup->training.data->population.n_clients + 2.0 * frs_setup_selected(e->setup)) *
               frs_model_bytes(e->setup->training.model, FRS_STATE);
    if (!e->setup->training.trains || !frs_training_own_models(&e->setup->training))
        return 0;
    return (1 + rounds_held(e, n_rounds)) * frs_model_bytes(e->setup->training.model, FRS_STATE);
}

/* Memory of tables that clients have received and predict with: the first one as it is, and for each of
 * the others the average growth over the played rounds. If fewer than two rounds were played, each has
 * full size. */
static double received_bytes(const struct frs_forecast_basis *e, double n_rounds) {
    const struct frs_pilot *real = &e->real;
    if (!e->setup->training.trains || !frs_model_keeps_received(e->setup->training.model))
        return 0;
    double first = real->n > 0 ? real->rounds[0].received_bytes
                               : frs_model_bytes(e->setup->training.model, FRS_STATE),
           each = first;
    if (real->n > 1)
        each =
            (real->rounds[real->n - 1].received_bytes - first) / fmax(rounds_held(e, (double)real->n) - 1, 1);
    return first + each * fmax(rounds_held(e, n_rounds) - 1, 0);
}

/* Memory of records of training jobs, in a run that keeps some for resuming: as much in every round as in
 * the played rounds. */
static double journal_bytes(const struct frs_forecast_basis *e, double n_rounds) {
    const struct frs_pilot *real = &e->real;
    if (real->n > 0)
        return n_rounds * real->rounds[real->n - 1].journal_bytes / (double)real->n;
    return frs_checkpoint_is_kept(e->setup)
               ? n_rounds * frs_extent_per_round(e->setup) * JOURNAL_BYTES_PER_PARTICIPATION
               : 0;
}

/* Updates that are kept for clients that missed them, however long ago. */
static double log_bytes(const struct frs_forecast_basis *e, double n_rounds) {
    const struct frs_pilot *real = &e->real;
    if (!keeps_all_updates(e->setup) || real->n == 0)
        return 0;
    return n_rounds * real->rounds[real->n - 1].log_bytes / (double)real->n;
}

/* Memory of rounds without training. */
static double untrained_bytes(const struct frs_forecast_basis *e) {
    double n_selected = (double)frs_setup_selected(e->setup) * frs_setup_parts(e->setup);
    return e->predicted.n > 0 ? e->predicted.rounds[e->predicted.n - 1].peak_bytes
                              : frs_resident_bytes() + n_selected * bytes_per_player(e->setup);
}

/* A checkpoint by the end: the journal, and the model with what clients keep. */
static double checkpoint_bytes(
    const struct frs_forecast_basis *e, const struct keeping *keeping, double n_rounds) {
    return frs_checkpoint_is_kept(e->setup) && e->estimate
               ? journal_bytes(e, n_rounds) + frs_model_bytes(e->setup->training.model, FRS_STATE) +
                     growth_bytes(e, keeping, n_rounds)
               : 0;
}

double frs_memory_forecast(const struct frs_forecast_basis *e, double n_rounds, double *checkpoint) {
    const struct frs_setup *setup = e->setup;
    struct keeping keeping = {.n = 0};
    size_t n_played = e->real.n;
    double bytes, n_selected = (double)frs_setup_selected(setup) * frs_setup_parts(setup);
    *checkpoint = checkpoint_bytes(e, &keeping, n_rounds) + own_models_bytes(e, n_rounds);
    if (frs_pilot_is_over(&e->real) && setup->training.data->n_left_out == 0)
        return frs_results_memory_bytes(setup, (double)n_played) + e->real.end_bytes +
               frs_non_federated_bytes(setup);
    if (e->estimate && (double)n_played < n_rounds)
        try_growth(e, &keeping);
    if (n_played == 0) {
        bool keeps = e->estimate && !frs_training_gathers(&setup->training);
        double kept_bytes = keeps ? frs_training_estimate_kept_bytes(e->estimate) : 0;
        kept_bytes *= 1 + USUAL_SPREAD * log(n_rounds);
        bytes = untrained_bytes(e) +
                n_selected * (kept_bytes + frs_model_bytes(setup->training.model, FRS_PERSONAL)) +
                frs_learner_aggregate_bytes(setup->training.learner, setup->training.model,
                    (size_t)frs_extent_per_round(setup), e->threads);
    } else {
        double *peaks = frs_alloc(n_played, sizeof *peaks);
        for (size_t i = 0; i < n_played; i++)
            peaks[i] =
                e->real.rounds[i].peak_bytes - other_bytes(e, i) - growth_bytes(e, &keeping, (double)(i + 1));
        bytes = peaks[n_played - 1] + spread_bytes(e, peaks, n_played) * log(n_rounds / (double)n_played);
        free(peaks);
    }
    *checkpoint = checkpoint_bytes(e, &keeping, n_rounds) + own_models_bytes(e, n_rounds);
    bytes += growth_bytes(e, &keeping, n_rounds) + log_bytes(e, n_rounds) + journal_bytes(e, n_rounds) +
             received_bytes(e, n_rounds) + own_models_bytes(e, n_rounds);
    double missing = (double)setup->training.data->n_left_out;
    return frs_results_memory_bytes(setup, n_rounds) + frs_non_federated_bytes(setup) +
           fmax(bytes + LOADED_BYTES * missing, most_resident_bytes() + LOADING_BYTES * missing);
}
