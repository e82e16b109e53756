/* Edge: the process of one edge, in its own network namespace. It carries out the server's orders, which
 * come over a socket pair: it stores whole messages in the mailboxes of lines and forwards them, between its
 * clients, which connect to it, and the server, to which it stays connected. */
#ifndef FRS_ACTORS_EMULATION_EDGE_H
#define FRS_ACTORS_EMULATION_EDGE_H

#include "actors/emulation/tls.h"
#include "actors/emulation/wire.h"

#include <stddef.h>

struct frs_edge_settings {
    int orders;   /* socket pair: struct frs_edge_order, struct frs_report; its end is the edge's */
    int listener; /* in its network namespace */
    uint32_t edge;
    struct frs_mailbox *const *mailboxes; /* [n_lines] */
    size_t n_lines;
    const struct frs_tls *tls; /* may be NULL */
    struct frs_activity *activity;
    struct frs_pauses *pauses; /* its own */
};

/* Returns when the server's end of `orders` is closed. */
void frs_edge_run(const struct frs_edge_settings *settings);

#endif
