#include "analysis/statistics/factors.h"

#include <string.h>

static const char *const names[] = {
    [FRS_ROLE_DESIGN] = "design", [FRS_ROLE_ENVIRONMENT] = "environment", [FRS_ROLE_NONE] = NULL};

bool frs_key_is_in(const char *key, const char *section) {
    size_t length = strlen(section);
    return strncmp(key, section, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

static bool is_in_any(const char *key, const char *const *sections, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (frs_key_is_in(key, sections[i]))
            return true;
    return false;
}

enum frs_role frs_role_of(const char *key) {
    static const char *const designs[] = {
        "method", "codec", "privacy", "adaptation", "rounds", "training", "observations"};
    static const char *const none[] = {
        "seed", "file", "places", "given", "output", "sweep", "evaluation.target"};
    if (is_in_any(key, designs, sizeof designs / sizeof *designs))
        return FRS_ROLE_DESIGN;
    return is_in_any(key, none, sizeof none / sizeof *none) ? FRS_ROLE_NONE : FRS_ROLE_ENVIRONMENT;
}

const char *frs_role_name(enum frs_role role) {
    return names[role];
}

bool frs_role_parse(const char *text, size_t length, enum frs_role *role) {
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0) {
            *role = (enum frs_role)i;
            return true;
        }
    return false;
}

/* An old plan that mixes both is rather not ranked at all than a network against a network. */
enum frs_role frs_role_of_axis(char *const *keys, size_t n, const char *name) {
    bool has_design = n == 0 && frs_role_of(name) == FRS_ROLE_DESIGN;
    for (size_t i = 0; i < n; i++) {
        if (frs_role_of(keys[i]) == FRS_ROLE_ENVIRONMENT)
            return FRS_ROLE_ENVIRONMENT;
        has_design = has_design || frs_role_of(keys[i]) == FRS_ROLE_DESIGN;
    }
    return has_design ? FRS_ROLE_DESIGN : FRS_ROLE_ENVIRONMENT;
}

/* Varying a preset of links or devices varies everything that it sets. Settings that a varied method
 * brings along are reported, also after the short form ("method = fedmf"). */
bool frs_key_goes_with(const char *key, const char *varied) {
    static const char *const presets[] = {"network.preset", "devices.preset"};
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(varied, presets[i]) == 0 && strncmp(key, varied, strcspn(varied, ".") + 1) == 0)
            return true;
    if (strcmp(varied, "method") == 0)
        return strcmp(key, "method") == 0 || strcmp(key, "method.name") == 0;
    return frs_key_is_in(key, varied);
}
