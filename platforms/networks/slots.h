/* Slots: the SimGrid platform of a run, as XML.
 *
 * Slot i is a client host "c<i>" with a downlink "d<i>" and an uplink "u<i>" of its own. A client that
 * takes part in a round borrows a slot, whose links then get the client's capacities; memory depends on
 * the cohort, not on the population. Capacities and latencies of these links in the file are placeholders.
 *
 * With an unlimited server every slot has a server port "s<i>" of its own, so that a message crosses
 * exactly one link and nothing is shared. With a limited server there is a single server host "s0" behind
 * the links "sd" and "su". */
#ifndef FRS_PLATFORMS_NETWORKS_SLOTS_H
#define FRS_PLATFORMS_NETWORKS_SLOTS_H

#include <stddef.h>
#include <stdio.h>

/* Speed of every client host; compute phases are given as seconds at this speed. */
#define FRS_SLOT_FLOP_PER_S 1e9

/* With edges: host "e<k>" behind links "ad<k>" and "au<k>", which all slots share that talk to edge k; what
 * talks to the server shares "sd" and "su". Capacities are INFINITY where nothing limits them; access
 * [n_edges][2]: down, up. */
int frs_slots_write_edges(FILE *out, size_t n_slots, double server_down_bytes_per_s,
    double server_up_bytes_per_s, const double (*access_bytes_per_s)[2], size_t n_edges);

/* Writes a platform of `n_slots` ≥ 1 slots; returns 0, or -1 when writing failed. INFINITY: the server is
 * unlimited; either both or none. */
int frs_slots_write(FILE *out, size_t n_slots, double server_down_bytes_per_s, double server_up_bytes_per_s);

#endif
