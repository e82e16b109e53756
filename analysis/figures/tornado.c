/* Tornados: how far each assumption moves an answer, from sensitivity.json. */
#include "analysis/figures/drawing.h"
#include "analysis/read/json.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static double mean_of(const json_t *level) {
    return number(json_object_get(level, "figure"), "mean");
}

/* [least, most] of the ends that have a figure, and of the scenario as it is. */
static void find_range(const json_t *variant, double range[2]) {
    const json_t *assumptions = json_object_get(variant, "assumptions");
    range[0] = range[1] = number(json_object_get(variant, "base"), "mean");
    for (size_t i = 0; i < json_array_size(assumptions); i++) {
        const json_t *levels = json_object_get(json_array_get(assumptions, i), "levels");
        for (size_t k = 0; k < json_array_size(levels); k++) {
            double mean = mean_of(json_array_get(levels, k));
            range[0] = fmin(range[0], mean);
            range[1] = fmax(range[1], mean);
        }
    }
}

/* A bar from the scenario as it is to each end; one that runs do not always reach has none, and is named. */
static void put_bars(struct frs_plot *plot, const json_t *assumptions, double base, double factor) {
    for (size_t i = 0; i < json_array_size(assumptions); i++) {
        const json_t *levels = json_object_get(json_array_get(assumptions, i), "levels");
        for (size_t k = 0; k < json_array_size(levels); k++) {
            const json_t *level = json_array_get(levels, k);
            double mean = mean_of(level), to = isfinite(mean) ? mean : base,
                   y = (double)(i + 1) + (k ? 0.2 : -0.2);
            fprintf(plot->data.file, "%.15g %.15g %.15g %zu\n", base, y, to, k + 1);
            char *label = isfinite(mean) ? frs_strdup(text(level, "label"))
                                         : frs_format("%s: not always reached", text(level, "label"));
            fputs("set label ", plot->script.file);
            frs_plot_put_text(plot, label);
            fprintf(plot->script.file, " at %.15g,%.15g %s offset %s,0 font ',6'\n", to * factor, y,
                to < base ? "right" : "left", to < base ? "-0.5" : "0.5");
            free(label);
        }
    }
}

static void put_names(struct frs_plot *plot, const json_t *assumptions) {
    size_t n = json_array_size(assumptions);
    const char **names = frs_alloc(n, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = text(json_array_get(assumptions, i), "name");
    frs_plot_put_tics(plot, "ytics", names, n);
    free(names);
}

static enum frs_status draw_variant(
    struct frs_drawing *d, const json_t *root, size_t variant, struct frs_errors *errors) {
    const json_t *variants = json_object_get(root, "variants"), *own = json_array_get(variants, variant),
                 *assumptions = json_object_get(own, "assumptions");
    double range[2], base = number(json_object_get(own, "base"), "mean");
    size_t n = json_array_size(assumptions);
    if (n == 0 || !isfinite(base))
        return FRS_OK;
    find_range(own, range);
    const struct frs_estimate most = {.n = 1, .mean = range[1], .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit;
    double factor = frs_amount_unit(text(root, "answer"), &most, &unit),
           room = 0.35 * (range[1] - range[0]) * factor;
    char *x = frs_format("%s%s%s", text(root, "answer"), *unit ? ", " : "", unit),
         *name =
             json_array_size(variants) > 1 ? frs_format("tornado-%zu", variant + 1) : frs_strdup("tornado");
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, &d->canvas, name, text(own, "name"), x, "", n, errors);
    if (status == FRS_OK) {
        fputs("# base place end which\n", plot.data.file);
        put_bars(&plot, assumptions, base, factor);
        put_names(&plot, assumptions);
        fprintf(plot.script.file,
            "unset key\nunset bmargin\nset style fill solid 0.7 noborder\nset xrange [%.15g:%.15g]\nset "
            "yrange "
            "[%zu.7:0.3]\nset arrow "
            "from %.15g,graph 0 to %.15g,graph 1 nohead lw 1\nplot '%s.dat' using "
            "($1*%.15g):2:($1*%.15g):($3*%.15g):($2-"
            "0.17):($2+0.17):4 with boxxyerror lc variable\n",
            range[0] * factor - room, range[1] * factor + room, n, base * factor, base * factor, plot.name,
            factor, factor, factor);
        status = frs_plot_draw(&plot, errors);
    }
    free(x);
    return status;
}

enum frs_status frs_draw_tornados(struct frs_drawing *d, const char *folder, struct frs_errors *errors) {
    char *path = frs_format("%s/sensitivity.json", folder);
    json_t *root = frs_contents_exist(path) ? frs_json_read(path, errors) : NULL;
    enum frs_status status = frs_contents_exist(path) && !root ? FRS_ERR_INPUT : FRS_OK;
    if (root && strcmp(text(root, "format"), "fedrecsim-sensitivity-2") != 0)
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: is no sensitivity of the format fedrecsim-sensitivity-2", path);
    const json_t *variants = json_object_get(root, "variants");
    d->n_variants = json_array_size(variants);
    for (size_t i = 0; status == FRS_OK && i < d->n_variants && i < FRS_FIGURES_MOST; i++)
        status = draw_variant(d, root, i, errors);
    json_decref(root);
    free(path);
    return status;
}
