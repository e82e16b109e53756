/* Engine of a sweep that lets another system run the points (sim/cluster/launcher.h). */
#ifndef FRS_SWEEP_CLUSTER_H
#define FRS_SWEEP_CLUSTER_H

#include "sim/cluster/launcher.h"
#include "sim/sweep/session.h"

struct frs_cluster {
    const struct frs_launcher *launcher;
    const char *const *options; /* [n_options] for the system */
    size_t n_options;
    const char *submit; /* the command that submits tasks, or NULL */
    double task_s;      /* wall time that a task is filled up to; 0: a task is one point */
    size_t
        processors; /* points of a task at the same time; SIZE_MAX: as many as its machine has processors */
    bool wait;      /* until everything has ended */
    bool dry_run;   /* the scripts only, also where there is no such system */
};

/* Before anything is written: whether the system is there, and whether it can run this sweep. */
enum frs_status frs_cluster_check(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) FRS_MUST_CHECK;

/* Submits the points that the schedule has left; on stdout it is printed what was submitted and how to follow
 * it. *ended: no task of the sweep is running any more, or waiting for them was interrupted, and the schedule
 * knows which points are finished. */
enum frs_status frs_cluster_run(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    bool *ended, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
