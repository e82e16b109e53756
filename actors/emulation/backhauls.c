#include "actors/emulation/backhauls.h"
#include "actors/emulation/backhaul_stream.h"
#include "actors/emulation/line_end.h"
#include "sim/base/buffer.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct backhaul {
    uint64_t number;             /* of the last order to connect */
    struct frs_line_end opening; /* until it is connected */
    struct frs_backhaul_stream stream;
};

struct frs_backhauls {
    const struct frs_supervisor *supervisor;
    struct frs_endpoint_events *events;
    struct backhaul *all;                        /* [supervisor->n_edges] */
    struct frs_buffer inbox[FRS_EMULATED_LINES]; /* uploads as far as they have come */
};

struct frs_backhauls *frs_backhauls_create(
    const struct frs_supervisor *supervisor, struct frs_endpoint_events *events) {
    struct frs_backhauls *backhauls = frs_alloc(1, sizeof *backhauls);
    *backhauls = (struct frs_backhauls){.supervisor = supervisor,
        .events = events,
        .all = frs_alloc(supervisor->n_edges, sizeof *backhauls->all)};
    for (size_t i = 0; i < supervisor->n_edges; i++) {
        frs_line_end_init(&backhauls->all[i].opening);
        frs_backhaul_stream_init(&backhauls->all[i].stream, false);
    }
    return backhauls;
}

void frs_backhauls_destroy(struct frs_backhauls *backhauls) {
    if (!backhauls)
        return;
    for (size_t i = 0; i < backhauls->supervisor->n_edges; i++) {
        frs_line_end_abort(&backhauls->all[i].opening);
        frs_backhaul_stream_break(&backhauls->all[i].stream);
    }
    for (size_t i = 0; i < FRS_EMULATED_LINES; i++)
        frs_buffer_fini(&backhauls->inbox[i]);
    free(backhauls->all);
    free(backhauls);
}

