#include "sim/sweep/tasks.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/run/compose.h"
#include "sim/run/forecast.h"

#include <math.h>
#include <stdlib.h>

/* Cells that get a line of their own. */
#define MOST_LINES 40u

/* More time than was asked for is taken where that is no more than so much of the sweep, and no more than so many times
 * as much. */
#define SHARE_OF_SWEEP 0.02
#define MOST_MORE 4

/* No cell is given less time. */
#define LEAST_PATIENCE_S 0.03

struct tasks {
    const struct frs_section *sections;
    const struct frs_sweep_plan *plan;
    size_t threads, n_known;
    double sum_wall_s, most_wall_s, most_memory_bytes;
    FILE *out;
};

static const char *format(double value, enum frs_dimension dimension, char text[64]) {
    return frs_units_format(value, dimension, text, 64);
}

static void print_cell(const struct tasks *tasks, size_t cell, const struct frs_forecast *forecast) {
    char low[64], high[64], wall[64], memory[64];
    char *name = frs_axes_describe(&tasks->plan->sweep.axes, cell), *simulated;
    if (forecast->known)
        simulated = frs_format("%s to %s simulated", format(forecast->simulated.low_s, FRS_TIME, low),
            format(forecast->simulated.high_s, FRS_TIME, high));
    else
        simulated = frs_strdup("simulated time not known");
    frs_print_line(tasks->out, "    %s: %s, wall time %s, memory %s", *name ? name : "the scenario",
        simulated, format(forecast->wall_s, FRS_TIME, wall),
        format(forecast->memory_bytes, FRS_BYTES, memory));
    free(simulated);
    free(name);
}

static enum frs_status foretell_cell(
    struct tasks *tasks, size_t cell, double patience_s, struct frs_errors *errors) {
    struct frs_scenario *scenario;
    struct frs_setup setup;
    double began_s = frs_wall_s();
    size_t point = cell * tasks->plan->sweep.replicates;
    enum frs_status status =
        frs_sweep_plan_scenario(tasks->sections, tasks->plan, point, "sweep", &scenario, errors);
    if (status != FRS_OK)
        return status;
    status = frs_compose(scenario, &setup, errors);
    if (status == FRS_OK) {
        double left_s = fmax(patience_s - (frs_wall_s() - began_s), LEAST_PATIENCE_S);
        struct frs_forecast forecast = frs_forecast_make(&setup, tasks->threads, left_s);
        tasks->n_known++;
        tasks->sum_wall_s += forecast.wall_s;
        tasks->most_wall_s = fmax(tasks->most_wall_s, forecast.wall_s);
        tasks->most_memory_bytes = fmax(tasks->most_memory_bytes, forecast.memory_bytes);
        if (tasks->n_known <= MOST_LINES)
            print_cell(tasks, cell, &forecast);
        frs_forecast_fini(&forecast);
        frs_setup_fini(&setup);
    }
    frs_scenario_destroy(scenario);
    return status;
}

/* Cells at even places stand for those between them. */
enum frs_status frs_sweep_tasks_print(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t threads, double patience_s, FILE *out, struct frs_errors *errors) {
    struct tasks tasks = {.sections = sections, .plan = plan, .threads = threads, .out = out};
    size_t n_cells = frs_axes_cells(&plan->sweep.axes);
    size_t n = (size_t)fmin((double)n_cells, fmax(1, patience_s / (2 * LEAST_PATIENCE_S)));
    double until_s = frs_wall_s() + patience_s;
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < n && status == FRS_OK && (i == 0 || frs_wall_s() < until_s); i++) {
        status = foretell_cell(&tasks, i * n_cells / n, (until_s - frs_wall_s()) / (double)(n - i), errors);
        if (i == 0)
            until_s +=
                fmin(SHARE_OF_SWEEP * tasks.sum_wall_s * (double)plan->n_points, MOST_MORE * patience_s);
    }
    if (status != FRS_OK)
        return status;
    char wall[64], all[64], memory[64];
    double all_s = tasks.sum_wall_s / (double)tasks.n_known * (double)plan->n_points;
    fprintf(out,
        "  a task       wall time up to %s on %zu thread%s, memory up to %s (%zu of %zu cells looked at)\n",
        format(tasks.most_wall_s, FRS_TIME, wall), threads, threads == 1 ? "" : "s",
        format(tasks.most_memory_bytes, FRS_BYTES, memory), tasks.n_known, n_cells);
    fprintf(out,
        "  all tasks    about %s of wall time, one after the other and without sharing their training\n",
        format(all_s, FRS_TIME, all));
    return FRS_OK;
}
