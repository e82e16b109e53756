/* Lines: means with 95 % intervals against the places of an axis. */
#include "analysis/figures/lettering.h"
#include "analysis/figures/swept.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

struct range {
    double low, high;
    bool bands, censored; /* whether some cell has an interval; whether one misses the target in a run */
};

static struct range range_of(const struct frs_swept *swept) {
    struct range range = {INFINITY, -INFINITY, false, false};
    for (size_t panel = 0; panel < swept->panels.n; panel++)
        for (size_t line = 0; line < swept->lines.n; line++)
            for (size_t x = 0; x < swept->x_places.n; x++) {
                struct frs_figure figure = frs_swept_figure(swept, x, 0, line, panel);
                double width = figure.estimate.half_width > 0 ? figure.estimate.half_width : 0;
                range.censored = range.censored || figure.censored > 0;
                if (!isfinite(figure.estimate.mean))
                    continue;
                range.bands = range.bands || width > 0;
                range.low = fmin(range.low, figure.estimate.mean - width);
                range.high = fmax(range.high, figure.estimate.mean + width);
            }
    return range;
}

/* A block of the data for each panel's lines; the label, which may hold anything, is the rest of a row. */
static void put_data(const struct frs_swept *swept, struct frs_plot *plot) {
    const struct frs_axis *axis = &swept->sweep->plan->sweep.axes.axes[swept->x];
    fputs("# place mean ci_low ci_high replicates censored label\n", plot->data.file);
    for (size_t panel = 0; panel < swept->panels.n; panel++)
        for (size_t line = 0; line < swept->lines.n; line++) {
            char *panel_name = frs_swept_panel_name(swept, panel), *name = frs_swept_line_name(swept, line);
            frs_plot_put_comment(plot, panel_name, name);
            free(name);
            free(panel_name);
            for (size_t x = 0; x < swept->x_places.n; x++) {
                struct frs_figure f = frs_swept_figure(swept, x, 0, line, panel);
                const double row[] = {swept->x_places.at[x], f.estimate.mean,
                    f.estimate.mean - f.estimate.half_width, f.estimate.mean + f.estimate.half_width,
                    (double)f.estimate.n, (double)f.censored};
                frs_plot_put_labelled(
                    plot, row, sizeof row / sizeof *row, axis->levels[swept->x_places.levels[x]].label);
            }
            fputs("\n\n", plot->data.file);
        }
}

static size_t key_lines(const struct frs_swept *swept, const struct range *range) {
    return (swept->lines.n_axes > 0 ? swept->lines.n : 0) + range->censored;
}

static void put_key(struct frs_plot *plot, const struct frs_panels *panels, size_t lines) {
    fprintf(plot->script.file,
        "set key at screen 0.5, screen %.4f center top vertical maxcols 1 Left reverse samplen 4\n",
        (0.36 * (double)lines + 0.15) / panels->height_cm);
}

/* Where some run misses the target there is no mean: a cross stands at the bottom. */
static void put_crosses(const struct frs_swept *swept, struct frs_plot *plot, size_t panel) {
    char number[32];
    for (size_t line = 0; line < swept->lines.n; line++)
        for (size_t x = 0; x < swept->x_places.n; x++)
            if (frs_swept_figure(swept, x, 0, line, panel).censored > 0)
                fprintf(plot->script.file, "set label '' at %s, graph %.3f point pt 2 ps 0.7 lc %zu\n",
                    frs_text_number(swept->x_places.at[x], number, sizeof number), 0.03 + 0.05 * (double)line,
                    line + 1);
}

