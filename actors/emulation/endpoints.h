/* Endpoints: the server's end of an emulation. A line is a network namespace with the process of one
 * client at a time, and the links between it and its hub, the server or an edge. Whatever begins here ends
 * as an event with the time at which it really ended. Messages between edges and the server:
 * actors/emulation/backhauls.h.
 *
 * At most one action is under way on a line. Beginning another meanwhile, and late answers to one that was
 * broken off, are handled. Times are those of sim/base/clock.h. */
#ifndef FRS_ACTORS_EMULATION_ENDPOINTS_H
#define FRS_ACTORS_EMULATION_ENDPOINTS_H

#include "actors/emulation/backhauls.h"
#include "actors/emulation/endpoint_events.h"
#include "actors/emulation/supervisor.h"

struct frs_endpoints;

/* `supervisor` and `tls` (NULL: no connection uses it) are borrowed. */
struct frs_endpoints *frs_endpoints_create(
    const struct frs_supervisor *supervisor, const struct frs_tls *tls);
void frs_endpoints_destroy(struct frs_endpoints *lines);

/* The client connects to its hub: 0 is the server, 1 + i edge i. */
void frs_endpoints_connect(struct frs_endpoints *lines, uint32_t line, uint32_t hub, bool tls);
bool frs_endpoints_is_connected(const struct frs_endpoints *lines, uint32_t line);

/* Sends n > 0 bytes between the client and its hub; those of a download from the server must stay in memory
 * until they have left. `at`: their offset in the whole message. `stored`: an edge sends a download that it
 * has in the mailbox of that line. */
struct frs_endpoint_message {
    bool up;
    const uint8_t *bytes; /* the whole message */
    uint64_t at, n;
    uint32_t stored;
};
void frs_endpoints_send(
    struct frs_endpoints *lines, uint32_t line, const struct frs_endpoint_message *message);

void frs_endpoints_compute(struct frs_endpoints *lines, uint32_t line, double until_s);

/* For the message under way, or the last one: how many bytes have arrived, and whether bytes [0, n) equal
 * those that were sent. */
uint64_t frs_endpoints_received(const struct frs_endpoints *lines, uint32_t line);
bool frs_endpoints_got(
    const struct frs_endpoints *lines, uint32_t line, bool up, const uint8_t *message, uint64_t n);

/* Breaks the connection off, and ends whatever is under way. */
void frs_endpoints_abort(struct frs_endpoints *lines, uint32_t line);

/* The server's ends of the backhauls of its edges. */
struct frs_backhauls *frs_endpoints_backhauls(struct frs_endpoints *lines);

/* Lets time pass until something has happened or until_s; false: nothing has. */
bool frs_endpoints_next(struct frs_endpoints *lines, double until_s, struct frs_endpoint_event *event);

/* What the supervisor said of a process that has ended, after which nothing works; NULL: all is well. */
const char *frs_endpoints_failure(const struct frs_endpoints *lines);

/* The longest time in which the server did not check its connections although something was under way, or
 * in which a client's report waited. */
double frs_endpoints_greatest_absence_s(const struct frs_endpoints *lines);

#endif
