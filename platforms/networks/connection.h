/* Connection: what it takes a client to be connected to the server before its first message.
 *
 * A new TCP connection takes a round trip, and the request that follows it one way. TLS 1.3 (RFC 8446)
 * takes one round trip more, in which the server sends its certificates. Bytes include payload and
 * headers; TLS takes some 0.6 kB up, and down 3.7 kB of a usual chain of certificates, and what TCP adds. */
#ifndef FRS_PLATFORMS_NETWORKS_CONNECTION_H
#define FRS_PLATFORMS_NETWORKS_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

enum frs_connection {
    FRS_CONNECTION_TLS,
    FRS_CONNECTION_TCP,
    FRS_CONNECTION_KEPT, /* from participation to participation */
};

extern const char *const frs_connection_names[]; /* enum frs_connection */

struct frs_connecting {
    uint32_t up_latencies, down_latencies; /* one after the other */
    uint64_t up_bytes, down_bytes;
    /* Latencies until a packet with payload is sent; and which of the client's bytes it sends last, in how
     * many packets. */
    uint32_t opening_up_latencies, opening_down_latencies, last_up_packets;
    uint64_t last_up_bytes;
};

struct frs_connecting frs_connecting(enum frs_connection connection);

/* Whether the receiver of a message has already answered on the connection, so that Linux takes the
 * connection for an interactive one. With TLS both ends do so while they connect, and the server does so
 * with the download. Messages on a connection that is kept are no answers, because time passes before
 * them. `first`: no other message has been on this connection. */
bool frs_connection_is_interactive(enum frs_connection connection, bool first);

#endif
