#include "sim/plugins/entries.h"
#include "sim/plugins/table.h"
#include "platforms/availability/availability.h"
#include "sim/contract/slots.h"

#include <stdlib.h>
#include <string.h>

/* A function of an entry, as a place in its structure. */
struct slot {
    const char *name;
    size_t at;
};

#define SLOT(type, slot)                                                                                     \
    { #slot, offsetof(struct type, slot) }

static const struct slot learner_slots[] = {
    SLOT(frs_learner, create),
    SLOT(frs_learner, train),
    SLOT(frs_learner, aggregate),
    SLOT(frs_learner, score),
    SLOT(frs_learner, round_seed),
    SLOT(frs_learner, gather),
    SLOT(frs_learner, trains_anew),
    SLOT(frs_learner, apply),
    SLOT(frs_learner, apply_flop),
    SLOT(frs_learner, aggregate_flop),
    SLOT(frs_learner, aggregate_bytes),
    SLOT(frs_learner, made_up),
    SLOT(frs_learner, groups),
    SLOT(frs_learner, remark),
    {0},
};

static const struct slot codec_slots[] = {
    SLOT(frs_codec, encode),
    SLOT(frs_codec, decode),
    SLOT(frs_codec, create),
    SLOT(frs_codec, budgets),
    SLOT(frs_codec, predicted_bytes),
    SLOT(frs_codec, sets),
    SLOT(frs_codec, length),
    {0},
};

static const struct slot optimiser_slots[] = {SLOT(frs_optimiser, init), SLOT(frs_optimiser, apply), {0}};

static const struct slot correction_slots[] = {
    SLOT(frs_correction, create),
    SLOT(frs_correction, destroy),
    SLOT(frs_correction, archive),
    SLOT(frs_correction, weigh),
    SLOT(frs_correction, step),
    SLOT(frs_correction, waits),
    SLOT(frs_correction, expected),
    {0},
};

static const struct slot distribution_slots[] = {
    SLOT(frs_distribution_kind, read), SLOT(frs_distribution_kind, quantile), {0}};

static const struct slot availability_slots[] = {
    SLOT(frs_availability_model, create),
    SLOT(frs_availability_model, destroy),
    SLOT(frs_availability_model, at),
    SLOT(frs_availability_model, retry_s),
    SLOT(frs_availability_model, require),
    SLOT(frs_availability_model, device),
    SLOT(frs_availability_model, is_eligible),
    SLOT(frs_availability_model, tie_to_speed),
    SLOT(frs_availability_model, tie_to_fleet),
    SLOT(frs_availability_model, average_day),
    SLOT(frs_availability_model, clock_s),
    SLOT(frs_availability_model, settle),
    SLOT(frs_availability_model, note),
    {0},
};

static const struct slot policy_slots[] = {SLOT(frs_policy, collect), SLOT(frs_policy, read), {0}};

static const struct slot selection_slots[] = {
    SLOT(frs_selection, select),
    SLOT(frs_selection, create),
    SLOT(frs_selection, probability),
    SLOT(frs_selection, worths),
    {0},
};

static const struct slot adaptation_slots[] = {
    SLOT(frs_adaptation, create), SLOT(frs_adaptation, choose), {0}};

static const struct kind {
    const char *name;
    size_t list; /* where the table has its entries */
    const struct slot *slots;
    const struct frs_plugin **registry; /* NULL: that of the entry's dimension */
} kinds[] = {
    {"learner", offsetof(struct frs_plugin_table, learners), learner_slots, frs_learner_plugins},
    {"codec", offsetof(struct frs_plugin_table, codecs), codec_slots, frs_codec_plugins},
    {"optimiser", offsetof(struct frs_plugin_table, optimisers), optimiser_slots, frs_optimiser_plugins},
    {"correction", offsetof(struct frs_plugin_table, corrections), correction_slots, frs_correction_plugins},
    {"distribution", offsetof(struct frs_plugin_table, distributions), distribution_slots, NULL},
    {"availability", offsetof(struct frs_plugin_table, availabilities), availability_slots,
        frs_availability_plugins},
    {"policy", offsetof(struct frs_plugin_table, policies), policy_slots, frs_policy_plugins},
    {"selection", offsetof(struct frs_plugin_table, selections), selection_slots, frs_selection_plugins},
    {"adaptation", offsetof(struct frs_plugin_table, adaptations), adaptation_slots, frs_adaptation_plugins},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Entry i of a kind in a table; NULL behind the last one. Every entry begins with its plug-in. */
static const struct frs_plugin *entry_of(
    const struct frs_plugin_table *table, const struct kind *kind, size_t i) {
    const void *const *list;
    memcpy(&list, (const char *)table + kind->list, sizeof list);
    return list ? list[i] : NULL;
}

static uintptr_t address_of(const struct frs_plugin *entry, const struct slot *slot) {
    uintptr_t address;
    memcpy(&address, (const char *)entry + slot->at, sizeof address);
    return address;
}

static enum frs_status check_slots(
    const struct kind *kind, const struct frs_plugin *entry, const char *path, struct frs_errors *errors) {
    struct frs_missing_slot missing;
    if (!frs_misses_slot(kind->name, entry, &missing))
        return FRS_OK;
    char *text = frs_missing_slot_text(&missing);
    frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s \"%s\" %s", path, kind->name, entry->name, text);
    free(text);
    return FRS_ERR_INPUT;
}

static bool has_key(const struct frs_plugin *plugin, const char *key) {
    for (const struct frs_param *param = plugin->params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return true;
    return false;
}

/* What a scenario declares stands in sections of its own, which no table brings. */
static enum frs_status check_learner(
    const struct frs_learner *learner, const char *path, struct frs_errors *errors) {
    if (learner->is_declared)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: learner \"%s\" is_declared; allowed: learners that train", path, learner->plugin.name);
    if (learner->sends_updates &&
        !(has_key(&learner->plugin, "catchup") && has_key(&learner->plugin, "init")))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: learner \"%s\" sends_updates without the keys catchup and init; allowed: with "
            "FRS_CATCHUP_PARAMS (algorithms/downlink/catchup_params.h)",
            path, learner->plugin.name);
    if (learner->trains_anew && !learner->gather)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: learner \"%s\" has `trains_anew` without `gather`; allowed: both, or neither", path,
            learner->plugin.name);
    return FRS_OK;
}

