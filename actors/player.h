/* Player: who carries out the steps of a round's participations.
 *
 *   calendar   the server's actor plays everybody from a calendar of dates: any number of participants
 *   actors     one SimGrid actor per participant, woken at the dates of the same calendar
 *   simgrid    one SimGrid actor per participant, transfers and computations left to SimGrid's own solvers
 *
 * The first two give the same ledger to the last bit; the third is the oracle, and the only one for lv08 and
 * for platforms of the user's own. */
#ifndef FRS_ACTORS_PLAYER_H
#define FRS_ACTORS_PLAYER_H

#include "actors/participation.h"

struct frs_round;

struct frs_player {
    const char *name;
    /* All called from the server's actor. Starts every participation at round->now_s. */
    void (*begin)(struct frs_round *round);
    /* Lets time pass until all have ended or until_s, whichever is first; sets round->now_s. */
    void (*wait)(struct frs_round *round, double until_s);
    /* Stops participant i now. */
    void (*stop)(struct frs_round *round, uint32_t i, enum frs_outcome outcome, enum frs_cause cause);
    /* All have ended: gives back what the round used. */
    void (*end)(struct frs_round *round);
};

extern const struct frs_player frs_player_calendar, frs_player_actors, frs_player_simgrid;

/* Told by the timeline of a participation that was stopped: its actor, if it has one, goes. */
void frs_player_stopped(void *context, struct frs_participation *participation);

/* Lets SimGrid's clock reach a date that is not in the past. */
void frs_player_sleep_until(double date_s);

#endif