static void happen(struct frs_backhauls *backhauls, enum frs_endpoint_event_kind kind, uint32_t edge,
    uint32_t line, double time_s) {
    frs_endpoint_events_put(backhauls->events,
        &(struct frs_endpoint_event){.kind = kind, .edge = edge, .line = line, .time_s = time_s});
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void order(struct frs_backhauls *backhauls, uint32_t edge, struct frs_edge_order order) {
    order.number = backhauls->all[edge].number;
    ssize_t ignored = send(backhauls->supervisor->edges[edge], &order, sizeof order, MSG_NOSIGNAL);
    (void)ignored; /* the supervisor reports a process that has ended */
}

void frs_backhauls_connect(struct frs_backhauls *backhauls, uint32_t edge) {
    struct backhaul *of = &backhauls->all[edge];
    frs_backhaul_stream_break(&of->stream);
    frs_endpoint_events_forget_edge(backhauls->events, edge);
    frs_line_end_await(&of->opening, ++of->number, false);
    order(backhauls, edge, (struct frs_edge_order){.kind = FRS_EDGE_CONNECT});
}

static void broken(struct frs_backhauls *backhauls, uint32_t edge) {
    frs_backhaul_stream_break(&backhauls->all[edge].stream);
    happen(backhauls, FRS_BACKHAUL_BROKEN, edge, 0, frs_wall_s());
}

static struct frs_mailbox *begin(struct frs_backhauls *backhauls, uint32_t line, bool up) {
    struct frs_mailbox *mailbox = backhauls->supervisor->mailboxes[line];
    atomic_store(&mailbox->crossed_bytes[up], 0);
    atomic_store(&mailbox->forwarded_s[up], NAN);
    return mailbox;
}

void frs_backhauls_send(
    struct frs_backhauls *backhauls, uint32_t edge, uint32_t line, const uint8_t *message, uint64_t n) {
    struct frs_backhaul_stream *stream = &backhauls->all[edge].stream;
    struct frs_mailbox *mailbox = begin(backhauls, line, false);
    order(backhauls, edge, (struct frs_edge_order){.kind = FRS_EDGE_TAKE, .line = line, .n = n});
    frs_backhaul_stream_put(
        &stream->out, &(struct frs_stream_message){
                          .line = line, .n = n, .bytes = (uint8_t *)(uintptr_t)message, .notes = mailbox});
    if (!frs_backhaul_stream_send(stream))
        broken(backhauls, edge);
}

void frs_backhauls_fetch(struct frs_backhauls *backhauls, uint32_t edge, uint32_t line, uint64_t n) {
    struct frs_buffer *inbox = &backhauls->inbox[line];
    struct frs_mailbox *mailbox = begin(backhauls, line, true);
    if (inbox->n < n)
        frs_buffer_extend(inbox, n - inbox->n);
    frs_backhaul_stream_put(&backhauls->all[edge].stream.in,
        &(struct frs_stream_message){.line = line, .n = n, .bytes = inbox->bytes, .notes = mailbox});
    order(backhauls, edge, (struct frs_edge_order){.kind = FRS_EDGE_FORWARD, .line = line, .n = n});
}

bool frs_backhauls_got(
    const struct frs_backhauls *backhauls, uint32_t line, bool up, const uint8_t *message, uint64_t n) {
    return memcmp(up ? backhauls->inbox[line].bytes : backhauls->supervisor->mailboxes[line]->edge_download,
               message, n) == 0;
}

/* ---- what comes ------------------------------------------------------------------------------ */

void frs_backhauls_accept(struct frs_backhauls *backhauls, uint32_t edge, int fd) {
    frs_line_end_accept(&backhauls->all[edge].opening, fd, NULL);
}

static void move(struct frs_backhauls *backhauls, uint32_t edge) {
    struct frs_backhaul_stream *stream = &backhauls->all[edge].stream;
    struct frs_stream_message whole;
    int received = 0;
    bool sent = frs_backhaul_stream_send(stream);
    while (sent && (received = frs_backhaul_stream_receive(stream, &whole)) > 0)
        happen(backhauls, FRS_BACKHAUL_DELIVERED, edge, whole.line, frs_wall_s());
    if (!sent || received < 0)
        broken(backhauls, edge);
}

static void look_at_connection(struct frs_backhauls *backhauls, uint32_t edge) {
    struct backhaul *of = &backhauls->all[edge];
    if (of->stream.connected) {
        move(backhauls, edge);
        return;
    }
    if (frs_line_end_look(&of->opening, FRS_EMULATED_LINES + edge) != FRS_LINE_HAS_CONNECTED)
        return;
    of->stream.connection = of->opening.connection;
    of->stream.connected = true;
    frs_line_end_init(&of->opening);
    happen(backhauls, FRS_BACKHAUL_CONNECTED, edge, 0, frs_wall_s());
    move(backhauls, edge);
}

void frs_backhauls_take_report(
    struct frs_backhauls *backhauls, uint32_t edge, const struct frs_report *report) {
    if (report->number != backhauls->all[edge].number)
        return;
    if (report->kind == FRS_REPORT_TAKEN)
        happen(backhauls, FRS_BACKHAUL_TAKEN, edge, report->line, report->time_s);
    else if (report->kind == FRS_REPORT_CUT_OFF)
        broken(backhauls, edge);
}

bool frs_backhauls_fill(const struct frs_backhauls *backhauls, struct pollfd *fds) {
    bool any = false;
    for (size_t i = 0; i < backhauls->supervisor->n_edges; i++) {
        const struct backhaul *of = &backhauls->all[i];
        const struct frs_connection *connection =
            of->stream.connected ? &of->stream.connection : &of->opening.connection;
        short wants = frs_line_end_wants(&of->opening);
        if (of->stream.connected)
            wants = frs_backhaul_stream_wants(&of->stream);
        fds[i] = (struct pollfd){.fd = wants ? connection->fd : -1, .events = wants};
        any |= of->opening.doing != FRS_LINE_IDLE || of->stream.out.n + of->stream.in.n > 0;
    }
    return any;
}

void frs_backhauls_look(struct frs_backhauls *backhauls, const struct pollfd *fds) {
    for (uint32_t i = 0; i < backhauls->supervisor->n_edges; i++)
        if (fds[i].revents)
            look_at_connection(backhauls, i);
}
