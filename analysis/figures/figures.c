#include "analysis/figures/figures.h"
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- quality against time and bytes ---- */

static bool has_curve(const struct frs_drawing *d, size_t environment, size_t i) {
    return d->ranking->list[i].environment == environment && d->curves[i].n > 0;
}

/* Rounds that all replicates have. */
static void put_curve(struct frs_plot *plot, const struct frs_curve *curve) {
    fputs("# round time_s bytes mean least most replicates\n", plot->data.file);
    for (size_t i = 0; i < curve->n; i++) {
        const struct frs_curve_point *p = &curve->points[i];
        double n = (double)p->n;
        if (p->n == curve->runs)
            fprintf(plot->data.file, "%.0f %.15g %.15g %.15g %.15g %.15g %zu\n", p->round, p->time_s / n,
                p->bytes / n, p->quality / n, p->least, p->most, p->n);
    }
    fputs("\n\n", plot->data.file); /* the next index */
}

static size_t count_curves(const struct frs_drawing *d, size_t environment) {
    size_t n = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        n += has_curve(d, environment, i);
    return n;
}

/* Colours are eight, and then the same ones broken. */
static void put_line(struct frs_plot *plot, size_t index) {
    fprintf(plot->script.file, "with lines lc %zu dt %zu lw 1.5 title ", index % 8 + 1, index / 8 + 1);
}

static double last_of(const struct frs_drawing *d, size_t environment, bool bytes) {
    double most = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        for (size_t k = 0; has_curve(d, environment, i) && k < d->curves[i].n; k++) {
            const struct frs_curve_point *p = &d->curves[i].points[k];
            most = fmax(most, (bytes ? p->bytes : p->time_s) / (double)p->n);
        }
    return most;
}

static void put_curves(
    const struct frs_drawing *d, struct frs_plot *plot, size_t environment, bool bytes, double factor) {
    size_t column = bytes ? 3 : 2, index = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        if (has_curve(d, environment, i))
            put_curve(plot, &d->curves[i]);
    for (size_t i = 0; i < d->ranking->n; i++) {
        if (!has_curve(d, environment, i))
            continue;
        fputs(index ? ", \\\n     " : "plot ", plot->script.file);
        if (d->curves[i].runs > 1) {
            fprintf(plot->script.file,
                "'%s.dat' index %zu using ($%zu*%.15g):5:6 with filledcurves lc %zu notitle, \\\n     ",
                plot->name, index, column, factor, index % 8 + 1);
        }
        fprintf(
            plot->script.file, "'%s.dat' index %zu using ($%zu*%.15g):4 ", plot->name, index, column, factor);
        put_line(plot, index);
        frs_plot_put_text(plot, d->ranking->list[i].name);
        index++;
    }
    fputc('\n', plot->script.file);
}

static enum frs_status draw_quality(
    struct frs_drawing *d, size_t environment, bool bytes, struct frs_errors *errors) {
    double last = last_of(d, environment, bytes);
    if (!d->quality || !(last > 0))
        return FRS_OK;
    const struct frs_estimate most = {.n = 1, .mean = last, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit;
    double factor = frs_amount_unit(bytes ? "bytes.total" : "simulated_s", &most, &unit);
    char *x = frs_format("%s, %s", bytes ? "sent" : "simulated time", unit), *y = frs_metric_text(d->quality);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, d->out, d->format,
        frs_figure_name(d, bytes ? "quality-bytes" : "quality-time", environment),
        d->ranking->environments[environment], x, y, count_curves(d, environment), errors);
    if (status == FRS_OK) {
        put_curves(d, &plot, environment, bytes, factor);
        status = frs_plot_draw(&plot, errors);
        d->n += status == FRS_OK;
    }
    free(y);
    free(x);
    return status;
}

/* ---- time to the target ---- */

static bool reaches(
    const struct frs_drawing *d, size_t environment, size_t i, struct frs_estimate *estimate) {
    *estimate = frs_replicates_figure(d->ranking->list[i].runs, FRS_TARGET_TIME).estimate;
    return d->ranking->list[i].environment == environment && isfinite(estimate->mean);
}

