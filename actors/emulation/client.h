/* Client: the process of one client, in its own network namespace. It carries out the server's orders,
 * which come over a socket pair, and moves bytes between the network and its mailbox. */
#ifndef FRS_ACTORS_EMULATION_CLIENT_H
#define FRS_ACTORS_EMULATION_CLIENT_H

#include "actors/emulation/tls.h"
#include "actors/emulation/wire.h"

struct frs_client_settings {
    int orders;
    uint32_t line;
    struct frs_mailbox *mailbox;
    const struct frs_tls *tls; /* may be NULL */
    struct frs_activity *activity;
    struct frs_pauses *pauses; /* its own */
};

/* Returns when the server's end of `orders` is closed. */
void frs_client_run(const struct frs_client_settings *settings);

#endif
