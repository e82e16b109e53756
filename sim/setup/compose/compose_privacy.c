#include "sim/setup/compose/compose_privacy.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/compose_checks.h"
#include "sim/setup/memory_fit.h"
#include "sim/setup/compose/privacy_checks.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An empty cohort publishes nothing, not even noise, and so reveals that no client is in it. Below this
 * probability over all rounds, δ does not change. */
#define EMPTY_AT_MOST 1e-9

static bool may_be_empty(const struct frs_setup *setup) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double nobody = pow(1 - frs_setup_probability(setup), n_clients - 1.0);
    return setup->n_rounds * nobody > EMPTY_AT_MOST;
}

/* Whether chance alone decides which clients take part: cohorts of fixed size are drawn uniformly from all
 * clients, or each client is drawn independently, and every drawn client can and does take part. Otherwise
 * says what else decides. After errors the setup may have no devices. */
static struct frs_sampling sampling_of(
    const struct frs_setup *setup, const char **why_not, const struct frs_errors *errors) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    *why_not = NULL;
    bool varies = setup->selection->varies;
    if (strcmp(setup->selection->plugin.name, "uniform") != 0 && !varies)
        *why_not = "the selection is not uniform";
    else if (varies && frs_learner_averaging(setup->training.learner) != FRS_AVERAGES_WEIGHTED)
        *why_not = "the method divides by how many took part";
    else if (setup->policy->asynchronous || setup->policy->leaves_stragglers)
        *why_not = "the policy leaves out who is slow";
    else if (!setup->has_reachability || !frs_reachability_is_trivial(&setup->reachability))
        *why_not = "not every client can be reached at any time";
    else if (frs_pacing_limits_clients(&setup->pacing))
        *why_not = "clients that have taken part rest";
    else if (frs_caps_limit(&setup->caps))
        *why_not = "caps hold clients back";
    else if (setup->has_failures && frs_failures_can_strike(&setup->failures))
        *why_not = "participations fail";
    else if (errors->n == 0 && frs_memory_too_small(setup) > 0)
        *why_not = "clients are refused for their memory";
    else if (varies ? frs_setup_probability(setup) >= 1 : setup->cohort >= n_clients)
        *why_not = "every client takes part in every round";
    else if (varies && may_be_empty(setup))
        *why_not = "a cohort may be empty";
    if (*why_not)
        return (struct frs_sampling){0};
    return varies ? (struct frs_sampling){FRS_SAMPLED_BERNOULLI, frs_setup_probability(setup)}
                  : (struct frs_sampling){FRS_SAMPLED_FIXED, (double)setup->cohort / n_clients};
}

static size_t values_of(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = 0;
    frs_model_parts(setup->training.model, FRS_UPLOAD, shapes);
    for (size_t i = 0; i < frs_training_protected_parts(&setup->training); i++)
        n += shapes[i].n_rows * shapes[i].dim;
    return n;
}

static struct frs_privacy_setup mechanism_setup(struct frs_setup *setup, const struct frs_errors *errors) {
    return (struct frs_privacy_setup){.n_values = values_of(setup),
        .n_rounds = setup->n_rounds,
        .n_clients = setup->training.data->population.n_clients,
        .cohort = setup->cohort,
        .sampling = sampling_of(setup, &setup->not_sampled, errors)};
}

/* Behind those that are there already; what they bound is known to it. */
static void append(struct frs_privacy_mechanism_list *list, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_privacy_setup *context, struct frs_errors *errors) {
    void *settings = mechanism->create(values, context, errors);
    if (!settings)
        return; /* reported */
    list->of[list->n++] = (struct frs_privacy_choice){mechanism, settings};
    if (mechanism->bound)
        context->bound = mechanism->bound(settings);
}

/* Masked rounds may be abandoned and their cohorts drawn anew. This happens where too many members are
 * slow, so that aggregated cohorts hold fast clients more often than by chance, or where a cohort is below
 * a threshold, so that aggregation itself reveals its size. Then sampling does not amplify privacy. */
