#include "sim/contract/slots.h"
#include "actors/adaptation.h"
#include "actors/policy.h"
#include "actors/selection.h"
#include "algorithms/codec.h"
#include "algorithms/correction.h"
#include "algorithms/learner.h"
#include "algorithms/non_federated.h"
#include "algorithms/optimiser.h"
#include "algorithms/privacy_mechanism.h"
#include "platforms/availability/model.h"
#include "platforms/distributions/distribution.h"
#include "sim/base/memory.h"

#include <string.h>

/* One slot of an entry, and the condition under which it is required. */
struct slot {
    bool is_there;
    const char *name, *when;
};

static const char with_keys[] = "where it has keys";

#define SLOT(entry, slot_)                                                                                   \
    { !!(entry)->slot_, #slot_, NULL }
#define SLOT_IF(condition, entry, slot_, when_)                                                              \
    { !(condition) || !!(entry)->slot_, #slot_, when_ }

static bool first_missing(
    const struct slot *slots, size_t n, const char *header, struct frs_missing_slot *missing) {
    for (size_t i = 0; i < n; i++)
        if (!slots[i].is_there) {
            *missing = (struct frs_missing_slot){slots[i].name, slots[i].when, header};
            return true;
        }
    return false;
}

#define FIRST_MISSING(slots, header, missing)                                                                \
    first_missing(slots, sizeof(slots) / sizeof *(slots), header, missing)

static bool has_keys(const struct frs_plugin *plugin) {
    return plugin->params && plugin->params->key;
}

/* The plug-in is the first member of every entry. */
static const void *entry_of(const struct frs_plugin *plugin) {
    return plugin;
}

static bool learner_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_learner *learner = entry_of(plugin);
    bool trains = !learner->is_declared;
    const char *const when = "of a learner that is not declared";
    const struct slot slots[] = {SLOT(learner, create), SLOT_IF(trains, learner, train, when),
        SLOT_IF(trains, learner, aggregate, when), SLOT_IF(trains, learner, score, when)};
    return FIRST_MISSING(slots, "algorithms/learner.h", missing);
}

static bool optimiser_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_optimiser *optimiser = entry_of(plugin);
    const struct slot slots[] = {SLOT(optimiser, init), SLOT(optimiser, apply)};
    return FIRST_MISSING(slots, "algorithms/optimiser.h", missing);
}

static bool correction_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_correction *correction = entry_of(plugin);
    bool weighs = !correction->step && !correction->shorten && strcmp(plugin->name, "none") != 0;
    const struct slot slots[] = {SLOT_IF(has_keys(plugin), correction, create, with_keys),
        SLOT_IF(weighs, correction, weigh, "where it has neither step nor shorten")};
    return FIRST_MISSING(slots, "algorithms/correction.h", missing);
}

static bool codec_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_codec *codec = entry_of(plugin);
    const struct slot slots[] = {SLOT_IF(has_keys(plugin), codec, create, with_keys),
        SLOT_IF(codec->budgets != NULL, codec, predicted_bytes, "where it has budgets"), SLOT(codec, encode),
        SLOT(codec, decode)};
    return FIRST_MISSING(slots, "algorithms/codec.h", missing);
}

static bool distribution_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_distribution_kind *distribution = entry_of(plugin);
    const struct slot slots[] = {SLOT(distribution, read), SLOT(distribution, quantile)};
    return FIRST_MISSING(slots, "platforms/distributions/distribution.h", missing);
}

/* "none" is the empty place of a list of mechanisms: a name, and no mechanism. */
static bool mechanism_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    if (strcmp(plugin->name, "none") == 0)
        return false;
    const struct frs_privacy_mechanism *mechanism = entry_of(plugin);
    const char *const when = "where values become ciphertexts (sealed_bytes)";
    const struct slot slots[] = {SLOT(mechanism, create), SLOT(mechanism, place),
        SLOT_IF(mechanism->sealed_bytes != NULL, mechanism, units, when)};
    return FIRST_MISSING(slots, "algorithms/privacy_mechanism.h", missing);
}

static bool availability_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_availability_model *model = entry_of(plugin);
    const struct slot slots[] = {SLOT(model, create), SLOT(model, at),
        SLOT_IF(model->require != NULL, model, device, "where devices have states (require)")};
    return FIRST_MISSING(slots, "platforms/availability/model.h", missing);
}

static bool policy_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_policy *policy = entry_of(plugin);
    const struct slot slots[] = {SLOT_IF(has_keys(plugin), policy, read, with_keys), SLOT(policy, collect)};
    return FIRST_MISSING(slots, "actors/policy.h", missing);
}

static bool selection_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_selection *selection = entry_of(plugin);
    const struct slot slots[] = {SLOT_IF(has_keys(plugin), selection, create, with_keys),
        SLOT_IF(selection->varies, selection, probability, "where its number of clients varies"),
        SLOT(selection, select)};
    return FIRST_MISSING(slots, "actors/selection.h", missing);
}

static bool adaptation_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_adaptation *adaptation = entry_of(plugin);
    const struct slot slots[] = {SLOT(adaptation, create), SLOT(adaptation, choose)};
    return FIRST_MISSING(slots, "actors/adaptation.h", missing);
}

static bool non_federated_misses(const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct frs_non_federated_model *model = entry_of(plugin);
    const struct slot slots[] = {SLOT(model, fit), SLOT(model, destroy), SLOT(model, score)};
    return FIRST_MISSING(slots, "algorithms/non_federated.h", missing);
}

static const struct {
    const char *kind;
    bool (*misses)(const struct frs_plugin *plugin, struct frs_missing_slot *missing);
} kinds[] = {{"learner", learner_misses}, {"optimiser", optimiser_misses}, {"correction", correction_misses},
    {"codec", codec_misses}, {"distribution", distribution_misses}, {"mechanism", mechanism_misses},
    {"availability", availability_misses}, {"policy", policy_misses}, {"selection", selection_misses},
    {"adaptation", adaptation_misses}, {"non_federated", non_federated_misses}};

bool frs_misses_slot(const char *kind, const struct frs_plugin *plugin, struct frs_missing_slot *missing) {
    const struct slot slots[] = {SLOT(plugin, name), SLOT(plugin, summary)};
    if (FIRST_MISSING(slots, "sim/base/settings/plugin.h", missing))
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].misses(plugin, missing);
    return false;
}

char *frs_missing_slot_text(const struct frs_missing_slot *missing) {
    return frs_format("lacks the slot %s%s%s (%s)", missing->slot,
        missing->when ? ", which is required " : "", missing->when ? missing->when : "", missing->header);
}
