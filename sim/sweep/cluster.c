#include "sim/sweep/cluster.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/sweep/folder.h"
#include "sim/cluster/slurm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct frs_slurm slurm_of(
    const struct frs_sweep_options *options, const struct frs_sweep_session *session) {
    return (struct frs_slurm){.folder = session->folder,
        .name = session->plan->name,
        .threads = options->threads,
        .at_once = options->jobs,
        .options = options->cluster->options,
        .n_options = options->cluster->n_options,
        .all = options->all,
        .reuse = !options->no_reuse};
}

enum frs_status frs_cluster_check(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) {
    struct frs_slurm slurm = slurm_of(options, session);
    if (!options->cluster->dry_run && !frs_slurm_is_here())
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--launcher slurm: there is no sbatch on the PATH; --dry-run writes the scripts only, --launcher "
            "local runs the sweep here");
    if (session->plan->sweep.stop.metric)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--launcher slurm: a job array cannot end replicates early; leave out sweep.stop, or take "
            "--launcher "
            "local");
    enum frs_status status = frs_slurm_check(&slurm, errors);
    if (status == FRS_OK && !options->cluster->dry_run)
        status = frs_slurm_check_idle(session->folder, errors);
    return status;
}

/* --- what is said --- */

static void say_scripts(const struct frs_slurm *slurm) {
    frs_print_line(stdout,
        "%zu points are left; %s/slurm/array.sh runs one of them, collect.sh beside it collects the results",
        slurm->n_points, slurm->folder);
}

static void say_ids(const struct frs_slurm_jobs *jobs, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf(" %s", jobs->ids[i]);
}

static void say_jobs(const struct frs_slurm *slurm, const struct frs_slurm_jobs *jobs) {
    size_t n_arrays = jobs->n - 1;
    printf("submitted %zu point%s as job array%s", slurm->n_points, slurm->n_points > 1 ? "s" : "",
        n_arrays > 1 ? "s" : "");
    say_ids(jobs, n_arrays);
    frs_print_line(stdout, "; job %s collects the results into %s", jobs->ids[n_arrays], slurm->folder);
    char *hint = frs_format(
        "squeue --me shows what is left, %s/points/NNNN.log what a point has to say", slurm->folder);
    char *line = frs_quoted_line(hint);
    printf("%s; to end it: scancel", line);
    free(hint);
    free(line);
    say_ids(jobs, jobs->n);
    printf("\n");
    fflush(stdout);
}

/* --- what became of it --- */

static void say_failed(const struct frs_sweep_session *session, size_t point, struct frs_errors *errors) {
    char *name = frs_sweep_plan_describe(session->plan, point);
    char *log = frs_folder_log(session->folder, point);
    frs_errors_add(errors, FRS_ERR_RUN, "point %zu failed (%s): see %s", point, name, log);
    free(name);
    free(log);
}

/* Enters into the schedule what the jobs have left in the folder. */
static enum frs_status enter(struct frs_sweep_session *session, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t point; (point = frs_schedule_next(session->schedule)) != SIZE_MAX;) {
        bool finished = frs_folder_finished(session->folder, session->plan, point);
        frs_schedule_end(session->schedule, point, finished);
        if (finished)
            continue;
        say_failed(session, point, errors);
        status = FRS_ERR_RUN;
    }
    return status;
}

/* --- the engine --- */

static enum frs_status submit(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    const struct frs_slurm *slurm, bool *ended, struct frs_errors *errors) {
    struct frs_slurm_jobs jobs = {0};
    enum frs_status status = frs_slurm_submit(slurm, &jobs, errors);
    if (status == FRS_OK && !options->quiet)
        say_jobs(slurm, &jobs);
    if (status == FRS_OK && options->cluster->wait) {
        frs_slurm_wait(&jobs);
        status = enter(session, errors);
        *ended = true;
    }
    frs_slurm_jobs_fini(&jobs);
    return status;
}

enum frs_status frs_cluster_run(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    bool *ended, struct frs_errors *errors) {
    struct frs_slurm slurm = slurm_of(options, session);
    size_t *points;
    slurm.n_points = frs_schedule_left(session->schedule, &points);
    slurm.points = points;
    bool *waits = frs_alloc(slurm.n_points, sizeof *waits);
    frs_schedule_waits(session->schedule, points, slurm.n_points, waits);
    slurm.waits = waits;
    const char **plugins = frs_alloc(session->plan->n_plugins + 1, sizeof *plugins);
    for (size_t i = 0; i < session->plan->n_plugins; i++)
        plugins[i] = session->plan->plugins[i].path;
    slurm.plugins = plugins;
    slurm.n_plugins = session->plan->n_plugins;
    *ended = slurm.n_points == 0;
    enum frs_status status = FRS_OK;
    if (!*ended || options->cluster->dry_run)
        status = frs_slurm_write(&slurm, errors);
    if (status == FRS_OK && options->cluster->dry_run) {
        say_scripts(&slurm);
        *ended = false;
    } else if (status == FRS_OK && !*ended) {
        status = submit(options, session, &slurm, ended, errors);
    }
    free(points);
    free(waits);
    free(plugins);
    return status;
}
