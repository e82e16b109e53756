/* A scenario with some of its values changed. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

struct copy {
    const struct frs_setting *changes;
    size_t n_changes;
    struct frs_setting *settings; /* [n], whose texts are copies */
    size_t n, capacity;
};

static void add(struct copy *copy, const char *key, const char *text) {
    copy->settings = frs_grow(copy->settings, copy->n + 1, &copy->capacity, sizeof *copy->settings);
    copy->settings[copy->n++] = (struct frs_setting){frs_strdup(key), frs_strdup(text)};
}

static const char *changed(const struct copy *copy, const char *key) {
    for (size_t i = 0; i < copy->n_changes; i++)
        if (strcmp(copy->changes[i].key, key) == 0)
            return copy->changes[i].text;
    return NULL;
}

static void add_old(void *context, const char *key, const char *text) {
    struct copy *copy = context;
    if (!changed(copy, key))
        add(copy, key, text);
}

enum frs_status frs_scenario_changed(const struct frs_scenario *scenario, const struct frs_setting *changes,
    size_t n, struct frs_scenario **out, struct frs_errors *errors) {
    struct copy copy = {.changes = changes, .n_changes = n};
    frs_scenario_each(scenario, add_old, &copy);
    for (size_t i = 0; i < n; i++)
        add(&copy, changes[i].key, changes[i].text);
    enum frs_status status = frs_scenario_load_settings(
        scenario->states[0].section, scenario->name, copy.settings, copy.n, out, errors);
    if (status == FRS_OK)
        frs_scenario_places_copy(scenario, *out);
    for (size_t i = 0; i < copy.n; i++) {
        free((char *)copy.settings[i].key);
        free((char *)copy.settings[i].text);
    }
    free(copy.settings);
    return status;
}
