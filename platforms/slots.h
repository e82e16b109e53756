/* Slots: the SimGrid platform of a run, as XML.
 *
 * Slot i is a client host "c<i>" and a server port "s<i>" joined by exactly one downlink "d<i>" and one
 * uplink "u<i>". A client that takes part in a round borrows a slot, whose links are then given the client's
 * capacities; memory depends on the cohort, not on the population. Capacities and latencies in the file are
 * placeholders. */
#ifndef FRS_PLATFORMS_SLOTS_H
#define FRS_PLATFORMS_SLOTS_H

#include <stddef.h>
#include <stdio.h>

/* Speed of every client host; compute phases are given as seconds at this speed. */
#define FRS_SLOT_FLOP_PER_S 1e9

/* Writes a platform of `n_slots` ≥ 1 slots; returns 0, or -1 when writing failed. */
int frs_slots_write(FILE *out, size_t n_slots);

#endif
