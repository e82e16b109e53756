/* The files of a batch: which points its tasks have, the script of a task and that which collects. */
#include "sim/cluster/batch.h"
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/settings/index_list.h"
#include "sim/base/memory.h"
#include "sim/cluster/scripts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- jobs --- */

void frs_jobs_add(struct frs_jobs *jobs, const char *id) {
    jobs->ids = frs_grow(jobs->ids, jobs->n + 1, &jobs->capacity, sizeof *jobs->ids);
    jobs->ids[jobs->n++] = frs_strdup(id);
}

void frs_jobs_fini(struct frs_jobs *jobs) {
    for (size_t i = 0; i < jobs->n; i++)
        free(jobs->ids[i]);
    free(jobs->ids);
    *jobs = (struct frs_jobs){0};
}

char *frs_jobs_join(const char *text, const char *before, const struct frs_jobs *jobs) {
    char *joined = frs_strdup(text);
    for (size_t i = 0; i < jobs->n; i++) {
        char *longer = frs_format("%s%s%s", joined, before, jobs->ids[i]);
        free(joined);
        joined = longer;
    }
    return joined;
}

enum frs_status frs_jobs_write(const char *folder, const struct frs_jobs *jobs, struct frs_errors *errors) {
    char *path = frs_format("%s/tasks/jobs", folder);
    FILE *file = frs_create(path);
    for (size_t i = 0; file && i < jobs->n; i++)
        fprintf(file, "%s\n", jobs->ids[i]);
    enum frs_status status = !file || fclose(file) != 0 ? frs_script_failed(path, errors) : FRS_OK;
    free(path);
    return status;
}

void frs_jobs_read(const char *folder, struct frs_jobs *jobs) {
    char *path = frs_format("%s/tasks/jobs", folder);
    FILE *file;
    frs_input_open(path, &file);
    char id[32];
    while (file && fscanf(file, "%31s", id) == 1)
        frs_jobs_add(jobs, id);
    if (file)
        fclose(file);
    free(path);
}

/* --- scripts --- */

/* Where the folder of the sweep, the program and the beginning of relative paths are. */
static void put_places(FILE *file) {
    char *program = realpath("/proc/self/exe", NULL), *working = getcwd(NULL, 0);
    fputs("sweep=$(CDPATH='' cd -- \"$(dirname -- \"$0\")/..\" && pwd) || exit\nprogram=", file);
    frs_script_quote(file, program ? program : "fedrecsim");
    fputs("\n# Where the relative paths of the scenario begin.\ncd ", file);
    frs_script_quote(file, working ? working : ".");
    fputs(" || exit\n\n", file);
    free(program);
    free(working);
}

