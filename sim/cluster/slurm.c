/* SLURM: tasks as a job array, and a job after them that collects the results. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "sim/cluster/launcher.h"
#include "sim/cluster/slurm_scripts.h"
#include "sim/cluster/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_LOOK_S = 1, LONGEST_WAIT_S = 15 };

/* --- which jobs --- */

/* Whether one of the jobs is among the lines of `text`. */
static bool has_job(const char *text, const struct frs_jobs *jobs) {
    while (*text) {
        size_t length = strcspn(text, " \n");
        for (size_t i = 0; i < jobs->n; i++)
            if (strlen(jobs->ids[i]) == length && strncmp(jobs->ids[i], text, length) == 0)
                return true;
        text += length + strspn(text + length, " \n");
    }
    return false;
}

/* Asks for all jobs of the user, because SLURM reports an error for the id of a job that ended long ago.
 * Returns whether there was an answer. */
static bool ask(const struct frs_jobs *jobs, bool *queued) {
    static const char *const arguments[] = {"squeue", "--noheader", "--me", "--format=%F", NULL};
    char *said;
    bool answered = frs_tool_run(".", arguments, &said);
    *queued = answered && has_job(said, jobs);
    free(said);
    return answered;
}

static enum frs_status wait(
    const struct frs_batch *batch, const struct frs_jobs *jobs, struct frs_errors *errors) {
    (void)batch;
    (void)errors;
    bool queued = true;
    for (unsigned pause_s = FIRST_LOOK_S; queued;
         pause_s = pause_s < LONGEST_WAIT_S ? pause_s + 1 : pause_s) {
        sleep(pause_s);
        if (!ask(jobs, &queued))
            queued = true;
    }
    return FRS_OK;
}

static enum frs_status check_idle(const char *folder, struct frs_errors *errors) {
    struct frs_jobs jobs = {0};
    enum frs_status status = FRS_OK;
    bool queued = false;
    frs_jobs_read(folder, &jobs);
    if (jobs.n > 0 && ask(&jobs, &queued) && queued) {
        char *ids = frs_jobs_join("scancel", " ", &jobs);
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the jobs of this sweep have not ended yet; wait for them (squeue --me), or end them with %s",
            folder, ids);
        free(ids);
    }
    frs_jobs_fini(&jobs);
    return status;
}

/* --- submitting --- */

/* Arrays are cut at powers of ten. The number of a task is then the number of its array followed by its own
 * in that array, also in the name of its log. */
struct arrays {
    size_t size;
    int digits;
};

static size_t longest_array(const char *config) {
    const char *line = strstr(config, "MaxArraySize");
    const char *value = line ? strchr(line, '=') : NULL;
    return value ? strtoul(value + 1, NULL, 10) : 0;
}

static enum frs_status find_arrays(struct arrays *arrays, struct frs_errors *errors) {
    static const char *const arguments[] = {"scontrol", "show", "config", NULL};
    char *said;
    enum frs_status status = FRS_OK;
    bool answered = frs_tool_run(".", arguments, &said);
    char *line = frs_text_last_line(said);
    size_t longest = answered ? longest_array(said) : 0;
    *arrays = (struct arrays){.size = 1};
    for (; arrays->size * 10 <= longest; arrays->digits++)
        arrays->size *= 10;
    if (!answered)
        status = frs_errors_add(errors, FRS_ERR_RUN, "SLURM does not answer: %s", line);
    else if (arrays->digits == 0)
        status = frs_errors_add(
            errors, FRS_ERR_RUN, "this cluster has no job arrays (MaxArraySize = %zu)", longest);
    free(line);
    free(said);
    return status;
}

/* "--array=3-7%4" for tasks first to end - 1, which are all of the same array. */
static char *array_option(size_t first, size_t end, size_t at_once, const struct arrays *arrays) {
    size_t from = first % arrays->size, to = (end - 1) % arrays->size;
    char *text = from == to ? frs_format("--array=%zu", from) : frs_format("--array=%zu-%zu", from, to);
    if (at_once == 0)
        return text;
    char *limited = frs_format("%s%%%zu", text, at_once);
    free(text);
    return limited;
}

/* Numbers of tasks are written with at least four digits. */
static char *output_option(size_t array, const struct arrays *arrays) {
    if (array == 0)
        return frs_strdup("--output=tasks/%4a.log");
    int width = arrays->digits < 4 ? 4 - arrays->digits : 1;
    return frs_format("--output=tasks/%0*zu%%%da.log", width, array, arrays->digits);
}

/* sbatch prints the id, followed by a semicolon and the cluster where there are several; a site's
 * greetings may come before. */
static enum frs_status submit_one(
    const char *folder, const char *const *arguments, struct frs_jobs *jobs, struct frs_errors *errors) {
    char *said;
    bool accepted = frs_tool_run(folder, arguments, &said);
    char *line = frs_text_last_line(said);
    size_t digits = strspn(line, "0123456789");
    enum frs_status status = FRS_OK;
    if (!accepted || digits == 0) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "SLURM does not take the sweep: %s", line);
    } else {
        char *id = frs_format("%.*s", (int)digits, line);
        frs_jobs_add(jobs, id);
        free(id);
    }
    free(line);
    free(said);
    return status;
}

