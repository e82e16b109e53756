/* Watchdog: how a process of an emulation notices that it could not run. Before it waits, it states the
 * latest time at which it will run again, which is soon while messages are under way. If it runs later,
 * the difference is a pause, whatever stopped the process or took its processor away. The length of a
 * pause is underestimated by a tick at most. */
#ifndef FRS_ACTORS_EMULATION_WATCHDOG_H
#define FRS_ACTORS_EMULATION_WATCHDOG_H

#include "actors/emulation/wire.h"

struct frs_watchdog {
    struct frs_activity *activity; /* shared by all processes */
    struct frs_pauses *pauses;     /* the process's own, of the activity */
    double due_s;                  /* the time at which it is to run again; NAN: it is not waiting */
};

struct frs_watchdog frs_watchdog_of(struct frs_activity *activity, struct frs_pauses *pauses);

/* Call right before the process waits for at most most_s (INFINITY: as long as it takes); returns how long
 * it may wait. Also ends the wait before, if frs_watchdog_end was not called. */
double frs_watchdog_begin(struct frs_watchdog *watchdog, double most_s);

/* The process runs again. */
void frs_watchdog_end(struct frs_watchdog *watchdog);

/* It could not run for so long, as it has found out by another way. Shorter than FRS_PAUSE_S: no pause. */
void frs_watchdog_note(struct frs_watchdog *watchdog, double pause_s);

#endif
