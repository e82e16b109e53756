/* The table of all kinds. */
#include "sim/selftest/kinds.h"
#include "actors/adaptation.h"
#include "actors/policy.h"
#include "actors/selection.h"
#include "algorithms/codec.h"
#include "algorithms/correction.h"
#include "algorithms/learner.h"
#include "algorithms/non_federated.h"
#include "algorithms/optimiser.h"
#include "algorithms/privacy_mechanism.h"
#include "platforms/availability/availability.h"
#include "platforms/distributions/distribution.h"
#include "sim/selftest/selftest.h"

#include <string.h>

const struct frs_selftest_kind frs_selftest_kinds[] = {
    {"learner", frs_learner_plugins, frs_check_learner},
    {"optimiser", frs_optimiser_plugins, frs_check_optimiser},
    {"correction", frs_correction_plugins, frs_check_correction},
    {"codec", frs_codec_plugins, frs_check_codec},
    {"mechanism", frs_privacy_plugins, frs_check_mechanism},
    {"distribution", frs_rate_distributions, frs_check_distribution},
    {"availability", frs_availability_plugins, frs_check_availability},
    {"policy", frs_policy_plugins, frs_check_policy},
    {"selection", frs_selection_plugins, frs_check_selection},
    {"adaptation", frs_adaptation_plugins, frs_check_adaptation},
    {"non_federated", frs_non_federated_model_plugins, frs_check_non_federated},
    {NULL, NULL, NULL},
};

const struct frs_selftest_kind *frs_selftest_kind(const char *kind) {
    for (const struct frs_selftest_kind *k = frs_selftest_kinds; k->kind; k++)
        if (strcmp(k->kind, kind) == 0)
            return k;
    return NULL;
}

const struct frs_plugin *const *frs_selftest_entries(const struct frs_selftest_kind *kind) {
    static const struct frs_plugin *all[FRS_REGISTRY_ROOM];
    static const struct frs_plugin *const *const registries[] = {frs_rate_distributions,
        frs_time_distributions, frs_speed_distributions, frs_bytes_distributions, frs_message_distributions,
        frs_work_distributions};
    if (kind->entries != registries[0])
        return kind->entries;
    memset(all, 0, sizeof all);
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (size_t i = 0; registries[r][i]; i++)
            if (!frs_registry_find(all, registries[r][i]->name) && !frs_registry_add(all, registries[r][i]))
                return all; /* no more fit */
    return all;
}
