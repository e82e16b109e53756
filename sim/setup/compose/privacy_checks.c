#include "sim/setup/compose/privacy_checks.h"
#include "sim/base/settings/params.h"

#include <string.h>

/* One setting that a privacy mechanism excludes. */
struct clash {
    bool is_there;
    const char *section, *key; /* of what is in its way; NULL: the mechanism's own name */
    const char *why;           /* and what is allowed */
};

/* Reports the first that is there. */
static bool is_free_of(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct clash *clashes, size_t n, const struct frs_values *values, struct frs_errors *errors) {
    for (size_t i = 0; i < n; i++) {
        const struct clash *clash = &clashes[i];
        if (!clash->is_there)
            continue;
        frs_values_error(clash->section ? frs_scenario_section(setup->scenario, clash->section) : values,
            clash->key ? clash->key : "name", errors,
            "does not go together with privacy mechanism \"%s\": %s", mechanism->plugin.name, clash->why);
        return false;
    }
    return true;
}

#define IS_FREE_OF(clashes_)                                                                                 \
    is_free_of(setup, mechanism, clashes_, sizeof clashes_ / sizeof *clashes_, values, errors)

static bool has(
    const struct frs_privacy_mechanism_list *list, bool (*is)(const struct frs_privacy_choice *one)) {
    for (size_t i = 0; i < list->n; i++)
        if (is(&list->of[i]))
            return true;
    return false;
}

static bool is_noise(const struct frs_privacy_choice *one) {
    return one->mechanism->guarantee;
}

static bool is_on_decoded(const struct frs_privacy_choice *one) {
    return one->mechanism->place(one->settings) == FRS_PRIVACY_DECODED;
}

static bool is_on_messages(const struct frs_privacy_choice *one) {
    return one->mechanism->sealed_bytes || one->mechanism->masks;
}

static bool adds_noise_at_server(
    const struct frs_privacy_mechanism *mechanism, const struct frs_values *values) {
    return mechanism->noise_sd && strcmp(frs_values_text(values, "at"), "server") == 0;
}

static bool clips_at_server(const struct frs_privacy_mechanism *mechanism, const struct frs_values *values) {
    return mechanism->bound && strcmp(frs_values_text(values, "at"), "server") == 0;
}

static bool weighs_by(const struct frs_setup *setup, enum frs_weighting weighting) {
    return frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_WEIGHTED &&
           ((const struct frs_model *)setup->training.model)->weighting == weighting;
}

static bool weighs_evenly(const struct frs_setup *setup) {
    return frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_EVENLY ||
           weighs_by(setup, FRS_UNIFORM);
}

#define LOSSES_ARE_TOLD                                                                                      \
    "uploads then report training losses, which no noise hides; allowed: a selection that does not go by "   \
    "losses"

#define SUMS_ARE_READ                                                                                        \
    "a server that adds noise has to read the sum; allowed: at = \"client\", or no ciphertexts"

/* An upload holds more than changes of tables, and the method does not say that this tells nothing. */
static bool uploads_extras(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    const struct frs_learner_privacy *of = setup->training.learner->mechanisms;
    return frs_model_parts(setup->training.model, FRS_UPLOAD, shapes) >
               frs_training_protected_parts(&setup->training) &&
           !(of && of->refuses);
}

/* ---- on the values of an update -------------------------------------------------------------- */

static bool on_values(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors) {
    const struct frs_learner_privacy *of = setup->training.learner->mechanisms;
    const char *refusal = of && of->refuses ? of->refuses(setup->training.model) : NULL;
    const struct clash clashes[] = {
        {has(&setup->training.mechanisms, is_on_messages), NULL, NULL,
            "values that are sealed cannot be changed any more; allowed: before the mechanism on messages"},
        {has(&setup->training.mechanisms, is_on_decoded) && !clips_at_server(mechanism, values), NULL, NULL,
            "clients come before the server, which has clipped what they sent; allowed: before it, or at = "
            "\"server\""},
        {clips_at_server(mechanism, values) && setup->training.trains_again, "training", "uploads",
            "what the server clips has to be kept; allowed: kept"},
        {has(&setup->training.mechanisms, is_noise), NULL, NULL,
            "behind noise there is nothing left for it to do, and one noise is what is counted; allowed: "
            "before it, or none"},
        {refusal, "method", "name", refusal},
        {mechanism->guarantee && uploads_extras(setup), "method", "name",
            "its uploads hold more than changes of tables, which no noise hides; allowed: another method"},
        {mechanism->guarantee && setup->selection->uses_loss, "rounds.selection", "name", LOSSES_ARE_TOLD},
        {mechanism->guarantee && strcmp(setup->training.uplink_codec.codec->plugin.name, "rank_one") == 0,
            "codec.uplink", "name",
            "noise leaves no rows that are multiples of each other, which \"rank_one\" sends; allowed: "
            "dense"},
    };
    return IS_FREE_OF(clashes);
}

