#include "platforms/networks/connection.h"

#include <stddef.h>

const char *const frs_connection_names[] = {
    [FRS_CONNECTION_TLS] = "tls", [FRS_CONNECTION_TCP] = "tcp", [FRS_CONNECTION_KEPT] = "kept", NULL};

/* Up: SYN, acknowledgement and request (60 + 66 + 80 bytes), and the client's TLS messages; down: SYN and
 * acknowledgement, and the server's TLS messages, most of them certificates. */
/* With TLS the client says last that it has finished (80 bytes), and its request, each with headers of 66
 * bytes. */
#define LAST_BYTES (80 + 66 + 80 + 66)

static const struct frs_connecting costs[] = {
    [FRS_CONNECTION_TLS] = {3, 2, 932, 3966, 1, 1, 2, LAST_BYTES},
    [FRS_CONNECTION_TCP] = {2, 1, 206, 66, 1, 1, 0, 0},
    [FRS_CONNECTION_KEPT] = {0, 0, 0, 0, 0, 0, 0, 0},
};

struct frs_connecting frs_connecting(enum frs_connection connection) {
    return costs[connection];
}

bool frs_connection_is_interactive(enum frs_connection connection, bool first) {
    return connection == FRS_CONNECTION_TLS || (connection == FRS_CONNECTION_TCP && !first);
}
