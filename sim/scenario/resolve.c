/* From assignments to values: choose the plug-ins, check every assignment, store those that apply. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"
#include "sim/scenario/scenario_internal.h"
#include "sim/base/settings/path.h"

#include <stdlib.h>
#include <string.h>

/* --- which plug-in --- */

static bool selects(const struct frs_assignment *assignment, const struct frs_state *state, size_t section) {
    return assignment->section == section && !assignment->group && !assignment->problem &&
           strcmp(assignment->key, state->selector.key) == 0;
}

/* What a preset would choose for a section, had it been taken. */
static const char *preset_choice(
    const struct frs_preset *preset, const struct frs_state *state, const char *selector) {
    const char *name = NULL, *shorthand = state->section->shorthand;
    for (size_t i = 0; preset && preset->settings[i][0]; i++) {
        const char *key = preset->settings[i][0], *text = preset->settings[i][1];
        bool is_short = shorthand && strcmp(key, state->section->path) == 0;
        if (strcmp(key, selector) == 0 || (is_short && strcmp(shorthand, state->selector.key) == 0))
            name = text;
        else if (is_short && frs_state_shorthand(state))
            name = frs_state_shorthand(state)->name;
    }
    return name;
}

/* Whether this section, or one above it, names a preset that does not exist. Then the values that the
 * preset would have chosen are unknown. */
static bool begins_unknown(const struct frs_scenario *scenario, const char *path) {
    for (size_t i = 0; i < scenario->n; i++) {
        const char *other = scenario->states[i].section->path;
        size_t n = strlen(other);
        if (scenario->states[i].lacks_preset && strncmp(path, other, n) == 0 &&
            (path[n] == '\0' || path[n] == '.'))
            return true;
    }
    return false;
}

/* The plug-in of a section when only layers up to `last` count; NULL when none or a wrong one is named. */
static const struct frs_plugin *choose(
    const struct frs_scenario *scenario, size_t section, enum frs_layer last) {
    const struct frs_state *state = &scenario->states[section];
    const char *name = begins_unknown(scenario, state->section->path) ? NULL : state->section->initial;
    char *selector = frs_scenario_join(state->section->path, state->selector.key);
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *other = &scenario->states[i];
        const struct frs_preset *preset =
            last == FRS_LAYER_SET ? other->chosen_preset : other->preset_before_sets;
        const char *choice = preset_choice(preset, state, selector);
        name = choice ? choice : name;
    }
    free(selector);
    for (enum frs_layer layer = FRS_LAYER_FILE; layer <= last; layer++)
        for (size_t i = 0; i < scenario->assignments.n; i++)
            if (scenario->assignments.assignments[i].layer == layer &&
                selects(&scenario->assignments.assignments[i], state, section))
                name = scenario->assignments.assignments[i].text;
    return name ? frs_state_plugin(state, name) : NULL;
}

/* The assignment that says what stands in: the last one of its key. */
static struct frs_assignment *find_stand_in(struct frs_scenario *scenario, size_t section) {
    const struct frs_stand_in *rule = scenario->states[section].section->stand_in;
    struct frs_assignment *found = NULL;
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        struct frs_assignment *other = &scenario->assignments.assignments[i];
        if (other->section == section && !other->problem && strcmp(other->key, rule->key) == 0 &&
            (!found || other->layer >= found->layer))
            found = other;
    }
    return found;
}

/* Where the plug-in is chosen, or has a group, the one that its key names takes its place. */
static void stand_in(struct frs_scenario *scenario, size_t section) {
    struct frs_state *state = &scenario->states[section];
    const struct frs_stand_in *rule = state->section->stand_in;
    const struct frs_plugin *replaced = rule ? frs_state_plugin(state, rule->plugin) : NULL;
    struct frs_assignment *says = rule ? find_stand_in(scenario, section) : NULL;
    char why[1024];
    if (!says || (state->chosen != replaced && state->before_sets != replaced && says->group != replaced))
        return;
    const struct frs_plugin *plugin = rule->find(says->text, why, sizeof why);
    if (!plugin) {
        frs_assignment_problem(says, "%s", why);
        state->lacks_stand_in = true;
        return;
    }
    state->chosen = state->chosen == replaced ? plugin : state->chosen;
    state->before_sets = state->before_sets == replaced ? plugin : state->before_sets;
    state->stands_in = plugin;
    for (size_t i = 0; i < scenario->assignments.n; i++)
        if (scenario->assignments.assignments[i].group == replaced)
            scenario->assignments.assignments[i].group = plugin;
}

