/* Quality against rounds, time and bytes: a line for each entry, and a band from its least to its largest
 * replicate. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* What quality is drawn against, by its column in the data. */
enum along { ROUNDS = 1, TIME, BYTES };

static bool has_curve(const struct frs_drawing *d, size_t environment, size_t i) {
    return d->ranking->list[i].environment == environment && d->curves[i].n > 0;
}

/* Rounds that all replicates have. */
static void put_curve(struct frs_plot *plot, const struct frs_curve *curve) {
    fputs("# round time_s bytes mean least most replicates\n", plot->data.file);
    for (size_t i = 0; i < curve->n; i++) {
        const struct frs_curve_point *p = &curve->points[i];
        double n = (double)p->n;
        const double row[] = {p->round, p->time_s / n, p->bytes / n, p->quality / n, p->least, p->most, n};
        if (p->n == curve->runs)
            frs_plot_put_row(plot, row, sizeof row / sizeof *row);
    }
    fputs("\n\n", plot->data.file); /* the next index */
}

static size_t count_curves(const struct frs_drawing *d, size_t environment) {
    size_t n = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        n += has_curve(d, environment, i);
    return n;
}

static double last_of(const struct frs_drawing *d, size_t environment, enum along along) {
    double most = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        for (size_t k = 0; has_curve(d, environment, i) && k < d->curves[i].n; k++) {
            const struct frs_curve_point *p = &d->curves[i].points[k];
            most = fmax(
                most, along == ROUNDS ? p->round : (along == BYTES ? p->bytes : p->time_s) / (double)p->n);
        }
    return most;
}

static void put_curves(
    const struct frs_drawing *d, struct frs_plot *plot, size_t environment, enum along along, double factor) {
    size_t index = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        if (has_curve(d, environment, i))
            put_curve(plot, &d->curves[i]);
    for (size_t i = 0; i < d->ranking->n; i++) {
        if (!has_curve(d, environment, i))
            continue;
        fputs(index ? ", \\\n     " : "plot ", plot->script.file);
        if (d->curves[i].runs > 1) {
            fprintf(plot->script.file,
                "'%s.dat' index %zu using ($%d*%.15g):5:6 with filledcurves lc %zu notitle, \\\n     ",
                plot->name, index, (int)along, factor, index + 1);
        }
        fprintf(plot->script.file, "'%s.dat' index %zu using ($%d*%.15g):4 with lines lt %zu lw 1.5 title ",
            plot->name, index, (int)along, factor, index + 1);
        frs_plot_put_text(plot, d->ranking->list[i].name);
        index++;
    }
    fputc('\n', plot->script.file);
}

static enum frs_status draw(
    struct frs_drawing *d, size_t environment, enum along along, struct frs_errors *errors) {
    static const char *const names[] = {
        [ROUNDS] = "quality-rounds", [TIME] = "quality-time", [BYTES] = "quality-bytes"};
    double last = last_of(d, environment, along), factor = 1;
    if (!d->quality || !(last > 0))
        return FRS_OK;
    const struct frs_estimate most = {.n = 1, .mean = last, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit = "";
    if (along != ROUNDS)
        factor = frs_amount_unit(along == BYTES ? "bytes.sent" : "simulated_s", &most, &unit);
    char *x = along == ROUNDS ? frs_format("round")
                              : frs_format("%s, %s", along == BYTES ? "sent" : "simulated time", unit),
         *y = frs_metric_text(d->quality);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, &d->canvas, frs_figure_name(d, names[along], environment),
        d->ranking->environments[environment], x, y, count_curves(d, environment), errors);
    if (status == FRS_OK) {
        put_curves(d, &plot, environment, along, factor);
        status = frs_plot_draw(&plot, errors);
    }
    free(y);
    free(x);
    return status;
}

enum frs_status frs_draw_quality(struct frs_drawing *d, size_t environment, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (int along = ROUNDS; along <= BYTES && status == FRS_OK; along++)
        status = draw(d, environment, (enum along)along, errors);
    return status;
}
