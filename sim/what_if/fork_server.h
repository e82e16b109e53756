/* Fork server: a process that waits beside a run, and simulates what-ifs of it once it has ended. A
 * process has one SimGrid engine, and the run uses its own. So every what-if is simulated by a process of
 * its own, forked from the fork server, which has the data of the run and nothing of what the run has
 * trained. */
#ifndef FRS_WHAT_IF_FORK_SERVER_H
#define FRS_WHAT_IF_FORK_SERVER_H

#include "sim/setup/setup.h"
#include "sim/what_if/task.h"

#include <signal.h>

struct frs_what_if_fork_server;

/* Starts the fork server, before the process has threads; the data-set cache has to be open, and libraries
 * loaded. In the fork server `setup` is freed. NULL where no process could be created. */
struct frs_what_if_fork_server *frs_what_if_fork_server_start(struct frs_setup *setup);

/* Ends it. NULL is ignored. */
void frs_what_if_fork_server_end(struct frs_what_if_fork_server *fork_server);

/* Lets the fork server simulate the task, once, and fills `answers` [FRS_VARIATIONS]. Stops as soon as it
 * is interrupted. */
void frs_what_if_fork_server_simulate(struct frs_what_if_fork_server *fork_server,
    const struct frs_what_if_task *task, const volatile sig_atomic_t *interrupted,
    struct frs_what_if_answer *answers);

#endif