static void put_task(FILE *file, const struct frs_batch *batch) {
    fputs("#!/bin/sh\n"
          "# One task of a sweep: the points in line K + 1 of tasks/list. Written by fedrecsim; by hand:\n"
          "#   tasks/run.sh K [log]\n"
          "# Its exit code is left in tasks/K.ended; \"log\": what it says in tasks/K.log.\n",
        file);
    put_places(file);
    fputs(
        "# The number of the task: the argument, or what the system calls it (three of them count from 1).\n"
        "task=${1-${SLURM_ARRAY_TASK_ID-${PBS_ARRAY_INDEX-${JOB_COMPLETION_INDEX-}}}}\n"
        "one=${SGE_TASK_ID-${LSB_JOBINDEX-${OAR_ARRAY_INDEX-}}}\n"
        "if [ -z \"$task$one\" ]; then\n"
        "    echo \"$0: needs the number of a task, as argument or in a variable of the system\" |\n"
        "        tee \"$sweep/tasks/unnumbered\" >&2\n"
        "    exit 2\n"
        "fi\n"
        "[ -n \"$task\" ] || task=$((one - 1))\n"
        "number=$(printf %04d \"$task\")\n"
        "[ \"${2-}\" != log ] || exec >\"$sweep/tasks/$number.log\" 2>&1\n"
        "points=$(sed -n \"$((task + 1))p\" \"$sweep/tasks/list\")\n"
        "[ -n \"$points\" ] || { echo \"there is no task $task in $sweep/tasks/list\" >&2; exit 2; }\n"
        "rm -f \"$sweep/tasks/$number.ended\"\n",
        file);
    if (batch->processors > 0)
        fprintf(file, "processors=%zu\n", batch->processors);
    else
        fputs("processors=$(nproc)\n", file);
    fprintf(file,
        "\"$program\" point \"$sweep/plan.json\" --index \"$points\" --jobs \"$processors\" --threads %zu",
        batch->threads > 0 ? batch->threads : 1);
    if (frs_consent_is_given()) /* which a cluster may not hand on with the environment */
        fputs(" \\\n    --" FRS_CONSENT_OPTION, file);
    for (size_t i = 0; i < batch->n_plugins; i++) {
        fputs(" \\\n    --plugin ", file);
        frs_script_quote(file, batch->plugins[i]);
    }
    if (!batch->reuse)
        fputs(" --no-reuse", file);
    if (batch->ends_early)
        fputs(" --needed", file);
    fputs("\ncode=$?\n"
          "echo \"$code\" >\"$sweep/tasks/$number.ended\"\n"
          "# A task that had nothing to say leaves no log.\n"
          "[ -s \"$sweep/tasks/$number.log\" ] || rm -f \"$sweep/tasks/$number.log\"\n"
          "exit \"$code\"\n",
        file);
}

static void put_collect(FILE *file, const struct frs_batch *batch) {
    fputs("#!/bin/sh\n"
          "# Collects the results of a sweep. Written by fedrecsim; by hand:\n"
          "#   tasks/collect.sh\n",
        file);
    put_places(file);
    fprintf(file, "exec \"$program\" collect \"$sweep\"%s\n", batch->all ? " --all" : "");
}

/* --- the batch --- */

static enum frs_status write_list(const struct frs_batch *batch, struct frs_errors *errors) {
    char *path = frs_format("%s/tasks/list", batch->folder);
    FILE *file = frs_create(path);
    for (size_t i = 0; file && i < batch->n_tasks; i++) {
        char *list = frs_index_list_format(batch->tasks[i].points, batch->tasks[i].n);
        fprintf(file, "%s\n", list);
        free(list);
    }
    enum frs_status status = !file || fclose(file) != 0 ? frs_script_failed(path, errors) : FRS_OK;
    free(path);
    return status;
}

/* "0012.log", "0012.ended" or "unnumbered" */
static bool is_of_task(const char *name) {
    size_t digits = strspn(name, "0123456789");
    if (strcmp(name, "unnumbered") == 0)
        return true;
    return digits >= 4 && (strcmp(name + digits, ".log") == 0 || strcmp(name + digits, ".ended") == 0);
}

/* Earlier tasks had other points. */
static void remove_old(const char *folder) {
    char *path = frs_format("%s/tasks", folder);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_of_task(entry->d_name))
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    free(path);
}

enum frs_status frs_batch_write(const struct frs_batch *batch, struct frs_errors *errors) {
    enum frs_status status = frs_script_folder(batch->folder, "tasks", errors);
    if (status == FRS_OK)
        status = frs_script_folder(batch->folder, "points", errors);
    if (status != FRS_OK)
        return status;
    remove_old(batch->folder);
    status = write_list(batch, errors);
    if (status == FRS_OK)
        status = frs_script_write(batch->folder, "tasks/run.sh", put_task, batch, errors);
    if (status == FRS_OK)
        status = frs_script_write(batch->folder, "tasks/collect.sh", put_collect, batch, errors);
    return status;
}

char *frs_batch_log(const char *folder, size_t task) {
    return frs_format("%s/tasks/%04zu.log", folder, task);
}

size_t frs_batch_wave_end(const struct frs_batch *batch, size_t first) {
    size_t end = first;
    while (end < batch->n_tasks && batch->tasks[end].wave == batch->tasks[first].wave)
        end++;
    return end;
}
