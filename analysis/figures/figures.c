#include "analysis/figures/figures.h"
#include "analysis/figures/drawing.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Chooses the requested environments. Of a sensitivity only the scenario as it is, the first level, is
 * chosen: the effects of its assumptions are in the tornado. */
static enum frs_status choose_environments(struct frs_drawing *d, const struct frs_figures_request *request,
    const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    const struct frs_axes *axes = &plan->sweep.axes;
    size_t *levels = d->fixed = frs_alloc(axes->n + 1, sizeof *levels);
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
    return status;
}

static enum frs_status draw_all(struct frs_drawing *d, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t c = 0; c < d->ranking->n_environments && status == FRS_OK; c++) {
        if (d->numbers[c] == 0 || d->numbers[c] > FRS_FIGURES_MOST)
            continue;
        status = frs_draw_quality(d, c, errors);
        if (status == FRS_OK)
            status = frs_draw_bars(d, c, errors);
        if (status == FRS_OK)
            status = frs_draw_distributions(d, c, errors);
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
    bool samples; /* wanted */
};

static void gather(void *context, size_t point, const struct frs_run_results *run) {
    struct gathering *g = context;
    bool lower;
    const char *quality = frs_target_quality(&g->sweep->target, &run->metrics, &lower);
    size_t cell = g->sweep->plan->points[point].cell;
    if (!g->d->curves) {
        size_t n = frs_axes_cells(&g->sweep->plan->sweep.axes);
        g->d->curves = frs_alloc(n, sizeof *g->d->curves);
        g->d->samples = frs_alloc(n, sizeof *g->d->samples);
    }
    if (quality && frs_curve_add(&g->d->curves[cell], run, quality, &g->d->wrong) != FRS_OK)
        return;
    if (g->samples && frs_samples_add(&g->d->samples[cell], run, quality, &g->d->wrong) != FRS_OK)
        return;
}

static bool asks_swept(const struct frs_figures_request *request) {
    return request->n_metrics > 0 || request->against || request->upwards;
}

static enum frs_status draw_sweep(
    struct frs_drawing *d, const struct frs_figures_request *request, struct frs_errors *errors) {
    const char *folder = request->folder;
    struct frs_sweep_results sweep = {0};
    struct gathering g = {d, &sweep, !asks_swept(request)};
    const struct frs_sweep_reading reading = {.each = gather, .context = &g};
    enum frs_status status = frs_sweep_results_read(folder, &reading, &sweep, errors);
    if (status != FRS_OK)
        return status;
    struct frs_ranking ranking = frs_ranking_of_sweep(&sweep);
    d->ranking = &ranking;
    d->sweep = &sweep;
    d->quality = ranking.quality;
    d->lower = ranking.lower;
    d->numbers = frs_alloc(ranking.n_environments + 1, sizeof *d->numbers);
    status = choose_environments(d, request, sweep.plan, errors);
    if (d->wrong.n > 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s", d->wrong.lines[0]);
    else if (sweep.n_finished == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no finished run yet", folder);
    else if (status == FRS_OK)
        status = frs_draw_swept(d, request, errors);
    if (status == FRS_OK && !asks_swept(request))
        status = draw_all(d, errors);
    if (status == FRS_OK && !asks_swept(request))
        status = frs_draw_winners(d, errors);
    if (status == FRS_OK && !asks_swept(request))
        status = frs_draw_tornados(d, folder, errors);
    for (size_t i = 0; d->curves && i < ranking.n; i++) {
        frs_curve_fini(&d->curves[i]);
        frs_samples_fini(&d->samples[i]);
    }
    free(d->curves);
    free(d->samples);
    free(d->numbers);
    free(d->fixed);
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
    char *environment = frs_strdup(""), *environments[] = {environment};
    struct frs_replicates none = {0};
    struct frs_ranked_entry entry = {folder ? frs_strdup("run") : NULL, 0, &none};
    struct frs_curve curve = {0};
    struct frs_samples samples = {0};
    frs_target_settle(&target, &run);
    const struct frs_ranking ranking = {
        .list = &entry, .n = 1, .environments = environments, .n_environments = 1, .target = &target};
    d->ranking = &ranking;
    d->curves = &curve;
    d->samples = &samples;
    size_t first = 1;
    d->numbers = &first;
    d->n_numbered = 1;
    d->quality = frs_target_quality(&target, &run.metrics, &d->lower);
    if (d->quality)
        status = frs_curve_add(&curve, &run, d->quality, errors);
    if (status == FRS_OK)
        status = frs_samples_add(&samples, &run, d->quality, errors);
    if (status == FRS_OK)
        status = draw_all(d, errors);
    if (status == FRS_OK)
        status = frs_draw_paths(d, &run.rounds, errors);
    frs_curve_fini(&curve);
    frs_samples_fini(&samples);
    free(entry.name);
    free(environment);
    frs_target_fini(&target);
    frs_run_fini(&run);
    return status;
}

enum frs_status frs_figures_write(
    const struct frs_figures_request *request, struct frs_figures_drawn *drawn, struct frs_errors *errors) {
    const char *folder = request->folder, *out = request->out;
    struct frs_drawing d = {.canvas = {out, request->format, request->wide, request->list, 0, 0, false}};
    bool is_sweep = frs_sweep_plan_is(folder), is_run = frs_run_is(folder);
    *drawn = (struct frs_figures_drawn){0};
    if (!is_sweep && !is_run)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)",
            folder);
    if (!is_sweep && (request->only || asks_swept(request) || request->scale != FRS_SCALE_ANY))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is for the folder of a sweep",
            request->only        ? "--only"
            : request->n_metrics ? "--metric"
            : request->against   ? "--against"
            : request->upwards   ? "--and"
                                 : "--scale");
    bool made = !request->list && mkdir(out, 0777) == 0;
    if (!request->list && !made && errno != EEXIST)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", out, strerror(errno));
    enum frs_status status = is_sweep ? draw_sweep(&d, request, errors) : draw_run(&d, folder, errors);
    if (made && status != FRS_OK)
        (void)rmdir(out); /* unless there is something in it by now */
    *drawn = (struct frs_figures_drawn){d.canvas.n, d.canvas.n_tables, d.n_numbered, d.n_variants};
    if (status == FRS_OK && d.canvas.without_gnuplot)
        status = frs_errors_add(errors, FRS_ERR_RUN,
            "gnuplot is not installed (package gnuplot-nox): %s has the data and the scripts of %zu figures, "
            "and "
            "no figures",
            out, d.canvas.n);
    return status;
}
