/* Batch: what a cluster is asked to run of a sweep, as tasks of one or several points.
 *
 * The folder of the sweep has to be on a file system that all nodes share. A task is one `fedrecsim point
 * plan.json --index LIST`. A cluster runs a task again when its node is lost, so its points may have been
 * begun or even finished before; `point` handles both.
 *
 *   DIR/tasks/list          the points of task K, in line K + 1
 *   DIR/tasks/run.sh        runs task K, its argument; "log" behind it: what it says goes into tasks/K.log
 *   DIR/tasks/collect.sh    collects the results
 *   DIR/tasks/0000.log      what task 0 had to say besides its points; removed if that is nothing
 *   DIR/tasks/0000.ended    the exit code of task 0
 *   DIR/tasks/unnumbered    a task was started without its number, and did nothing
 *   DIR/tasks/jobs          what was submitted last, in the words of the system */
#ifndef FRS_CLUSTER_BATCH_H
#define FRS_CLUSTER_BATCH_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_task {
    size_t *points; /* [n] ascending, at least one */
    size_t n;
    size_t wave; /* starts when the tasks of all lower waves have ended, from 0: to reuse what those have
                    learnt, or because their results say whether its points are needed */
};

struct frs_batch {
    const char *folder;           /* of the sweep: has plan.json and points/ */
    const char *name;             /* for the system's lists */
    const struct frs_task *tasks; /* [n_tasks] in the order of their waves, at least one */
    size_t n_tasks, n_points;     /* points of all tasks */
    size_t threads;               /* of a point; 0: one */
    size_t processors;          /* points of a task at the same time; 0: as many as the task has processors */
    size_t at_once;             /* tasks that may run at the same time; 0: as many as the system lets run */
    const char *const *options; /* [n_options] for the system */
    size_t n_options;
    const char *submit;         /* the command that submits tasks, of the launcher of this name; or NULL */
    double silence_s;           /* a task from which nothing is heard for so long may be lost */
    const char *const *plugins; /* [n_plugins] shared objects that points load */
    size_t n_plugins;
    bool all;        /* tables, when results are collected */
    bool reuse;      /* what points learn, by others that learn the same */
    bool ends_early; /* points that turn out not to be needed are left out */
};

/* Jobs that were submitted, by the names that the system gave them. */
struct frs_jobs {
    char **ids;
    size_t n, capacity;
};

void frs_jobs_add(struct frs_jobs *jobs, const char *id);
void frs_jobs_fini(struct frs_jobs *jobs);

/* The ids behind `text`, each behind `before`; freed by the caller. */
char *frs_jobs_join(const char *text, const char *before, const struct frs_jobs *jobs);

/* Writes tasks/jobs. */
enum frs_status frs_jobs_write(
    const char *folder, const struct frs_jobs *jobs, struct frs_errors *errors) FRS_MUST_CHECK;

/* Adds what is in tasks/jobs, if it is there. */
void frs_jobs_read(const char *folder, struct frs_jobs *jobs);

/* Writes tasks/list, tasks/run.sh and tasks/collect.sh, and removes what earlier tasks have left there. */
enum frs_status frs_batch_write(const struct frs_batch *batch, struct frs_errors *errors) FRS_MUST_CHECK;

/* Behind the last task of the wave that task `first` begins. */
size_t frs_batch_wave_end(const struct frs_batch *batch, size_t first);

/* The log of a task; freed by the caller. */
char *frs_batch_log(const char *folder, size_t task);

/* How many of these tasks have left their codes, tasks/K.ended. */
size_t frs_batch_count_ended(const char *folder, size_t first, size_t end);

/* Returns FRS_OK when these tasks have left their codes, and FRS_INTERRUPTED, with a line about the tasks of
 * the batch, at SIGINT, SIGTERM or SIGHUP, unless that is ignored; none of these tasks is ended by that. When
 * no task has ended for `silence_s`, one line on stderr asks whether the first of the others is lost; the
 * next such line comes after twice the time. */
enum frs_status frs_batch_wait(
    const struct frs_batch *batch, size_t first, size_t end, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
