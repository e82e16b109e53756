/* Places: where the files of relative paths are, beside what the scenario says. As one text,
 * "data.path=../ratings.csv;…". */
#include "sim/base/memory.h"
#include "sim/base/settings/texts.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

void frs_scenario_places_add(char **all, const char *key, const char *place) {
    char *whole = frs_format("%s=%s", key, place), *escaped = frs_text_escape(whole);
    char *longer = frs_format("%s%s%s", *all, **all ? ";" : "", escaped);
    free(whole);
    free(escaped);
    free(*all);
    *all = longer;
}

/* Whether a place ends in a folder and what the scenario says: another path has been set since. */
static bool is_place_of(const char *place, const char *said) {
    size_t n = strlen(place), m = strlen(said);
    return m > 0 && n > m && place[n - m - 1] == '/' && strcmp(place + n - m, said) == 0;
}

/* The value of "section.key" if it names a file, or NULL. */
static struct frs_value *find(const struct frs_scenario *scenario, const char *key) {
    const char *dot = strrchr(key, '.');
    size_t section = frs_states_find(scenario, key, dot ? (size_t)(dot - key) : 0);
    struct frs_value *value =
        section == SIZE_MAX ? NULL : frs_values_find(&scenario->states[section].values, dot ? dot + 1 : key);
    return value && value->param->is_path ? value : NULL;
}

static void put(const struct frs_scenario *scenario, const char *key, const char *place) {
    struct frs_value *value = find(scenario, key);
    if (!value || value->said || !is_place_of(place, value->text))
        return;
    value->said = value->text;
    value->text = frs_strdup(place);
}

void frs_scenario_places_read(struct frs_scenario *scenario, const char *text) {
    char **elements;
    size_t n = frs_texts_split(text, &elements);
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(elements[i], '=');
        if (!equals)
            continue;
        *equals = '\0';
        put(scenario, elements[i], equals + 1);
    }
    frs_texts_free(elements);
}

void frs_scenario_put_file(struct frs_scenario *scenario, const char *key, const char *path) {
    struct frs_value *value = find(scenario, key);
    if (!value || !*value->text)
        return;
    free(value->path);
    value->path = frs_strdup(path);
}

struct copied {
    const struct frs_scenario *from;
    struct frs_scenario *to;
};

static void copy_path(void *context, const char *key, const char *path) {
    const struct copied *copied = context;
    struct frs_value *value = find(copied->to, key);
    const struct frs_value *old = find(copied->from, key);
    if (value && old && !value->path && strcmp(old->text, value->text) == 0)
        value->path = frs_strdup(path);
}

void frs_scenario_places_copy(const struct frs_scenario *from, struct frs_scenario *to) {
    struct copied copied = {from, to};
    frs_scenario_each_path(from, copy_path, &copied);
}