static void put_panel(const struct frs_swept *swept, struct frs_plot *plot, size_t panel, double factor,
    const struct range *range) {
    bool categories = swept->x_places.scale == FRS_SCALE_CATEGORIES, first = true;
    if (range->censored) {
        fputs("unset label\n", plot->script.file);
        put_crosses(swept, plot, panel);
    }
    fputs("plot ", plot->script.file);
    for (int part = range->bands ? 0 : 1; part < 2; part++)
        for (size_t line = 0; line < swept->lines.n; line++) {
            fprintf(plot->script.file, "%s'%s.dat' index %zu using 1:", first ? "" : ", \\\n     ",
                plot->name, panel * swept->lines.n + line);
            first = false;
            if (part == 0 && categories)
                fprintf(plot->script.file,
                    "($2*%.15g):($3*%.15g):($4*%.15g) with yerrorbars lc %zu pt 0 lw 1 notitle", factor,
                    factor, factor, line + 1);
            else if (part == 0)
                fprintf(plot->script.file, "($3*%.15g):($4*%.15g) with filledcurves lc %zu notitle", factor,
                    factor, line + 1);
            else {
                fprintf(plot->script.file, "($2*%.15g) with linespoints lt %zu lw 1.5 ps 0.6 %s ", factor,
                    line + 1, swept->lines.n_axes > 0 ? "title" : "notitle");
                char *name = frs_swept_line_name(swept, line);
                if (swept->lines.n_axes > 0)
                    frs_plot_put_text(plot, name);
                free(name);
            }
        }
    if (range->censored)
        fputs(", \\\n     NaN with points pt 2 ps 0.7 lc 8 title 'some run misses the target'",
            plot->script.file);
    fputc('\n', plot->script.file);
}

static void put_axes(const struct frs_swept *swept, struct frs_plot *plot, const struct frs_panels *panels,
    const char *y, double factor, const struct range *range) {
    const struct frs_places *x = &swept->x_places;
    double span = range->high - range->low,
           pad = span > 0 ? 0.06 * span : fmax(fabs(range->high), 1e-9) * 0.1, low = range->low - pad;
    if (range->low >= 0 && low < 0)
        low = 0;
    fprintf(plot->script.file,
        "set multiplot\nset style fill transparent solid 0.15 noborder\nset yrange [%.15g:%.15g]\n",
        low * factor, (range->high + pad) * factor);
    if (x->scale == FRS_SCALE_LOG)
        fputs("set logscale x\n", plot->script.file);
    else if (x->scale == FRS_SCALE_CATEGORIES)
        fprintf(plot->script.file, "set xrange [0.5:%zu.5]\n", x->n);
    frs_swept_put_tics(swept, plot, false, frs_panels_width(panels));
    const char *name = swept->sweep->plan->sweep.axes.axes[swept->x].name;
    for (size_t i = 0; i < panels->n; i++) {
        char *title = panels->n > 1 ? frs_swept_panel_name(swept, i) : frs_strdup("");
        frs_panels_put(panels, plot, i, title);
        frs_plot_put_setting(plot, "ylabel", i % panels->columns == 0 ? y : "", 30);
        frs_plot_put_setting(
            plot, "xlabel", i + panels->columns >= panels->n ? name : "", panels->n > 1 ? 24 : 44);
        fputs(i % panels->columns == 0 ? "set format y '% h'\n" : "set format y ''\n", plot->script.file);
        if (i + 1 == panels->n)
            put_key(plot, panels, key_lines(swept, range));
        else
            fputs("unset key\n", plot->script.file);
        put_panel(swept, plot, i, factor, range);
        free(title);
    }
    fputs("unset multiplot\n", plot->script.file);
}

static char *figure_name(const struct frs_swept *swept) {
    char *metric = frs_lettering_file(swept->metric),
         *axis = frs_lettering_file(swept->sweep->plan->sweep.axes.axes[swept->x].name),
         *name = frs_format("%s-by-%s", metric, axis);
    free(axis);
    free(metric);
    return name;
}

enum frs_status frs_swept_draw_lines(
    struct frs_drawing *d, const struct frs_swept *swept, struct frs_errors *errors) {
    struct range range = range_of(swept);
    if (!(range.low <= range.high))
        return FRS_OK;
    double factor;
    char *y = frs_swept_metric_text(swept, range.high, &factor),
         *title = frs_format("%s against %s", y, swept->sweep->plan->sweep.axes.axes[swept->x].name);
    struct frs_panels panels = frs_panels_of(&d->canvas, swept, key_lines(swept, &range), 0.55);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin_high(
        &plot, &d->canvas, figure_name(swept), title, NULL, NULL, panels.height_cm, errors);
    if (status == FRS_OK) {
        put_data(swept, &plot);
        put_axes(swept, &plot, &panels, y, factor, &range);
        status = frs_plot_draw(&plot, errors);
    }
    free(title);
    free(y);
    return status;
}
