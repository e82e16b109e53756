/* Bars: time and bytes of the entries of an environment, and the time to the target of the entries that
 * reach it. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct bars {
    const char *name, *metric;
    char *title, *x; /* of the figure and below it, without its unit */
    bool from_zero;  /* bars; otherwise points */
};

static bool has_value(const struct frs_drawing *d, size_t environment, size_t i, const char *metric,
    struct frs_estimate *estimate) {
    *estimate = frs_replicates_figure(d->ranking->list[i].runs, metric).estimate;
    return d->ranking->list[i].environment == environment && isfinite(estimate->mean);
}

/* Names leave little room: four ticks at most, at 1, 2 or 5 of a power of ten. */
static void put_ticks(struct frs_plot *plot, double most) {
    double power = pow(10, floor(log10(fmax(most, 1e-6) / 4))), step = power;
    while (most / step > 4)
        step = step == power ? 2 * power : step == 2 * power ? 5 * power : 10 * power;
    fprintf(plot->script.file, "set xtics 0, %.15g\n", step);
}

/* The interval of one replicate is its value. */
static size_t put_data(const struct frs_drawing *d, struct frs_plot *plot, size_t environment,
    const char *metric, const char **names) {
    size_t n = 0;
    struct frs_estimate e;
    fputs("# place mean low high replicates\n", plot->data.file);
    for (size_t i = 0; i < d->ranking->n; i++) {
        if (!has_value(d, environment, i, metric, &e))
            continue;
        double width = e.half_width > 0 ? e.half_width : 0;
        names[n++] = d->ranking->list[i].name;
        const double row[] = {(double)n, e.mean, e.mean - width, e.mean + width, (double)e.n};
        frs_plot_put_row(plot, row, sizeof row / sizeof *row);
    }
    return n;
}

static enum frs_status draw(struct frs_drawing *d, size_t environment, const struct bars *bars, size_t least,
    struct frs_errors *errors) {
    struct frs_estimate e, most = {.n = 1, .sd = NAN, .df = NAN, .half_width = NAN};
    size_t n = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        if (has_value(d, environment, i, bars->metric, &e)) {
            most.mean = fmax(most.mean, e.mean);
            n++;
        }
    if (n < least)
        return FRS_OK;
    const char *unit;
    double factor = frs_amount_unit(bars->metric, &most, &unit);
    char *x = frs_format("%s, %s", bars->x, unit);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(
        &plot, &d->canvas, frs_figure_name(d, bars->name, environment), bars->title, x, "", n, errors);
    if (status == FRS_OK) {
        const char **names = frs_alloc(n, sizeof *names);
        put_ticks(&plot, most.mean * factor);
        fprintf(plot.script.file, "unset key\nunset bmargin\nset xrange [0:*]\nset yrange [%zu.5:0.5]\n", n);
        put_data(d, &plot, environment, bars->metric, names);
        frs_plot_put_tics(&plot, "ytics", names, n);
        free(names);
        fputs("plot ", plot.script.file);
        if (bars->from_zero)
            fprintf(plot.script.file,
                "'%s.dat' using (0):1:(0):($2*%.15g):($1-0.32):($1+0.32) with boxxyerror lc 6 fs solid 0.7 "
                "noborder, ",
                plot.name, factor);
        fprintf(plot.script.file,
            "'%s.dat' using ($2*%.15g):1:($3*%.15g):($4*%.15g) with xerrorbars lc %d dt 1 pt 7 ps %s lw "
            "1.5\n",
            plot.name, factor, factor, factor, bars->from_zero ? 3 : 1, bars->from_zero ? "0" : "0.5");
        status = frs_plot_draw(&plot, errors);
    }
    free(x);
    return status;
}

static enum frs_status draw_target(struct frs_drawing *d, size_t environment, struct frs_errors *errors) {
    if (!d->ranking->target->target_spec.metric)
        return FRS_OK;
    const char *where = d->ranking->environments[environment];
    char *target = frs_target_spec_text(&d->ranking->target->target_spec);
    struct bars bars = {.name = "time-to-target",
        .metric = FRS_TARGET_TIME,
        .title = frs_format("time to %s%s%s", target, *where ? ", " : "", where),
        .x = frs_strdup("time")};
    enum frs_status status = draw(d, environment, &bars, 1, errors);
    free(bars.x);
    free(bars.title);
    free(target);
    return status;
}

enum frs_status frs_draw_bars(struct frs_drawing *d, size_t environment, struct frs_errors *errors) {
    static const char *const names[] = {"time-by-method", "bytes-by-method"},
                             *const metrics[] = {"simulated_s", "bytes.sent"},
                             *const xs[] = {"simulated time of the whole run", "sent in the whole run"};
    enum frs_status status = draw_target(d, environment, errors);
    for (size_t i = 0; i < 2 && status == FRS_OK; i++) {
        struct bars bars = {
            names[i], metrics[i], frs_strdup(d->ranking->environments[environment]), frs_strdup(xs[i]), true};
        status = draw(d, environment, &bars, 2, errors);
        free(bars.x);
        free(bars.title);
    }
    return status;
}
