#include "platforms/presets.h"

#define PRESET(name) extern const struct frs_preset frs_network_##name;
#include "platforms/network_presets.def"
#undef PRESET
#define PRESET(name) extern const struct frs_preset frs_devices_##name;
#include "platforms/device_presets.def"
#undef PRESET

#define PRESET(name) &frs_network_##name,
const struct frs_preset *const frs_network_presets[] = {
#include "platforms/network_presets.def"
    NULL,
};
#undef PRESET

#define PRESET(name) &frs_devices_##name,
const struct frs_preset *const frs_device_presets[] = {
#include "platforms/device_presets.def"
    NULL,
};
