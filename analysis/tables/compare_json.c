/* A comparison as an object of the format fedrecsim-compare-1 (docs/schemas). */
#include "analysis/entries/environment.h"
#include "analysis/read/json.h"
#include "analysis/sentence/sentence.h"
#include "analysis/tables/compare_internal.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static void set_interval(json_t *object, const struct frs_estimate *estimate, const char *const names[3]) {
    frs_json_set(object, names[0], number(estimate->mean));
    frs_json_set(object, names[1], number(estimate->mean - estimate->half_width));
    frs_json_set(object, names[2], number(estimate->mean + estimate->half_width));
}

static json_t *figure_object(const struct frs_comparison *c, size_t entry, size_t column) {
    static const char *const means[3] = {"mean", "ci_low", "ci_high"}, *const differences[3] = {"difference",
                                                                           "difference_low",
                                                                           "difference_high"};
    const struct frs_figure *figure = &c->columns[column].figures[entry];
    const struct frs_contrast *contrast = &c->columns[column].contrasts[entry];
    json_t *object = json_object();
    frs_json_set(object, "n", json_integer((json_int_t)figure->estimate.n));
    frs_json_set(object, "censored", json_integer((json_int_t)figure->censored));
    set_interval(object, &figure->estimate, means);
    set_interval(object, c->paired[entry] ? &contrast->paired : &contrast->unpaired, differences);
    return object;
}

static json_t *entry_object(const struct frs_comparison *c, size_t i) {
    const struct frs_entry *entry = &c->entries->list[i];
    json_t *object = json_object(), *runs = json_array(), *figures = json_object();
    frs_json_set(object, "name", json_string(entry->name));
    frs_json_set(object, "environment", json_string(c->entries->environments[entry->environment]));
    for (size_t k = 0; k < entry->n; k++)
        frs_json_append(runs, json_string(entry->runs[k].path));
    frs_json_set(object, "runs", runs);
    frs_json_set(object, "baseline", json_string(c->entries->list[c->baselines[i]].name));
    frs_json_set(object, "pairing", json_string(c->paired[i] ? "paired" : "unpaired"));
    frs_json_set(object, "on_front", json_boolean(c->on_front[i]));
    for (size_t k = 0; k < c->n_columns; k++)
        frs_json_set(figures, c->columns[k].metric, figure_object(c, i, k));
    frs_json_set(object, "figures", figures);
    return object;
}

/* Takes `text`; NULL and "" are null. */
static json_t *text_or_null(char *text) {
    json_t *value = text && *text ? json_string(text) : json_null();
    free(text);
    return value;
}

json_t *frs_compare_object(const struct frs_comparison *c) {
    json_t *root = json_object(), *warnings = json_array(), *environments = json_array(),
           *entries = json_array();
    frs_json_set(root, "format", json_string("fedrecsim-compare-1"));
    frs_json_set(root, "sentence",
        text_or_null(frs_environments_are_apart(c->entries) ? frs_sentence_across(c->entries)
                     : c->entries->n > 1                    ? frs_sentence_of_entries(c->entries)
                                                            : NULL));
    frs_json_set(root, "target", text_or_null(frs_target_text(&c->entries->target)));
    for (size_t i = 0; i < c->entries->n_warnings; i++)
        frs_json_append(warnings, json_string(c->entries->warnings[i]));
    for (size_t i = 0; i < c->entries->n_environments; i++)
        frs_json_append(environments, json_string(c->entries->environments[i]));
    for (size_t i = 0; i < c->entries->n; i++)
        frs_json_append(entries, entry_object(c, i));
    frs_json_set(root, "warnings", warnings);
    frs_json_set(root, "environments", environments);
    frs_json_set(root, "entries", entries);
    return root;
}
