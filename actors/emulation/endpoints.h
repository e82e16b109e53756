/* Endpoints: the server's end of an emulation. A line is a network namespace with the process of one
 * client at a time, and the links between it and the server. Whatever begins here ends as an event with
 * the time at which it really ended.
 *
 * At most one action is under way on a line. Beginning another meanwhile, and late answers to one that was
 * broken off, are handled. Times are those of sim/base/clock.h. */
#ifndef FRS_ACTORS_EMULATION_ENDPOINTS_H
#define FRS_ACTORS_EMULATION_ENDPOINTS_H

#include "actors/emulation/supervisor.h"

struct frs_endpoints;

enum frs_endpoint_event_kind {
    FRS_LINE_CONNECTED,
    FRS_LINE_RECEIVED, /* the client has the whole download */
    FRS_LINE_COMPUTED,
    FRS_LINE_DELIVERED, /* the server has the whole upload */
    FRS_LINE_BROKEN,    /* the network failed by itself */
};

struct frs_endpoint_event {
    enum frs_endpoint_event_kind kind;
    uint32_t line;
    double time_s;
};

/* `supervisor` and `tls` (NULL: no connection uses it) are borrowed. */
struct frs_endpoints *frs_endpoints_create(
    const struct frs_supervisor *supervisor, const struct frs_tls *tls);
void frs_endpoints_destroy(struct frs_endpoints *lines);

void frs_endpoints_connect(struct frs_endpoints *lines, uint32_t line, bool tls);
bool frs_endpoints_is_connected(const struct frs_endpoints *lines, uint32_t line);

/* Sends n > 0 bytes; those of a download must stay in memory until they have left. `at`: their offset in
 * the whole message. */
void frs_endpoints_send(
    struct frs_endpoints *lines, uint32_t line, bool up, const uint8_t *message, uint64_t at, uint64_t n);

void frs_endpoints_compute(struct frs_endpoints *lines, uint32_t line, double until_s);

/* For the message under way, or the last one: how many bytes have arrived, and whether bytes [0, n) equal
 * those that were sent. */
uint64_t frs_endpoints_received(const struct frs_endpoints *lines, uint32_t line);
bool frs_endpoints_got(
    const struct frs_endpoints *lines, uint32_t line, bool up, const uint8_t *message, uint64_t n);

/* Breaks the connection off, and ends whatever is under way. */
void frs_endpoints_abort(struct frs_endpoints *lines, uint32_t line);

/* Lets time pass until something has happened or until_s; false: nothing has. */
bool frs_endpoints_next(struct frs_endpoints *lines, double until_s, struct frs_endpoint_event *event);

/* What the supervisor said of a process that has ended, after which nothing works; NULL: all is well. */
const char *frs_endpoints_failure(const struct frs_endpoints *lines);

/* The longest time in which the server did not check its connections although something was under way, or
 * in which a client's report waited. */
double frs_endpoints_greatest_absence_s(const struct frs_endpoints *lines);

#endif
