/* Shared: memory through which the command informs the process that serves its page. The command writes a
 * part and then marks it as present. */
#ifndef FRS_LIVE_SHARED_H
#define FRS_LIVE_SHARED_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum frs_live_state { FRS_LIVE_STARTS, FRS_LIVE_RUNS, FRS_LIVE_ENDED };

struct frs_live_shared {
    _Atomic int state; /* enum frs_live_state: what follows is complete up to there */
    /* FRS_LIVE_RUNS */
    bool is_sweep, searches, elsewhere, may_end_early;
    size_t n_rounds, at_once;
    char growing[PATH_MAX], place[PATH_MAX], method[64];
    /* FRS_LIVE_ENDED */
    int code;
};

/* Serves the page until the command has ended and pages that are open know it. */
_Noreturn void frs_live_serve(const struct frs_live_shared *shared, int listening, pid_t command);

#endif