static void choose_plugins(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n; i++) {
        struct frs_state *state = &scenario->states[i];
        if (!state->section->family)
            continue;
        state->chosen = choose(scenario, i, FRS_LAYER_SET);
        state->before_sets = choose(scenario, i, FRS_LAYER_FILE);
        stand_in(scenario, i);
    }
}

/* --- which parameter --- */

/* "fedmf", "fedmf and colr", "fedmf, fedncf and colr": the plug-ins that have a key. */
static char *owners(const struct frs_state *state, const char *key) {
    char *text = frs_strdup("");
    const struct frs_plugin *plugin = frs_state_plugin_with(state, key, NULL);
    while (plugin) {
        const struct frs_plugin *next = frs_state_plugin_with(state, key, plugin);
        char *longer = frs_format("%s%s%s", text, !*text ? "" : next ? ", " : " and ", plugin->name);
        free(text);
        text = longer;
        plugin = next;
    }
    return text;
}

/* Whether the chosen plug-in is told something else by a later layer. */
static bool is_replaced(const struct frs_scenario *scenario, const struct frs_assignment *assignment) {
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *other = &scenario->assignments.assignments[i];
        if (other->layer > assignment->layer && other->section == assignment->section &&
            strcmp(other->key, assignment->key) == 0 &&
            (!other->group || other->group == scenario->states[assignment->section].chosen))
            return true;
    }
    return false;
}

/* The key of a plug-in, written directly in the section. */
static void find_plugin_param(const struct frs_scenario *scenario, struct frs_assignment *assignment) {
    const struct frs_state *state = &scenario->states[assignment->section];
    const struct frs_plugin *owner = frs_state_plugin_with(state, assignment->key, NULL);
    if (!owner && state->stands_in && frs_plugin_param(state->stands_in, assignment->key))
        owner = state->stands_in;
    if (!owner)
        return;
    assignment->applies = state->chosen && frs_plugin_param(state->chosen, assignment->key);
    if (assignment->applies)
        owner = state->chosen;
    /* Without a valid choice it is unknown whether the key fits. A key that fits the plug-in of the file
     * is inactive while --set chooses another plug-in. A preset yields to the user's choices. */
    bool rests = !state->chosen || frs_layer_is_preset(assignment->layer);
    if (assignment->layer == FRS_LAYER_FILE && state->before_sets != state->chosen && state->before_sets &&
        frs_plugin_param(state->before_sets, assignment->key)) {
        rests = true;
        assignment->was_replaced = !assignment->applies;
        assignment->applies = assignment->applies && !is_replaced(scenario, assignment);
        if (!assignment->applies)
            owner = state->before_sets;
    }
    if (assignment->applies || rests) {
        assignment->param = frs_plugin_param(owner, assignment->key);
        return;
    }
    char *others = owner == state->stands_in ? frs_strdup(owner->name) : owners(state, assignment->key);
    char *selector = frs_scenario_join(state->section->path, state->selector.key);
    frs_assignment_problem(
        assignment, "is a key of %s, but %s is \"%s\"", others, selector, state->chosen->name);
    free(selector);
    free(others);
}

/* "rounds.policy.after": where settings of a plug-in stand; freed by the caller. */
static char *keys_of(const struct frs_state *state, const struct frs_plugin *plugin) {
    char *keys = frs_strdup("");
    for (const struct frs_param *param = plugin->params; param && param->key; param++) {
        char *path = frs_scenario_join(state->section->path, param->key),
             *longer = frs_format("%s%s%s", keys, *keys ? ", " : "", path);
        free(path);
        free(keys);
        keys = longer;
    }
    return keys;
}

