/* Presets: named networks and devices, each value with its source or the word "assumed". One file in
 * platforms/presets/ and one line in platforms/networks.def or platforms/device_presets.def. */
#ifndef FRS_PLATFORMS_PRESETS_H
#define FRS_PLATFORMS_PRESETS_H

#include "sim/base/params.h"

/* Ended by NULL. */
extern const struct frs_preset *const frs_network_presets[];
extern const struct frs_preset *const frs_device_presets[];

#endif
