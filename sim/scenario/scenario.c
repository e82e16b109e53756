/* A loaded scenario, and what can be asked of it. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = frs_strdup(slash ? slash + 1 : path);
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cfg") == 0)
        name[length - 4] = '\0';
    return name;
}

/* What one attempt at loading goes by. */
struct request {
    const struct frs_section *sections;
    const char *path;
    const char *const *sets;
    size_t n_sets;
    bool may_lack;
};

static enum frs_status try(
    const struct request *request, bool explains, struct frs_scenario **out, struct frs_errors *errors) {
    const char *path = request->path;
    struct frs_scenario *scenario = frs_states_create(request->sections);
    scenario->may_lack = request->may_lack;
    bool is_stream = frs_source_is_stream(path);
    scenario->source = frs_strdup(path);
    scenario->path = frs_strdup(is_stream ? "<stdin>" : path);
    scenario->name = is_stream                                 ? frs_strdup("stdin")
                     : strcmp(path, FRS_SCENARIO_NO_FILE) == 0 ? frs_strdup("declared")
                                                               : name_of(path);
    enum frs_status status = frs_scenario_read_file(scenario, explains, errors);
    if (status == FRS_OK) {
        frs_scenario_read_sets(scenario, request->sets, request->n_sets);
        frs_scenario_read_presets(scenario);
        status = frs_scenario_resolve(scenario, errors);
    }
    frs_assignments_fini(&scenario->assignments);
    if (status != FRS_OK) {
        frs_scenario_destroy(scenario);
        scenario = NULL;
    }
    *out = scenario;
    return status;
}

/* What libconfig takes is loaded as libconfig reads it; a second attempt explains why something is wrong. */
static enum frs_status load(
    const struct request *request, struct frs_scenario **out, struct frs_errors *errors) {
    struct frs_errors unexplained = {0};
    enum frs_status status = try(request, false, out, &unexplained);
    frs_errors_clear(&unexplained);
    return status == FRS_OK ? FRS_OK : try(request, true, out, errors);
}

enum frs_status frs_scenario_load(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out, struct frs_errors *errors) {
    return load(&(struct request){sections, path, sets, n_sets, false}, out, errors);
}

enum frs_status frs_scenario_load_unfinished(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out, struct frs_errors *errors) {
    return load(&(struct request){sections, path, sets, n_sets, true}, out, errors);
}

enum frs_status frs_scenario_load_settings(const struct frs_section *sections, const char *name,
    const struct frs_setting *settings, size_t n_settings, struct frs_scenario **out,
    struct frs_errors *errors) {
    struct frs_scenario *scenario = frs_states_create(sections);
    scenario->path = frs_strdup(name);
    scenario->name = frs_strdup(name);
    scenario->what_if = true;
    frs_scenario_read_settings(scenario, settings, n_settings);
    enum frs_status status = frs_scenario_resolve(scenario, errors);
    frs_assignments_fini(&scenario->assignments);
    for (size_t i = 0; i < n_settings && status == FRS_OK; i++)
        if (strcmp(settings[i].key, FRS_SCENARIO_FILE) == 0)
            frs_inactive_keys_read(scenario, settings[i].text);
    for (size_t i = 0; i < n_settings && status == FRS_OK; i++)
        if (strcmp(settings[i].key, FRS_SCENARIO_PLACES) == 0)
            frs_scenario_places_read(scenario, settings[i].text);
    if (status != FRS_OK) {
        frs_scenario_destroy(scenario);
        scenario = NULL;
    }
    *out = scenario;
    return status;
}

static const struct frs_state *get(const struct frs_scenario *scenario, const char *path) {
    size_t section = frs_states_find(scenario, path, strlen(path));
    FRS_INVARIANT(section < scenario->n, "there is no section %s", path);
    return &scenario->states[section];
}

const struct frs_values *frs_scenario_section(const struct frs_scenario *scenario, const char *path) {
    return &get(scenario, path)->values;
}

const struct frs_plugin *frs_scenario_plugin(const struct frs_scenario *scenario, const char *path) {
    const struct frs_state *state = get(scenario, path);
    FRS_INVARIANT(state->chosen, "section %s chooses no plug-in", path);
    return state->chosen;
}

const struct frs_plugin *const *frs_scenario_plugins(const struct frs_scenario *scenario, const char *path) {
    const struct frs_section *section = get(scenario, path)->section;
    FRS_INVARIANT(section->family, "section %s chooses no plug-in", path);
    return section->family->plugins;
}

const char *frs_scenario_path(const struct frs_scenario *scenario) {
    return scenario->path;
}

const char *frs_scenario_name(const struct frs_scenario *scenario) {
    return scenario->name;
}

/* The loader itself reads selectors and presets. */
static bool is_for_loader(const struct frs_state *state, const struct frs_value *value) {
    return value->param == &state->selector || value->param == &state->preset;
}

