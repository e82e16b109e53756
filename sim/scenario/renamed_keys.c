#include "sim/scenario/renamed_keys.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *section, *name, *now;
} renamed[] = {
    {"engine", "player", "engine.backend"},
    {"evaluation", "references", "evaluation.non_federated"},
    {"rounds", "stop_after", "rounds.stop_min_rounds"},
    {"rounds", "stop_change", "rounds.stop_tolerance"},
    {"network", "table", "network.fleet"},
    {"devices", "table", "devices.fleet"},
    {"", "shields", "privacy"},
};

const char *frs_renamed_key(const char *section, const char *name) {
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i].section, section) == 0 && strcmp(renamed[i].name, name) == 0)
            return renamed[i].now;
    return NULL;
}