/* ---- on the aggregate ------------------------------------------------------------------------ */

static bool on_aggregate(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors) {
    const struct clash clashes[] = {
        {has(&setup->training.mechanisms, is_noise), NULL, NULL,
            "one noise is what is counted; allowed: one of them"},
        {frs_privacy_sight(&setup->training.mechanisms) == FRS_SEES_CIPHERTEXTS, NULL, NULL, SUMS_ARE_READ},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_UNSAID, "method", "name",
            "its learner does not say (`averaging`) whether its server makes more of uploads than their "
            "mean; allowed: at = \"client\", or a learner that says that it averages"},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_NOT, "method", "name",
            "its server makes more of uploads than their mean, so nothing bounds what one of them does; "
            "allowed: at = \"client\", or a method that averages (fedmf | fedmf_update | fedncf | "
            "fedncf_update | colr | colr_ncf | pfedrec | pfedclr | fedmf_ratings | rfrec | rfrecf)"},
        {setup->policy->asynchronous, "rounds.policy", "name",
            "an aggregation may hold several uploads of one client; allowed: wait_all | deadline | "
            "over_select | quantile | quorum_then_wait | partial_work"},
        {setup->policy_settings.accepts_late, "rounds.policy", "late",
            "an aggregation may hold several uploads of one client; allowed: reject"},
        {setup->selection->uses_loss, "rounds.selection", "name", LOSSES_ARE_TOLD},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_WEIGHTED && !weighs_evenly(setup),
            "method", "aggregation", "weights that follow from data tell about them; allowed: uniform"},
        {!setup->training.uplink_codec.codec->lossless && !has(&setup->training.mechanisms, is_on_decoded),
            "codec.uplink", "name",
            "a lossy codec may enlarge what has been clipped; allowed: a lossless one, or a clip with at = "
            "\"server\""},
    };
    return IS_FREE_OF(clashes);
}

/* ---- on messages ----------------------------------------------------------------------------- */

/* Whether a codec sends what can be sealed. */
static bool can_be_sealed(const struct frs_privacy_mechanism *mechanism, const struct frs_codec *codec) {
    if (mechanism->codecs == FRS_PRIVACY_MECHANISMS_TABLES)
        return codec->sends_values && codec->fixed_size;
    return mechanism->codecs == FRS_PRIVACY_MECHANISMS_ALL || codec->sends_values;
}

static const char *allowed_codecs(const struct frs_privacy_mechanism *mechanism) {
    return mechanism->codecs == FRS_PRIVACY_MECHANISMS_TABLES
               ? "what it makes of values does not add up place by place; allowed: dense"
               : "what it makes of values does not add up; allowed: dense | touched_rows | sparse | topk "
                 "(uplink)";
}

/* A whole table to catch up with would have to be made from updates the server cannot read. */
static bool catches_up_readably(const struct frs_setup *setup) {
    if (!setup->training.learner->sends_updates || setup->training.catchup == FRS_CATCHUP_IDEAL)
        return false;
    return setup->training.catchup != FRS_CATCHUP_REPLAY ||
           setup->training.first_contact != FRS_FIRST_CONTACT_SEED;
}

static bool on_messages(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors) {
    bool blind = mechanism->sight == FRS_SEES_CIPHERTEXTS;
    const struct frs_codec *up = setup->training.uplink_codec.codec,
                           *down = setup->training.downlink_codec.codec;
    enum frs_compute compute = setup->devices.compute;
    const struct clash clashes[] = {
        {has(&setup->training.mechanisms, is_on_messages), NULL, NULL,
            "values are sealed once; allowed: one of them"},
        {blind && frs_privacy_in(&setup->training.mechanisms, FRS_PRIVACY_AGGREGATE), NULL, NULL,
            SUMS_ARE_READ},
        {has(&setup->training.mechanisms, is_on_decoded), NULL, NULL,
            "a server that clips uploads has to read each of them; allowed: at = \"client\""},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_UNSAID, "method", "name",
            "its learner does not say (`averaging`) whether its server does more than add uploads; allowed: "
            "a "
            "learner that says that it averages"},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_NOT, "method", "name",
            "its server does more than add uploads; allowed: a method that averages (fedmf | fedmf_update | "
            "fedncf | fedncf_update | colr | colr_ncf | pfedrec | pfedclr | fedmf_ratings)"},
        {frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_EVENLY, "method", "name",
            "its server knows the tables that clients refer to; allowed: a method that averages "
            "(fedmf_ratings)"},
        {!can_be_sealed(mechanism, up), "codec.uplink", "name", allowed_codecs(mechanism)},
        {blind && (!can_be_sealed(mechanism, down) || !down->lossless), "codec.downlink", "name",
            "the server cannot read what it would encode; allowed: dense"},
        {blind && weighs_by(setup, FRS_PER_ITEM) && !up->reveals_rows &&
                !setup->training.learner->sends_updates,
            "method", "aggregation",
            "the server cannot divide tables by counts that it cannot read, as clients can divide updates; "
            "allowed: "
            "data_size | uniform, or a method that sends updates (fedmf_update | fedncf_update | colr | "
            "colr_ncf)"},
        {blind && setup->training.server_step.optimiser->n_moments > 0, "method.server", "optimiser",
            "the server cannot read the aggregate; allowed: none"},
        {blind && setup->stop_tolerance > 0, "rounds", "stop_tolerance",
            "the server cannot read by how much tables change; allowed: 0"},
        {blind && catches_up_readably(setup), "method", "catchup",
            "the server cannot put updates that it cannot read into one table; allowed: ideal, or replay "
            "with method.init = \"seed\""},
        {blind && (compute == FRS_COMPUTE_PER_SAMPLE || compute == FRS_COMPUTE_MEASURED), "devices",
            "compute",
            "its time is modelled as operations; allowed: flops, or fixed and none, where computing takes "
            "none"},
    };
    return IS_FREE_OF(clashes);
}

