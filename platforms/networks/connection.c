#include "platforms/networks/connection.h"

#include <stddef.h>

const char *const frs_connection_names[] = {
    [FRS_CONNECTION_TLS] = "tls", [FRS_CONNECTION_TCP] = "tcp", [FRS_CONNECTION_KEPT] = "kept", NULL};

/* Up: SYN, acknowledgement and request (60 + 66 + 80 bytes), and the client's TLS messages; down: SYN and
 * acknowledgement, and the server's TLS messages, most of them certificates. */
static const struct frs_connecting costs[] = {
    [FRS_CONNECTION_TLS] = {3, 2, 932, 3966},
    [FRS_CONNECTION_TCP] = {2, 1, 206, 66},
    [FRS_CONNECTION_KEPT] = {0, 0, 0, 0},
};

struct frs_connecting frs_connecting(enum frs_connection connection) {
    return costs[connection];
}

bool frs_connection_is_interactive(enum frs_connection connection, bool first) {
    return connection == FRS_CONNECTION_TLS || (connection == FRS_CONNECTION_TCP && !first);
}
