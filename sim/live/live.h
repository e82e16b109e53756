/* Live: a page about a command while it runs, served on 127.0.0.1 by a process of its own.
 *
 * That process only reads the files that the command writes; it is told once where they are. It does not
 * outlive the command, and requests to it, or its absence, do not affect the command. Every function that
 * takes a handle accepts NULL and then does nothing. */
#ifndef FRS_LIVE_LIVE_H
#define FRS_LIVE_LIVE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_live;

/* Starts it, on a port that is the same for the same `key` (a command line) as long as no other process has
 * it, or on `port`, unless that is 0; and prints one line with the address on stderr. Before there are
 * threads. An input error where the port is taken. */
enum frs_status frs_live_open(
    unsigned port, const char *key, struct frs_live **live, struct frs_errors *errors) FRS_MUST_CHECK;

/* The run whose files grow in `growing` and will be in `place`. */
void frs_live_run(struct frs_live *live, const char *growing, const char *place, const char *method,
    size_t n_rounds, bool may_end_early);

/* The sweep in `folder` (analysis/live/progress.h). */
void frs_live_sweep(struct frs_live *live, const char *folder, bool searches, size_t at_once, bool elsewhere);

/* Tells the pages that the command ends with this exit code. Open pages receive the report that the
 * command has written; this function returns when they have it, after five seconds at most. It returns at
 * once where there is no report or when a signal arrives. */
void frs_live_close(struct frs_live *live, int code);

#endif
