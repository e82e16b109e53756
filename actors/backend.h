/* Engine backend: carries out the steps of the participations under way.
 *
 *   calendar   the server's actor simulates all clients from a calendar: any number of participants
 *   actors     one SimGrid actor per participant, woken at the times of the same calendar
 *   simgrid    one SimGrid actor per participant, transfers and computations left to SimGrid's own solvers
 *
 *   sockets    processes with a network namespace each, the kernel's TCP and real time (actors/emulation)
 *
 * The first two give the same ledger to the last bit. The third checks them, and is the only one for lv08
 * and for platforms of the user's own. The fourth never gives the same result twice, except in what does
 * not depend on time. */
#ifndef FRS_ACTORS_BACKEND_H
#define FRS_ACTORS_BACKEND_H

#include "actors/in_flight.h"

/* All called by the server. */
struct frs_backend {
    const char *name;
    void (*begin)(struct frs_in_flight *in_flight);
    /* Participations, which have their places, start at in_flight->now_s; in ascending client id. */
    void (*start)(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n);
    /* A message between an edge and the server, down or up, is queued behind those of its edge that were
     * before: the one for this participation (and others), or from it. Its own participation starts when
     * those have crossed. Backends that move bytes send it behind them. NULL: it is of no use. */
    void (*queue)(struct frs_in_flight *in_flight, struct frs_participation *carried, bool up);
    /* Lets time pass until a participation ends or until until_s, whichever is first, and sets
     * in_flight->now_s. When it returns, everything due at that time has happened. until_s may be INFINITY
     * only while a participation is under way. */
    void (*wait)(struct frs_in_flight *in_flight, double until_s);
    /* Lets everything happen that is due up to until_s, an instant away at most. */
    void (*drain)(struct frs_in_flight *in_flight, double until_s);
    /* The compute phase under way ends at compute_start_s + compute_s instead. */
    void (*shorten)(struct frs_in_flight *in_flight, struct frs_participation *participation);
    /* Stops a participation now. */
    void (*stop)(struct frs_in_flight *in_flight, struct frs_participation *participation,
        enum frs_outcome outcome, enum frs_cause cause);
    /* Frees what was used; no participation may be under way. */
    void (*end)(struct frs_in_flight *in_flight);
    /* The server runs in the main program, and the backend lets SimGrid run up to each of its times. False:
     * the server is an actor of its own. */
    bool steps_simgrid;
};

extern const struct frs_backend frs_backend_calendar, frs_backend_actors, frs_backend_simgrid,
    frs_backend_sockets;

/* Told by the event queue of a participation that was stopped: its actor, if it has one, is free. */
void frs_backend_stopped(void *context, struct frs_participation *participation);

/* Lets SimGrid's clock reach a time that is not in the past. */
void frs_backend_sleep_until(double time_s);

#endif
