#include "sim/setup/compose/correction_checks.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/setup/memory_limit.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"
#include "sim/setup/expected_uploads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One setting that a correction excludes. */
struct clash {
    bool is_there;
    const char *section, *key; /* of what is in its way */
    const char *why;           /* and what is allowed */
};

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* Reports the first that is there. */
static bool is_free_of(
    const struct frs_setup *setup, const struct clash *clashes, size_t n, struct frs_errors *errors) {
    for (size_t i = 0; i < n; i++)
        if (clashes[i].is_there) {
            frs_values_error(section(setup, clashes[i].section), clashes[i].key, errors,
                "does not go together with correction \"%s\": %s",
                setup->training.server_step.correction.correction->plugin.name, clashes[i].why);
            return false;
        }
    return true;
}

/* The place in the list of the mechanism that acts there. */
static const char *privacy_section(const struct frs_setup *setup, enum frs_privacy_place place) {
    static const char *const sections[] = {"privacy.1", "privacy.2", "privacy.3", "privacy.4"};
    const struct frs_privacy_mechanism_list *list = &setup->training.mechanisms;
    for (size_t i = 0; i < list->n && i < sizeof sections / sizeof *sections; i++)
        if (list->of[i].mechanism->place(list->of[i].settings) == place)
            return sections[i];
    return sections[0];
}

#define SINGLE_VERSIONS "wait_all | deadline | over_select | quantile | quorum_then_wait | partial_work"

static bool goes_together(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_privacy_mechanism_list *mechanisms = &setup->training.mechanisms;
    bool own = frs_training_own_models(&setup->training);
    const struct clash clashes[] = {
        {setup->policy->asynchronous, "rounds.policy", "name",
            "it goes by the clients of a round, and an aggregation may hold several uploads of one client; "
            "allowed: " SINGLE_VERSIONS},
        {setup->policy_settings.accepts_late, "rounds.policy", "late",
            "it goes by the clients of a round, and an aggregation may hold several uploads of one client; "
            "allowed: reject"},
        {frs_privacy_in(mechanisms, FRS_PRIVACY_MESSAGE), privacy_section(setup, FRS_PRIVACY_MESSAGE), "name",
            "it weighs or keeps the upload of each client, which the server cannot read; allowed: none, or "
            "mechanisms on values"},
        {frs_privacy_in(mechanisms, FRS_PRIVACY_AGGREGATE), privacy_section(setup, FRS_PRIVACY_AGGREGATE),
            "at",
            "how much an upload counts then differs between clients, which the noise on their sum has to "
            "know; allowed: client"},
        {own && setup->training.server_step.optimiser->n_moments > 0, "method.server", "optimiser",
            "the server's tables become a mean of the clients' models, which leaves an optimiser no step to "
            "make of its own; allowed: none"},
    };
    return is_free_of(setup, clashes, sizeof clashes / sizeof *clashes, errors);
}

/* ---- probabilities ---------------------------------------------------------------------------- */

/* Every client that answers is selected. */
static bool selects_all(const struct frs_setup *setup) {
    return setup->cohort == setup->training.data->population.n_clients && !setup->selection->leaves_out &&
           !setup->selection->rests;
}

/* Whether the section has this key, and it is not as by default. */
static bool is_changed(const struct frs_setup *setup, const char *path, const char *key) {
    const struct frs_value *value = frs_values_find(section(setup, path), key);
    return value && !frs_value_is_initial(value);
}

static bool joins_and_leaves(const struct frs_setup *setup) {
    const struct frs_reachability *reachability = &setup->reachability;
    for (size_t kind = 0; kind < reachability->churn_kinds.n; kind++)
        if (!frs_churn_is_trivial(&reachability->churns[kind]))
            return true;
    return reachability->outages.n > 0 || reachability->random_outages.regions > 0;
}

/* Clients answer by chance, though the chance may not be known. */
static bool is_by_chance(const struct frs_setup *setup) {
    return setup->reachability.model->probability;
}

