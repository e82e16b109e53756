/* Finds the key that a misspelt one probably stands for. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/renamed_keys.h"
#include "sim/scenario/scenario_internal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const char *section, *name;      /* what was written, and where */
    const char *best_section, *best; /* the nearest name so far, and where it belongs */
    size_t distance;                 /* of `best` */
    size_t score;                    /* distance, and a little more when it belongs elsewhere */
    size_t parent_bytes;             /* length of best_section */
};

/* The lengths alone tell of most names that they are not near. */
static bool is_near(const char *written, const char *name, size_t *distance) {
    size_t n = strlen(written), m = strlen(name);
    *distance = n > m ? n - m : m - n; /* the least that it can be */
    if (!frs_text_is_near(written, *distance))
        return false;
    *distance = frs_text_distance(written, name);
    return frs_text_is_near(written, *distance);
}

static void consider(struct search *search, const char *section, size_t bytes, const char *name) {
    size_t distance;
    if (!is_near(search->name, name, &distance))
        return;
    bool here = strlen(search->section) == bytes && strncmp(search->section, section, bytes) == 0;
    size_t score = 2 * distance + (here ? 0 : 1);
    if (score >= search->score)
        return;
    *search = (struct search){.section = search->section,
        .name = search->name,
        .best_section = section,
        .best = name,
        .distance = distance,
        .score = score,
        .parent_bytes = bytes};
}

static void consider_params(struct search *search, const char *section, const struct frs_param *params) {
    for (; params && params->key; params++)
        consider(search, section, strlen(section), params->key);
}

/* Every name on the path of a section: "codec" and "uplink" of "codec.uplink". */
static void consider_path(struct search *search, const char *path) {
    for (const char *start = path; *start;) {
        size_t length = strcspn(start, ".");
        char *name = strndup(start, length);
        FRS_INVARIANT(name, "out of memory");
        consider(search, path, start > path ? (size_t)(start - path - 1) : 0, name);
        if (search->best == name)
            search->best = start; /* ends at the next dot; `name` is about to go */
        free(name);
        start += length;
        start += *start == '.';
    }
}

static void search_all(const struct frs_scenario *scenario, struct search *search) {
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        const char *path = state->section->path;
        consider_path(search, path);
        if (state->selector.key)
            consider(search, path, strlen(path), state->selector.key);
        if (state->preset.key)
            consider(search, path, strlen(path), state->preset.key);
        consider_params(search, path, frs_section_params(state->section));
        if (!state->section->family)
            continue;
        for (const struct frs_plugin *const *plugin = state->section->family->plugins; *plugin; plugin++) {
            consider(search, path, strlen(path), (*plugin)->name);
            consider_params(search, path, (*plugin)->params);
        }
    }
}

/* The group of a plug-in offers the keys of that plug-in only. */
static bool search_group(const struct frs_scenario *scenario, struct search *search) {
    const char *dot = strrchr(search->section, '.'), *name = dot ? dot + 1 : search->section;
    size_t section = frs_states_find(scenario, search->section, dot ? (size_t)(dot - search->section) : 0);
    const struct frs_plugin *plugin =
        section == SIZE_MAX ? NULL : frs_state_plugin(&scenario->states[section], name);
    if (!plugin || frs_states_is_group(scenario, search->section))
        return false;
    consider_params(search, search->section, plugin->params);
    consider_params(search, search->section, frs_section_params(scenario->states[section].section));
    return true;
}

static char *unknown_here(const struct frs_scenario *scenario, const char *section, const char *what) {
    size_t length = strlen(section);
    if (!frs_states_is_group(
            scenario, section)) /* explain shows the group of a plug-in with the section around it */
        length = strrchr(section, '.') ? (size_t)(strrchr(section, '.') - section) : 0;
    return frs_format(
        "unknown %s (`fedrecsim explain%s%.*s` lists all)", what, length ? " " : "", (int)length, section);
}

char *frs_scenario_suggest(
    const struct frs_scenario *scenario, const char *section, const char *name, bool is_group) {
    const char *what = is_group ? "section" : "key";
    const char *now = frs_renamed_key(section, name);
    if (now)
        return frs_format("unknown %s; did you mean %s?", what, now);
    struct search search = {.section = section, .name = name, .score = SIZE_MAX};
    if (!search_group(scenario, &search))
        search_all(scenario, &search);
    if (!search.best)
        return unknown_here(scenario, section, what);
    int bytes = (int)strcspn(search.best, "."), parent = (int)search.parent_bytes;
    if (search.score % 2 == 0)
        return frs_format("unknown %s; did you mean \"%.*s\"?", what, bytes, search.best);
    if (search.distance == 0 && parent == 0)
        return frs_format("unknown %s; %.*s belongs to the top level", what, bytes, search.best);
    if (search.distance == 0)
        return frs_format("unknown %s; %.*s belongs to section %.*s", what, bytes, search.best, parent,
            search.best_section);
    return frs_format("unknown %s; did you mean %.*s%s%.*s?", what, parent, search.best_section,
        parent ? "." : "", bytes, search.best);
}
