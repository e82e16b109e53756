#include "sim/sweep/resource_estimate.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/run/run.h"
#include "sim/setup/compose/compose.h"
#include "sim/forecast/forecast.h"

#include <math.h>
#include <stdlib.h>

/* Cells that get a line of their own. */
#define MOST_LINES 40u

/* No cell is given less time; so many times as much is what one needs on average. */
#define LEAST_PATIENCE_S 0.05
#define USUAL_PATIENCES 2

/* Further cells are skipped once so many times the patience is spent in processor time, loading included. */
#define CEILING 10

struct tasks {
    const struct frs_section *sections;
    const struct frs_sweep_plan *plan;
    size_t threads, n_known;
    double sum_wall_s, most_wall_s, most_memory_bytes;
    double sum_disk_bytes, most_disk_bytes; /* of results; of these and checkpoints */
    double *wall_s;                         /* [cells] of a point, where it is known; NULL: nobody asks */
    FILE *out;
};

static const char *format(double value, enum frs_dimension dimension, char text[64]) {
    return frs_units_format(value, dimension, text, 64);
}

static char *describe_cell(const struct tasks *tasks, size_t cell, const struct frs_forecast *forecast) {
    char low[64], high[64], wall[64], memory[64];
    char *name = frs_axes_describe(&tasks->plan->sweep.axes, cell), *simulated;
    if (forecast->known)
        simulated = frs_format("%s to %s simulated", format(forecast->simulated.low_s, FRS_TIME, low),
            format(forecast->simulated.high_s, FRS_TIME, high));
    else
        simulated = frs_strdup("simulated time not known");
    char *line = frs_format("%s: %s, wall time %s, memory %s", *name ? name : "the scenario", simulated,
        format(forecast->wall_s, FRS_TIME, wall), format(forecast->memory_bytes, FRS_BYTES, memory));
    free(simulated);
    free(name);
    return line;
}

/* *line: what it will need. */
static enum frs_status predict_cell(
    struct tasks *tasks, size_t cell, double patience_s, char **line, struct frs_errors *errors) {
    struct frs_scenario *scenario;
    struct frs_setup setup;
    size_t point = cell * tasks->plan->sweep.replicates;
    enum frs_status status =
        frs_sweep_plan_scenario(tasks->sections, tasks->plan, point, "sweep", &scenario, errors);
    if (status != FRS_OK)
        return status;
    status = frs_run_load(errors); /* part of the memory that is forecast */
    if (status == FRS_OK)
        status = frs_compose(scenario, &setup, errors);
    if (status == FRS_OK) {
        struct frs_forecast forecast =
            frs_forecast_make(&setup, tasks->threads, fmax(patience_s, LEAST_PATIENCE_S));
        tasks->n_known++;
        tasks->sum_wall_s += forecast.wall_s;
        if (tasks->wall_s)
            tasks->wall_s[cell] = forecast.wall_s;
        tasks->most_wall_s = fmax(tasks->most_wall_s, forecast.wall_s);
        tasks->most_memory_bytes = fmax(tasks->most_memory_bytes, forecast.memory_bytes);
        const struct frs_results_size *size = &forecast.results;
        tasks->sum_disk_bytes += size->all;
        tasks->most_disk_bytes = fmax(tasks->most_disk_bytes, size->all + size->checkpoints);
        *line = describe_cell(tasks, cell, &forecast);
        frs_forecast_fini(&forecast);
        frs_setup_fini(&setup);
    }
    frs_scenario_destroy(scenario);
    return status;
}

