/* Backhaul stream: either end of the connection between an edge and the server. Messages of known length
 * follow each other in both directions, each as soon as the one before it has been handed to the kernel.
 * Those that are queued while there is no connection cross once there is one. Never waits. */
#ifndef FRS_ACTORS_EMULATION_BACKHAUL_STREAM_H
#define FRS_ACTORS_EMULATION_BACKHAUL_STREAM_H

#include "actors/emulation/connection.h"
#include "actors/emulation/wire.h"

/* A message is that of a line; a line has at most one each way. */
struct frs_stream_message {
    uint32_t line;
    uint64_t n, done;
    uint8_t *bytes;            /* the caller's */
    struct frs_mailbox *notes; /* where its progress is noted */
};

/* Messages of one direction, the one under way first. */
struct frs_stream_way {
    bool up;
    uint32_t first, n;
    struct frs_stream_message queue[FRS_EMULATED_LINES];
};

struct frs_backhaul_stream {
    struct frs_connection connection;
    bool connected;
    struct frs_stream_way out, in;
};

/* sends_up: the end of the edge. */
void frs_backhaul_stream_init(struct frs_backhaul_stream *stream, bool sends_up);

/* Queues n > 0 bytes of a line, to be sent or received, down or up; frs_backhaul_stream_send moves what can
 * be. Bytes and mailbox stay the caller's. */
void frs_backhaul_stream_put(struct frs_stream_way *way, const struct frs_stream_message *message);

/* What poll() has to wait for, on a connection that is open; 0: nothing. */
short frs_backhaul_stream_wants(const struct frs_backhaul_stream *stream);

/* Sends what fits; false: the connection broke. */
bool frs_backhaul_stream_send(struct frs_backhaul_stream *stream);

/* Receives what there is of one message: 1: *message is whole, and is awaited no more; there may be another.
 * 0: nothing more at present; -1: the connection broke. */
int frs_backhaul_stream_receive(struct frs_backhaul_stream *stream, struct frs_stream_message *message);

/* Breaks the connection off and drops all messages. */
void frs_backhaul_stream_break(struct frs_backhaul_stream *stream);

#endif