static void note_void_rounds(struct frs_setup *setup, struct frs_privacy_setup *context) {
    struct frs_masks masks = frs_privacy_masks(&setup->training.mechanisms);
    bool varies = context->sampling.kind == FRS_SAMPLED_BERNOULLI;
    if (masks.range == 0 || context->sampling.kind == FRS_NOT_SAMPLED ||
        (masks.patience_s == INFINITY && !varies))
        return;
    context->sampling = (struct frs_sampling){0};
    setup->not_sampled =
        varies ? "a cohort may be too small for its masks" : "exchanges leave out who is slow";
}

static const struct frs_privacy_mechanism *find(const char *name) {
    for (const struct frs_privacy_mechanism *const *mechanism = frs_privacy_mechanisms; *mechanism;
         mechanism++)
        if (strcmp((*mechanism)->plugin.name, name) == 0)
            return *mechanism;
    return NULL;
}

/* ---- those of the method --------------------------------------------------------------------- */

void frs_method_privacy_read(const struct frs_learner *learner, const void *model,
    struct frs_privacy_setup *context, struct frs_privacy_mechanism_list *list, struct frs_errors *errors) {
    struct frs_own_privacy_mechanism own[FRS_MAX_PRIVACY_MECHANISMS] = {0};
    size_t n = learner->mechanisms && learner->mechanisms->own ? learner->mechanisms->own(model, own) : 0;
    list->is_learners = n > 0;
    for (size_t i = 0; i < n; i++) {
        const struct frs_privacy_mechanism *mechanism = find(own[i].name);
        const char *texts[2 * FRS_OWN_PRIVACY_MECHANISM_SETTINGS + 1] = {0};
        for (size_t k = 0; k < FRS_OWN_PRIVACY_MECHANISM_SETTINGS && own[i].settings[k].key; k++) {
            texts[2 * k] = own[i].settings[k].key;
            texts[2 * k + 1] = own[i].settings[k].text;
        }
        struct frs_values values = frs_values_of(mechanism->plugin.params, texts);
        append(list, mechanism, &values, context, errors);
        frs_values_fini(&values);
    }
}

/* ---- those of the scenario ------------------------------------------------------------------- */

/* A plug-in of the list is the first member of a privacy mechanism, but for "none". */
static const struct frs_privacy_mechanism *listed(const struct frs_setup *setup, const char *path) {
    const struct frs_plugin *plugin = frs_scenario_plugin(setup->scenario, path);
    return find(plugin->name);
}

static void compose_listed(struct frs_setup *setup, struct frs_errors *errors) {
    struct frs_privacy_setup context = mechanism_setup(setup, errors);
    for (size_t i = 0; i < FRS_MAX_PRIVACY_MECHANISMS; i++) {
        char path[16];
        snprintf(path, sizeof path, "privacy.%zu", i + 1);
        const struct frs_privacy_mechanism *mechanism = listed(setup, path);
        const struct frs_values *values = frs_scenario_section(setup->scenario, path);
        if (!mechanism)
            continue;
        if (setup->training.mechanisms.is_learners)
            frs_values_error(values, "name", errors,
                "method \"%s\" has privacy mechanisms by its own keys already; allowed: either of them",
                setup->training.learner->plugin.name);
        else if (frs_privacy_is_possible(setup, mechanism, values, errors))
            append(&setup->training.mechanisms, mechanism, values, &context, errors);
        else
            frs_values_claim(values);
        note_void_rounds(setup, &context);
    }
}

void frs_compose_privacy(struct frs_setup *setup, struct frs_errors *errors) {
    struct frs_privacy_setup context = mechanism_setup(setup, errors);
    frs_method_privacy_read(
        setup->training.learner, setup->training.model, &context, &setup->training.mechanisms, errors);
    compose_listed(setup, errors);
    const struct frs_privacy_choice *on_messages =
        frs_privacy_in(&setup->training.mechanisms, FRS_PRIVACY_MESSAGE);
    if (on_messages && on_messages->mechanism->sealed_bytes) {
        setup->training.uplink_codec.seal = setup->training.downlink_codec.seal = on_messages;
        setup->training.uplink_codec.counted = setup->training.downlink_codec.counted =
            frs_training_counted(&setup->training);
    }
    if (setup->policy_settings.max_attempts == 0)
        setup->policy_settings.max_attempts = frs_privacy_masks(&setup->training.mechanisms).max_attempts;
    setup->training.server_step.mechanisms = &setup->training.mechanisms;
    frs_compose_check_guarantee(setup, errors);
}
