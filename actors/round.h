/* Round: what a policy sees of the server, and what it can do. */
#ifndef FRS_ACTORS_ROUND_H
#define FRS_ACTORS_ROUND_H

#include "actors/policy.h"

#include <stddef.h>

struct frs_round {
    const struct frs_policy_settings *policy;
    size_t n;         /* participations that began in it */
    double started_s; /* the time at which its messages left the server */
};

/* Lets time pass until `n` uploads of the round have arrived, until no client can deliver any more, until
 * `until_s`, or until the server restarts. Returns whether one of the first two has happened. Everything
 * due at that instant has happened then; an instant lasts a nanosecond. */
bool frs_round_wait(struct frs_round *round, size_t n, double until_s);

double frs_round_now_s(const struct frs_round *round);

/* Every client that is computing stops after its current epoch and uploads its result; a client that has
 * not begun will train one epoch. */
void frs_round_finish_epochs(struct frs_round *round);

#endif
