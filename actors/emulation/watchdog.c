#include "actors/emulation/watchdog.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"

#include <math.h>

#define TICK_S 0.02 /* at most asleep while messages are under way, */
#define IDLE_S 0.1  /* and otherwise */

struct frs_watchdog frs_watchdog_of(struct frs_activity *activity, struct frs_pauses *pauses) {
    return (struct frs_watchdog){.activity = activity, .pauses = pauses, .due_s = NAN};
}

/* The process alone writes its pauses; others may read them at any time. */
void frs_watchdog_note(struct frs_watchdog *watchdog, double pause_s) {
    struct frs_pauses *pauses = watchdog->pauses;
    if (!atomic_load(&watchdog->activity->active))
        return;
    if (pause_s > FRS_PAUSE_S) {
        atomic_fetch_add(&pauses->n, 1);
        atomic_store(&pauses->paused_s, atomic_load(&pauses->paused_s) + pause_s);
    }
    if (pause_s > atomic_load(&pauses->greatest_s))
        atomic_store(&pauses->greatest_s, pause_s);
}

/* A process that was stopped while nothing was under way has missed what came since then. */
static void end_at(struct frs_watchdog *watchdog, double now_s) {
    if (!isnan(watchdog->due_s))
        frs_watchdog_note(
            watchdog, now_s - frs_larger(watchdog->due_s, atomic_load(&watchdog->activity->from_s)));
    watchdog->due_s = NAN;
}

double frs_watchdog_begin(struct frs_watchdog *watchdog, double most_s) {
    double now_s = frs_wall_s(), tick_s = atomic_load(&watchdog->activity->active) ? TICK_S : IDLE_S,
           wanted_s = frs_larger(frs_smaller(most_s, tick_s), 0);
    end_at(watchdog, now_s);
    watchdog->due_s = now_s + wanted_s;
    return wanted_s;
}

void frs_watchdog_end(struct frs_watchdog *watchdog) {
    end_at(watchdog, frs_wall_s());
}
