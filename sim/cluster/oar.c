/* OAR: an array of jobs, one a task, and a job after them that collects the results. */
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "sim/cluster/launcher.h"
#include "sim/cluster/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_LOOK_S = 1, LONGEST_WAIT_S = 15 };

/* What jobs say that no task says in its own log (a node that does not find the script), and what the job
 * that collects does. */
static const char *const logs[] = {"tasks/oar.log", "tasks/collect.log"};

/* What the sweep itself sets. */
static const char *const own_options[] = {"--array", "--array-param-file", "-a", "--anterior", "-d",
    "--directory", "-O", "-E", "--stdout", "--stderr", "-I", "--interactive", "-n", "--name", NULL};

/* A short option may have its value in the same word. */
static bool is_own(const char *option) {
    size_t length = strcspn(option, "= ");
    for (size_t i = 0; own_options[i]; i++) {
        bool is_short = own_options[i][1] != '-';
        if ((is_short || strlen(own_options[i]) == length) &&
            strncmp(option, own_options[i], is_short ? 2 : length) == 0)
            return true;
    }
    return false;
}

/* OAR puts the folder between single quotes of Perl and of a shell, and escapes nothing. */
static enum frs_status check_folder(const char *folder, struct frs_errors *errors) {
    static const char unfit[] = "'\\\n";
    char *working = *folder == '/' ? frs_strdup("") : getcwd(NULL, 0);
    bool is_unfit = strpbrk(folder, unfit) || (working && strpbrk(working, unfit));
    free(working);
    if (is_unfit)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: OAR cannot run jobs below a path with a quote, a backslash or a new line; choose another "
            "folder with --out DIR",
            folder);
    return FRS_OK;
}

static enum frs_status check(const struct frs_batch *batch, struct frs_errors *errors) {
    char line[80];
    if (check_folder(batch->folder, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    for (size_t i = 0; i < batch->n_options; i++) {
        const char *option = batch->options[i];
        if (option[0] != '-')
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "--launcher-option \"%s\": allowed: one word for oarsub, such as -lwalltime=0:30:0",
                frs_text_line(option, line, sizeof line));
        if (is_own(option))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "--launcher-option \"%s\": the sweep sets this one itself",
                frs_text_line(option, line, sizeof line));
    }
    return FRS_OK;
}

/* A line of arguments for each task. */
static enum frs_status write_arguments(
    const struct frs_batch *batch, size_t first, size_t end, struct frs_errors *errors) {
    char *path = frs_format("%s/tasks/arguments", batch->folder);
    FILE *file = frs_create(path);
    enum frs_status status = FRS_OK;
    for (size_t task = first; file && task < end; task++)
        fprintf(file, "%zu log\n", task);
    if (!file || fclose(file) != 0)
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

/* oarsub says OAR_JOB_ID=1234 for every job. */
static size_t add_jobs(const char *said, struct frs_jobs *jobs) {
    static const char key[] = "OAR_JOB_ID=";
    size_t n = 0;
    for (const char *at = said; (at = strstr(at, key)); n++) {
        at += sizeof key - 1;
        char *id = frs_format("%.*s", (int)strspn(at, "0123456789"), at);
        frs_jobs_add(jobs, id);
        free(id);
    }
    return n;
}

/* `after`: jobs that have to end before. script and arguments are one command line of a shell for OAR, which
 * starts it where PWD says unless it is told the directory. `log`, in that folder: what the jobs say, to
 * which OAR appends. */
static enum frs_status oarsub(const struct frs_batch *batch, const char *script, const char *log,
    bool is_array, const struct frs_jobs *after, struct frs_jobs *jobs, struct frs_errors *errors) {
    const char **arguments = frs_alloc(batch->n_options + 2 * after->n + 18, sizeof *arguments);
    char *said, *folder = realpath(batch->folder, NULL), name[65] = "";
    size_t n = 0;
    for (size_t i = 0; batch->name[i] && i + 1 < sizeof name; i++)
        name[i] = batch->name[i];
    for (char *at = name; (at = strpbrk(at, " \t'\"\\#%$"));)
        *at = '-';
    arguments[n++] = "oarsub";
    arguments[n++] = "--name";
    arguments[n++] = name;
    arguments[n++] = "--directory";
    arguments[n++] = folder ? folder : batch->folder;
    arguments[n++] = "--stdout";
    arguments[n++] = log;
    arguments[n++] = "--stderr";
    arguments[n++] = log;
    for (size_t i = 0; i < after->n; i++) {
        arguments[n++] = "--anterior";
        arguments[n++] = after->ids[i];
    }
    for (size_t i = 0; i < batch->n_options; i++)
        arguments[n++] = batch->options[i];
    if (is_array) {
        arguments[n++] = "--array-param-file";
        arguments[n++] = "tasks/arguments";
    }
    arguments[n++] = script;
    bool accepted = frs_tool_run(batch->folder, arguments, &said);
    char *line = frs_text_last_line(said);
    enum frs_status status = FRS_OK;
    if (!accepted || add_jobs(said, jobs) == 0)
        status = frs_errors_add(errors, FRS_ERR_RUN, "OAR does not take the sweep: %s", line);
    free(line);
    free(said);
    free(folder);
    free(arguments);
    return status;
}

static void cancel(const struct frs_jobs *jobs) {
    const char **arguments = frs_alloc(jobs->n + 2, sizeof *arguments);
    char *said;
    arguments[0] = "oardel";
    for (size_t i = 0; i < jobs->n; i++)
        arguments[i + 1] = jobs->ids[i];
    frs_tool_run(".", arguments, &said);
    free(said);
    free(arguments);
}

static enum frs_status remove_logs(const struct frs_batch *batch, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char *path = frs_format("%s/%s", batch->folder, logs[i]);
        if (unlink(path) != 0 && errno != ENOENT)
            status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
        free(path);
    }
    return status;
}