/* Names leave little room: four ticks at most, at 1, 2 or 5 of a power of ten. */
static void put_ticks(struct frs_plot *plot, double most) {
    double power = pow(10, floor(log10(fmax(most, 1e-6) / 4))), step = power;
    while (most / step > 4)
        step = step == power ? 2 * power : step == 2 * power ? 5 * power : 10 * power;
    fprintf(plot->script.file, "set xtics 0, %.15g\n", step);
}

static char *target_title(const struct frs_drawing *d, size_t environment, const char *target_spec) {
    const char *where = d->ranking->environments[environment];
    return frs_format("time to %s%s%s", target_spec, *where ? ", " : "", where);
}

static enum frs_status draw_target(struct frs_drawing *d, size_t environment, struct frs_errors *errors) {
    struct frs_estimate e, most = {.n = 1, .sd = NAN, .df = NAN, .half_width = NAN};
    size_t n = 0;
    for (size_t i = 0; i < d->ranking->n; i++)
        if (reaches(d, environment, i, &e)) {
            most.mean = fmax(most.mean, e.mean);
            n++;
        }
    if (n == 0 || !d->ranking->target->target_spec.metric)
        return FRS_OK;
    const char *unit;
    double factor = frs_amount_unit(FRS_TARGET_TIME, &most, &unit);
    char *target_spec = frs_target_spec_text(&d->ranking->target->target_spec),
         *x = frs_format("time, %s", unit), *title = target_title(d, environment, target_spec);
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(
        &plot, d->out, d->format, frs_figure_name(d, "time-to-target", environment), title, x, "", n, errors);
    if (status == FRS_OK) {
        fputs("# place mean_s low_s high_s replicates\n", plot.data.file);
        put_ticks(&plot, most.mean * factor);
        const char **names = frs_alloc(n, sizeof *names);
        fprintf(plot.script.file, "unset key\nset xrange [0:*]\nset yrange [%zu.5:0.5]\n", n);
        n = 0;
        for (size_t i = 0; i < d->ranking->n; i++) {
            if (!reaches(d, environment, i, &e))
                continue;
            double width = e.half_width > 0 ? e.half_width : 0;
            names[n] = d->ranking->list[i].name;
            fprintf(plot.data.file, "%zu %.15g %.15g %.15g %zu\n", ++n, e.mean, e.mean - width,
                e.mean + width, e.n);
        }
        frs_plot_put_tics(&plot, "ytics", names, n);
        free(names);
        fprintf(plot.script.file,
            "plot '%s.dat' using ($2*%.15g):1:($3*%.15g):($4*%.15g) with xerrorbars pt 7 ps 0.5 lw 1.5\n",
            plot.name, factor, factor, factor);
        status = frs_plot_draw(&plot, errors);
        d->n += status == FRS_OK;
    }
    free(title);
    free(x);
    free(target_spec);
    return status;
}

/* ---- the critical path of a run ---- */

static enum frs_status put_paths(
    struct frs_plot *plot, const struct frs_records *rounds, struct frs_errors *errors) {
    static const char *const names[] = {"round", "path_down_s", "path_compute_s", "path_up_s", "path_setup_s",
        "path_latency_s", "path_retry_s", "path_server_s", "path_wait_s"};
    enum { N = sizeof names / sizeof *names };
    size_t columns[N];
    double v[N];
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < N && status == FRS_OK; i++)
        status = frs_records_column(rounds, names[i], &columns[i], errors);
    fputs("# round downloads_s computing_s uploads_s connecting_s server_s waiting_s\n", plot->data.file);
    for (size_t row = 0; row < rounds->n && status == FRS_OK; row++) {
        for (size_t i = 0; i < N && status == FRS_OK; i++)
            status = frs_records_number(rounds, row, columns[i], &v[i], errors);
        if (status == FRS_OK)
            fprintf(plot->data.file, "%.0f %.15g %.15g %.15g %.15g %.15g %.15g\n", v[0], v[1], v[2], v[3],
                v[4] + v[5] + v[6], v[7], v[8]);
    }
    return status;
}

