#include "actors/emulation/backhaul_stream.h"
#include "sim/base/clock.h"
#include "sim/base/invariant.h"

#include <poll.h>

void frs_backhaul_stream_init(struct frs_backhaul_stream *stream, bool sends_up) {
    *stream = (struct frs_backhaul_stream){
        .connection = {.fd = -1}, .out = {.up = sends_up}, .in = {.up = !sends_up}};
}

void frs_backhaul_stream_put(struct frs_stream_way *way, const struct frs_stream_message *message) {
    FRS_INVARIANT(way->n < FRS_EMULATED_LINES, "line %u has two messages on one backhaul", message->line);
    way->queue[(way->first + way->n++) % FRS_EMULATED_LINES] = *message;
}

static void leave(struct frs_stream_way *way) {
    way->first = (way->first + 1) % FRS_EMULATED_LINES;
    way->n--;
}

short frs_backhaul_stream_wants(const struct frs_backhaul_stream *stream) {
    return (short)((stream->in.n > 0 ? POLLIN : 0) | (stream->out.n > 0 ? POLLOUT : 0));
}

bool frs_backhaul_stream_send(struct frs_backhaul_stream *stream) {
    while (stream->connected && stream->out.n > 0) {
        struct frs_stream_message *message = &stream->out.queue[stream->out.first];
        double now_s = frs_wall_s();
        ssize_t moved = frs_connection_write(
            &stream->connection, message->bytes + message->done, message->n - message->done);
        if (moved <= 0)
            return moved == 0;
        if (message->done == 0)
            atomic_store(&message->notes->forwarded_s[stream->out.up], now_s);
        message->done += (uint64_t)moved;
        if (message->done == message->n)
            leave(&stream->out);
    }
    return true;
}

int frs_backhaul_stream_receive(struct frs_backhaul_stream *stream, struct frs_stream_message *whole) {
    while (stream->connected && stream->in.n > 0) {
        struct frs_stream_message *message = &stream->in.queue[stream->in.first];
        ssize_t moved = frs_connection_read(
            &stream->connection, message->bytes + message->done, message->n - message->done);
        if (moved <= 0)
            return (int)moved;
        message->done += (uint64_t)moved;
        atomic_store(&message->notes->crossed_bytes[stream->in.up], message->done);
        if (message->done < message->n)
            continue;
        *whole = *message;
        leave(&stream->in);
        return 1;
    }
    return 0;
}

void frs_backhaul_stream_break(struct frs_backhaul_stream *stream) {
    frs_connection_break(&stream->connection);
    stream->connected = false;
    stream->out.n = stream->in.n = 0;
}
