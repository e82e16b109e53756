#include "sim/sweep/cluster.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cluster/tool.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/resource_estimate.h"
#include "sim/sweep/tasks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine whose processors are not known when tasks are packed is taken to have this many. */
enum { USUAL_PROCESSORS = 8 };

/* How long points are tried before they are packed. */
#define TRY_S 5.0

/* A task of which nothing is heard for so long may be lost: some times what it was filled up to. */
#define SILENT_TASKS 10
#define LEAST_SILENCE_S 300.0

static struct frs_batch batch_of(
    const struct frs_sweep_options *options, const struct frs_sweep_session *session) {
    const struct frs_cluster *cluster = options->cluster;
    return (struct frs_batch){.folder = session->folder,
        .name = session->plan->name,
        .threads = options->threads,
        .processors = cluster->processors == SIZE_MAX ? 0
                      : cluster->processors           ? cluster->processors
                                                      : 1,
        .at_once = options->jobs,
        .options = cluster->options,
        .n_options = cluster->n_options,
        .submit = cluster->submit,
        .silence_s = fmax(SILENT_TASKS * cluster->task_s, LEAST_SILENCE_S),
        .all = options->all,
        .reuse = !options->no_reuse,
        .ends_early = session->plan->sweep.stop.metric != NULL};
}

enum frs_status frs_cluster_check(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) {
    const struct frs_launcher *launcher = options->cluster->launcher;
    struct frs_batch batch = batch_of(options, session);
    if (!options->cluster->dry_run && launcher->program && !frs_tool_is_here(launcher->program))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--launcher %s: there is no %s on the PATH; --dry-run writes the scripts only, --launcher local "
            "runs the sweep here",
            launcher->name, launcher->program);
    enum frs_status status = launcher->check ? launcher->check(&batch, errors) : FRS_OK;
    if (status == FRS_OK && launcher->check_idle && !options->cluster->dry_run)
        status = launcher->check_idle(session->folder, errors);
    return status;
}

/* --- tasks --- */

/* *tasks: freed by frs_tasks_fini, also after an error. *longest_s: the longest of them by the forecast, 0
 * where there is none. */
static enum frs_status pack(const struct frs_sweep_options *options, const struct frs_sweep_session *session,
    struct frs_tasks *tasks, double *longest_s, struct frs_errors *errors) {
    const struct frs_cluster *cluster = options->cluster;
    const struct frs_sweep_plan *plan = session->plan;
    *tasks = (struct frs_tasks){0};
    *longest_s = 0;
    if (cluster->task_s <= 0) {
        *tasks = frs_tasks_pack(session->schedule, NULL, 0, 1);
        return FRS_OK;
    }
    double *cell_s = frs_alloc(plan->n_points, sizeof *cell_s),
           *point_s = frs_alloc(plan->n_points, sizeof *point_s);
    enum frs_status status = frs_sweep_wall_times(
        options->request.sections, plan, options->threads ? options->threads : 1, TRY_S, cell_s, errors);
    for (size_t i = 0; i < plan->n_points; i++)
        point_s[i] = cell_s[plan->points[i].cell];
    size_t at_once = cluster->processors == SIZE_MAX ? USUAL_PROCESSORS : cluster->processors;
    if (status == FRS_OK)
        *tasks = frs_tasks_pack(session->schedule, point_s, cluster->task_s, at_once ? at_once : 1);
    for (size_t task = 0; task < tasks->n; task++) {
        double task_s = 0;
        for (size_t i = 0; i < tasks->tasks[task].n; i++)
            task_s += point_s[tasks->tasks[task].points[i]] / (double)(at_once ? at_once : 1);
        *longest_s = fmax(*longest_s, task_s);
    }
    free(cell_s);
    free(point_s);
    return status;
}

/* --- what became of it --- */

/* The log of the point; where it has none, that of its task. Freed by the caller. */
static char *find_log(const struct frs_sweep_session *session, const struct frs_tasks *tasks, size_t point) {
    char *log = frs_folder_log(session->folder, point);
    for (size_t task = 0; access(log, F_OK) != 0 && task < tasks->n; task++)
        for (size_t i = 0; i < tasks->tasks[task].n; i++)
            if (tasks->tasks[task].points[i] == point) {
                free(log);
                return frs_batch_log(session->folder, task);
            }
    return log;
}

static void say_failed(const struct frs_sweep_session *session, const struct frs_tasks *tasks, size_t point,
    struct frs_errors *errors) {
    char *name = frs_sweep_plan_describe(session->plan, point), *log = find_log(session, tasks, point);
    frs_errors_add(errors, FRS_ERR_RUN, "point %zu failed (%s): see %s", point, name, log);
    free(name);
    free(log);
}

