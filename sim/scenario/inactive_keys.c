/* Inactive keys: keys of the file that have no effect because --set or the level of an axis was put on top
 * of it.
 *
 * The points of a sweep and replays have no file any more, so these keys travel with the other settings,
 * as one text. */
#include "sim/base/memory.h"
#include "sim/base/settings/texts.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void add_left(struct frs_scenario *scenario, char *key, const char *text) {
    scenario->left =
        frs_grow(scenario->left, scenario->n_left + 1, &scenario->left_capacity, sizeof *scenario->left);
    scenario->left[scenario->n_left++] = (struct frs_left){key, frs_strdup(text)};
}

void frs_inactive_keys_collect(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        if (assignment->was_replaced)
            add_left(scenario,
                frs_scenario_join(scenario->states[assignment->section].section->path, assignment->key),
                assignment->text);
    }
}

void frs_inactive_keys_fini(struct frs_scenario *scenario) {
    for (size_t i = 0; i < scenario->n_left; i++) {
        free(scenario->left[i].key);
        free(scenario->left[i].text);
    }
    free(scenario->left);
}

/* The loader itself reads selectors and presets. */
static bool rests(const struct frs_state *state, const struct frs_value *value) {
    bool is_for_loader = value->param == &state->selector || value->param == &state->preset;
    return !value->read && (!is_for_loader || value->idle);
}

static void each_asked(const struct frs_scenario *scenario, bool all,
    void (*each)(void *context, const char *key, const char *text), void *context) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        /* A run knows nothing of a section aside, whose values do not travel. */
        for (size_t v = 0; v < state->values.n && !state->section->is_aside; v++) {
            const struct frs_value *value = &state->values.values[v];
            if (!value->asked || value->param == &state->preset || !(all || rests(state, value)))
                continue;
            char *key = frs_scenario_join(state->section->path, value->param->key),
                 *text = frs_value_format(value);
            each(context, key, text);
            free(text);
            free(key);
        }
    }
    for (size_t i = 0; i < scenario->n_left; i++)
        each(context, scenario->left[i].key, scenario->left[i].text);
}

void frs_scenario_each_inactive_key(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context) {
    each_asked(scenario, false, each, context);
}

static void append_line(void *context, const char *key, const char *text) {
    char **all = context, line[64];
    char *longer = frs_format(
        "%s%s%s = %s", *all, **all ? ", " : "", key, *text ? frs_text_line(text, line, sizeof line) : "\"\"");
    free(*all);
    *all = longer;
}

char *frs_scenario_inactive_keys(const struct frs_scenario *scenario) {
    char *all = frs_strdup("");
    frs_scenario_each_inactive_key(scenario, append_line, &all);
    return all;
}

/* --- as one text: "key=text;key=text", as frs_texts_split reads it --- */

static void append(void *context, const char *key, const char *text) {
    char **all = context, *whole = frs_format("%s=%s", key, text), *escaped = frs_text_escape(whole);
    char *longer = frs_format("%s%s%s", *all, **all ? ";" : "", escaped);
    free(whole);
    free(escaped);
    free(*all);
    *all = longer;
}

char *frs_inactive_keys_write(const struct frs_scenario *scenario) {
    char *all = frs_strdup("");
    each_asked(scenario, true, append, &all);
    return all;
}

static struct frs_value *find_value(const struct frs_scenario *scenario, const char *key) {
    const char *dot = strrchr(key, '.');
    size_t section = frs_states_find(scenario, key, dot ? (size_t)(dot - key) : 0);
    return section == SIZE_MAX ? NULL
                               : frs_values_find(&scenario->states[section].values, dot ? dot + 1 : key);
}

void frs_inactive_keys_read(struct frs_scenario *scenario, const char *text) {
    char **elements;
    size_t n = frs_texts_split(text, &elements);
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(elements[i], '=');
        if (!equals)
            continue;
        *equals = '\0';
        struct frs_value *value = find_value(scenario, elements[i]);
        if (value)
            value->asked = true;
        else
            add_left(scenario, frs_strdup(elements[i]), equals + 1);
    }
    frs_texts_free(elements);
}

struct frs_scenario *frs_scenario_load_alone(const struct frs_scenario *scenario) {
    if (!scenario->what_if || !scenario->source)
        return NULL;
    struct frs_errors ignored = {0};
    struct frs_scenario *alone;
    const struct frs_section *sections = scenario->states[0].section;
    const struct frs_values *top = frs_scenario_section(scenario, "");
    char *seed = frs_format("seed=%lld", (long long)frs_values_find(top, "seed")->integer);
    const char *const sets[] = {seed};
    if (frs_scenario_load(sections, scenario->source, sets, 1, &alone, &ignored) != FRS_OK)
        frs_errors_clear(&ignored);
    free(seed);
    return alone;
}