static bool plays_by(const struct frs_setup *setup, const char *backend) {
    return strcmp(frs_values_text(frs_scenario_section(setup->scenario, "engine"), "backend"), backend) == 0;
}

static bool masks_fit(const struct frs_setup *setup, const struct frs_values *values) {
    return ((uint64_t)1 << frs_values_int(values, "bits")) * setup->policy_settings.n_selected <= UINT32_MAX;
}

/* What only pairwise masks do not go together with. */
static bool with_masks(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(setup->training.model, FRS_UPLOAD, shapes);
    enum frs_compute compute = setup->devices.compute;
    const struct clash clashes[] = {
        {setup->policy->asynchronous, "rounds.policy", "name",
            "masks cancel in the sum of the cohort that agreed on them, and an aggregation takes others; "
            "allowed: wait_all | deadline | over_select | quantile | quorum_then_wait"},
        {setup->policy->truncates, "rounds.policy", "name",
            "it has clients send what they have, and its time is not known before; allowed: wait_all | "
            "deadline | over_select | quantile | quorum_then_wait"},
        {setup->policy_settings.run_on, "rounds", "stragglers",
            "a masked upload is of no use after its round; allowed: cut"},
        {setup->policy_settings.n_selected < 2, "rounds", "cohort",
            "a single client has nobody to mask with; allowed: at least 2"},
        {!masks_fit(setup, values), NULL, "bits",
            "their sum over the cohort has to fit 32 bits; allowed: fewer"},
        {n_parts != frs_training_protected_parts(&setup->training) ||
                frs_model_has_personal(setup->training.model),
            "method", "name",
            "its uploads hold what is not added up; allowed: a method whose clients upload what all share"},
        {setup->training.learner->rounds || setup->training.learner->budgets, "method", "name",
            "its uploads differ in what they hold; allowed: a method whose uploads are all alike"},
        {frs_privacy_in(&setup->training.mechanisms, FRS_PRIVACY_AGGREGATE), NULL, NULL,
            "numbers in fixed point may be larger than what was clipped, and the noise has to know; allowed: "
            "before the mechanism that adds noise to the sum"},
        {setup->training.trains_again, "training", "uploads", "what is masked has to be kept; allowed: kept"},
        {setup->training.uplink_feedback, "codec.uplink", "error_feedback",
            "what clipping leaves out is not made up for; allowed: false"},
        {plays_by(setup, "simgrid") || setup->network.model == FRS_LV08 || setup->platform.file, "engine",
            "backend",
            "its exchanges are simulated from an event queue; allowed: auto | calendar | actors, and "
            "neither network.model = \"lv08\" nor a platform of one's own"},
        {compute == FRS_COMPUTE_PER_SAMPLE || compute == FRS_COMPUTE_MEASURED, "devices", "compute",
            "its time is charged as operations; allowed: flops, or fixed and none, where computing takes "
            "none"},
        {weighs_by(setup, FRS_DATA_SIZE), "method", "aggregation",
            "a sum cannot be weighted any more; allowed: uniform | per_item"},
    };
    return IS_FREE_OF(clashes);
}

bool frs_privacy_is_possible(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors) {
    if (mechanism->masks && !with_masks(setup, mechanism, values, errors))
        return false;
    if (mechanism->sealed_bytes || mechanism->masks)
        return on_messages(setup, mechanism, values, errors);
    if (adds_noise_at_server(mechanism, values))
        return on_aggregate(setup, mechanism, values, errors);
    return on_values(setup, mechanism, values, errors);
}