/* Tasks of one array. `when`: the option that says when they start. */
static enum frs_status submit_array(const struct frs_batch *batch, const struct arrays *arrays, size_t first,
    size_t end, const char *when, struct frs_jobs *jobs, struct frs_errors *errors) {
    size_t array = first / arrays->size;
    char *tasks = array_option(first, end, batch->at_once, arrays);
    char *output = output_option(array, arrays);
    char *offset = frs_format("%zu", array * arrays->size);
    const char *arguments[] = {"sbatch", "--parsable", when, tasks, output, "slurm/array.sh", offset, NULL};
    enum frs_status status = submit_one(batch->folder, arguments, jobs, errors);
    free(tasks);
    free(output);
    free(offset);
    return status;
}

static enum frs_status submit_wave(const struct frs_batch *batch, const struct arrays *arrays, size_t first,
    size_t end, const char *when, struct frs_jobs *jobs, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t next; first < end && status == FRS_OK; first = next) {
        next = (first / arrays->size + 1) * arrays->size;
        next = next < end ? next : end;
        status = submit_array(batch, arrays, first, next, when, jobs, errors);
    }
    return status;
}

static enum frs_status submit_arrays(const struct frs_batch *batch, const struct arrays *arrays,
    struct frs_jobs *jobs, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    size_t n_before = 0; /* jobs before the wave that the next one waits for */
    for (size_t first = 0, end; first < batch->n_tasks && status == FRS_OK; first = end) {
        struct frs_jobs last = {.ids = jobs->ids + n_before, .n = jobs->n - n_before};
        char *when =
            first == 0 ? frs_strdup("--begin=now") : frs_jobs_join("--dependency=afterany", ":", &last);
        n_before = jobs->n;
        end = frs_batch_wave_end(batch, first);
        status = submit_wave(batch, arrays, first, end, when, jobs, errors);
        free(when);
    }
    return status;
}

/* afterany, not afterok: the finished points are collected and the others are named, whatever became of
 * them. */
static enum frs_status submit_collect(
    const struct frs_batch *batch, struct frs_jobs *jobs, struct frs_errors *errors) {
    char *after = frs_jobs_join("--dependency=afterany", ":", jobs);
    const char *arguments[] = {"sbatch", "--parsable", after, "slurm/collect.sh", NULL};
    enum frs_status status = submit_one(batch->folder, arguments, jobs, errors);
    free(after);
    return status;
}

static void cancel(const struct frs_jobs *jobs) {
    const char **arguments = frs_alloc(jobs->n + 2, sizeof *arguments);
    char *said;
    arguments[0] = "scancel";
    for (size_t i = 0; i < jobs->n; i++)
        arguments[i + 1] = jobs->ids[i];
    frs_tool_run(".", arguments, &said);
    free(said);
    free(arguments);
}

static void say_ids(const struct frs_jobs *jobs, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf(" %s", jobs->ids[i]);
}

/* The last job collects. */
static void say(const struct frs_batch *batch, const struct frs_jobs *jobs) {
    size_t n_arrays = jobs->n - 1;
    printf("submitted %zu point%s as ", batch->n_points, batch->n_points > 1 ? "s" : "");
    if (batch->n_tasks < batch->n_points)
        printf("%zu task%s of ", batch->n_tasks, batch->n_tasks > 1 ? "s" : "");
    printf("job array%s", n_arrays > 1 ? "s" : "");
    say_ids(jobs, n_arrays);
    frs_print_line(stdout, "; job %s collects the results into %s", jobs->ids[n_arrays], batch->folder);
    char *hint =
        frs_format("squeue --me shows what is left, %s/points/NNNN.log and tasks/NNNN.log what points "
                   "and tasks have to say",
            batch->folder);
    char *line = frs_quoted_line(hint);
    printf("%s; to end it: scancel", line);
    free(hint);
    free(line);
    say_ids(jobs, jobs->n);
    printf("\n");
    fflush(stdout);
}

static enum frs_status submit(
    const struct frs_batch *batch, struct frs_jobs *jobs, bool quiet, struct frs_errors *errors) {
    struct arrays arrays;
    enum frs_status status = find_arrays(&arrays, errors);
    if (status == FRS_OK)
        status = submit_arrays(batch, &arrays, jobs, errors);
    if (status == FRS_OK)
        status = submit_collect(batch, jobs, errors);
    if (status == FRS_OK)
        status = frs_jobs_write(batch->folder, jobs, errors);
    if (status != FRS_OK && jobs->n > 0)
        cancel(jobs);
    if (status == FRS_OK && !quiet)
        say(batch, jobs);
    return status;
}

const struct frs_launcher frs_launcher_slurm = {
    .name = "slurm",
    .summary = "SLURM: a job array, and a job that collects the results",
    .program = "sbatch",
    .takes_options = true,
    .check = frs_slurm_check,
    .check_idle = check_idle,
    .write = frs_slurm_write,
    .submit = submit,
    .wait = wait,
};
