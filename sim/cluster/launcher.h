/* Launcher: a system that runs the tasks of a sweep (batch.h).
 *
 * A launcher is one file in this folder with one constant `struct frs_launcher`, and one line in
 * launchers.def. */
#ifndef FRS_CLUSTER_LAUNCHER_H
#define FRS_CLUSTER_LAUNCHER_H

#include "sim/cluster/batch.h"

struct frs_launcher {
    const char *name, *summary;
    const char *program; /* that has to be on the PATH; NULL: none */
    bool takes_options;  /* --launcher-option */
    bool runs_here;      /* submit returns when all tasks have ended, or at an interrupt */
    /* Before anything is written: whether it can run such a batch. NULL: always. */
    enum frs_status (*check)(const struct frs_batch *batch, struct frs_errors *errors);
    /* Fails when jobs that were submitted for this folder earlier have not ended yet. NULL: there are none.
     */
    enum frs_status (*check_idle)(const char *folder, struct frs_errors *errors);
    /* Writes what it needs besides frs_batch_write. NULL: nothing. */
    enum frs_status (*write)(const struct frs_batch *batch, struct frs_errors *errors);
    /* Prints on stdout what submit would run. NULL: nothing. */
    void (*show)(const struct frs_batch *batch);
    /* Submits what was written, records it (frs_jobs_write), and prints on stdout, unless `quiet`, what was
     * submitted and how to follow it. After a failure nothing remains submitted but what the error names. */
    enum frs_status (*submit)(
        const struct frs_batch *batch, struct frs_jobs *jobs, bool quiet, struct frs_errors *errors);
    /* Returns when all of them have ended, or FRS_INTERRUPTED. NULL where it runs here. */
    enum frs_status (*wait)(
        const struct frs_batch *batch, const struct frs_jobs *jobs, struct frs_errors *errors);
};

/* All launchers, ended by NULL; a sweep without one runs on this machine (sim/sweep/local.h). */
extern const struct frs_launcher *const frs_launchers[];

/* By name, or NULL. */
const struct frs_launcher *frs_launcher_find(const char *name);

/* Their names, as "local, slurm, …"; freed by the caller. */
char *frs_launcher_names(void);

#endif