/* Up to two registries, ended by NULL; none: there is none for this dimension. */
static void find_registries(const struct kind *kind, const struct frs_plugin *entry,
    const struct frs_plugin ***first, const struct frs_plugin ***second) {
    static const struct frs_plugin **const of[FRS_DIMENSIONS] = {
        [FRS_TIME] = frs_time_distributions,
        [FRS_RATE] = frs_rate_distributions,
        [FRS_SPEED] = frs_speed_distributions,
        [FRS_BYTES] = frs_bytes_distributions,
        [FRS_FLOP] = frs_work_distributions,
    };
    *first = kind->registry;
    *second = NULL;
    if (kind->registry)
        return;
    enum frs_dimension dimension = ((const struct frs_distribution_kind *)(const void *)entry)->dimension;
    *first = dimension < FRS_DIMENSIONS ? of[dimension] : NULL;
    *second = dimension == FRS_BYTES ? frs_message_distributions : NULL;
}

static enum frs_status join(const struct frs_plugin **registry, const struct kind *kind,
    const struct frs_plugin *entry, const char *path, struct frs_errors *errors) {
    if (frs_registry_find(registry, entry->name))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: there is a %s \"%s\" already; allowed: another name", path, kind->name, entry->name);
    if (!frs_registry_add(registry, entry))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: no room is left for %s \"%s\"; allowed: at most %d of a kind, the program's own included",
            path, kind->name, entry->name, FRS_REGISTRY_ROOM - 1);
    return FRS_OK;
}

static enum frs_status add(
    const struct kind *kind, const struct frs_plugin *entry, const char *path, struct frs_errors *errors) {
    const struct frs_plugin **first, **second;
    if (!entry->name || !*entry->name)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: a %s has no name", path, kind->name);
    enum frs_status status = check_slots(kind, entry, path, errors);
    if (status == FRS_OK && kind->registry == frs_learner_plugins)
        status = check_learner((const struct frs_learner *)(const void *)entry, path, errors);
    find_registries(kind, entry, &first, &second);
    if (status == FRS_OK && !first)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: distribution \"%s\" is of no dimension that clients have; allowed: FRS_TIME, FRS_RATE, "
            "FRS_SPEED, FRS_BYTES, FRS_FLOP",
            path, entry->name);
    if (status == FRS_OK)
        status = join(first, kind, entry, path, errors);
    if (status == FRS_OK && second)
        status = join(second, kind, entry, path, errors);
    return status;
}

enum frs_status frs_plugin_entries_add(
    const struct frs_plugin_table *table, const char *path, struct frs_errors *errors) {
    size_t n = 0;
    for (size_t k = 0; k < N_KINDS; k++) {
        const struct frs_plugin *entry;
        for (size_t i = 0; (entry = entry_of(table, &kinds[k], i)); i++, n++)
            if (add(&kinds[k], entry, path, errors) != FRS_OK)
                return FRS_ERR_INPUT;
    }
    if (n == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: its table is empty; allowed: at least one entry of learners, codecs, optimisers, "
            "corrections, distributions, availabilities, policies, selections or adaptations",
            path);
    return FRS_OK;
}

bool frs_plugin_entries_has(const struct frs_plugin_table *table, const struct frs_plugin *entry) {
    for (size_t k = 0; k < N_KINDS; k++) {
        const struct frs_plugin *other;
        for (size_t i = 0; (other = entry_of(table, &kinds[k], i)); i++)
            if (other == entry)
                return true;
    }
    return false;
}

struct frs_plugin_function frs_plugin_entries_find(const struct frs_plugin_table *table, uintptr_t address) {
    for (size_t k = 0; k < N_KINDS; k++) {
        const struct frs_plugin *entry;
        for (size_t i = 0; (entry = entry_of(table, &kinds[k], i)); i++)
            for (const struct slot *slot = kinds[k].slots; slot->name; slot++)
                if (address && address_of(entry, slot) == address)
                    return (struct frs_plugin_function){kinds[k].name, entry->name, slot->name};
    }
    return (struct frs_plugin_function){0};
}
