/* The Pareto front of a circumstance, as `fedrecsim compare` has it: of the means of time and bytes to the target, if all runs get there,
 * otherwise of the whole runs, and of the quality in the end. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "analysis/statistics/pareto.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { TIME, BYTES, QUALITY, CRITERIA };

struct front {
    size_t n, *entries; /* [n] their numbers */
    double *values;     /* [n × CRITERIA]; the smaller the better */
    bool *on_front;     /* [n] */
    const char *metrics[2];
};

static bool all_reach(const struct frs_drawing *d, size_t circumstance) {
    for (size_t i = 0; i < d->contest->n; i++) {
        const struct frs_replicates *runs = d->contest->list[i].runs;
        for (size_t k = 0; d->contest->list[i].circumstance == circumstance && k < runs->n; k++)
            if (!isfinite(frs_metrics_get(runs->list[k].metrics, FRS_TARGET_TIME)))
                return false;
    }
    return true;
}

static double mean_of(const struct frs_replicates *runs, const char *metric) {
    return frs_replicates_figure(runs, metric).estimate.mean;
}

static struct front front_of(const struct frs_drawing *d, size_t circumstance) {
    bool reached = all_reach(d, circumstance);
    struct front front = {.entries = frs_alloc(d->contest->n, sizeof *front.entries),
        .values = frs_alloc(d->contest->n * CRITERIA, sizeof *front.values),
        .on_front = frs_alloc(d->contest->n, sizeof *front.on_front),
        .metrics = {reached ? FRS_TARGET_TIME : "simulated_s", reached ? FRS_TARGET_BYTES : "bytes.total"}};
    for (size_t i = 0; i < d->contest->n; i++) {
        const struct frs_replicates *runs = d->contest->list[i].runs;
        double *own = front.values + CRITERIA * front.n, quality = mean_of(runs, d->quality);
        if (d->contest->list[i].circumstance != circumstance)
            continue;
        own[TIME] = mean_of(runs, front.metrics[0]);
        own[BYTES] = mean_of(runs, front.metrics[1]);
        own[QUALITY] = d->contest->lower ? quality : -quality;
        if (isfinite(own[TIME]) && isfinite(own[BYTES]) && isfinite(quality))
            front.entries[front.n++] = i;
    }
    frs_pareto_front(front.values, front.n, CRITERIA, front.on_front);
    return front;
}

static void fini(struct front *front) {
    free(front->entries);
    free(front->values);
    free(front->on_front);
}

/* On the front first, so that each part is one index of the data. */
static void put_points(const struct frs_drawing *d, struct frs_plot *plot, const struct front *front) {
    fputs("# entry time_s bytes quality\n", plot->data.file);
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < front->n; i++) {
            const double *own = front->values + CRITERIA * i;
            if (front->on_front[i] == (part == 0))
                fprintf(plot->data.file, "%zu %.15g %.15g %.15g\n", front->entries[i], own[TIME], own[BYTES],
                    d->contest->lower ? own[QUALITY] : -own[QUALITY]);
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
        frs_plot_put_text(plot, d->contest->list[front->entries[i]].name);
        fprintf(plot->script.file, " at %.15g,%.15g left offset 0.7,0.2\n", own[criterion] * factor,
            d->contest->lower ? own[QUALITY] : -own[QUALITY]);
    }
}

static enum frs_status draw(struct frs_drawing *d, size_t circumstance, const struct front *front, bool bytes,
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
    enum frs_status status = frs_plot_begin(&plot, d->out, d->format,
        frs_figure_name(d, bytes ? "pareto-bytes" : "pareto-time", circumstance),
        d->contest->circumstances[circumstance], x, y, 2, errors);
    if (status == FRS_OK) {
        put_points(d, &plot, front);
        put_labels(d, &plot, front, bytes ? BYTES : TIME, factor);
        fprintf(plot.script.file,
            "set xrange [0:%.15g]\nset offsets graph 0, 0, 0.1, 0.1\nplot '%s.dat' index 0 using "
            "($%d*%.15g):4 with "
            "points pt 7 lc 1 title 'beaten by nobody', '' index 1 using ($%d*%.15g):4 with points pt 6 lc 8 "
            "title "
            "'beaten in every respect'\n",
            most.mean * factor * 1.35, plot.name, bytes ? 3 : 2, factor, bytes ? 3 : 2, factor);
        status = frs_plot_draw(&plot, errors);
        d->n += status == FRS_OK;
    }
    free(y);
    free(x);
    return status;
}

enum frs_status frs_draw_front(
    struct frs_drawing *d, size_t circumstance, bool bytes, struct frs_errors *errors) {
    if (!d->quality)
        return FRS_OK;
    struct front front = front_of(d, circumstance);
    enum frs_status status = front.n > 1 ? draw(d, circumstance, &front, bytes, errors) : FRS_OK;
    fini(&front);
    return status;
}
