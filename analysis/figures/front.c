/* The Pareto front of an environment, as in `fedrecsim compare`: of the final quality and of the means of
 * time and bytes. Time and bytes are those to the target if some entry reaches it in all of its runs,
 * otherwise those of the whole runs. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "analysis/statistics/pareto.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { TIME, BYTES, QUALITY, CRITERIA };

struct front {
    size_t n, *entries;           /* [n] their numbers */
    size_t n_unplaced, *unplaced; /* [n_unplaced] those that miss the target in some run */
    double *values;               /* [n × CRITERIA]; the smaller the better */
    bool *on_front;               /* [n] */
    const char *metrics[2];
};

static bool any_reaches(const struct frs_drawing *d, size_t environment) {
    for (size_t i = 0; i < d->ranking->n; i++)
        if (d->ranking->list[i].environment == environment &&
            frs_replicates_all_have(d->ranking->list[i].runs, FRS_TARGET_TIME))
            return true;
    return false;
}

static double mean_of(const struct frs_replicates *runs, const char *metric) {
    return frs_replicates_figure(runs, metric).estimate.mean;
}

static struct front front_of(const struct frs_drawing *d, size_t environment) {
    bool reached = any_reaches(d, environment);
    struct front front = {.entries = frs_alloc(d->ranking->n, sizeof *front.entries),
        .unplaced = frs_alloc(d->ranking->n, sizeof *front.unplaced),
        .values = frs_alloc(d->ranking->n * CRITERIA, sizeof *front.values),
        .on_front = frs_alloc(d->ranking->n, sizeof *front.on_front),
        .metrics = {reached ? FRS_TARGET_TIME : "simulated_s", reached ? FRS_TARGET_SENT : "bytes.sent"}};
    for (size_t i = 0; i < d->ranking->n; i++) {
        const struct frs_replicates *runs = d->ranking->list[i].runs;
        double *own = front.values + CRITERIA * front.n, quality = mean_of(runs, d->quality);
        if (d->ranking->list[i].environment != environment)
            continue;
        own[TIME] = mean_of(runs, front.metrics[0]);
        own[BYTES] = mean_of(runs, front.metrics[1]);
        own[QUALITY] = d->ranking->lower ? quality : -quality;
        if (isfinite(own[TIME]) && isfinite(own[BYTES]) && isfinite(quality))
            front.entries[front.n++] = i;
        else if (frs_replicates_figure(runs, front.metrics[0]).censored > 0)
            front.unplaced[front.n_unplaced++] = i;
    }
    frs_pareto_front(front.values, front.n, CRITERIA, front.on_front);
    return front;
}

static void fini(struct front *front) {
    free(front->entries);
    free(front->unplaced);
    free(front->values);
    free(front->on_front);
}

/* On the front first, so that each part is one index of the data. */
static void put_points(const struct frs_drawing *d, struct frs_plot *plot, const struct front *front) {
    fputs("# entry time_s bytes quality\n", plot->data.file);
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < front->n; i++) {
            const double *own = front->values + CRITERIA * i;
            const double row[] = {(double)front->entries[i], own[TIME], own[BYTES],
                d->ranking->lower ? own[QUALITY] : -own[QUALITY]};
            if (front->on_front[i] == (part == 0))
                frs_plot_put_row(plot, row, sizeof row / sizeof *row);
        }
        fputs("\n\n", plot->data.file);
    }
}

/* Every entry by its name, beside its point. */
static void put_labels(const struct frs_drawing *d, struct frs_plot *plot, const struct front *front,
    size_t criterion, double factor) {
    for (size_t i = 0; i < front->n; i++) {
        const double *own = front->values + CRITERIA * i;
        fputs("set label ", plot->script.file);
        frs_plot_put_text(plot, d->ranking->list[front->entries[i]].name);
        fprintf(plot->script.file, " at %.15g,%.15g left offset 0.7,0.2\n", own[criterion] * factor,
            d->ranking->lower ? own[QUALITY] : -own[QUALITY]);
    }
}

/* Those without a place by their names, in a corner. */
static void put_unplaced(const struct frs_drawing *d, struct frs_plot *plot, const struct front *front) {
    for (size_t i = 0; i < front->n_unplaced; i++) {
        const struct frs_ranked_entry *entry = &d->ranking->list[front->unplaced[i]];
        struct frs_figure figure = frs_replicates_figure(entry->runs, front->metrics[0]);
        char *text = frs_format("%s: not placed, reaches it in %zu of %zu runs", entry->name,
            figure.estimate.n - figure.censored, figure.estimate.n);
        fputs("set label ", plot->script.file);
        frs_plot_put_text(plot, text);
        fprintf(plot->script.file, " at graph 0.02,%.15g\n", 0.05 + 0.07 * (double)i);
        free(text);
    }
}

static enum frs_status draw(struct frs_drawing *d, size_t environment, const struct front *front, bool bytes,
    struct frs_errors *errors) {
    struct frs_estimate most = {.n = 1, .mean = 0, .sd = NAN, .df = NAN, .half_width = NAN};
    for (size_t i = 0; i < front->n; i++)
        most.mean = fmax(most.mean, front->values[CRITERIA * i + (bytes ? BYTES : TIME)]);
    const char *unit;
    double factor = frs_amount_unit(front->metrics[bytes], &most, &unit);
    bool of_target = front->metrics[0][0] == 't';
    char *x = frs_format(
             "%s %s, %s", bytes ? "bytes" : "time", of_target ? "to target" : "of the whole run", unit),
         *y = frs_metric_text(d->quality);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, &d->canvas,
        frs_figure_name(d, bytes ? "pareto-bytes" : "pareto-time", environment),
        d->ranking->environments[environment], x, y, 2, errors);
    if (status == FRS_OK) {
        put_points(d, &plot, front);
        put_labels(d, &plot, front, bytes ? BYTES : TIME, factor);
        put_unplaced(d, &plot, front);
        fprintf(plot.script.file,
            "set xrange [0:%.15g]\nset offsets graph 0, 0, 0.1, 0.1\nplot '%s.dat' index 0 using "
            "($%d*%.15g):4 with "
            "points pt 7 lc 1 title 'beaten by nobody', '' index 1 using ($%d*%.15g):4 with points pt 6 lc 8 "
            "title "
            "'beaten in every respect'\n",
            most.mean * factor * 1.35, plot.name, bytes ? 3 : 2, factor, bytes ? 3 : 2, factor);
        status = frs_plot_draw(&plot, errors);
    }
    free(y);
    free(x);
    return status;
}

enum frs_status frs_draw_front(
    struct frs_drawing *d, size_t environment, bool bytes, struct frs_errors *errors) {
    if (!d->quality)
        return FRS_OK;
    struct front front = front_of(d, environment);
    enum frs_status status =
        front.n > 0 && front.n + front.n_unplaced > 1 ? draw(d, environment, &front, bytes, errors) : FRS_OK;
    fini(&front);
    return status;
}
