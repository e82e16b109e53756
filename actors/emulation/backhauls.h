/* Backhauls: the server's ends of the connections with its edges, which stay open, and its orders to edges
 * for them. Messages are known by their line: that of the client that an upload is from, or of the first
 * client that a download is for. Private to endpoints.c and what drives it. */
#ifndef FRS_ACTORS_EMULATION_BACKHAULS_H
#define FRS_ACTORS_EMULATION_BACKHAULS_H

#include "actors/emulation/endpoint_events.h"
#include "actors/emulation/supervisor.h"

#include <poll.h>

struct frs_backhauls;

/* `supervisor` and `events` are borrowed; the latter gets what happens. */
struct frs_backhauls *frs_backhauls_create(
    const struct frs_supervisor *supervisor, struct frs_endpoint_events *events);
void frs_backhauls_destroy(struct frs_backhauls *backhauls);

/* The edge connects anew: whatever was under way over its backhaul has ended, and events of it are dropped.
 * Messages that are queued from now on cross once it has connected. */
void frs_backhauls_connect(struct frs_backhauls *backhauls, uint32_t edge);

/* Queues n > 0 bytes to the edge, which must stay in memory until they have left; or from the edge, which
 * has them in the mailbox of the line. */
void frs_backhauls_send(
    struct frs_backhauls *backhauls, uint32_t edge, uint32_t line, const uint8_t *message, uint64_t n);
void frs_backhauls_fetch(struct frs_backhauls *backhauls, uint32_t edge, uint32_t line, uint64_t n);

/* Whether bytes [0, n) of the last whole message of the line, down or up, are those that were sent. */
bool frs_backhauls_got(
    const struct frs_backhauls *backhauls, uint32_t line, bool up, const uint8_t *message, uint64_t n);

/* A connection has come from the address of an edge. */
void frs_backhauls_accept(struct frs_backhauls *backhauls, uint32_t edge, int fd);

/* The edge has reported something of its backhaul. */
void frs_backhauls_take_report(
    struct frs_backhauls *backhauls, uint32_t edge, const struct frs_report *report);

/* What poll() has to wait for, [n_edges]; returns whether anything is under way. Then what has come. */
bool frs_backhauls_fill(const struct frs_backhauls *backhauls, struct pollfd *fds);
void frs_backhauls_look(struct frs_backhauls *backhauls, const struct pollfd *fds);

#endif