static void explain_unknown(const struct frs_scenario *scenario, struct frs_assignment *assignment) {
    const struct frs_state *state = &scenario->states[assignment->section];
    const struct frs_plugin *named = assignment->group ? NULL : frs_state_plugin(state, assignment->key);
    if (named) {
        char *keys = keys_of(state, named), *allowed = frs_format("a group { ... } with settings of %s%s%s%s",
                                                named->name, *keys ? " (" : "", keys, *keys ? ")" : "");
        frs_assignment_wrong_type(assignment, "a group", allowed);
        free(allowed);
        free(keys);
        return;
    }
    if (assignment->group && frs_state_plugin_with(state, assignment->key, NULL)) {
        char *others = owners(state, assignment->key);
        frs_assignment_problem(assignment, "is a key of %s, not of %s", others, assignment->group->name);
        free(others);
        return;
    }
    char *group = assignment->group ? frs_scenario_join(state->section->path, assignment->group->name) : NULL;
    char *suggestion = frs_scenario_suggest(scenario, group ? group : state->section->path, assignment->key,
        assignment->written == FRS_WRITTEN_GROUP);
    frs_assignment_problem(assignment, "%s", suggestion);
    free(suggestion);
    free(group);
}

static void find_param(const struct frs_scenario *scenario, struct frs_assignment *assignment) {
    if (assignment->problem)
        return;
    const struct frs_state *state = &scenario->states[assignment->section];
    const struct frs_param *own = frs_state_own(state, assignment->key);
    if (!own && state->lacks_stand_in) /* which keys there are is unknown, and said already why */
        return;
    if (assignment->group) {
        assignment->param = frs_plugin_param(assignment->group, assignment->key);
        if (!assignment->param && own != &state->selector && own != &state->preset)
            assignment->param = own;
        assignment->applies = assignment->group == state->chosen;
        assignment->was_replaced = assignment->layer == FRS_LAYER_GROUP && !assignment->applies &&
                                   assignment->group == state->before_sets;
    } else if (own) {
        assignment->param = own;
        assignment->applies = true;
    } else {
        find_plugin_param(scenario, assignment);
    }
    if (assignment->param || assignment->problem)
        return;
    explain_unknown(scenario, assignment);
}

/* --- which type --- */

static bool type_fits(const struct frs_assignment *assignment) {
    const struct frs_param *param = assignment->param;
    enum frs_written written = assignment->written;
    bool is_number = written == FRS_WRITTEN_INTEGER || written == FRS_WRITTEN_REAL;
    if (written == FRS_WRITTEN_PLAIN)
        return true;
    switch (param->type) {
    case FRS_BOOL:
        return written == FRS_WRITTEN_BOOLEAN;
    case FRS_INT:
        return written == FRS_WRITTEN_INTEGER;
    case FRS_REAL:
        return is_number ||
               (written == FRS_WRITTEN_TEXT && frs_param_takes_percentage(param) &&
                   (param->by_class || strchr(assignment->text, '%'))) ||
               (written == FRS_WRITTEN_TEXT && param->none && strcmp(assignment->text, "none") == 0);
    case FRS_TEXT:
    case FRS_CHOICE:
        return written == FRS_WRITTEN_TEXT;
    case FRS_LIST:
        return written == FRS_WRITTEN_LIST;
    case FRS_INTS:
        return written == FRS_WRITTEN_LIST || written == FRS_WRITTEN_INTEGER;
    case FRS_TEXTS:
        return written == FRS_WRITTEN_LIST || written == FRS_WRITTEN_TEXT;
    case FRS_QUANTITY: /* a bare number gets its own message from the parser */
    case FRS_SHARE:
        return is_number || written == FRS_WRITTEN_TEXT;
    }
    return false;
}

static const char *type_name(enum frs_type type) {
    static const char *const names[] = {
        [FRS_BOOL] = "true or false",
        [FRS_INT] = "an integer",
        [FRS_REAL] = "a number",
        [FRS_TEXT] = "text",
        [FRS_CHOICE] = "text",
        [FRS_LIST] = "a list",
        [FRS_TEXTS] = "a list",
        [FRS_QUANTITY] = "text with a unit",
        [FRS_SHARE] = "a count or a share",
        [FRS_INTS] = "an integer or a list of them",
    };
    return names[type];
}

