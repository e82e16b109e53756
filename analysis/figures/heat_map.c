/* Heat maps: means at the places of two axes; the darker the larger, also in grey. */
#include "analysis/figures/lettering.h"
#include "analysis/figures/swept.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

static void find_range(const struct frs_swept *swept, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t panel = 0; panel < swept->panels.n; panel++)
        for (size_t y = 0; y < swept->y_places.n; y++)
            for (size_t x = 0; x < swept->x_places.n; x++) {
                double mean = frs_swept_figure(swept, x, y, 0, panel).estimate.mean;
                if (isfinite(mean)) {
                    range[0] = fmin(range[0], mean);
                    range[1] = fmax(range[1], mean);
                }
            }
}

static const struct frs_axis *axis_of(const struct frs_swept *swept, size_t axis) {
    return &swept->sweep->plan->sweep.axes.axes[axis];
}

/* One block for each panel; both labels stand at the end of a row. */
static void put_data(const struct frs_swept *swept, struct frs_plot *plot) {
    fputs("# column row mean ci_low ci_high replicates censored labels\n", plot->data.file);
    for (size_t panel = 0; panel < swept->panels.n; panel++) {
        char *name = frs_swept_panel_name(swept, panel);
        frs_plot_put_comment(plot, name, swept->metric);
        free(name);
        for (size_t y = 0; y < swept->y_places.n; y++)
            for (size_t x = 0; x < swept->x_places.n; x++) {
                struct frs_figure f = frs_swept_figure(swept, x, y, 0, panel);
                const double row[] = {(double)(x + 1), (double)(y + 1), f.estimate.mean,
                    f.estimate.mean - f.estimate.half_width, f.estimate.mean + f.estimate.half_width,
                    (double)f.estimate.n, (double)f.censored};
                char *labels =
                    frs_format("%s; %s", axis_of(swept, swept->x)->levels[swept->x_places.levels[x]].label,
                        axis_of(swept, swept->y)->levels[swept->y_places.levels[y]].label);
                frs_plot_put_labelled(plot, row, sizeof row / sizeof *row, labels);
                free(labels);
            }
        fputs("\n\n", plot->data.file);
    }
}

/* Writes each cell's value into it, in white on dark cells; in a smaller size where room is scarce, and
 * not at all where there is none. */
static void put_values(const struct frs_swept *swept, struct frs_plot *plot, size_t panel, double room_cm,
    const double range[2]) {
    if (room_cm < 0.6)
        return;
    for (size_t y = 0; y < swept->y_places.n; y++)
        for (size_t x = 0; x < swept->x_places.n; x++) {
            struct frs_figure f = frs_swept_figure(swept, x, y, 0, panel);
            double mean = f.estimate.mean;
            char *text = f.censored > 0 ? frs_format("%zu of %zu", f.estimate.n - f.censored, f.estimate.n)
                         : f.estimate.n > 0 ? frs_value_text(swept->metric, mean)
                                            : frs_strdup("–");
            fputs("set label ", plot->script.file);
            frs_plot_put_text(plot, text);
            fprintf(plot->script.file, " at %zu,%zu center front%s tc rgb '%s'\n", x + 1, y + 1,
                room_cm < 1 ? " font ',5'" : "",
                mean > range[0] + 0.55 * (range[1] - range[0]) ? "#ffffff" : "#000000");
            free(text);
        }
}

static void put_panels(const struct frs_swept *swept, struct frs_plot *plot, const struct frs_panels *panels,
    const char *metric, double factor, const double range[2]) {
    fprintf(plot->script.file,
        "set multiplot\nunset grid\nunset key\nset border 0\nset tics scale 0\nset palette defined (0 "
        "'#ffffff', 1 "
        "'#9ecae1', 2 '#3182bd', 3 '#08306b')\nset cbrange [%.15g:%.15g]\nset xrange [0.5:%zu.5]\nset yrange "
        "[0.5:%zu.5]\n",
        range[0] * factor, (range[1] > range[0] ? range[1] : range[0] + 1e-9) * factor, swept->x_places.n,
        swept->y_places.n);
    frs_swept_put_tics(swept, plot, false, frs_panels_width(panels));
    for (size_t i = 0; i < panels->n; i++) {
        bool first = i % panels->columns == 0, last = i + 1 == panels->columns;
        char *title = panels->n > 1 ? frs_swept_panel_name(swept, i) : frs_strdup("");
        frs_panels_put(panels, plot, i, title);
        frs_plot_put_setting(plot, "xlabel",
            i + panels->columns >= panels->n ? axis_of(swept, swept->x)->name : "", panels->n > 1 ? 24 : 44);
        frs_plot_put_setting(plot, "ylabel", first ? axis_of(swept, swept->y)->name : "", 30);
        if (first)
            frs_swept_put_tics(swept, plot, true, 0);
        else
            fputs("unset ytics\n", plot->script.file);
        frs_plot_put_setting(plot, "cblabel", metric, 30);
        fputs(last ? "set colorbox\nunset label\n" : "unset colorbox\nunset label\n", plot->script.file);
        put_values(swept, plot, i, frs_panels_width(panels) / (double)swept->x_places.n, range);
        fprintf(plot->script.file, "plot '%s.dat' index %zu using 1:2:($3*%.15g) with image\n", plot->name, i,
            factor);
        free(title);
    }
    fputs("unset multiplot\n", plot->script.file);
}

static char *figure_name(const struct frs_swept *swept) {
    char *metric = frs_lettering_file(swept->metric), *x = frs_lettering_file(axis_of(swept, swept->x)->name),
         *y = frs_lettering_file(axis_of(swept, swept->y)->name),
         *name = frs_format("%s-by-%s-and-%s", metric, x, y);
    free(y);
    free(x);
    free(metric);
    return name;
}

enum frs_status frs_swept_draw_heat_map(
    struct frs_drawing *d, const struct frs_swept *swept, struct frs_errors *errors) {
    double range[2], factor;
    find_range(swept, range);
    if (!(range[0] <= range[1]))
        return FRS_OK;
    char *metric = frs_swept_metric_text(swept, range[1], &factor),
         *title = frs_format(
             "%s against %s and %s", metric, axis_of(swept, swept->x)->name, axis_of(swept, swept->y)->name);
    struct frs_panels panels = frs_panels_of(&d->canvas, swept, 0, 1.6);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin_high(
        &plot, &d->canvas, figure_name(swept), title, NULL, NULL, panels.height_cm, errors);
    if (status == FRS_OK) {
        put_data(swept, &plot);
        put_panels(swept, &plot, &panels, metric, factor, range);
        status = frs_plot_draw(&plot, errors);
    }
    free(title);
    free(metric);
    return status;
}