static size_t common_divisor(size_t a, size_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Returns the i-th of n places in an order in which any first few places are spread over all of them:
 * steps of about the golden section. */
static size_t place(size_t i, size_t n) {
    size_t step = (size_t)(0.618 * (double)n) + 1;
    while (common_divisor(n, step) != 1)
        step++;
    return i * step % n;
}

static void print_lines(const struct tasks *tasks, char **lines, size_t n) {
    size_t n_printed = 0;
    for (size_t i = 0; i < n; i++) {
        if (lines[i] && n_printed++ < MOST_LINES)
            frs_print_line(tasks->out, "    %s", lines[i]);
        free(lines[i]);
    }
}

/* How many cells there is time for. */
static size_t count_places(size_t n_cells, double patience_s) {
    return (size_t)fmin((double)n_cells, fmax(1, patience_s / (USUAL_PATIENCES * LEAST_PATIENCE_S)));
}

/* Cells at even places stand for those between them. lines [n]: what each of the places needs, NULL for those
 * that there was no time for. */
static enum frs_status predict(
    struct tasks *tasks, size_t n, double patience_s, char **lines, struct frs_errors *errors) {
    size_t n_cells = frs_axes_cells(&tasks->plan->sweep.axes);
    double began_s = frs_process_cpu_s();
    enum frs_status status = FRS_OK;
    for (size_t i = 0;
         i < n && status == FRS_OK && (i == 0 || frs_process_cpu_s() - began_s < CEILING * patience_s); i++) {
        size_t at = place(i, n);
        status = predict_cell(tasks, at * n_cells / n, patience_s / (double)n, &lines[at], errors);
    }
    return status;
}

enum frs_status frs_sweep_wall_times(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t threads, double patience_s, double *wall_s, struct frs_errors *errors) {
    struct tasks tasks = {.sections = sections, .plan = plan, .threads = threads, .wall_s = wall_s};
    size_t n_cells = frs_axes_cells(&plan->sweep.axes), n = count_places(n_cells, patience_s);
    char **lines = frs_alloc(n, sizeof *lines);
    for (size_t cell = 0; cell < n_cells; cell++)
        wall_s[cell] = NAN;
    enum frs_status status = predict(&tasks, n, patience_s, lines, errors);
    for (size_t cell = 0; cell < n_cells && tasks.n_known > 0; cell++)
        if (isnan(wall_s[cell]))
            wall_s[cell] = tasks.sum_wall_s / (double)tasks.n_known;
    for (size_t i = 0; i < n; i++)
        free(lines[i]);
    free(lines);
    return status;
}

enum frs_status frs_sweep_tasks_print(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t threads, double patience_s, FILE *out, struct frs_errors *errors) {
    struct tasks tasks = {.sections = sections, .plan = plan, .threads = threads, .out = out};
    size_t n_cells = frs_axes_cells(&plan->sweep.axes), n = count_places(n_cells, patience_s);
    char **lines = frs_alloc(n, sizeof *lines);
    enum frs_status status = predict(&tasks, n, patience_s, lines, errors);
    print_lines(&tasks, lines, n);
    free(lines);
    if (status != FRS_OK)
        return status;
    char wall[64], all[64], memory[64], disk[64], all_disk[64];
    double all_s = tasks.sum_wall_s / (double)tasks.n_known * (double)plan->n_points,
           all_bytes = tasks.sum_disk_bytes / (double)tasks.n_known * (double)plan->n_points;
    fprintf(out, "  a task       wall time up to %s on %zu thread%s, memory up to %s, disk up to %s\n",
        format(tasks.most_wall_s, FRS_TIME, wall), threads, threads == 1 ? "" : "s",
        format(tasks.most_memory_bytes, FRS_BYTES, memory), format(tasks.most_disk_bytes, FRS_BYTES, disk));
    if (tasks.n_known < n_cells)
        fprintf(out, "  simulated    %zu of %zu cells; the others are taken to need as much\n", tasks.n_known,
            n_cells);
    else
        fprintf(out, "  simulated    each of the %zu cells\n", n_cells);
    fprintf(out,
        "  all tasks    about %s of wall time, one after the other and without sharing their training; %s on "
        "disk\n",
        format(all_s, FRS_TIME, all), format(all_bytes, FRS_BYTES, all_disk));
    double free_bytes = frs_results_free_bytes("results");
    if (all_bytes > free_bytes)
        fprintf(out, "  disk is full  only %s are free here; output.events_every thins out events.ndjson\n",
            format(free_bytes, FRS_BYTES, all_disk));
    return FRS_OK;
}
