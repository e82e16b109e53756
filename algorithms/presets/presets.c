#include "algorithms/presets/presets.h"

#include <stddef.h>

#define PRESET(name) extern const struct frs_preset frs_method_##name;
#include "algorithms/presets/method_presets.def"
#undef PRESET

#define PRESET(name) &frs_method_##name,
const struct frs_preset *const frs_method_presets[] = {
#include "algorithms/presets/method_presets.def"
    NULL,
};