#define UNKNOWN(what) "the probability with which an upload is aggregated is not known beforehand under " what

/* What makes it depend on other clients, on time, or on rounds before. */
static bool is_known(const struct frs_setup *setup, struct frs_errors *errors) {
    bool by_round = !isnan(frs_reachability_probability(&setup->reachability, 0, 0));
    const struct clash clashes[] = {
        {!setup->selection->varies && !selects_all(setup), "rounds.selection", "name",
            UNKNOWN("a selection of so many clients; allowed: bernoulli, or a rounds.cohort of all clients")},
        {!by_round && !is_by_chance(setup), "availability", "model",
            UNKNOWN("sessions; allowed: always | bernoulli")},
        {joins_and_leaves(setup), "availability", "model",
            UNKNOWN("outages, late joiners, departures and absent clients; allowed: none of them")},
        {!by_round && is_by_chance(setup), "availability", "dynamics_period",
            UNKNOWN("dynamics that repeat after a time, because rounds before decide when one opens; "
                    "allowed: so many rounds, such as \"20 rounds\"")},
        {strcmp(setup->policy->plugin.name, "wait_all") != 0, "rounds.policy", "name",
            UNKNOWN("rounds that close before all have arrived; allowed: wait_all")},
        {frs_caps_limit(&setup->caps), "caps", "bytes", UNKNOWN("caps; allowed: none")},
        {setup->pacing.cool_down_s > 0, "rounds", "cool_down", UNKNOWN("pauses; allowed: 0 s")},
        {setup->pacing.per_day > 0, "rounds", "per_day", UNKNOWN("pauses; allowed: 0")},
        {setup->check_in.at_least > 1, "rounds.selection", "at_least",
            UNKNOWN("rounds that wait for clients; allowed: 1")},
        {frs_failures_have_rates(&setup->failures), "failures", "per",
            UNKNOWN("losses that depend on time; allowed: failures.per = \"0 s\", and neither device_mtbf "
                    "nor connection_mtbf")},
        {setup->retry.times > 0, "failures.retry", "times",
            UNKNOWN("messages that are sent again; allowed: 0")},
        {setup->failures.n_server_restarts > 0, "failures", "server_restarts",
            UNKNOWN("restarts of the server; allowed: none")},
    };
    return is_free_of(setup, clashes, sizeof clashes / sizeof *clashes, errors);
}

/* Selected, online, and not lost on the way: independent of each other, and of other clients. A server that
 * sees who is online opens no round without any client. */
static void know_round(const struct frs_setup *setup, uint32_t round, double *probabilities) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double selected = setup->selection->varies ? fmin(frs_setup_probability(setup), 1) : 1, nobody = 1;
    for (uint32_t client = 0; client < n_clients; client++) {
        probabilities[client] = frs_reachability_probability(&setup->reachability, client, round);
        nobody *= 1 - probabilities[client];
    }
    double opened = setup->sees_availability && nobody < 1 ? 1 - nobody : 1;
    for (uint32_t client = 0; client < n_clients; client++)
        probabilities[client] *= selected / opened * frs_setup_arrival(setup, client);
}

static uint32_t count_silent(const double *probabilities, uint32_t n_rounds, uint32_t n_clients) {
    uint32_t n_silent = 0;
    for (uint32_t client = 0; client < n_clients; client++) {
        bool uploads = false;
        for (uint32_t round = 0; round < n_rounds; round++)
            uploads |= probabilities[(size_t)round * n_clients + client] > 0;
        n_silent += !uploads;
    }
    return n_silent;
}

