#include "sim/cluster/slurm.h"
#include "sim/base/buffer.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/index_list.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_LOOK_S = 1, LONGEST_WAIT_S = 15 };

/* --- SLURM's own programs --- */

bool frs_slurm_is_here(void) {
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = frs_format("%.*s/sbatch", (int)length, path);
        found = access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}

static _Noreturn void become(const char *folder, const char *const *arguments, int output) {
    if (chdir(folder) == 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
        execvp(arguments[0], (char *const *)arguments);
    dprintf(output, "%s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

static void read_all(int input, struct frs_buffer *said) {
    char piece[4096];
    ssize_t n;
    while ((n = read(input, piece, sizeof piece)) != 0)
        if (n > 0)
            frs_buffer_put(said, piece, (size_t)n);
        else if (errno != EINTR)
            break;
}

/* Runs a program in `folder`. *said gets its output and errors as one text, freed with free(). Returns
 * whether it ended with 0. */
static bool run_tool(const char *folder, const char *const *arguments, char **said) {
    struct frs_buffer buffer = {0};
    int ends[2], status = -1;
    FRS_INVARIANT(pipe(ends) == 0, "pipe: %s", strerror(errno));
    pid_t child = fork();
    FRS_INVARIANT(child >= 0, "fork: %s", strerror(errno));
    if (child == 0)
        become(folder, arguments, ends[1]);
    close(ends[1]);
    read_all(ends[0], &buffer);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    frs_buffer_put_u8(&buffer, '\0');
    *said = (char *)buffer.bytes;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- which jobs --- */

static void add_job(struct frs_slurm_jobs *jobs, const char *id) {
    jobs->ids = frs_grow(jobs->ids, jobs->n + 1, &jobs->capacity, sizeof *jobs->ids);
    jobs->ids[jobs->n++] = frs_strdup(id);
}

void frs_slurm_jobs_fini(struct frs_slurm_jobs *jobs) {
    for (size_t i = 0; i < jobs->n; i++)
        free(jobs->ids[i]);
    free(jobs->ids);
    *jobs = (struct frs_slurm_jobs){0};
}

/* The ids behind `text`, each behind `before`; freed by the caller. */
static char *join(const char *text, const char *before, const struct frs_slurm_jobs *jobs) {
    char *joined = frs_strdup(text);
    for (size_t i = 0; i < jobs->n; i++) {
        char *longer = frs_format("%s%s%s", joined, before, jobs->ids[i]);
        free(joined);
        joined = longer;
    }
    return joined;
}

/* Whether one of the jobs is among the lines of `text`. */
static bool has_job(const char *text, const struct frs_slurm_jobs *jobs) {
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
static bool ask(const struct frs_slurm_jobs *jobs, bool *queued) {
    static const char *const arguments[] = {"squeue", "--noheader", "--me", "--format=%F", NULL};
    char *said;
    bool answered = run_tool(".", arguments, &said);
    *queued = answered && has_job(said, jobs);
    free(said);
    return answered;
}

void frs_slurm_wait(const struct frs_slurm_jobs *jobs) {
    bool queued = true;
    for (unsigned pause_s = FIRST_LOOK_S; queued;
         pause_s = pause_s < LONGEST_WAIT_S ? pause_s + 1 : pause_s) {
        sleep(pause_s);
        if (!ask(jobs, &queued))
            queued = true;
    }
}

/* --- the record of what was submitted, for the next time --- */

static char *record_path(const char *folder) {
    return frs_format("%s/slurm/jobs", folder);
}

static enum frs_status write_record(
    const char *folder, const struct frs_slurm_jobs *jobs, struct frs_errors *errors) {
    char *path = record_path(folder);
    FILE *file = frs_create(path);
    for (size_t i = 0; file && i < jobs->n; i++)
        fprintf(file, "%s\n", jobs->ids[i]);
    enum frs_status status = FRS_OK;
    if (!file || fclose(file) != 0)
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

static void read_record(const char *folder, struct frs_slurm_jobs *jobs) {
    char *path = record_path(folder);
    FILE *file;
    frs_input_open(path, &file);
    char id[32];
    while (file && fscanf(file, "%31s", id) == 1)
        add_job(jobs, id);
    if (file)
        fclose(file);
    free(path);
}

enum frs_status frs_slurm_check_idle(const char *folder, struct frs_errors *errors) {
    struct frs_slurm_jobs jobs = {0};
    enum frs_status status = FRS_OK;
    bool queued = false;
    read_record(folder, &jobs);
    if (jobs.n > 0 && ask(&jobs, &queued) && queued) {
        char *ids = join("scancel", " ", &jobs);
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the jobs of this sweep have not ended yet; wait for them (squeue --me), or end them with %s",
            folder, ids);
        free(ids);
    }
    frs_slurm_jobs_fini(&jobs);
    return status;
}

/* --- submitting --- */

/* Arrays are cut at powers of ten. The number of a point is then the number of its array followed by that
 * of its task, also in the name of its log. */
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
    bool answered = run_tool(".", arguments, &said);
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

/* "--array=0,3-7%4" for points[0 .. n-1], which are all of the same array. */
static char *array_option(const size_t *points, size_t n, size_t at_once, const struct arrays *arrays) {
    size_t *tasks = frs_alloc(n, sizeof *tasks);
    for (size_t i = 0; i < n; i++)
        tasks[i] = points[i] % arrays->size;
    char *list = frs_index_list_format(tasks, n);
    char *text = at_once == 0 ? frs_format("--array=%s", list) : frs_format("--array=%s%%%zu", list, at_once);
    free(list);
    free(tasks);
    return text;
}

/* Numbers of points are written with at least four digits. */
static char *output_option(size_t array, const struct arrays *arrays) {
    if (array == 0)
        return frs_strdup("--output=points/%4a.log");
    int width = arrays->digits < 4 ? 4 - arrays->digits : 1;
    return frs_format("--output=points/%0*zu%%%da.log", width, array, arrays->digits);
}

/* sbatch prints the id, followed by a semicolon and the cluster where there are several; a site's
 * greetings may come before. */
static enum frs_status submit_one(const char *folder, const char *const *arguments,
    struct frs_slurm_jobs *jobs, struct frs_errors *errors) {
    char *said;
    bool accepted = run_tool(folder, arguments, &said);
    char *line = frs_text_last_line(said);
    size_t digits = strspn(line, "0123456789");
    enum frs_status status = FRS_OK;
    if (!accepted || digits == 0) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "SLURM does not take the sweep: %s", line);
    } else {
        char *id = frs_format("%.*s", (int)digits, line);
        add_job(jobs, id);
        free(id);
    }
    free(line);
    free(said);
    return status;
}

/* Points of one array. `when`: the option that says when they start. */
static enum frs_status submit_array(const struct frs_slurm *slurm, const struct arrays *arrays,
    const size_t *points, size_t n, const char *when, struct frs_slurm_jobs *jobs,
    struct frs_errors *errors) {
    size_t array = points[0] / arrays->size;
    char *tasks = array_option(points, n, slurm->at_once, arrays);
    char *output = output_option(array, arrays);
    char *offset = frs_format("%zu", array * arrays->size);
    const char *arguments[] = {"sbatch", "--parsable", when, tasks, output, "slurm/array.sh", offset, NULL};
    enum frs_status status = submit_one(slurm->folder, arguments, jobs, errors);
    free(tasks);
    free(output);
    free(offset);
    return status;
}

static enum frs_status submit_points(const struct frs_slurm *slurm, const struct arrays *arrays,
    const size_t *points, size_t n, const char *when, struct frs_slurm_jobs *jobs,
    struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t first = 0, end; first < n && status == FRS_OK; first = end) {
        size_t array = points[first] / arrays->size;
        for (end = first + 1; end < n && points[end] / arrays->size == array;)
            end++;
        status = submit_array(slurm, arrays, points + first, end - first, when, jobs, errors);
    }
    return status;
}

/* Copies the points that wait, or those that do not; returns their number. */
static size_t pick_points(const struct frs_slurm *slurm, bool waiting, size_t *points) {
    size_t n = 0;
    for (size_t i = 0; i < slurm->n_points; i++)
        if ((slurm->waits && slurm->waits[i]) == waiting)
            points[n++] = slurm->points[i];
    return n;
}

static enum frs_status submit_arrays(const struct frs_slurm *slurm, const struct arrays *arrays,
    struct frs_slurm_jobs *jobs, struct frs_errors *errors) {
    size_t *points = frs_alloc(slurm->n_points, sizeof *points);
    size_t n = pick_points(slurm, false, points);
    enum frs_status status = submit_points(slurm, arrays, points, n, "--begin=now", jobs, errors);
    char *after = join("--dependency=afterany", ":", jobs);
    n = pick_points(slurm, true, points);
    if (status == FRS_OK)
        status = submit_points(slurm, arrays, points, n, after, jobs, errors);
    free(after);
    free(points);
    return status;
}

/* afterany, not afterok: the finished points are collected and the others are named, whatever became of
 * them. */
static enum frs_status submit_collect(
    const struct frs_slurm *slurm, struct frs_slurm_jobs *jobs, struct frs_errors *errors) {
    char *after = join("--dependency=afterany", ":", jobs);
    const char *arguments[] = {"sbatch", "--parsable", after, "slurm/collect.sh", NULL};
    enum frs_status status = submit_one(slurm->folder, arguments, jobs, errors);
    free(after);
    return status;
}

static void cancel(const struct frs_slurm_jobs *jobs) {
    const char **arguments = frs_alloc(jobs->n + 2, sizeof *arguments);
    char *said;
    arguments[0] = "scancel";
    for (size_t i = 0; i < jobs->n; i++)
        arguments[i + 1] = jobs->ids[i];
    run_tool(".", arguments, &said);
    free(said);
    free(arguments);
}

enum frs_status frs_slurm_submit(
    const struct frs_slurm *slurm, struct frs_slurm_jobs *jobs, struct frs_errors *errors) {
    struct arrays arrays;
    enum frs_status status = find_arrays(&arrays, errors);
    if (status == FRS_OK)
        status = submit_arrays(slurm, &arrays, jobs, errors);
    if (status == FRS_OK)
        status = submit_collect(slurm, jobs, errors);
    if (status == FRS_OK)
        status = write_record(slurm->folder, jobs, errors);
    if (status != FRS_OK && jobs->n > 0)
        cancel(jobs);
    return status;
}
