#include "actors/emulation/watchdog.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"

#include <math.h>

#define TICK_S 0.02 /* at most asleep while messages are under way, */
#define IDLE_S 0.1  /* and otherwise */

struct frs_vigil frs_vigil_of(struct frs_activity *activity, struct frs_pauses *pauses) {
    return (struct frs_vigil){.activity = activity, .pauses = pauses, .due_s = NAN};
}

/* The process alone writes its pauses; others may read them at any time. */
void frs_vigil_note(struct frs_vigil *vigil, double pause_s) {
    struct frs_pauses *pauses = vigil->pauses;
    if (!atomic_load(&vigil->activity->active))
        return;
    if (pause_s > FRS_PAUSE_S) {
        atomic_fetch_add(&pauses->n, 1);
        atomic_store(&pauses->paused_s, atomic_load(&pauses->paused_s) + pause_s);
    }
    if (pause_s > atomic_load(&pauses->greatest_s))
        atomic_store(&pauses->greatest_s, pause_s);
}

/* A process that was stopped while nothing was under way has missed what came since then. */
static void end_at(struct frs_vigil *vigil, double now_s) {
    if (!isnan(vigil->due_s))
        frs_vigil_note(vigil, now_s - frs_larger(vigil->due_s, atomic_load(&vigil->activity->from_s)));
    vigil->due_s = NAN;
}

double frs_vigil_begin(struct frs_vigil *vigil, double most_s) {
    double now_s = frs_wall_s(), tick_s = atomic_load(&vigil->activity->active) ? TICK_S : IDLE_S,
           wanted_s = frs_larger(frs_smaller(most_s, tick_s), 0);
    end_at(vigil, now_s);
    vigil->due_s = now_s + wanted_s;
    return wanted_s;
}

void frs_vigil_end(struct frs_vigil *vigil) {
    end_at(vigil, frs_wall_s());
}
