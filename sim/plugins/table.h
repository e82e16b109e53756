/* Plug-in table: what a shared object with plug-ins from outside of this tree exports, as one symbol with
 * the name `fedrecsim_plugin` (docs/plug-ins.md):
 *
 *   const struct frs_plugin_table fedrecsim_plugin = {
 *       FRS_PLUGIN_HEAD,
 *       .codecs = (const struct frs_codec *const[]){&halves, NULL},
 *   };
 *
 * The program loads it before it reads a scenario, and adds its entries to the registries. */
#ifndef FRS_PLUGINS_TABLE_H
#define FRS_PLUGINS_TABLE_H

#include "actors/adaptation.h"
#include "actors/policy.h"
#include "actors/round.h"
#include "actors/selection.h"
#include "algorithms/codec.h"
#include "algorithms/correction.h"
#include "algorithms/learner.h"
#include "algorithms/optimiser.h"
#include "algorithms/samples.h"
#include "platforms/availability/model.h"
#include "platforms/distributions/distribution.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

/* Another number whenever a public header changes what it asks of a plug-in, or gives it. */
#define FRS_PLUGIN_VERSION 1u

/* The structures that plug-ins and program share. If their sizes differ, the object was compiled against
 * other headers, whatever their version number says. */
/* clang-format off */
#define FRS_PLUGIN_STRUCTURES(each)                                                                          \
    each(frs_plugin_table) each(frs_plugin) each(frs_param) each(frs_value) each(frs_values)                 \
    each(frs_errors) each(frs_rng) each(frs_arena) each(frs_buffer) each(frs_reader) each(frs_learner)       \
    each(frs_learner_setup) each(frs_learner_budgets) each(frs_learner_rounds) each(frs_learner_privacy)     \
    each(frs_model) each(frs_table) each(frs_store) each(frs_store_type) each(frs_training)                  \
    each(frs_trained) each(frs_contribution) each(frs_rows) each(frs_tables) each(frs_client_data)           \
    each(frs_population) each(frs_samples) each(frs_codec) each(frs_encoding) each(frs_budgets)              \
    each(frs_part) each(frs_optimiser) each(frs_optimiser_settings) each(frs_moments)                        \
    each(frs_correction) each(frs_correction_request) each(frs_correction_means)                            \
    each(frs_distribution_kind) each(frs_distribution) each(frs_availability_model)                          \
    each(frs_device_state) each(frs_average_day) each(frs_policy) each(frs_policy_setup)                     \
    each(frs_policy_settings) each(frs_round) each(frs_selection) each(frs_selection_request)                \
    each(frs_seen) each(frs_pace) each(frs_adaptation) each(frs_adaptation_request)                          \
    each(frs_budget_range)
/* clang-format on */

#define FRS_PLUGIN_ONE(name) +1
enum { FRS_PLUGIN_N_STRUCTURES = 0 FRS_PLUGIN_STRUCTURES(FRS_PLUGIN_ONE) };
#undef FRS_PLUGIN_ONE

#define FRS_PLUGIN_SIZE(name) sizeof(struct name),
/* How every table begins. */
#define FRS_PLUGIN_HEAD .version = FRS_PLUGIN_VERSION, .sizes = {FRS_PLUGIN_STRUCTURES(FRS_PLUGIN_SIZE)}

/* Lists end with NULL; a list that is NULL is empty. */
struct frs_plugin_table {
    uint32_t version;
    uint32_t sizes[FRS_PLUGIN_N_STRUCTURES];
    const struct frs_learner *const *learners;
    const struct frs_codec *const *codecs;
    const struct frs_optimiser *const *optimisers;
    const struct frs_correction *const *corrections;
    /* A distribution has an entry for each dimension that it supports. The dimension of bytes serves
     * memory and sizes of messages. */
    const struct frs_distribution_kind *const *distributions;
    const struct frs_availability_model *const *availabilities;
    const struct frs_policy *const *policies;
    const struct frs_selection *const *selections;
    const struct frs_adaptation *const *adaptations;
};

/* What a shared object defines. */
extern const struct frs_plugin_table fedrecsim_plugin;

#endif
