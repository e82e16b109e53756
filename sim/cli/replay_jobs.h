/* The runs of a bundle, each replayed in a process of its own, because SimGrid simulates once in a process.
 */
#ifndef FRS_CLI_REPLAY_JOBS_H
#define FRS_CLI_REPLAY_JOBS_H

#include "sim/base/status.h"

#include <stddef.h>

struct frs_replay_jobs {
    size_t n, jobs; /* runs, and how many of them at a time (at least 1) */
    void *context;
    const char *(*name)(const void *context, size_t run);
    int (*replay)(void *context, size_t run); /* called in the run's process; returns its exit code */
};

/* Replays the runs, and prints what each has printed, below its name, in the order of the runs. codes[n]
 * receives their exit codes, -1 where a run did not end. No further run begins after one that ended with a
 * code above 1 or by a signal. After SIGINT, SIGTERM or SIGHUP (unless that is ignored) the signal SIGTERM
 * ends the processes, a second one a second later kills them, and FRS_INTERRUPTED is returned; FRS_ERR_RUN
 * where no process can be started. When this process is killed, so are the others. */
enum frs_status frs_replay_jobs_run(
    const struct frs_replay_jobs *jobs, int *codes, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
