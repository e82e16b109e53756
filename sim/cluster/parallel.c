/* GNU parallel (Tange, 2011): tasks on this machine, or by ssh on others that see the same files. */
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

/* A task whose machine is lost gets another one. */
#define TRIES "3"

/* What the sweep sets itself. */
static const char *const own_options[] = {
    "--jobs", "-j", "--joblog", "--arg-file", "-a", "--retries", "--quote", "-q", "--pipe", "--resume", NULL};

static bool is_own(const char *option) {
    for (size_t i = 0; own_options[i]; i++) {
        size_t length = strlen(own_options[i]);
        bool is_short = own_options[i][1] != '-';
        if (strncmp(option, own_options[i], length) == 0 &&
            (is_short || option[length] == '\0' || option[length] == '='))
            return true;
    }
    return false;
}

static enum frs_status check(const struct frs_batch *batch, struct frs_errors *errors) {
    for (size_t i = 0; i < batch->n_options; i++) {
        char line[80];
        if (batch->options[i][0] != '-' || strncmp(batch->options[i], ":::", 3) == 0)
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "--launcher-option \"%s\": allowed: one word for parallel, such as --sshlogin=8/node1",
                frs_text_line(batch->options[i], line, sizeof line));
        if (is_own(batch->options[i]))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "--launcher-option \"%s\": the sweep sets this one itself",
                frs_text_line(batch->options[i], line, sizeof line));
    }
    return FRS_OK;
}

/* The numbers of the tasks, for --arg-file. */
static enum frs_status write_numbers(const char *path, size_t first, size_t end, struct frs_errors *errors) {
    FILE *file = frs_create(path);
    for (size_t task = first; file && task < end; task++)
        fprintf(file, "%zu\n", task);
    if (file && fclose(file) == 0)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
}

/* Points that fail are told by who reads the folder; here only whether parallel itself went on to the end.
 * Its codes up to 101 say how many tasks failed. */
static enum frs_status judge(int code, struct frs_errors *errors) {
    if (code == 128 + 2 || code == 128 + 15 || code == 128 + 1)
        return FRS_INTERRUPTED;
    if (code > 101 || code < 0)
        return frs_errors_add(errors, FRS_ERR_RUN, "parallel ended with code %d", code);
    return FRS_OK;
}

static enum frs_status run(
    const struct frs_batch *batch, size_t first, size_t end, struct frs_errors *errors) {
    const char **arguments = frs_alloc(batch->n_options + 14, sizeof *arguments);
    char *at_once = frs_format("%zu", batch->at_once), *folder = realpath(batch->folder, NULL);
    char *script = frs_format("%s/tasks/run.sh", folder ? folder : batch->folder),
         *log = frs_format("%s/tasks/joblog", folder ? folder : batch->folder),
         *numbers = frs_format("%s/tasks/numbers", folder ? folder : batch->folder);
    size_t n = 0;
    arguments[n++] = "parallel";
    arguments[n++] = "--will-cite";
    arguments[n++] = "--quote";
    arguments[n++] = "--retries=" TRIES;
    arguments[n++] = "--joblog";
    arguments[n++] = log;
    if (batch->at_once > 0) {
        arguments[n++] = "--jobs";
        arguments[n++] = at_once;
    }
    for (size_t i = 0; i < batch->n_options; i++)
        arguments[n++] = batch->options[i];
    arguments[n++] = "--arg-file";
    arguments[n++] = numbers;
    arguments[n++] = script;
    arguments[n++] = "{}";
    arguments[n++] = "log";
    enum frs_status status = write_numbers(numbers, first, end, errors);
    if (status == FRS_OK)
        status = judge(frs_tool_follow(".", arguments), errors);
    free(arguments);
    free(at_once);
    free(folder);
    free(script);
    free(log);
    free(numbers);
    return status;
}

static enum frs_status submit(
    const struct frs_batch *batch, struct frs_jobs *jobs, bool quiet, struct frs_errors *errors) {
    (void)jobs;
    if (!quiet)
        frs_print_line(stdout, "parallel runs %zu points as %zu tasks; %s/tasks/joblog shows what has ended",
            batch->n_points, batch->n_tasks, batch->folder);
    fflush(stdout);
    enum frs_status status = FRS_OK;
    for (size_t first = 0, end; first < batch->n_tasks && status == FRS_OK; first = end) {
        end = frs_batch_wave_end(batch, first);
        status = run(batch, first, end, errors);
    }
    return status;
}

const struct frs_launcher frs_launcher_parallel = {
    .name = "parallel",
    .summary = "GNU parallel: tasks on this machine, or by ssh on others with the same files",
    .program = "parallel",
    .takes_options = true,
    .runs_here = true,
    .check = check,
    .submit = submit,
};
