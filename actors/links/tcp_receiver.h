/* TCP receiver: which packets of a message have arrived, and which of them are acknowledged at once.
 *
 * The first 16 packets are acknowledged one by one, and afterwards every second one (RFC 1122); a packet
 * that waits for its second is acknowledged after 40 ms. On a connection that Linux takes for an
 * interactive one, every second packet is acknowledged from the first on (actors/slow_start.h). A packet
 * is acknowledged at once while one is missing, when the missing one arrives, and when a packet arrives
 * twice (RFC 5681). Pure. */
#ifndef FRS_ACTORS_LINKS_TCP_RECEIVER_H
#define FRS_ACTORS_LINKS_TCP_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

struct frs_tcp_receiver {
    uint32_t n_arrived; /* different packets */
    uint32_t end;       /* behind the last of them */
    uint32_t n_quick;   /* packets that will still be acknowledged one by one */
    double due_s; /* when the last packet that arrived is acknowledged if no other one arrives; -INFINITY: it
                     has been acknowledged */
};

void frs_tcp_receiver_init(struct frs_tcp_receiver *receiver, bool interactive);

/* A packet arrives at a time, for the first time (`is_new`) or again. True: it is acknowledged now,
 * together with one that may have waited. False: it is acknowledged after FRS_ACKNOWLEDGEMENT_DELAY_S, or
 * with the next one. */
bool frs_tcp_receiver_arrived(struct frs_tcp_receiver *receiver, double now_s, uint32_t packet, bool is_new);

#endif
