/* Assignments as they were written, and the section, plug-in group and key they mean. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Messages are one line each, whatever somebody managed to put into a key or a --set. */
static char *copy_line(const char *text) {
    char line[256];
    return text ? frs_strdup(frs_text_line(text, line, sizeof line)) : NULL;
}

struct frs_raw *frs_raws_add(struct frs_raws *raws, enum frs_layer layer, const char *path,
    enum frs_written written, const char *text, const char *where) {
    raws->raws = frs_grow(raws->raws, raws->n + 1, &raws->capacity, sizeof *raws->raws);
    struct frs_raw *raw = &raws->raws[raws->n++];
    *raw = (struct frs_raw){
        .layer = layer,
        .section = SIZE_MAX,
        .path = copy_line(path),
        .written = written,
        .text = frs_strdup(text ? text : ""),
        .where = copy_line(where),
    };
    raw->key = raw->path;
    return raw;
}

void frs_raws_fini(struct frs_raws *raws) {
    for (size_t i = 0; i < raws->n; i++) {
        free(raws->raws[i].path);
        free(raws->raws[i].text);
        free(raws->raws[i].where);
        free(raws->raws[i].problem);
    }
    free(raws->raws);
    *raws = (struct frs_raws){0};
}

void frs_raw_problem(struct frs_raw *raw, const char *format, ...) {
    if (raw->problem)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    raw->problem = frs_strdup(text);
}

void frs_raw_wrong_type(struct frs_raw *raw, const char *expected, const char *allowed) {
    char shown[72] = "", line[64];
    frs_text_line(raw->text, line, sizeof line);
    if (raw->written <= FRS_WRITTEN_TEXT)
        snprintf(shown, sizeof shown, "\"%s\" ", line);
    else if (raw->written <= FRS_WRITTEN_BOOLEAN)
        snprintf(shown, sizeof shown, "%s ", line);
    frs_raw_problem(
        raw, "%sis %s, not %s; allowed: %s", shown, frs_written_name(raw->written), expected, allowed);
}

const char *frs_written_name(enum frs_written written) {
    static const char *const names[] = {
        [FRS_WRITTEN_PLAIN] = "text",
        [FRS_WRITTEN_TEXT] = "text",
        [FRS_WRITTEN_INTEGER] = "an integer",
        [FRS_WRITTEN_REAL] = "a real number",
        [FRS_WRITTEN_BOOLEAN] = "a truth value",
        [FRS_WRITTEN_LIST] = "a list",
        [FRS_WRITTEN_GROUP] = "a group",
    };
    return names[written];
}

const struct frs_plugin *frs_state_shorthand(const struct frs_state *state) {
    const char *key = state->section->shorthand, *initial = state->section->initial;
    if (frs_state_own(state, key))
        return NULL;
    const struct frs_plugin *plugin = initial ? frs_state_plugin(state, initial) : NULL;
    if (!plugin || !frs_plugin_param(plugin, key))
        plugin = frs_state_plugin_with(state, key, NULL);
    FRS_INVARIANT(plugin, "no plug-in has the shorthand %s of %s", key, state->section->path);
    return plugin;
}

/* `downlink = "6 Mbit/s"` says which distribution is meant as well, so it also sets the selector. */
static void expand_shorthand(struct frs_scenario *scenario, size_t index, size_t section) {
    const struct frs_state *state = &scenario->states[section];
    const char *key = state->section->shorthand;
    struct frs_raw *raw = &scenario->raws.raws[index];
    raw->section = section;
    raw->key = key;
    const struct frs_plugin *plugin = frs_state_shorthand(state);
    if (!plugin)
        return;
    struct frs_raw *selector =
        frs_raws_add(&scenario->raws, raw->layer, raw->path, FRS_WRITTEN_PLAIN, plugin->name, raw->where);
    selector->section = section;
    selector->key = state->selector.key;
}

/* A path that is a section as a whole. */
static void locate_section(struct frs_scenario *scenario, size_t index, size_t section) {
    struct frs_raw *raw = &scenario->raws.raws[index];
    bool shorthand = section != SIZE_MAX && scenario->states[section].section->shorthand;
    if (shorthand)
        expand_shorthand(scenario, index, section);
    else if (raw->written == FRS_WRITTEN_PLAIN)
        frs_raw_problem(
            raw, "is a section; name one of its keys (`fedrecsim explain %s` lists them)", raw->path);
    else
        frs_raw_wrong_type(raw, "a group", "a group { ... }");
}

/* "method.colr.catchup": the group of a plug-in within a section. */
static bool locate_plugin_group(struct frs_scenario *scenario, struct frs_raw *raw, const char *dot) {
    const char *start = dot;
    while (start > raw->path && start[-1] != '.')
        start--;
    size_t parent = start > raw->path ? (size_t)(start - raw->path - 1) : 0;
    size_t section = frs_states_find(scenario, raw->path, parent);
    if (section == SIZE_MAX)
        return false;
    char *name = strndup(start, (size_t)(dot - start));
    FRS_INVARIANT(name, "out of memory");
    raw->group = frs_state_plugin(&scenario->states[section], name);
    free(name);
    if (!raw->group)
        return false;
    raw->section = section;
    if (raw->layer == FRS_LAYER_FILE)
        raw->layer = FRS_LAYER_GROUP;
    return true;
}

/* There is no section of the first `length` bytes of the path. "codec" of "codec.uplink" is none, but is
 * there. */
static void locate_nothing(const struct frs_scenario *scenario, struct frs_raw *raw, size_t length) {
    char *parent = frs_strdup(raw->path), *suggestion;
    parent[length] = '\0';
    bool is_group = raw->written == FRS_WRITTEN_GROUP;
    if (frs_states_is_group(scenario, parent)) {
        suggestion = frs_scenario_suggest(scenario, parent, raw->key, is_group);
    } else {
        char *last = strrchr(parent, '.');
        const char *name = last ? last + 1 : parent;
        if (last)
            *last = '\0';
        suggestion = frs_scenario_suggest(scenario, last ? parent : "", name, true);
    }
    frs_raw_problem(raw, "%s", suggestion);
    free(suggestion);
    free(parent);
}

void frs_raws_locate(struct frs_scenario *scenario, size_t index) {
    struct frs_raw *raw = &scenario->raws.raws[index];
    const char *dot = strrchr(raw->path, '.');
    size_t length = dot ? (size_t)(dot - raw->path) : 0;
    raw->key = dot ? dot + 1 : raw->path;
    raw->section = frs_states_find(scenario, raw->path, length);
    /* A key of the section above comes before a section of the same name. */
    if (raw->section != SIZE_MAX && frs_state_own(&scenario->states[raw->section], raw->key))
        return;
    if (*raw->path && frs_states_is_group(scenario, raw->path)) {
        locate_section(scenario, index, frs_states_find(scenario, raw->path, strlen(raw->path)));
        return;
    }
    if (raw->section != SIZE_MAX || (dot && locate_plugin_group(scenario, raw, dot)))
        return;
    locate_nothing(scenario, raw, length);
}
