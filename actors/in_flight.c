#include "actors/in_flight.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* When all are free, numbering starts anew: rounds that do not overlap use the same places. */
static uint32_t free_place(struct frs_in_flight *in_flight) {
    if (in_flight->n_taken == 0)
        in_flight->n_places = 0, in_flight->n_free = 0;
    if (in_flight->n_free > 0)
        return in_flight->free_places[--in_flight->n_free];
    in_flight->at =
        frs_grow(in_flight->at, (size_t)in_flight->n_places + 1, &in_flight->places_capacity, sizeof(void *));
    return in_flight->n_places++;
}

void frs_in_flight_enter(struct frs_in_flight *in_flight, struct frs_participation *p) {
    p->in_flight = in_flight;
    p->ended = &in_flight->ended;
    p->place = free_place(in_flight);
    in_flight->at[p->place] = p;
    in_flight->n_taken++;
}

void frs_in_flight_leave(struct frs_in_flight *in_flight, struct frs_participation *p) {
    in_flight->at[p->place] = NULL;
    in_flight->free_places =
        frs_grow(in_flight->free_places, in_flight->n_free + 1, &in_flight->free_capacity, sizeof(uint32_t));
    in_flight->free_places[in_flight->n_free++] = p->place;
    in_flight->n_taken--;
}

void frs_in_flight_fini(struct frs_in_flight *in_flight) {
    free(in_flight->at);
    free(in_flight->free_places);
    *in_flight = (struct frs_in_flight){0};
}
