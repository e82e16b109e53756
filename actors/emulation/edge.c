#include "actors/emulation/edge.h"
#include "actors/emulation/backhaul_stream.h"
#include "actors/emulation/line_end.h"
#include "actors/emulation/process.h"
#include "actors/emulation/rights.h"
#include "actors/emulation/watchdog.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RANK 5 /* as clients have: all it does is move bytes */

struct edge {
    const struct frs_edge_settings *settings;
    struct frs_line_end *lines; /* [n_lines] */
    struct frs_backhaul_stream backhaul;
    uint64_t number;    /* of the order by which the backhaul was connected */
    struct pollfd *fds; /* orders, listener, backhaul, then one for each line */
};

/* A server that is gone needs no report. */
static void report(const struct edge *edge, enum frs_report_kind kind, uint32_t line, uint64_t number) {
    const struct frs_report report = {.kind = kind, .line = line, .number = number, .time_s = frs_wall_s()};
    ssize_t ignored = send(edge->settings->orders, &report, sizeof report, MSG_NOSIGNAL);
    (void)ignored;
}

/* ---- clients --------------------------------------------------------------------------------- */

static void tell(struct edge *edge, uint32_t line, enum frs_line_progress progress) {
    uint64_t number = edge->lines[line].number;
    if (progress == FRS_LINE_HAS_CONNECTED)
        report(edge, FRS_REPORT_CONNECTED, line, number);
    else if (progress == FRS_LINE_HAS_RECEIVED)
        report(edge, FRS_REPORT_STORED, line, number);
    else if (progress == FRS_LINE_HAS_BROKEN)
        report(edge, FRS_REPORT_BROKEN, line, number);
}

static void look_at_line(struct edge *edge, uint32_t line) {
    struct frs_line_end *end = &edge->lines[line];
    bool receives = end->doing == FRS_LINE_RECEIVES;
    uint64_t done = end->done;
    enum frs_line_progress progress = frs_line_end_look(end, line);
    if (receives)
        atomic_fetch_add(&edge->settings->mailboxes[line]->stored_bytes, end->done - done);
    tell(edge, line, progress);
}

