/* Which keys --set has put on top of the file, and where it has replaced one distribution by another.
 *
 * `network.uplink = "1 Mbit/s"` is a shorthand for a constant. With --set it replaces a log-normal
 * distribution of the file, which is seldom meant. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_distribution(const struct frs_state *state) {
    return state->section->family && strcmp(state->section->family->kind, "distribution") == 0;
}

/* ---- which keys ---- */

static bool means_section(const struct frs_state *state, const struct frs_assignment *assignment) {
    return is_distribution(state) &&
           (strcmp(assignment->path, state->section->path) == 0 ||
               (!assignment->group && strcmp(assignment->key, state->selector.key) == 0));
}

/* A shorthand has left two assignments of one path: its own, and then that of the plug-in it chooses. */
static bool is_expansion(const struct frs_state *state, const struct frs_assignment *assignment) {
    return means_section(state, assignment) && strcmp(assignment->path, state->section->path) == 0 &&
           strcmp(assignment->key, state->selector.key) == 0 &&
           strcmp(state->section->shorthand, assignment->key) != 0;
}

static void put(struct frs_scenario *scenario, char *key, const char *text) {
    for (size_t i = 0; i < scenario->n_puts; i++)
        if (strcmp(scenario->puts[i].key, key) == 0) {
            free(key);
            free(scenario->puts[i].text);
            scenario->puts[i].text = frs_strdup(text);
            return;
        }
    scenario->puts =
        frs_grow(scenario->puts, scenario->n_puts + 1, &scenario->puts_capacity, sizeof *scenario->puts);
    scenario->puts[scenario->n_puts++] = (struct frs_put){key, frs_strdup(text)};
}

static void collect_keys(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        const struct frs_state *state = &scenario->states[assignment->section];
        if (assignment->layer != FRS_LAYER_SET || strcmp(assignment->path, "seed") == 0 ||
            is_expansion(state, assignment))
            continue;
        put(scenario,
            means_section(state, assignment) ? frs_strdup(state->section->path)
                                             : frs_scenario_join(state->section->path, assignment->key),
            assignment->text);
    }
}

/* ---- which distributions ---- */

static bool is_within(const char *path, const char *section) {
    size_t length = strlen(section);
    return strncmp(path, section, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

/* Whether an assignment of these layers belongs to the section, or names the preset of a section that
 * contains it. */
static bool says(const struct frs_scenario *scenario, size_t section, enum frs_layer first,
    enum frs_layer last, bool by_preset) {
    const char *path = scenario->states[section].section->path;
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        bool is_preset = by_preset && strcmp(assignment->key, "preset") == 0 &&
                         is_within(path, scenario->states[assignment->section].section->path);
        if (assignment->layer >= first && assignment->layer <= last &&
            (assignment->section == section || is_preset))
            return true;
    }
    return false;
}

static void append(char **text, const char *separator, char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    free(more);
    *text = longer;
}

/* "network.uplink.median or network.uplink.sigma" */
static char *keys_of(const char *path, const struct frs_plugin *plugin) {
    char *keys = frs_strdup("");
    for (const struct frs_param *param = plugin->params; param && param->key; param++)
        append(&keys, param[1].key ? ", " : " or ", frs_scenario_join(path, param->key));
    return keys;
}

static void collect_replaced(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        if (!is_distribution(state) || !state->chosen || !state->before_sets ||
            state->chosen == state->before_sets || !says(scenario, i, FRS_LAYER_SET, FRS_LAYER_SET, false) ||
            !says(scenario, i, FRS_LAYER_FILE, FRS_LAYER_GROUP, true))
            continue;
        const char *path = state->section->path, *before = state->before_sets->name;
        char *keys = keys_of(path, state->before_sets);
        if (!scenario->replaced)
            scenario->replaced = frs_strdup("");
        append(&scenario->replaced, "\n",
            frs_format("%s is %s, and %s in the file; to keep %s, set %s", path, state->chosen->name, before,
                before, keys));
        free(keys);
    }
}

/* ---- both ---- */

void frs_puts_collect(struct frs_scenario *scenario) {
    collect_keys(scenario);
    collect_replaced(scenario);
}

void frs_puts_fini(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n_puts; i++) {
        free(scenario->puts[i].key);
        free(scenario->puts[i].text);
    }
    free(scenario->puts);
    free(scenario->replaced);
}

char *frs_scenario_replaced(const struct frs_scenario *scenario) {
    return frs_strdup(scenario->replaced ? scenario->replaced : "");
}

void frs_scenario_each_set(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context) {
    for (size_t i = 0; i < scenario->n_puts; i++)
        each(context, scenario->puts[i].key, scenario->puts[i].text);
}
