/* In flight: the participations that are under way, of any round. Each has an index, a small number that
 * the engine backend can use for arrays; the index is reused once the server knows of the end. */
#ifndef FRS_ACTORS_IN_FLIGHT_H
#define FRS_ACTORS_IN_FLIGHT_H

#include "actors/participation.h"

struct frs_server_settings;

struct frs_in_flight {
    const struct frs_server_settings *settings;
    double now_s;                  /* authoritative time of the last event; SimGrid's clock follows */
    struct frs_participation **at; /* [n_places]; NULL: free */
    uint32_t n_places;
    size_t n_taken;         /* places */
    size_t n;               /* participations that have begun and have not ended */
    struct frs_queue ended; /* since the server last looked, in the order of time, then of clients */
    void *player_state;
    /* Private. */
    uint32_t *free_places;
    size_t n_free, places_capacity, free_capacity;
};

/* Gives a participation its place. */
void frs_in_flight_enter(struct frs_in_flight *in_flight, struct frs_participation *participation);
void frs_in_flight_leave(struct frs_in_flight *in_flight, struct frs_participation *participation);

void frs_in_flight_fini(struct frs_in_flight *in_flight);

#endif
