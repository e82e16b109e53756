#include "actors/emulation/line_end.h"

#include <poll.h>
#include <unistd.h>

void frs_line_end_init(struct frs_line_end *end) {
    *end = (struct frs_line_end){.connection = {.fd = -1}};
}

void frs_line_end_await(struct frs_line_end *end, uint64_t number, bool tls) {
    frs_connection_break(&end->connection);
    end->doing = FRS_LINE_AWAITS;
    end->tls = tls;
    end->number = number;
    end->request_bytes = 0;
}

void frs_line_end_accept(struct frs_line_end *end, int fd, const struct frs_tls *tls) {
    if (end->doing != FRS_LINE_AWAITS) {
        close(fd);
        return;
    }
    frs_connection_break(&end->connection); /* of a try before */
    end->request_bytes = 0;
    frs_connection_take(&end->connection, fd, end->tls ? tls : NULL);
}

/* A request of an earlier try: its connection is of no use. */
static enum frs_line_progress connect_on(struct frs_line_end *end, uint32_t line) {
    int greeted = frs_connection_greet(&end->connection);
    if (greeted < 0)
        frs_connection_break(&end->connection);
    if (greeted < 1)
        return FRS_LINE_GOES_ON;
    ssize_t moved = frs_connection_read(&end->connection, (uint8_t *)&end->request + end->request_bytes,
        sizeof end->request - end->request_bytes);
    if (moved < 0)
        frs_connection_break(&end->connection);
    if (moved <= 0)
        return FRS_LINE_GOES_ON;
    end->request_bytes += (uint64_t)moved;
    if (end->request_bytes < sizeof end->request)
        return FRS_LINE_GOES_ON;
    if (end->request.number != end->number || end->request.line != line) {
        frs_connection_break(&end->connection);
        return FRS_LINE_GOES_ON;
    }
    end->doing = FRS_LINE_IDLE;
    return FRS_LINE_HAS_CONNECTED;
}

static enum frs_line_progress move_on(struct frs_line_end *end, bool sends) {
    while (end->done < end->n) {
        uint64_t left = end->n - end->done;
        ssize_t moved = sends ? frs_connection_write(&end->connection, end->from + end->done, left)
                              : frs_connection_read(&end->connection, end->to + end->done, left);
        if (moved == 0)
            return FRS_LINE_GOES_ON;
        if (moved < 0) {
            frs_line_end_abort(end);
            return FRS_LINE_HAS_BROKEN;
        }
        end->done += (uint64_t)moved;
    }
    end->doing = FRS_LINE_IDLE;
    return sends ? FRS_LINE_HAS_SENT : FRS_LINE_HAS_RECEIVED;
}

enum frs_line_progress frs_line_end_send(struct frs_line_end *end, const uint8_t *bytes, uint64_t n) {
    end->doing = FRS_LINE_SENDS;
    end->from = bytes;
    end->n = n;
    end->done = 0;
    return move_on(end, true);
}

void frs_line_end_receive(struct frs_line_end *end, uint8_t *bytes, uint64_t n) {
    end->doing = FRS_LINE_RECEIVES;
    end->to = bytes;
    end->n = n;
    end->done = 0;
}

short frs_line_end_wants(const struct frs_line_end *end) {
    if (end->connection.fd < 0 || end->doing == FRS_LINE_IDLE)
        return 0;
    if (end->doing == FRS_LINE_RECEIVES)
        return POLLIN;
    return end->connection.wants;
}

enum frs_line_progress frs_line_end_look(struct frs_line_end *end, uint32_t line) {
    switch (end->doing) {
    case FRS_LINE_AWAITS:
        return connect_on(end, line);
    case FRS_LINE_SENDS:
        return move_on(end, true);
    case FRS_LINE_RECEIVES:
        return move_on(end, false);
    case FRS_LINE_IDLE:
        break;
    }
    return FRS_LINE_GOES_ON;
}

void frs_line_end_abort(struct frs_line_end *end) {
    frs_connection_break(&end->connection);
    end->doing = FRS_LINE_IDLE;
}
