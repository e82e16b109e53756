#include "platforms/presets/presets.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>
#include <string.h>

#define PRESET(name) extern const struct frs_preset frs_network_##name;
#include "platforms/presets/network_presets.def"
#undef PRESET
#define PRESET(name) extern const struct frs_preset frs_devices_##name;
#include "platforms/presets/device_presets.def"
#undef PRESET

#define PRESET(name) &frs_network_##name,
const struct frs_preset *const frs_network_presets[] = {
#include "platforms/presets/network_presets.def"
    NULL,
};
#undef PRESET

#define PRESET(name) &frs_devices_##name,
const struct frs_preset *const frs_device_presets[] = {
#include "platforms/presets/device_presets.def"
    NULL,
};

const char *frs_preset_setting(const struct frs_preset *preset, const char *key) {
    const char *text = NULL;
    for (size_t i = 0; preset->settings[i][0]; i++)
        if (strcmp(preset->settings[i][0], key) == 0)
            text = preset->settings[i][1];
    return text;
}

struct frs_values frs_preset_values(
    const struct frs_preset *preset, const char *section, const struct frs_param *params) {
    struct frs_values values = {.section = frs_format("preset %s: %s", preset->plugin.name, section)};
    for (; params && params->key; params++) {
        char *key = frs_format("%s.%s", section, params->key), reason[1024];
        const char *text = frs_preset_setting(preset, key);
        frs_values_add(&values, params);
        if (text && frs_value_set(&values.values[values.n - 1], text, reason, sizeof reason) != FRS_OK)
            frs_panic(__FILE__, __LINE__, "preset %s: %s: %s", preset->plugin.name, key, reason);
        free(key);
    }
    return values;
}

void frs_preset_distribution(const struct frs_preset *preset, const char *section,
    const struct frs_plugin *const *plugins, struct frs_distribution *distribution) {
    char *key = frs_format("%s.distribution", section);
    const char *name = frs_preset_setting(preset, key);
    struct frs_errors errors = {0};
    if (!name)
        name = "constant"; /* with a value that goes without saying, or else missing */
    while (*plugins && strcmp((*plugins)->name, name) != 0)
        plugins++;
    FRS_INVARIANT(*plugins, "preset %s sets %s to %s", preset->plugin.name, key, name);
    struct frs_values values = frs_preset_values(preset, section, (*plugins)->params);
    for (size_t i = 0; i < values.n; i++)
        FRS_INVARIANT(values.values[i].set, "preset %s does not set %s", preset->plugin.name,
            values.values[i].param->key);
    if (!frs_distribution_read(*plugins, &values, distribution, &errors))
        frs_panic(__FILE__, __LINE__, "%s", errors.lines[0]);
    frs_values_fini(&values);
    free(key);
}
