/* Distributions: of the times of rounds and of clients, and of quality over clients, whose worst tenth is
 * marked. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

/* A line has no more points than this; the data have them all. */
enum { MOST_POINTS = 1000 };

enum what { ROUNDS, CLIENTS, QUALITY };

/* The values of an entry from the least to the largest; of quality from the worst to the best; [*n], freed
 * with free(). */
static double *sorted(const struct frs_drawing *d, size_t entry, enum what what, size_t *n) {
    const struct frs_samples *samples = &d->samples[entry];
    const struct frs_sample *own = what == ROUNDS    ? &samples->rounds
                                   : what == CLIENTS ? &samples->clients
                                                     : &samples->quality;
    double *values = frs_alloc(own->n + 1, sizeof *values);
    bool falls = what == QUALITY && d->lower;
    *n = 0;
    for (size_t i = 0; i < own->n; i++)
        if (what != QUALITY)
            values[(*n)++] = own->values[i];
        else if (samples->runs.values[i] > 0)
            values[(*n)++] = own->values[i] / samples->runs.values[i] * (falls ? -1 : 1);
    qsort(values, *n, sizeof *values, frs_compare_doubles);
    for (size_t i = 0; i < *n && falls; i++)
        values[i] = -values[i];
    return values;
}

static size_t count(const struct frs_drawing *d, size_t environment, enum what what, double *most) {
    size_t entries = 0;
    *most = 0;
    for (size_t i = 0; i < d->ranking->n; i++) {
        size_t n;
        if (d->ranking->list[i].environment != environment)
            continue;
        double *values = sorted(d, i, what, &n);
        entries += n > 0;
        for (size_t k = 0; k < n; k++)
            *most = fmax(*most, values[k]);
        free(values);
    }
    return entries;
}

/* Writes a row for each value: for times the value and the share of values up to it, for quality the share
 * first. Returns the mean of the worst tenth, at least of one value. */
static double put_values(struct frs_plot *plot, const double *values, size_t n, enum what what) {
    double worst = 0;
    size_t tenth = n / 10 > 0 ? n / 10 : 1;
    for (size_t i = 0; i < n; i++) {
        double share = (double)(i + 1) / (double)n;
        const double row[] = {what == QUALITY ? share : values[i], what == QUALITY ? values[i] : share};
        frs_plot_put_row(plot, row, 2);
        worst += i < tenth ? values[i] : 0;
    }
    fputs("\n\n", plot->data.file);
    return worst / (double)tenth;
}

static void put_line(const struct frs_drawing *d, struct frs_plot *plot, size_t entry, size_t index,
    enum what what, double factor) {
    size_t n;
    double *values = sorted(d, entry, what, &n);
    const char *name = d->ranking->list[entry].name;
    frs_plot_put_comment(plot, name, what == QUALITY ? d->samples[entry].measure : "seconds");
    double worst = put_values(plot, values, n, what);
    char *text = what == QUALITY ? frs_value_text(d->samples[entry].measure, worst) : frs_strdup(""),
         *title = what == QUALITY ? frs_format("%s, worst tenth %s", name, text) : frs_strdup(name);
    fprintf(plot->script.file, "%s'%s.dat' index %zu every %zu using ", index ? ", \\\n     " : "plot ",
        plot->name, index, 1 + n / MOST_POINTS);
    if (what == QUALITY)
        fprintf(plot->script.file, "($1*100):2 with lines lt %zu lw 1.5 title ", index + 1);
    else
        fprintf(plot->script.file, "($1*%.15g):2 with steps lt %zu lw 1.5 title ", factor, index + 1);
    frs_plot_put_text(plot, title);
    free(title);
    free(text);
    free(values);
}

static char *x_title(enum what what, const char *unit) {
    return what == QUALITY  ? frs_strdup("clients from the worst to the best, %")
           : what == ROUNDS ? frs_format("duration of a round, %s", unit)
                            : frs_format("time of a client's participation, %s", unit);
}

static enum frs_status draw(
    struct frs_drawing *d, size_t environment, enum what what, struct frs_errors *errors) {
    static const char *const names[] = {
        [ROUNDS] = "round-times", [CLIENTS] = "client-times", [QUALITY] = "client-quality"};
    double last, factor = 1;
    size_t n = count(d, environment, what, &last), index = 0;
    if (n == 0 || !(last > 0))
        return FRS_OK;
    const struct frs_estimate most = {.n = 1, .mean = last, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit = "", *measure = NULL;
    if (what != QUALITY)
        factor = frs_amount_unit("simulated_s", &most, &unit);
    for (size_t i = 0; i < d->ranking->n && !measure; i++)
        measure = d->samples[i].measure;
    char *x = x_title(what, unit),
         *y = what == QUALITY && measure ? frs_metric_text(measure) : frs_strdup("share up to it");
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, &d->canvas, frs_figure_name(d, names[what], environment),
        d->ranking->environments[environment], x, y, n, errors);
    if (status == FRS_OK) {
        fputs(what == QUALITY ? "# share quality\n" : "# seconds share\n", plot.data.file);
        fputs(what == QUALITY
                  ? "set xrange [0:100]\nset object rectangle from 0, graph 0 to 10, graph 1 behind fc rgb "
                    "'#e5e5e5' fs solid noborder\n"
                  : "set yrange [0:1]\n",
            plot.script.file);
        for (size_t i = 0; i < d->ranking->n; i++) {
            size_t values;
            if (d->ranking->list[i].environment != environment)
                continue;
            free(sorted(d, i, what, &values));
            if (values > 0)
                put_line(d, &plot, i, index++, what, factor);
        }
        fputc('\n', plot.script.file);
        status = frs_plot_draw(&plot, errors);
    }
    free(y);
    free(x);
    return status;
}

enum frs_status frs_draw_distributions(struct frs_drawing *d, size_t environment, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (int what = ROUNDS; what <= QUALITY && status == FRS_OK; what++)
        status = draw(d, environment, (enum what)what, errors);
    return status;
}
