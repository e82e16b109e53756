#include "actors/in_flight.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* When all are free, numbering starts anew: rounds that do not overlap use the same places. */
static uint32_t free_place(struct frs_flight *flight) {
    if (flight->n_taken == 0)
        flight->n_places = 0, flight->n_free = 0;
    if (flight->n_free > 0)
        return flight->free_places[--flight->n_free];
    flight->at = frs_grow(flight->at, (size_t)flight->n_places + 1, &flight->places_capacity, sizeof(void *));
    return flight->n_places++;
}

void frs_flight_enter(struct frs_flight *flight, struct frs_participation *p) {
    p->flight = flight;
    p->ended = &flight->ended;
    p->place = free_place(flight);
    flight->at[p->place] = p;
    flight->n_taken++;
}

void frs_flight_leave(struct frs_flight *flight, struct frs_participation *p) {
    flight->at[p->place] = NULL;
    flight->free_places =
        frs_grow(flight->free_places, flight->n_free + 1, &flight->free_capacity, sizeof(uint32_t));
    flight->free_places[flight->n_free++] = p->place;
    flight->n_taken--;
}

void frs_flight_fini(struct frs_flight *flight) {
    free(flight->at);
    free(flight->free_places);
    *flight = (struct frs_flight){0};
}