static enum frs_status draw_paths(
    struct frs_drawing *d, const struct frs_records *rounds, struct frs_errors *errors) {
    static const char *const titles[] = {
        "downloads", "computing", "uploads", "connecting, latency", "server", "waiting"};
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, d->out, d->format, frs_strdup("critical-path"), "",
        "round", "what a round waited for, s", 6, errors);
    if (status != FRS_OK)
        return status;
    enum frs_status read = put_paths(&plot, rounds, errors);
    fputs("set style fill solid 0.8 noborder\nset boxwidth 1\nset yrange [0:*]\n", plot.script.file);
    for (size_t i = 0; i < 6; i++) { /* the highest first, each over those below it */
        fprintf(plot.script.file, "%s'%s.dat' using 1:($2", i ? ", \\\n     " : "plot ", plot.name);
        for (size_t k = 3; k < 8 - i; k++)
            fprintf(plot.script.file, "+$%zu", k);
        fprintf(plot.script.file, ") with boxes lc %zu title ", 6 - i);
        frs_plot_put_text(&plot, titles[5 - i]);
    }
    fputc('\n', plot.script.file);
    status = frs_plot_draw(&plot, errors);
    d->n += status == FRS_OK;
    return read == FRS_OK ? status : read;
}

/* ---- a sweep, a run ---- */

char *frs_figure_name(const struct frs_drawing *d, const char *what, size_t environment) {
    return d->n_numbered > 1 ? frs_format("%s-%zu", what, d->numbers[environment]) : frs_strdup(what);
}

static bool has_levels(const struct frs_axes *axes, size_t cell, const size_t *levels) {
    for (size_t a = 0; a < axes->n; a++)
        if (levels[a] != FRS_ANY_LEVEL && levels[a] != frs_axes_level(axes, cell, a))
            return false;
    return true;
}

/* Those of cells with these levels, cell by cell. */
static void number_environments(struct frs_drawing *d, const struct frs_axes *axes, const size_t *levels) {
    for (size_t i = 0; i < d->ranking->n; i++) {
        size_t environment = d->ranking->list[i].environment;
        if (d->numbers[environment] == 0 && has_levels(axes, i, levels))
            d->numbers[environment] = ++d->n_numbered;
    }
}

/* What is asked for; of a sensitivity only the scenario as it is, the first level: what its assumptions do is
 * in the tornado. */
static enum frs_status choose_environments(struct frs_drawing *d, const struct frs_figures_request *request,
    const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    const struct frs_axes *axes = &plan->sweep.axes;
    size_t *levels = frs_alloc(axes->n + 1, sizeof *levels);
    char *sensitivity = frs_format("%s/sensitivity.json", request->folder);
    bool is_sensitivity = access(sensitivity, F_OK) == 0;
    for (size_t a = 0; a < axes->n; a++)
        levels[a] = FRS_ANY_LEVEL;
    enum frs_status status =
        request->only ? frs_sweep_plan_select(plan, request->only, "--only", levels, errors) : FRS_OK;
    for (size_t a = 0; a < axes->n && is_sensitivity; a++)
        if (strcmp(axes->axes[a].name, FRS_ASSUMPTION_AXIS) == 0)
            levels[a] = 0;
    if (status == FRS_OK)
        number_environments(d, axes, levels);
    free(sensitivity);
    free(levels);
    return status;
}

static enum frs_status draw_all(struct frs_drawing *d, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t c = 0; c < d->ranking->n_environments && status == FRS_OK; c++) {
        if (d->numbers[c] == 0 || d->numbers[c] > FRS_FIGURES_MOST)
            continue;
        status = draw_quality(d, c, false, errors);
        if (status == FRS_OK)
            status = draw_quality(d, c, true, errors);
        if (status == FRS_OK)
            status = draw_target(d, c, errors);
        if (status == FRS_OK)
            status = frs_draw_front(d, c, false, errors);
        if (status == FRS_OK)
            status = frs_draw_front(d, c, true, errors);
    }
    return status;
}

struct gathering {
    struct frs_drawing *d;
    const struct frs_sweep_results *sweep;
};

