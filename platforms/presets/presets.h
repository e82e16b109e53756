/* Presets: named networks and devices, each value with its source or the word "assumed". One file in
 * platforms/presets/ and one line in platforms/presets/network_presets.def or
 * platforms/presets/device_presets.def.
 *
 * A preset serves twice: a scenario uses its settings beneath the user's own, and a mix of classes
 * (platforms/presets/classes.h) uses them for the clients of one class. */
#ifndef FRS_PLATFORMS_PRESETS_PRESETS_H
#define FRS_PLATFORMS_PRESETS_PRESETS_H

#include "platforms/distributions/distribution.h"

/* Ended by NULL. */
extern const struct frs_preset *const frs_network_presets[];
extern const struct frs_preset *const frs_device_presets[];

/* What the preset sets `key` ("network.classes") to, or NULL. */
const char *frs_preset_setting(const struct frs_preset *preset, const char *key);

/* The keys of one section: the defaults of `params`, then what the preset sets.
 * Freed with frs_values_fini. */
struct frs_values frs_preset_values(
    const struct frs_preset *preset, const char *section, const struct frs_param *params);

/* The distribution that the preset sets for a section ("network.downlink"), one of `plugins`. Presets
 * belong to this program: it is a bug if one does not set it, or sets it wrongly. */
void frs_preset_distribution(const struct frs_preset *preset, const char *section,
    const struct frs_plugin *const *plugins, struct frs_distribution *distribution);

#endif