/* Whether the user gave the value and nothing has read it. */
static bool is_unread(const struct frs_state *state, const struct frs_value *value) {
    bool may_rest = value->rests || state->section->is_aside || (is_for_loader(state, value) && !value->idle);
    return value->given && !value->read && !may_rest;
}

static const char *why_unread(const struct frs_value *value) {
    return value->idle ? value->idle : "has no effect here";
}

enum frs_status frs_scenario_check_unread(const struct frs_scenario *scenario, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n; v++) {
            const struct frs_value *value = &state->values.values[v];
            if (is_unread(state, value))
                status = frs_values_error(&state->values, value->param->key, errors, "%s", why_unread(value));
        }
    }
    return status;
}

/* Whether something has read the value, be it the loader. */
static bool is_used(const struct frs_state *state, const struct frs_value *value) {
    return value->read || (is_for_loader(state, value) && !value->idle);
}

enum frs_status frs_scenario_check_file(
    const struct frs_scenario *file, const struct frs_scenario *on_top, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < file->n; i++) {
        const struct frs_state *state = &file->states[i];
        for (size_t v = 0; v < state->values.n; v++) {
            const struct frs_value *value = &state->values.values[v];
            const struct frs_value *now = frs_values_find(&on_top->states[i].values, value->param->key);
            bool is_set = now && !now->rests; /* --set says it, too, and is judged by itself */
            if (is_unread(state, value) && !is_set && !(now && is_used(&on_top->states[i], now)))
                status = frs_values_error(&state->values, value->param->key, errors, "%s",
                    why_unread(now && now->idle ? now : value));
        }
    }
    return status;
}

/* Appends a key to the text `given`. */
static void note_given(char **given, const char *key) {
    char *longer = frs_format("%s%s%s", *given, **given ? " " : "", key);
    free(*given);
    *given = longer;
}

void frs_scenario_each(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context) {
    char *given = frs_strdup(""), *places = frs_strdup("");
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        bool is_listed = !state->section->is_aside && frs_states_is_there(scenario, i);
        for (size_t v = 0; v < state->values.n && is_listed; v++) {
            const struct frs_value *value = &state->values.values[v];
            if (value->param == &state->preset) /* what it set is listed itself */
                continue;
            char *key = frs_scenario_join(state->section->path, value->param->key);
            char *text = value->said ? frs_strdup(value->said) : frs_value_format(value);
            each(context, key, text);
            if (value->said)
                frs_scenario_places_add(&places, key, value->text);
            if (value->given && state->section->given_matters)
                note_given(&given, key);
            free(key);
            free(text);
        }
    }
    char *file = frs_inactive_keys_write(scenario);
    if (*given)
        each(context, FRS_SCENARIO_GIVEN, given);
    if (*file)
        each(context, FRS_SCENARIO_FILE, file);
    if (*places)
        each(context, FRS_SCENARIO_PLACES, places);
    free(file);
    free(places);
    free(given);
}

void frs_scenario_each_path(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *path), void *context) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n && !state->section->is_aside; v++) {
            const struct frs_value *value = &state->values.values[v];
            if (!value->path || !*value->path)
                continue;
            char *key = frs_scenario_join(state->section->path, value->param->key);
            each(context, key, value->path);
            free(key);
        }
    }
}

static bool is_of_plugin(const struct frs_state *state, const struct frs_param *param) {
    return state->chosen && frs_plugin_param(state->chosen, param->key) == param;
}

static void tell(const struct frs_section *section, const struct frs_plugin *plugin, const char *key,
    void (*each)(void *context, const char *key), void *context) {
    char *group = plugin ? frs_scenario_join(section->path, plugin->name) : frs_strdup(section->path);
    char *full = frs_scenario_join(group, key);
    each(context, full);
    free(full);
    free(group);
}

static void tell_value(const struct frs_state *state, const struct frs_value *value,
    void (*each)(void *context, const char *key), void *context) {
    tell(state->section, is_of_plugin(state, value->param) ? state->chosen : NULL, value->param->key, each,
        context);
}

void frs_scenario_each_read(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n; v++)
            if (state->values.values[v].read && !is_for_loader(state, &state->values.values[v]))
                tell_value(state, &state->values.values[v], each, context);
    }
}

void frs_scenario_each_used(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n; v++)
            if (state->values.values[v].given || !frs_value_is_initial(&state->values.values[v]))
                tell_value(state, &state->values.values[v], each, context);
    }
}

void frs_scenario_each_known(
    const struct frs_section *sections, void (*each)(void *context, const char *key), void *context) {
    for (const struct frs_section *section = sections; section->path; section++) {
        for (const struct frs_param *param = frs_section_params(section); param && param->key; param++)
            tell(section, NULL, param->key, each, context);
        if (!section->family)
            continue;
        for (const struct frs_plugin *const *plugin = section->family->plugins; *plugin; plugin++)
            for (const struct frs_param *param = (*plugin)->params; param && param->key; param++)
                tell(section, *plugin, param->key, each, context);
    }
}