static void gather(void *context, size_t point, const struct frs_run_results *run) {
    struct gathering *g = context;
    bool lower;
    const char *quality = frs_target_quality(&g->sweep->target, &run->metrics, &lower);
    size_t cell = g->sweep->plan->points[point].cell;
    if (!g->d->curves)
        g->d->curves = frs_alloc(frs_axes_cells(&g->sweep->plan->sweep.axes), sizeof *g->d->curves);
    if (quality && frs_curve_add(&g->d->curves[cell], run, quality, &g->d->wrong) != FRS_OK)
        return;
}

static enum frs_status draw_sweep(
    struct frs_drawing *d, const struct frs_figures_request *request, struct frs_errors *errors) {
    const char *folder = request->folder;
    struct frs_sweep_results sweep = {0};
    struct gathering g = {d, &sweep};
    const struct frs_sweep_reading reading = {.each = gather, .context = &g};
    enum frs_status status = frs_sweep_results_read(folder, &reading, &sweep, errors);
    if (status != FRS_OK)
        return status;
    struct frs_ranking ranking = frs_ranking_of_sweep(&sweep);
    d->ranking = &ranking;
    d->quality = ranking.quality;
    d->numbers = frs_alloc(ranking.n_environments + 1, sizeof *d->numbers);
    status = choose_environments(d, request, sweep.plan, errors);
    if (d->wrong.n > 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s", d->wrong.lines[0]);
    else if (sweep.n_finished == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no finished run yet", folder);
    else if (status == FRS_OK)
        status = draw_all(d, errors);
    if (status == FRS_OK)
        status = frs_draw_winners(d, errors);
    if (status == FRS_OK)
        status = frs_draw_tornados(d, folder, errors);
    for (size_t i = 0; d->curves && i < ranking.n; i++)
        frs_curve_fini(&d->curves[i]);
    free(d->curves);
    free(d->numbers);
    frs_ranking_fini(&ranking);
    frs_sweep_results_fini(&sweep);
    frs_errors_clear(&d->wrong);
    return status;
}

static enum frs_status draw_run(struct frs_drawing *d, const char *folder, struct frs_errors *errors) {
    struct frs_run_results run;
    struct frs_target target = {0};
    enum frs_status status = frs_run_read(folder, &run, errors);
    if (status != FRS_OK)
        return status;
    bool lower;
    char *environment = frs_strdup(""), *environments[] = {environment};
    struct frs_replicates none = {0};
    struct frs_ranked_entry entry = {folder ? frs_strdup("run") : NULL, 0, &none};
    struct frs_curve curve = {0};
    frs_target_settle(&target, &run);
    const struct frs_ranking ranking = {
        .list = &entry, .n = 1, .environments = environments, .n_environments = 1, .target = &target};
    d->ranking = &ranking;
    d->curves = &curve;
    size_t first = 1;
    d->numbers = &first;
    d->n_numbered = 1;
    d->quality = frs_target_quality(&target, &run.metrics, &lower);
    if (d->quality)
        status = frs_curve_add(&curve, &run, d->quality, errors);
    if (status == FRS_OK)
        status = draw_all(d, errors);
    if (status == FRS_OK)
        status = draw_paths(d, &run.rounds, errors);
    frs_curve_fini(&curve);
    free(entry.name);
    free(environment);
    frs_target_fini(&target);
    frs_run_fini(&run);
    return status;
}

enum frs_status frs_figures_write(
    const struct frs_figures_request *request, struct frs_figures_drawn *drawn, struct frs_errors *errors) {
    const char *folder = request->folder, *out = request->out;
    struct frs_drawing d = {.out = out, .format = request->format};
    bool is_sweep = frs_sweep_plan_is(folder), is_run = frs_run_is(folder);
    *drawn = (struct frs_figures_drawn){0};
    if (!is_sweep && !is_run)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)",
            folder);
    if (!is_sweep && request->only)
        return frs_errors_add(errors, FRS_ERR_INPUT, "--only: is for the folder of a sweep");
    bool made = mkdir(out, 0777) == 0;
    if (!made && errno != EEXIST)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", out, strerror(errno));
    enum frs_status status = is_sweep ? draw_sweep(&d, request, errors) : draw_run(&d, folder, errors);
    if (made && status != FRS_OK)
        (void)rmdir(out); /* unless there is something in it by now */
    *drawn = (struct frs_figures_drawn){d.n, d.n_numbered, d.n_variants};
    return status;
}