static void accept_all(struct edge *edge) {
    for (;;) {
        struct sockaddr_in from = {0};
        socklen_t size = sizeof from;
        int fd =
            accept4(edge->settings->listener, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        uint32_t line = ntohl(from.sin_addr.s_addr) - FRS_LINE_ADDRESS(0);
        if (line < edge->settings->n_lines)
            frs_line_end_accept(&edge->lines[line], fd, edge->settings->tls);
        else
            close(fd);
    }
}

/* ---- backhaul -------------------------------------------------------------------------------- */

static void cut_off(struct edge *edge) {
    frs_backhaul_stream_break(&edge->backhaul);
    report(edge, FRS_REPORT_CUT_OFF, 0, edge->number);
}

static void connect_on(struct edge *edge) {
    struct frs_backhaul_stream *backhaul = &edge->backhaul;
    const struct frs_request request = {
        .number = edge->number, .line = (uint8_t)(FRS_EMULATED_LINES + edge->settings->edge)};
    int greeted = frs_connection_greet(&backhaul->connection);
    backhaul->connected = greeted == 1 && frs_connection_write(&backhaul->connection, &request,
                                              sizeof request) == (ssize_t)sizeof request;
    if (greeted < 0 || (greeted == 1 && !backhaul->connected))
        cut_off(edge);
}

static void look_at_backhaul(struct edge *edge) {
    struct frs_stream_message whole;
    int received = 0;
    if (!edge->backhaul.connected)
        connect_on(edge);
    bool sent = frs_backhaul_stream_send(&edge->backhaul);
    while (sent && (received = frs_backhaul_stream_receive(&edge->backhaul, &whole)) > 0)
        report(edge, FRS_REPORT_TAKEN, whole.line, edge->number);
    if (!sent || received < 0)
        cut_off(edge);
}

static void connect_anew(struct edge *edge, uint64_t number) {
    frs_backhaul_stream_break(&edge->backhaul);
    edge->number = number;
    if (!frs_connection_open(&edge->backhaul.connection, FRS_SERVER_ADDRESS, FRS_EMULATED_PORT, NULL))
        cut_off(edge);
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void put(struct edge *edge, struct frs_stream_way *way, const struct frs_edge_order *order) {
    struct frs_mailbox *mailbox = edge->settings->mailboxes[order->line];
    frs_backhaul_stream_put(way, &(struct frs_stream_message){.line = order->line,
                                     .n = order->n,
                                     .bytes = way->up ? mailbox->edge_upload : mailbox->edge_download,
                                     .notes = mailbox});
    look_at_backhaul(edge);
}

static void carry_out(struct edge *edge, const struct frs_edge_order *order) {
    struct frs_line_end *end = &edge->lines[order->line];
    struct frs_mailbox *const *mailboxes = edge->settings->mailboxes;
    switch (order->kind) {
    case FRS_EDGE_AWAIT:
        frs_line_end_await(end, order->number, order->tls);
        break;
    case FRS_EDGE_SEND:
        end->number = order->number;
        tell(edge, order->line,
            frs_line_end_send(end, mailboxes[order->from]->edge_download + order->at, order->n));
        break;
    case FRS_EDGE_RECEIVE:
        end->number = order->number;
        frs_line_end_receive(end, mailboxes[order->line]->edge_upload + order->at, order->n);
        break;
    case FRS_EDGE_ABORT:
        frs_line_end_abort(end);
        break;
    case FRS_EDGE_CONNECT:
        connect_anew(edge, order->number);
        break;
    case FRS_EDGE_TAKE:
        put(edge, &edge->backhaul.in, order);
        break;
    case FRS_EDGE_FORWARD:
        put(edge, &edge->backhaul.out, order);
        break;
    }
}

/* False: the server is gone. */
static bool take_orders(struct edge *edge) {
    struct frs_edge_order order;
    for (;;) {
        ssize_t n = recv(edge->settings->orders, &order, sizeof order, MSG_DONTWAIT);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n != (ssize_t)sizeof order)
            return false;
        carry_out(edge, &order);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static void fill(struct edge *edge) {
    const struct frs_backhaul_stream *backhaul = &edge->backhaul;
    short wants = backhaul->connection.wants;
    if (backhaul->connected)
        wants = frs_backhaul_stream_wants(backhaul);
    edge->fds[0] = (struct pollfd){.fd = edge->settings->orders, .events = POLLIN};
    edge->fds[1] = (struct pollfd){.fd = edge->settings->listener, .events = POLLIN};
    edge->fds[2] = (struct pollfd){.fd = wants ? backhaul->connection.fd : -1, .events = wants};
    for (size_t i = 0; i < edge->settings->n_lines; i++) {
        wants = frs_line_end_wants(&edge->lines[i]);
        edge->fds[3 + i] = (struct pollfd){.fd = wants ? edge->lines[i].connection.fd : -1, .events = wants};
    }
}

/* Orders first: a client that has connected was announced before it was told to. An order may have replaced a
 * connection that poll() has looked at. False: the server is gone. */
static bool look(struct edge *edge) {
    if (!take_orders(edge))
        return false;
    for (uint32_t i = 0; i < edge->settings->n_lines; i++)
        if (edge->fds[3 + i].revents && edge->fds[3 + i].fd == edge->lines[i].connection.fd)
            look_at_line(edge, i);
    if (edge->fds[2].revents && edge->fds[2].fd == edge->backhaul.connection.fd)
        look_at_backhaul(edge);
    if (edge->fds[1].revents)
        accept_all(edge);
    return true;
}

void frs_edge_run(const struct frs_edge_settings *settings) {
    size_t n = settings->n_lines;
    struct edge edge = {.settings = settings,
        .lines = frs_alloc(n, sizeof *edge.lines),
        .fds = frs_alloc(3 + n, sizeof *edge.fds)};
    struct frs_watchdog watchdog = frs_watchdog_of(settings->activity, settings->pauses);
    frs_backhaul_stream_init(&edge.backhaul, true);
    for (size_t i = 0; i < n; i++)
        frs_line_end_init(&edge.lines[i]);
    frs_process_hurry(RANK);
    (void)frs_rights_drop(FRS_RIGHTS_OF_EDGES);
    do {
        fill(&edge);
        struct timespec left = {.tv_nsec = (long)(1e9 * frs_watchdog_begin(&watchdog, INFINITY))};
        ppoll(edge.fds, 3 + n, &left, NULL);
        frs_watchdog_end(&watchdog);
    } while (look(&edge));
    free(edge.lines);
    free(edge.fds);
}