/* Enters into the schedule what tasks have left in the folder. */
static enum frs_status enter(
    struct frs_sweep_session *session, const struct frs_tasks *tasks, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t point; (point = frs_schedule_next(session->schedule)) != SIZE_MAX;) {
        bool finished = frs_folder_finished(session->folder, session->plan, point);
        frs_schedule_end(session->schedule, point, finished);
        if (finished)
            continue;
        say_failed(session, tasks, point, errors);
        status = FRS_ERR_RUN;
    }
    return status;
}

/* --- the engine --- */

static size_t count_waves(const struct frs_batch *batch) {
    return batch->tasks[batch->n_tasks - 1].wave + 1;
}

/* longest_s: the longest task by the forecast, 0 where there is none. */
static void say_scripts(const struct frs_batch *batch, double longest_s) {
    size_t least = SIZE_MAX, most = 0, n_waves = batch->n_tasks > 0 ? count_waves(batch) : 0;
    for (size_t i = 0; i < batch->n_tasks; i++) {
        size_t n = batch->tasks[i].n;
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    frs_print_line(stdout,
        "%zu points are left, in %zu tasks; %s/tasks/run.sh runs one of them, collect.sh beside it collects "
        "the "
        "results",
        batch->n_points, batch->n_tasks, batch->folder);
    if (batch->n_tasks == 0)
        return;
    char *range = least < most ? frs_format("%zu to %zu points", least, most)
                               : frs_format("%zu point%s", most, most == 1 ? "" : "s");
    char *time =
        longest_s > 0 ? frs_format(", the longest of %.3g s by the forecast", longest_s) : frs_strdup("");
    frs_print_line(
        stdout, "a task has %s%s; they come in %zu wave%s", range, time, n_waves, n_waves == 1 ? "" : "s");
    free(range);
    free(time);
}

static enum frs_status submit(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    const struct frs_batch *batch, const struct frs_tasks *tasks, bool *ended, struct frs_errors *errors) {
    const struct frs_launcher *launcher = options->cluster->launcher;
    struct frs_jobs jobs = {0};
    size_t n_waves = count_waves(batch);
    if (batch->ends_early && !options->quiet)
        frs_print_line(stdout,
            "sweep.stop_metric: %zu wave%s of tasks%s; each task leaves out the replicates that are no "
            "longer needed",
            n_waves, n_waves == 1 ? "" : "s", n_waves == 1 ? "" : ", one after the other");
    enum frs_status status = launcher->submit(batch, &jobs, options->quiet, errors);
    if (status == FRS_OK && options->cluster->wait && launcher->wait)
        status = launcher->wait(batch, &jobs, errors);
    if (status == FRS_OK && (options->cluster->wait || launcher->runs_here)) {
        status = enter(session, tasks, errors);
        *ended = true;
    } else if (status == FRS_INTERRUPTED) { /* what is finished counts, what failed will be run again */
        struct frs_errors ignored = {0};
        (void)enter(session, tasks, &ignored);
        frs_errors_clear(&ignored);
        *ended = true;
    }
    frs_jobs_fini(&jobs);
    return status;
}

static enum frs_status run(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    const struct frs_tasks *tasks, double longest_s, bool *ended, struct frs_errors *errors) {
    const struct frs_cluster *cluster = options->cluster;
    struct frs_batch batch = batch_of(options, session);
    const char **plugins = frs_alloc(session->plan->n_plugins + 1, sizeof *plugins);
    for (size_t i = 0; i < session->plan->n_plugins; i++)
        plugins[i] = session->plan->plugins[i].path;
    batch.plugins = plugins;
    batch.n_plugins = session->plan->n_plugins;
    batch.tasks = tasks->tasks;
    batch.n_tasks = tasks->n;
    batch.n_points = tasks->n_points;
    *ended = batch.n_tasks == 0;
    enum frs_status status = FRS_OK;
    if (!*ended || cluster->dry_run)
        status = frs_batch_write(&batch, errors);
    if (status == FRS_OK && cluster->launcher->write && (!*ended || cluster->dry_run))
        status = cluster->launcher->write(&batch, errors);
    if (status == FRS_OK && cluster->dry_run) {
        say_scripts(&batch, longest_s);
        if (cluster->launcher->show)
            cluster->launcher->show(&batch);
        *ended = false;
    } else if (status == FRS_OK && !*ended) {
        status = submit(options, session, &batch, tasks, ended, errors);
    }
    free(plugins);
    return status;
}

enum frs_status frs_cluster_run(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    bool *ended, struct frs_errors *errors) {
    struct frs_tasks tasks;
    double longest_s;
    enum frs_status status = pack(options, session, &tasks, &longest_s, errors);
    *ended = false;
    if (status == FRS_OK)
        status = run(options, session, &tasks, longest_s, ended, errors);
    frs_tasks_fini(&tasks);
    return status;
}
