/* Watcher: callbacks that report the progress of a run. */
#ifndef FRS_ROUNDS_WATCHER_H
#define FRS_ROUNDS_WATCHER_H

#include <stddef.h>

struct frs_watcher {
    void *context;
    void (*begins)(void *context, size_t n_rounds); /* or NULL */
    /* After every round that was kept. `metric` is NULL while nothing has been evaluated. */
    void (*round)(void *context, size_t rounds_done, double simulated_s, const char *metric, double value);
    /* Before that: memory of the updates that are kept for clients that missed them; or NULL. */
    void (*logged)(void *context, size_t log_bytes);
    void (*ends)(void *context); /* no more rounds; or NULL */
};

#endif
