/* A sweep on a cluster: its points as a SLURM job array, and a job after them that collects the results.
 *
 * The folder of the sweep has to be on a file system that all nodes share. Every task is one `fedrecsim
 * point plan.json --index K`. SLURM runs a task again when its node is lost, so a point may have been
 * begun or even finished before; `point` handles both. */
#ifndef FRS_CLUSTER_SLURM_H
#define FRS_CLUSTER_SLURM_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_slurm {
    const char *folder;   /* of the sweep: has plan.json and points/ */
    const char *name;     /* for squeue */
    const size_t *points; /* [n_points] ascending, at least one: what is left to run */
    size_t n_points;
    size_t threads;             /* of a point; 0: one */
    size_t at_once;             /* tasks that may run at the same time; 0: as many as the cluster lets run */
    const char *const *options; /* [n_options] for sbatch: "partition=short" or "--partition=short" */
    size_t n_options;
    const char *const *plugins; /* [n_plugins] shared objects that points load */
    size_t n_plugins;
    bool all;          /* tables, when results are collected */
    bool reuse;        /* what points learn, by others that learn the same */
    const bool *waits; /* [n_points] true for points that start when all others have ended, to reuse what
                          those have learnt; NULL: none. At least one point does not wait */
};

/* Ids of submitted jobs, as SLURM writes them. */
struct frs_slurm_jobs {
    char **ids;
    size_t n, capacity;
};

void frs_slurm_jobs_fini(struct frs_slurm_jobs *jobs);

/* Whether sbatch is on the PATH. */
bool frs_slurm_is_here(void);

/* Checks that the options can be lines of a batch script, that the sweep sets none of them itself, and
 * that the name of the folder has no special meaning to SLURM. */
enum frs_status frs_slurm_check(const struct frs_slurm *slurm, struct frs_errors *errors) FRS_MUST_CHECK;

/* Writes folder/slurm/array.sh and folder/slurm/collect.sh. */
enum frs_status frs_slurm_write(const struct frs_slurm *slurm, struct frs_errors *errors) FRS_MUST_CHECK;

/* Fails when jobs that were submitted for this folder earlier have not ended yet. */
enum frs_status frs_slurm_check_idle(const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Submits what frs_slurm_write has written: one job array, or several if the cluster's arrays are too
 * short, and the collecting job, which is the last of *jobs. After a failure no job remains submitted. */
enum frs_status frs_slurm_submit(
    const struct frs_slurm *slurm, struct frs_slurm_jobs *jobs, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns when all of them have left the queue. A controller that does not answer is asked again. */
void frs_slurm_wait(const struct frs_slurm_jobs *jobs);

#endif
