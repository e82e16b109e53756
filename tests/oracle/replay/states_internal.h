/* States of devices as read, for what looks them up (states.c) and what checks participations against
 * them (state_checks.c). */
#ifndef REPLAY_STATES_INTERNAL_H
#define REPLAY_STATES_INTERNAL_H

#include "states.h"

#include <math.h>

struct line {
    size_t client;
    double from_s, to_s;
    struct state state;
};

struct states {
    struct line *lines;
    size_t n;
    bool curves;     /* and no file */
    double period_s; /* INFINITY: the file does not repeat */
    bool wifi, charging, idle;
    double rate[3], latency[3]; /* factors, by link */
    const char *preset[3];      /* by link; "": none */
    /* [clients] by link, and down, up: what a client has on it under a preset, as its first transfer has it
     */
    double *own[3][2], *own_latency_s[3];
    bool breaks, plain; /* plain: nothing else takes clients away */
    double in_use;
};

/* Times this close are the same but for rounding. */
static inline double slack_s(double time_s) {
    return 1e-9 * fmax(1, fabs(time_s));
}

#endif