/* A list of the file arrives here as text with semicolons between its elements; a list of words is written
 * with commas. */
static void check_words(struct frs_assignment *assignment) {
    char allowed[512];
    if (assignment->mixed_list || strpbrk(assignment->text, ", \\"))
        frs_assignment_problem(assignment,
            "every element of the list has to be one word in double quotes; allowed: %s",
            frs_param_allowed(assignment->param, allowed, sizeof allowed));
    for (char *at = assignment->text; (at = strchr(at, ';'));)
        *at = ',';
}

static void check_integers(struct frs_assignment *assignment) {
    char allowed[512];
    if (!assignment->mixed_list || !*assignment->text ||
        assignment->text[strspn(assignment->text, "0123456789-,")])
        frs_assignment_problem(assignment, "every element of the list has to be an integer; allowed: %s",
            frs_param_allowed(assignment->param, allowed, sizeof allowed));
}

static void check_type(struct frs_assignment *assignment) {
    char allowed[512];
    if (assignment->problem)
        return;
    if (!type_fits(assignment))
        frs_assignment_wrong_type(assignment, type_name(assignment->param->type),
            frs_param_allowed(assignment->param, allowed, sizeof allowed));
    else if (assignment->written == FRS_WRITTEN_LIST && assignment->param->type == FRS_LIST)
        check_words(assignment);
    else if (assignment->written == FRS_WRITTEN_LIST && assignment->param->type == FRS_INTS)
        check_integers(assignment);
    else if (assignment->written == FRS_WRITTEN_LIST && assignment->mixed_list)
        frs_assignment_problem(assignment, "every element of the list has to be text in double quotes");
}

/* A count in quotes could have been meant as a share. */
static void check_share(struct frs_assignment *assignment) {
    if (assignment->problem || assignment->param->type != FRS_SHARE ||
        assignment->written != FRS_WRITTEN_TEXT || strchr(assignment->text, '%') ||
        (assignment->param->automatic && strcmp(assignment->text, "auto") == 0))
        return;
    char allowed[512], line[64];
    frs_assignment_problem(assignment, "\"%s\" is text without %%; allowed: %s",
        frs_text_line(assignment->text, line, sizeof line),
        frs_param_allowed(assignment->param, allowed, sizeof allowed));
}

static void check_text(const struct frs_scenario *scenario, struct frs_assignment *assignment) {
    char line[64];
    if (assignment->problem)
        return;
    if (!frs_utf8_is_sound(assignment->text)) {
        frs_assignment_problem(
            assignment, "\"%s\" is not UTF-8 text", frs_text_line(assignment->text, line, sizeof line));
        return;
    }
    struct frs_value scratch = {.param = assignment->param};
    char reason[1024];
    if (frs_param_parse(assignment->param, assignment->text, &scratch, reason, sizeof reason) != FRS_OK)
        frs_assignment_problem(assignment, "%s%s", reason, frs_states_also_allow(scenario, assignment));
    else if (frs_type_is_text(assignment->param->type))
        free(scratch.text);
    free(scratch.by_class);
}

static enum frs_status check(struct frs_scenario *scenario, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        find_param(scenario, assignment);
        if (assignment->param) {
            check_type(assignment);
            check_share(assignment);
            check_text(scenario, assignment);
        }
        if (!assignment->problem)
            continue;
        FRS_INVARIANT(
            !frs_layer_is_preset(assignment->layer), "preset: %s: %s", assignment->path, assignment->problem);
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s%s%s", assignment->where, assignment->path,
            *assignment->path ? ": " : "", assignment->problem);
    }
    return status;
}

/* --- values --- */

static void add_params(struct frs_values *values, const struct frs_param *params) {
    for (; params && params->key; params++)
        frs_values_add(values, params);
}