/* The table of a period may be larger than the memory that this process may have. */
static bool has_room_to_know(
    const struct frs_setup *setup, uint32_t n_rounds, uint32_t n_clients, struct frs_errors *errors) {
    double bytes = (double)n_rounds * n_clients * sizeof(double), there = frs_memory_limit();
    char all[64], most[64];
    if (bytes <= there)
        return true;
    frs_values_error(section(setup, "method.server.correction"), "name", errors,
        "\"%s\" keeps a probability of each client for each round of a period of the dynamics: %s for %u "
        "clients and %u rounds, and this process may have %s; allowed: another correction, or a shorter "
        "period, fewer rounds or clients",
        setup->training.server_step.correction.correction->plugin.name,
        frs_units_format(bytes, FRS_BYTES, all, sizeof all), n_clients, n_rounds,
        frs_units_format(there, FRS_BYTES, most, sizeof most));
    return false;
}

/* Of one period of the dynamics. */
static void know_probabilities(struct frs_setup *setup, struct frs_errors *errors) {
    uint32_t n_clients = setup->training.data->population.n_clients,
             period = frs_reachability_period(&setup->reachability),
             n_rounds = period < setup->n_rounds ? period : setup->n_rounds;
    if (!has_room_to_know(setup, n_rounds, n_clients, errors))
        return;
    double *probabilities =
        frs_corrected_sum_make_room(&setup->training.server_step.correction, n_rounds, n_clients);
    for (uint32_t round = 0; round < n_rounds; round++)
        know_round(setup, round, probabilities + (size_t)round * n_clients);
    uint32_t silent = count_silent(probabilities, n_rounds, n_clients);
    if (silent > 0)
        frs_values_error(section(setup, "method.server.correction"), "name", errors,
            "\"%s\" is not possible where %u of %u clients never upload; allowed: another correction, or "
            "losses below 100 %%",
            setup->training.server_step.correction.correction->plugin.name, silent, n_clients);
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* By the end of the run, in the memory that this process may have. */
static void check_memory(const struct frs_setup *setup, struct frs_errors *errors) {
    double each = frs_corrected_sum_client_bytes(&setup->training.server_step.correction),
           heard = frs_setup_heard(setup, setup->n_rounds), there = frs_memory_limit();
    char one[64], all[64], most[64];
    if (!setup->training.trains || each * heard <= there)
        return;
    frs_values_error(section(setup, "method.server.correction"), "name", errors,
        "\"%s\" keeps the newest update of each client at the server, %s each: %s for the %.0f clients that "
        "upload in %u rounds, and this process may have %s; allowed: none | fedau | inverse_probability, or "
        "fewer "
        "rounds or clients",
        setup->training.server_step.correction.correction->plugin.name,
        frs_units_format(each, FRS_BYTES, one, sizeof one),
        frs_units_format(each * heard, FRS_BYTES, all, sizeof all), heard, setup->n_rounds,
        frs_units_format(there, FRS_BYTES, most, sizeof most));
}

/* ---- clients that never come ------------------------------------------------------------------ */

static void check_all_come(const struct frs_setup *setup, struct frs_errors *errors) {
    uint32_t n_clients = setup->training.data->population.n_clients, never = 0;
    for (uint32_t client = 0; client < n_clients; client++)
        never += !(frs_setup_arrival(setup, client) > 0);
    const char *why = NULL;
    if (never > 0)
        why = "some clients are never heard, because they are always lost or have too little memory";
    else if (frs_reachability_dwindles(&setup->reachability))
        why = "clients that leave for good may never be heard";
    else if (is_changed(setup, "failures", "absent_share"))
        why = "some clients never come (failures.absent_share)";
    if (why)
        frs_values_error(section(setup, "method.server.correction"), "start", errors,
            "\"all_heard\" would wait for ever: %s; allowed: zeros", why);
}

void frs_compose_check_correction(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_corrected_sum *correction = &setup->training.server_step.correction;
    if (!correction->is_there || !goes_together(setup, errors))
        return;
    if (!setup->has_failures)
        return;
    if (correction->correction->needs_probabilities && is_known(setup, errors))
        know_probabilities(setup, errors);
    check_memory(setup, errors);
    if (frs_corrected_sum_waits_for_all(correction))
        check_all_come(setup, errors);
}
