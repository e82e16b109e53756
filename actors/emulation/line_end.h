/* Line end: the end of a client's connection that the server has, or its edge: it accepts, learns who has
 * connected, and moves the bytes of one message at a time. Never waits. */
#ifndef FRS_ACTORS_EMULATION_LINE_END_H
#define FRS_ACTORS_EMULATION_LINE_END_H

#include "actors/emulation/connection.h"
#include "actors/emulation/wire.h"

/* What is under way here. */
enum frs_line_doing { FRS_LINE_IDLE, FRS_LINE_AWAITS, FRS_LINE_SENDS, FRS_LINE_RECEIVES };

/* Initialised by frs_line_end_init. */
struct frs_line_end {
    enum frs_line_doing doing;
    bool tls;
    uint64_t number; /* of the order by which the client connects */
    struct frs_connection connection;
    uint64_t request_bytes; /* of it, that have come */
    struct frs_request request;
    const uint8_t *from;
    uint8_t *to;
    uint64_t n, done; /* length of the message, bytes written or read */
};

enum frs_line_progress {
    FRS_LINE_GOES_ON,
    FRS_LINE_HAS_CONNECTED,
    FRS_LINE_HAS_SENT, /* all bytes have been handed to the kernel */
    FRS_LINE_HAS_RECEIVED,
    FRS_LINE_HAS_BROKEN, /* the connection is gone */
};

void frs_line_end_init(struct frs_line_end *end);

/* The client of the line connects with the order of this number, over TLS or not. */
void frs_line_end_await(struct frs_line_end *end, uint64_t number, bool tls);

/* Takes a connection that has come from the line's address; closes it if none is awaited. */
void frs_line_end_accept(struct frs_line_end *end, int fd, const struct frs_tls *tls);

/* Begins to send or receive n > 0 bytes, which stay the caller's. */
enum frs_line_progress frs_line_end_send(struct frs_line_end *end, const uint8_t *bytes, uint64_t n);
void frs_line_end_receive(struct frs_line_end *end, uint8_t *bytes, uint64_t n);

/* What poll() has to wait for on its connection; 0: nothing. */
short frs_line_end_wants(const struct frs_line_end *end);

/* Goes on with what is under way, after poll() has returned. */
enum frs_line_progress frs_line_end_look(struct frs_line_end *end, uint32_t line);

/* Breaks the connection off, and ends what is under way. */
void frs_line_end_abort(struct frs_line_end *end);

#endif