static void add_values(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n; i++) {
        struct frs_state *state = &scenario->states[i];
        if (state->preset.key)
            frs_values_add(&state->values, &state->preset);
        if (state->selector.key)
            frs_values_add(&state->values, &state->selector);
        add_params(&state->values, frs_section_params(state->section));
        if (state->chosen)
            add_params(&state->values, state->chosen->params);
    }
}

static void store(struct frs_scenario *scenario, const struct frs_assignment *assignment) {
    struct frs_value *value = frs_values_find(&scenario->states[assignment->section].values, assignment->key);
    char reason[1024];
    if (frs_value_set(value, assignment->text, reason, sizeof reason) != FRS_OK)
        frs_panic(__FILE__, __LINE__, "%s: %s", assignment->path, reason);
    frs_value_place(value, assignment->where,
        assignment->layer == FRS_LAYER_FILE || assignment->layer == FRS_LAYER_GROUP);
    value->given = !frs_layer_is_preset(assignment->layer) && !assignment->not_given;
    value->rests = scenario->what_if && assignment->layer != FRS_LAYER_SET;
    value->asked = scenario->what_if && scenario->source &&
                   (assignment->layer == FRS_LAYER_FILE || assignment->layer == FRS_LAYER_GROUP);
}

static void store_layers(struct frs_scenario *scenario) {
    for (enum frs_layer layer = 0; layer < FRS_LAYERS; layer++)
        for (size_t i = 0; i < scenario->assignments.n; i++)
            if (scenario->assignments.assignments[i].layer == layer &&
                scenario->assignments.assignments[i].applies)
                store(scenario, &scenario->assignments.assignments[i]);
}

/* Whether the key has been set by any layer, rightly or wrongly. */
static bool was_tried(const struct frs_scenario *scenario, size_t section, const char *key) {
    for (size_t i = 0; i < scenario->assignments.n; i++)
        if (scenario->assignments.assignments[i].section == section &&
            strcmp(scenario->assignments.assignments[i].key, key) == 0)
            return true;
    return false;
}

static enum frs_status check_missing(const struct frs_scenario *scenario, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n && frs_states_is_there(scenario, i); v++) {
            const struct frs_param *param = state->values.values[v].param;
            if (param->initial || was_tried(scenario, i, param->key))
                continue;
            char allowed[512], *key = frs_scenario_join(state->section->path, param->key);
            status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s: has to be given; allowed: %s",
                state->where ? state->where : scenario->path, key,
                frs_param_allowed(param, allowed, sizeof allowed));
            free(key);
        }
    }
    return status;
}

/* --- defaults that depend on other keys --- */

static bool says(const struct frs_scenario *scenario, const struct frs_other_default *other) {
    const char *dot = strrchr(other->where, '.');
    size_t section = frs_states_find(scenario, other->where, (size_t)(dot - other->where));
    char *text = frs_value_format(frs_values_find(&scenario->states[section].values, dot + 1));
    bool says = other->says ? strcmp(text, other->says) == 0 : *text != '\0';
    free(text);
    return says;
}

static void take_other_defaults(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_other_default *other = scenario->states[i].section->other_defaults;
        for (; other && other->key; other++) {
            char reason[1024];
            if (!was_tried(scenario, i, other->key) && says(scenario, other) &&
                frs_value_set(frs_values_find(&scenario->states[i].values, other->key), other->initial,
                    reason, sizeof reason) != FRS_OK)
                frs_panic(__FILE__, __LINE__, "%s: %s", other->key, reason);
        }
    }
}

enum frs_status frs_scenario_resolve_given(struct frs_scenario *scenario, struct frs_errors *errors) {
    choose_plugins(scenario);
    return check(scenario, errors);
}

enum frs_status frs_scenario_resolve(struct frs_scenario *scenario, struct frs_errors *errors) {
    enum frs_status status = frs_scenario_resolve_given(scenario, errors);
    add_values(scenario);
    if (!scenario->may_lack && check_missing(scenario, errors) != FRS_OK)
        status = FRS_ERR_INPUT;
    if (status == FRS_OK) {
        store_layers(scenario);
        take_other_defaults(scenario);
        frs_inactive_keys_collect(scenario);
        frs_puts_collect(scenario);
    }
    return status;
}
