/* TCP receiver: which packets of a message have arrived, and which of them are acknowledged at once.
 *
 * The first 16 are, one by one, and every second one then (RFC 1122); one that waits for its second, after 40
 * ms. On a connection that Linux takes for an interactive one there are no such first ones
 * (actors/slow_start.h). While a packet is missing, when it comes, and where one comes again, all are
 * acknowledged at once (RFC 5681). Pure. */
#ifndef FRS_ACTORS_LINKS_TCP_RECEIVER_H
#define FRS_ACTORS_LINKS_TCP_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

struct frs_tcp_receiver {
    uint32_t n_arrived; /* different packets */
    uint32_t end;       /* behind the last of them */
    uint32_t n_quick;   /* packets that will still be acknowledged one by one */
    double due_s; /* when the last packet that arrived is acknowledged if no other one comes; -INFINITY: it
                     has been */
};

void frs_tcp_receiver_init(struct frs_tcp_receiver *receiver, bool interactive);

/* A packet arrives at a time, and had not before (`is_new`). True: it is acknowledged now, and with it the
 * one that may have waited; false: after FRS_ACKNOWLEDGEMENT_DELAY_S, or with the next one. */
bool frs_tcp_receiver_arrived(struct frs_tcp_receiver *receiver, double now_s, uint32_t packet, bool is_new);

#endif