/* Behind the last task of the array that task `first` begins. OAR has no limit of its own for the jobs of an
 * array that run at the same time, so that an array has no more jobs than that. */
static size_t array_end(const struct frs_batch *batch, size_t first) {
    size_t end = frs_batch_wave_end(batch, first);
    return batch->at_once > 0 && end - first > batch->at_once ? first + batch->at_once : end;
}

/* Every array waits for the one before. The job that collects waits for all, in case an array that still
 * waits is removed by hand. */
static enum frs_status submit_all(
    const struct frs_batch *batch, struct frs_jobs *jobs, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    size_t n_before = 0; /* jobs before the last array */
    for (size_t first = 0, end; first < batch->n_tasks && status == FRS_OK; first = end) {
        struct frs_jobs last = {.n = jobs->n - n_before}, array = {0};
        last.ids = last.n > 0 ? jobs->ids + n_before : NULL;
        n_before = jobs->n;
        end = array_end(batch, first);
        status = write_arguments(batch, first, end, errors);
        if (status == FRS_OK)
            status = oarsub(batch, "tasks/run.sh", logs[0], true, &last, &array, errors);
        for (size_t i = 0; i < array.n; i++)
            frs_jobs_add(jobs, array.ids[i]);
        frs_jobs_fini(&array);
    }
    struct frs_jobs collect = {0};
    if (status == FRS_OK)
        status = oarsub(batch, "tasks/collect.sh", logs[1], false, jobs, &collect, errors);
    for (size_t i = 0; i < collect.n; i++)
        frs_jobs_add(jobs, collect.ids[i]);
    frs_jobs_fini(&collect);
    if (status == FRS_OK)
        status = frs_jobs_write(batch->folder, jobs, errors);
    return status;
}

static enum frs_status submit(
    const struct frs_batch *batch, struct frs_jobs *jobs, bool quiet, struct frs_errors *errors) {
    enum frs_status status = submit_all(batch, jobs, errors);
    if (status != FRS_OK && jobs->n > 0)
        cancel(jobs);
    if (status == FRS_OK && !quiet)
        frs_print_line(stdout,
            "submitted %zu points as %zu jobs, %s to %s; job %s collects the results into %s; oarstat shows "
            "what "
            "is left, oardel ends it",
            batch->n_points, batch->n_tasks, jobs->ids[0], jobs->ids[jobs->n - 2], jobs->ids[jobs->n - 1],
            batch->folder);
    fflush(stdout);
    return status;
}

/* Whether a line of oarstat begins with the id of one of them. */
static bool has_job(const char *said, const struct frs_jobs *jobs) {
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, " \n");
        for (size_t i = 0; i < jobs->n; i++)
            if (strlen(jobs->ids[i]) == length && strncmp(jobs->ids[i], line, length) == 0)
                return true;
    }
    return false;
}

/* Asks once for all jobs of the user that have not ended, because oarstat takes half a second for each. Where
 * it does not answer: yes. */
static bool is_queued(const struct frs_jobs *jobs) {
    static const char *const arguments[] = {"oarstat", "-u", NULL};
    char *said;
    bool answered = frs_tool_run(".", arguments, &said);
    bool queued = !answered || has_job(said, jobs);
    free(said);
    return queued;
}

static enum frs_status check_idle(const char *folder, struct frs_errors *errors) {
    struct frs_jobs jobs = {0};
    enum frs_status status = FRS_OK;
    frs_jobs_read(folder, &jobs);
    if (jobs.n > 0 && is_queued(&jobs)) {
        char *ids = frs_jobs_join("oardel", " ", &jobs);
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the jobs of this sweep have not ended yet; wait for them (oarstat), or end them with %s",
            folder, ids);
        free(ids);
    }
    frs_jobs_fini(&jobs);
    return status;
}

static enum frs_status wait(
    const struct frs_batch *batch, const struct frs_jobs *jobs, struct frs_errors *errors) {
    (void)batch;
    (void)errors;
    for (unsigned pause_s = FIRST_LOOK_S; is_queued(jobs); pause_s += pause_s < LONGEST_WAIT_S)
        sleep(pause_s);
    return FRS_OK;
}

const struct frs_launcher frs_launcher_oar = {
    .name = "oar",
    .summary = "OAR: an array of jobs, and a job that collects the results",
    .program = "oarsub",
    .takes_options = true,
    .check = check,
    .check_idle = check_idle,
    .write = remove_logs,
    .submit = submit,
    .wait = wait,
};
