/* Assignments as they were written, and the section, plug-in group and key they mean. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Copies a key or a --set as one line: messages are one line each, whatever characters the text has. */
static char *copy_line(const char *text) {
    char line[256];
    return text ? frs_strdup(frs_text_line(text, line, sizeof line)) : NULL;
}

struct frs_assignment *frs_assignments_add(struct frs_assignments *assignments, enum frs_layer layer,
    const char *path, enum frs_written written, const char *text, const char *where) {
    assignments->assignments = frs_grow(assignments->assignments, assignments->n + 1, &assignments->capacity,
        sizeof *assignments->assignments);
    struct frs_assignment *assignment = &assignments->assignments[assignments->n++];
    *assignment = (struct frs_assignment){
        .layer = layer,
        .section = SIZE_MAX,
        .path = copy_line(path),
        .written = written,
        .text = frs_strdup(text ? text : ""),
        .where = copy_line(where),
    };
    assignment->key = assignment->path;
    return assignment;
}

void frs_assignments_fini(struct frs_assignments *assignments) {
    for (size_t i = 0; i < assignments->n; i++) {
        free(assignments->assignments[i].path);
        free(assignments->assignments[i].text);
        free(assignments->assignments[i].where);
        free(assignments->assignments[i].problem);
    }
    free(assignments->assignments);
    *assignments = (struct frs_assignments){0};
}

void frs_assignment_problem(struct frs_assignment *assignment, const char *format, ...) {
    if (assignment->problem)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assignment->problem = frs_strdup(text);
}

void frs_assignment_wrong_type(struct frs_assignment *assignment, const char *expected, const char *allowed) {
    char shown[72] = "", line[64];
    frs_text_line(assignment->text, line, sizeof line);
    if (assignment->written <= FRS_WRITTEN_TEXT)
        snprintf(shown, sizeof shown, "\"%s\" ", line);
    else if (assignment->written <= FRS_WRITTEN_BOOLEAN)
        snprintf(shown, sizeof shown, "%s ", line);
    frs_assignment_problem(assignment, "%sis %s, not %s; allowed: %s", shown,
        frs_written_name(assignment->written), expected, allowed);
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
    struct frs_assignment *assignment = &scenario->assignments.assignments[index];
    assignment->section = section;
    assignment->key = key;
    const struct frs_plugin *plugin = frs_state_shorthand(state);
    if (!plugin)
        return;
    struct frs_assignment *selector = frs_assignments_add(&scenario->assignments, assignment->layer,
        assignment->path, FRS_WRITTEN_PLAIN, plugin->name, assignment->where);
    selector->section = section;
    selector->key = state->selector.key;
}

/* A path that is a section as a whole. */
static void locate_section(struct frs_scenario *scenario, size_t index, size_t section) {
    struct frs_assignment *assignment = &scenario->assignments.assignments[index];
    bool shorthand = section != SIZE_MAX && scenario->states[section].section->shorthand;
    if (shorthand)
        expand_shorthand(scenario, index, section);
    else if (assignment->written == FRS_WRITTEN_PLAIN)
        frs_assignment_problem(assignment,
            "is a section; name one of its keys (`fedrecsim explain %s` lists them)", assignment->path);
    else
        frs_assignment_wrong_type(assignment, "a group", "a group { ... }");
}

/* "method.colr.catchup": the group of a plug-in within a section. */
static bool locate_plugin_group(
    struct frs_scenario *scenario, struct frs_assignment *assignment, const char *dot) {
    const char *start = dot;
    while (start > assignment->path && start[-1] != '.')
        start--;
    size_t parent = start > assignment->path ? (size_t)(start - assignment->path - 1) : 0;
    size_t section = frs_states_find(scenario, assignment->path, parent);
    if (section == SIZE_MAX)
        return false;
    char *name = strndup(start, (size_t)(dot - start));
    FRS_INVARIANT(name, "out of memory");
    assignment->group = frs_state_plugin(&scenario->states[section], name);
    free(name);
    if (!assignment->group)
        return false;
    assignment->section = section;
    if (assignment->layer == FRS_LAYER_FILE)
        assignment->layer = FRS_LAYER_GROUP;
    return true;
}

/* There is no section of the first `length` bytes of the path. "codec" of "codec.uplink" is not a section,
 * but exists. */
static void locate_nothing(
    const struct frs_scenario *scenario, struct frs_assignment *assignment, size_t length) {
    char *parent = frs_strdup(assignment->path), *suggestion;
    parent[length] = '\0';
    bool is_group = assignment->written == FRS_WRITTEN_GROUP;
    if (frs_states_is_group(scenario, parent)) {
        suggestion = frs_scenario_suggest(scenario, parent, assignment->key, is_group);
    } else {
        char *last = strrchr(parent, '.');
        const char *name = last ? last + 1 : parent;
        if (last)
            *last = '\0';
        suggestion = frs_scenario_suggest(scenario, last ? parent : "", name, true);
    }
    frs_assignment_problem(assignment, "%s", suggestion);
    free(suggestion);
    free(parent);
}

void frs_assignments_locate(struct frs_scenario *scenario, size_t index) {
    struct frs_assignment *assignment = &scenario->assignments.assignments[index];
    const char *dot = strrchr(assignment->path, '.');
    size_t length = dot ? (size_t)(dot - assignment->path) : 0;
    assignment->key = dot ? dot + 1 : assignment->path;
    assignment->section = frs_states_find(scenario, assignment->path, length);
    /* A key of the section above comes before a section of the same name. */
    if (assignment->section != SIZE_MAX &&
        frs_state_own(&scenario->states[assignment->section], assignment->key))
        return;
    if (*assignment->path && frs_states_is_group(scenario, assignment->path)) {
        locate_section(
            scenario, index, frs_states_find(scenario, assignment->path, strlen(assignment->path)));
        return;
    }
    if (assignment->section != SIZE_MAX || (dot && locate_plugin_group(scenario, assignment, dot)))
        return;
    locate_nothing(scenario, assignment, length);
}
