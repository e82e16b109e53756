/* Sensitivity: sensitivity.json, what a picture needs. */
#include "analysis/sensitivity/sensitivity_internal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of_interval(const struct frs_estimate *estimate) {
    json_t *object = json_object();
    frs_json_set(object, "mean", number(estimate->n > 0 ? estimate->mean : NAN));
    frs_json_set(object, "half_width", number(estimate->n > 1 ? estimate->half_width : NAN));
    return object;
}

static json_t *json_of_figure(const struct frs_figure *figure) {
    json_t *object = json_of_interval(&figure->estimate);
    if (figure->censored > 0)
        frs_json_set(object, "mean", json_null());
    frs_json_set(object, "n", json_integer((json_int_t)figure->estimate.n));
    frs_json_set(object, "censored", json_integer((json_int_t)figure->censored));
    return object;
}

static json_t *json_of_bar(
    const struct frs_sensitivity_table *writer, size_t variant, const struct frs_sensitivity_bar *bar) {
    const struct frs_assumption *assumption = &writer->what->assumptions[bar->assumption];
    json_t *object = json_object(), *levels = json_array();
    frs_json_set(object, "name", json_string(assumption->name));
    frs_json_set(object, "range", number(bar->range));
    frs_json_set(object, "apart", json_boolean(assumption->is_apart));
    for (size_t own = 0; own < assumption->n_levels; own++) {
        size_t level = frs_sensitivity_level(writer->what, bar->assumption, own);
        struct frs_figure figure = frs_sensitivity_figure(writer, variant, level);
        struct frs_estimate difference = frs_sensitivity_difference(writer, variant, level);
        json_t *one = json_object();
        frs_json_set(one, "label", json_string(assumption->labels[own]));
        frs_json_set(one, "figure", json_of_figure(&figure));
        frs_json_set(one, "difference", json_of_interval(&difference));
        frs_json_append(levels, one);
    }
    frs_json_set(object, "levels", levels);
    struct frs_estimate effect = writer->what->n_runs
                                     ? frs_sensitivity_effect(writer, variant, bar->assumption)
                                     : (struct frs_estimate){0};
    frs_json_set(object, "effect", effect.n > 0 ? json_of_interval(&effect) : json_null());
    return object;
}

static json_t *json_of_variant(const struct frs_sensitivity_table *writer, size_t variant) {
    json_t *object = json_object(), *list = json_array(), *seeds = json_object();
    struct frs_figure base = frs_sensitivity_figure(writer, variant, 0);
    struct frs_sensitivity_bar *bars = frs_alloc(writer->what->n + 1, sizeof *bars);
    char *name = frs_sensitivity_name(writer, variant, true, true);
    frs_sensitivity_bars(writer, variant, bars);
    for (size_t i = 0; i < writer->what->n; i++)
        frs_json_append(list, json_of_bar(writer, variant, &bars[i]));
    frs_json_set(object, "name", json_string(name));
    frs_json_set(object, "base", json_of_figure(&base));
    frs_json_set(seeds, "sd", number(base.estimate.n > 1 && base.censored == 0 ? base.estimate.sd : NAN));
    frs_json_set(object, "seeds", seeds);
    frs_json_set(object, "assumptions", list);
    free(name);
    free(bars);
    return object;
}

static json_t *name_or_null(const struct frs_sensitivity_table *writer, size_t variant) {
    if (variant == SIZE_MAX)
        return json_null();
    char *name = frs_sensitivity_name(writer, variant, true, false);
    json_t *text = json_string(name);
    free(name);
    return text;
}

static json_t *json_of_design_factor(const struct frs_sensitivity_table *writer, size_t like) {
    json_t *object = json_object(), *levels = json_array();
    size_t best = frs_sensitivity_best(writer, like, 0);
    char *environment = frs_sensitivity_name(writer, like, false, true);
    for (size_t level = 1; level < writer->n_levels; level++) {
        size_t other = frs_sensitivity_best(writer, like, level);
        json_t *one = json_object();
        bool turns = other != best && other != SIZE_MAX && best != SIZE_MAX;
        frs_json_set(one, "label", json_string(frs_sensitivity_label(writer, level)));
        frs_json_set(one, "best", name_or_null(writer, other));
        frs_json_set(one, "decided",
            json_boolean(turns ? frs_sensitivity_decides(writer, other, best, level)
                               : frs_sensitivity_best_is_ahead(writer, other, level)));
        frs_json_append(levels, one);
    }
    frs_json_set(object, "environment", json_string(environment));
    frs_json_set(object, "best", name_or_null(writer, best));
    frs_json_set(object, "decided", json_boolean(frs_sensitivity_best_is_ahead(writer, best, 0)));
    frs_json_set(object, "levels", levels);
    free(environment);
    return object;
}

json_t *frs_sensitivity_json(const struct frs_sensitivity_table *writer) {
    static const char *const units[] = {[FRS_UNIT_NONE] = "",
        [FRS_UNIT_TIME] = "s",
        [FRS_UNIT_BYTES] = "bytes",
        [FRS_UNIT_FLOP] = "flop",
        [FRS_UNIT_ENERGY] = "J"};
    json_t *root = json_object(), *variants = json_array(), *design_factors = json_array(),
           *left_out = json_array();
    for (size_t variant = 0; variant < writer->n_variants; variant++) {
        frs_json_append(variants, json_of_variant(writer, variant));
        if (frs_sensitivity_begins_design_factor(writer, variant))
            frs_json_append(design_factors, json_of_design_factor(writer, variant));
    }
    for (size_t i = 0; i < writer->what->n_left_out; i++) {
        json_t *one = json_object();
        frs_json_set(one, "name", json_string(writer->what->left_out[i].name));
        frs_json_set(one, "reason", json_string(writer->what->left_out[i].reason));
        frs_json_append(left_out, one);
    }
    frs_json_set(root, "format", json_string("fedrecsim-sensitivity-2"));
    frs_json_set(root, "answer", json_string(writer->answer));
    frs_json_set(root, "unit", json_string(units[frs_metric_unit(writer->answer)]));
    frs_json_set(root, "lower_is_better", json_boolean(writer->lower));
    frs_json_set(root, "replicates", json_integer((json_int_t)writer->sweep.plan->sweep.replicates));
    frs_json_set(root, "variants", variants);
    frs_json_set(root, "design_factors", design_factors);
    frs_json_set(root, "left_out", left_out);
    return root;
}
