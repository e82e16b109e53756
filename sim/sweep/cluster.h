/* Engine of a sweep that lets a cluster run the points (sim/cluster/slurm.h). */
#ifndef FRS_SWEEP_CLUSTER_H
#define FRS_SWEEP_CLUSTER_H

#include "sim/sweep/session.h"

struct frs_cluster {
    const char *const *options; /* [n_options] for sbatch */
    size_t n_options;
    bool wait;    /* until everything has ended */
    bool dry_run; /* the scripts only, also where there is no cluster */
};

/* Before anything is written: whether there is a cluster, and whether it can run this sweep. */
enum frs_status frs_cluster_check(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) FRS_MUST_CHECK;

/* Submits the points that the schedule has left, and prints on stdout what was submitted and how to follow
 * it. *ended: no job of the sweep is running any more, and the schedule knows which points are finished. */
enum frs_status frs_cluster_run(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    bool *ended, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
