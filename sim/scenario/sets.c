/* Assignments from outside the file: --set, and presets. */
#include "sim/base/memory.h"
#include "sim/scenario/lexer.h"
#include "sim/scenario/scenario_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char *trimmed(const char *text, size_t length) {
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    char *copy = frs_alloc(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

/* Returns the text within double quotes with its escapes resolved, as in a file. NULL: the value is no
 * such text, or more than one. The shell has already removed its own quotes. */
static char *quoted(const char *value) {
    struct frs_errors ignored = {0};
    struct frs_splice splice = {0};
    struct frs_lexer lexer;
    char *text = NULL;
    if (*value != '"' || !value[1])
        return NULL;
    frs_lexer_init(&lexer, "--set", value, NULL, &splice, &ignored);
    struct frs_token first = frs_lexer_next(&lexer), second = frs_lexer_next(&lexer);
    if (first.type == FRS_TOKEN_TEXT && second.type == FRS_TOKEN_END && lexer.long_text_line == 0)
        text = frs_strdup(first.text);
    frs_token_fini(&first);
    frs_token_fini(&second);
    frs_lexer_fini(&lexer);
    frs_splice_fini(&splice);
    frs_errors_clear(&ignored);
    return text;
}

static void read_set(struct frs_scenario *scenario, const char *set) {
    const char *equals = strchr(set, '=');
    char *path = trimmed(set, equals ? (size_t)(equals - set) : strlen(set));
    char *text = equals ? trimmed(equals + 1, strlen(equals + 1)) : frs_strdup("");
    if (equals && !*text) { /* blanks alone are a value: a separator may be a space */
        free(text);
        text = frs_strdup(equals + 1);
    }
    char *where = frs_format("--set %s", set), *in_quotes = quoted(text);
    struct frs_assignment *assignment = frs_assignments_add(&scenario->assignments, FRS_LAYER_SET, path,
        in_quotes ? FRS_WRITTEN_TEXT : FRS_WRITTEN_PLAIN, in_quotes ? in_quotes : text, where);
    if (!equals || !*path) {
        *assignment->path = '\0'; /* the place says it all */
        frs_assignment_problem(assignment, "has to look like section.key=value");
    } else {
        frs_assignments_locate(scenario, scenario->assignments.n - 1);
    }
    free(path);
    free(text);
    free(in_quotes);
    free(where);
}

/* Another seed is no other scenario. */
static bool is_seed(const struct frs_assignment *assignment) {
    return strcmp(assignment->path, "seed") == 0;
}

void frs_scenario_read_sets(struct frs_scenario *scenario, const char *const *sets, size_t n_sets) {
    for (size_t i = 0; i < n_sets; i++) {
        size_t first = scenario->assignments.n;
        read_set(scenario, sets[i]);
        if (!is_seed(&scenario->assignments.assignments[first]))
            scenario->what_if = true;
    }
}

/* Whether `keys`, separated by spaces, has `key`. */
static bool has_key(const char *keys, const char *key) {
    size_t length = strlen(key);
    while (*keys) {
        size_t n = strcspn(keys, " ");
        if (n == length && strncmp(keys, key, n) == 0)
            return true;
        keys += n + strspn(keys + n, " ");
    }
    return false;
}

static const char *given_keys(const struct frs_setting *settings, size_t n_settings) {
    for (size_t i = 0; i < n_settings; i++)
        if (strcmp(settings[i].key, FRS_SCENARIO_GIVEN) == 0)
            return settings[i].text;
    return "";
}

/* Nothing is trimmed: a separator may be a space. */
void frs_scenario_read_settings(
    struct frs_scenario *scenario, const struct frs_setting *settings, size_t n_settings) {
    const char *given = given_keys(settings, n_settings);
    for (size_t i = 0; i < n_settings; i++) {
        const char *key = settings[i].key;
        if (strcmp(key, FRS_SCENARIO_GIVEN) == 0 || strcmp(key, FRS_SCENARIO_FILE) == 0 ||
            strcmp(key, FRS_SCENARIO_PLACES) == 0)
            continue;
        size_t index = scenario->assignments.n;
        frs_assignments_add(
            &scenario->assignments, FRS_LAYER_FILE, key, FRS_WRITTEN_PLAIN, settings[i].text, scenario->path);
        scenario->assignments.assignments[index].not_given = !has_key(given, key);
        frs_assignments_locate(scenario, index);
    }
}

/* Returns the preset that a section names, and the layer that names it. Names that do not exist are
 * reported later. */
static const struct frs_preset *find_preset(
    const struct frs_scenario *scenario, size_t section, enum frs_layer last, enum frs_layer *said) {
    const struct frs_state *state = &scenario->states[section];
    const struct frs_preset *preset = frs_state_find_preset(state, state->preset.initial);
    *said = FRS_LAYER_PRESET;
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        if (assignment->section == section && assignment->layer <= last && !assignment->group &&
            !assignment->problem && strcmp(assignment->key, "preset") == 0) {
            preset = frs_state_find_preset(state, assignment->text);
            *said = assignment->layer;
        }
    }
    return preset;
}

/* Whether the last layer that names a preset for the section names one that does not exist. */
static bool lacks_preset(const struct frs_scenario *scenario, size_t section) {
    const struct frs_state *state = &scenario->states[section];
    bool lacks = false;
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        if (assignment->section == section && !assignment->group && strcmp(assignment->key, "preset") == 0)
            lacks = !assignment->text || (strcmp(assignment->text, "none") != 0 &&
                                             !frs_state_find_preset(state, assignment->text));
    }
    return lacks;
}

static void read_preset(
    struct frs_scenario *scenario, const struct frs_preset *preset, enum frs_layer layer) {
    for (size_t i = 0; preset->settings[i][0]; i++) {
        frs_assignments_add(&scenario->assignments, layer, preset->settings[i][0], FRS_WRITTEN_PLAIN,
            preset->settings[i][1], NULL);
        frs_assignments_locate(scenario, scenario->assignments.n - 1);
    }
}

/* The file builds on a preset that it names; a preset that --set names is what the user wants now, and
 * wins over the file. */
void frs_scenario_read_presets(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n; i++) {
        struct frs_state *state = &scenario->states[i];
        if (!state->preset.key)
            continue;
        enum frs_layer said;
        state->lacks_preset = lacks_preset(scenario, i);
        state->preset_before_sets = find_preset(scenario, i, FRS_LAYER_FILE, &said);
        state->chosen_preset = find_preset(scenario, i, FRS_LAYER_SET, &said);
        if (state->chosen_preset)
            read_preset(scenario, state->chosen_preset,
                said == FRS_LAYER_SET ? FRS_LAYER_SET_PRESET : FRS_LAYER_PRESET);
    }
}
