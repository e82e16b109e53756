#include "actors/emulation/endpoints.h"
#include "actors/emulation/line_end.h"
#include "actors/emulation/watchdog.h"
#include "actors/extremes.h"
#include "sim/base/buffer.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WORDS 160

/* What is under way on a line. */
enum doing { IDLE, CONNECTING, SENDING_DOWN, COMPUTING, SENDING_UP };

struct line {
    enum doing doing;
    bool connected;
    bool up;                 /* the last transfer was */
    uint32_t hub;            /* 0: the server, 1 + i: edge i */
    uint64_t number;         /* of the last order */
    struct frs_line_end end; /* unless an edge has it */
    struct frs_buffer inbox; /* up: the message as far as it has come */
};

struct frs_endpoints {
    const struct frs_supervisor *supervisor;
    const struct frs_tls *tls;
    struct line *lines; /* [n] */
    size_t n;
    struct pollfd *fds; /* listener, life, then two for each line, then two for each edge */
    struct frs_endpoint_events events;
    struct frs_backhauls *backhauls;
    bool failed;
    char failure[WORDS];
    double looked_s, greatest_absence_s; /* looked_s: NAN while nothing was under way */
    struct frs_watchdog watchdog;
    double left_s, left_cpu_s; /* when it last left the connections alone, and its processor time then */
};

struct frs_endpoints *frs_endpoints_create(
    const struct frs_supervisor *supervisor, const struct frs_tls *tls) {
    struct frs_endpoints *lines = frs_alloc(1, sizeof *lines);
    *lines = (struct frs_endpoints){.supervisor = supervisor,
        .tls = tls,
        .n = supervisor->n_lines,
        .lines = frs_alloc(supervisor->n_lines, sizeof *lines->lines),
        .fds = frs_alloc(2 + 2 * (supervisor->n_lines + supervisor->n_edges), sizeof *lines->fds),
        .looked_s = NAN,
        .watchdog = frs_watchdog_of(&supervisor->record->activity, &supervisor->record->server),
        .left_s = frs_wall_s()};
    for (size_t i = 0; i < lines->n; i++)
        frs_line_end_init(&lines->lines[i].end);
    lines->backhauls = frs_backhauls_create(supervisor, &lines->events);
    return lines;
}

void frs_endpoints_destroy(struct frs_endpoints *lines) {
    if (!lines)
        return;
    for (size_t i = 0; i < lines->n; i++) {
        frs_line_end_abort(&lines->lines[i].end);
        frs_buffer_fini(&lines->lines[i].inbox);
    }
    frs_backhauls_destroy(lines->backhauls);
    frs_endpoint_events_fini(&lines->events);
    free(lines->lines);
    free(lines->fds);
    free(lines);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void happen(
    struct frs_endpoints *lines, uint32_t line, enum frs_endpoint_event_kind kind, double time_s) {
    frs_endpoint_events_put(
        &lines->events, &(struct frs_endpoint_event){.kind = kind, .line = line, .time_s = time_s});
    lines->lines[line].doing = IDLE;
}

static void broken(struct frs_endpoints *lines, uint32_t line) {
    lines->lines[line].connected = false;
    frs_line_end_abort(&lines->lines[line].end);
    happen(lines, line, FRS_LINE_BROKEN, frs_wall_s());
}

static void connected(struct frs_endpoints *lines, uint32_t line, double time_s) {
    lines->lines[line].connected = true;
    happen(lines, line, FRS_LINE_CONNECTED, time_s);
}

static void progressed(struct frs_endpoints *lines, uint32_t line, enum frs_line_progress progress) {
    if (progress == FRS_LINE_HAS_CONNECTED)
        connected(lines, line, frs_wall_s());
    else if (progress == FRS_LINE_HAS_RECEIVED)
        happen(lines, line, FRS_LINE_DELIVERED, frs_wall_s());
    else if (progress == FRS_LINE_HAS_BROKEN)
        broken(lines, line);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* An order to a client, and with the same number one to its edge; errors are ignored, because the supervisor
 * reports a process that has ended. The edge has its order first. */
static void order(
    struct frs_endpoints *lines, uint32_t i, struct frs_order order, struct frs_edge_order at_edge) {
    struct line *line = &lines->lines[i];
    order.number = at_edge.number = ++line->number;
    order.hub = line->hub;
    at_edge.line = i;
    ssize_t ignored;
    if (line->hub > 0) {
        ignored = send(lines->supervisor->edges[line->hub - 1], &at_edge, sizeof at_edge, MSG_NOSIGNAL);
        (void)ignored;
    }
    ignored = send(lines->supervisor->orders[i], &order, sizeof order, MSG_NOSIGNAL);
    (void)ignored;
}

void frs_endpoints_connect(struct frs_endpoints *lines, uint32_t i, uint32_t hub, bool tls) {
    struct line *line = &lines->lines[i];
    frs_line_end_abort(&line->end);
    line->doing = CONNECTING;
    line->connected = false;
    line->hub = hub;
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_CONNECT, .tls = tls},
        (struct frs_edge_order){.kind = FRS_EDGE_AWAIT, .tls = tls});
    if (hub == 0)
        frs_line_end_await(&line->end, line->number, tls);
}

bool frs_endpoints_is_connected(const struct frs_endpoints *lines, uint32_t line) {
    return lines->lines[line].connected;
}

static void send_up(struct frs_endpoints *lines, uint32_t i, const struct frs_endpoint_message *message) {
    struct line *line = &lines->lines[i];
    struct frs_mailbox *mailbox = lines->supervisor->mailboxes[i];
    uint64_t at = message->at, n = message->n;
    memcpy(mailbox->upload + at, message->bytes + at, n);
    atomic_store(&mailbox->stored_bytes, 0);
    if (line->hub == 0) {
        if (line->inbox.n < at + n)
            frs_buffer_extend(&line->inbox, at + n - line->inbox.n);
        frs_line_end_receive(&line->end, line->inbox.bytes + at, n);
    }
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_SEND, .at = at, .n = n},
        (struct frs_edge_order){.kind = FRS_EDGE_RECEIVE, .at = at, .n = n});
}

static void send_down(struct frs_endpoints *lines, uint32_t i, const struct frs_endpoint_message *message) {
    struct line *line = &lines->lines[i];
    uint64_t at = message->at, n = message->n;
    atomic_store(&lines->supervisor->mailboxes[i]->received_bytes, 0);
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_RECEIVE, .at = at, .n = n},
        (struct frs_edge_order){.kind = FRS_EDGE_SEND, .at = at, .n = n, .from = message->stored});
    if (line->hub == 0)
        progressed(lines, i, frs_line_end_send(&line->end, message->bytes + at, n));
}

void frs_endpoints_send(struct frs_endpoints *lines, uint32_t i, const struct frs_endpoint_message *message) {
    struct line *line = &lines->lines[i];
    line->doing = message->up ? SENDING_UP : SENDING_DOWN;
    line->up = message->up;
    (message->up ? send_up : send_down)(lines, i, message);
}

/* What the hub has to do with it is over. */
void frs_endpoints_compute(struct frs_endpoints *lines, uint32_t i, double until_s) {
    struct line *line = &lines->lines[i];
    const struct frs_order order = {.kind = FRS_ORDER_COMPUTE, .number = ++line->number, .until_s = until_s};
    line->doing = COMPUTING;
    ssize_t ignored = send(lines->supervisor->orders[i], &order, sizeof order, MSG_NOSIGNAL);
    (void)ignored;
}

uint64_t frs_endpoints_received(const struct frs_endpoints *lines, uint32_t i) {
    const struct line *line = &lines->lines[i];
    struct frs_mailbox *mailbox = lines->supervisor->mailboxes[i];
    if (!line->up)
        return atomic_load(&mailbox->received_bytes);
    return line->hub == 0 ? line->end.done : atomic_load(&mailbox->stored_bytes);
}

bool frs_endpoints_got(
    const struct frs_endpoints *lines, uint32_t i, bool up, const uint8_t *message, uint64_t n) {
    const struct line *line = &lines->lines[i];
    const struct frs_mailbox *mailbox = lines->supervisor->mailboxes[i];
    const uint8_t *got = !up ? mailbox->download : line->hub == 0 ? line->inbox.bytes : mailbox->edge_upload;
    return n == 0 || memcmp(got, message, n) == 0;
}

void frs_endpoints_abort(struct frs_endpoints *lines, uint32_t i) {
    struct line *line = &lines->lines[i];
    frs_line_end_abort(&line->end);
    line->doing = IDLE;
    line->connected = false;
    frs_endpoint_events_forget_line(&lines->events, i);
    const struct frs_order to_client = {.kind = FRS_ORDER_ABORT};
    const struct frs_edge_order to_edge = {.kind = FRS_EDGE_ABORT};
    order(lines, i, to_client, to_edge);
}

struct frs_backhauls *frs_endpoints_backhauls(struct frs_endpoints *lines) {
    return lines->backhauls;
}

/* ---- what comes ------------------------------------------------------------------------------ */

static void accept_all(struct frs_endpoints *lines) {
    for (;;) {
        struct sockaddr_in from = {0};
        socklen_t size = sizeof from;
        int fd = accept4(
            lines->supervisor->listener, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        uint32_t address = ntohl(from.sin_addr.s_addr), i = address - FRS_LINE_ADDRESS(0),
                 edge = address - FRS_EDGE_ADDRESS(0);
        if (i < lines->n)
            frs_line_end_accept(&lines->lines[i].end, fd, lines->tls);
        else if (edge < lines->supervisor->n_edges)
            frs_backhauls_accept(lines->backhauls, edge, fd);
        else
            close(fd);
    }
}

/* What has happened by then waits for the server that long. */
static void note_wait(struct frs_endpoints *lines, double since_s) {
    lines->greatest_absence_s = frs_larger(lines->greatest_absence_s, frs_wall_s() - since_s);
}

static void take_report(struct frs_endpoints *lines, uint32_t i, const struct frs_report *report) {
    static const enum frs_endpoint_event_kind kinds[] = {[FRS_REPORT_RECEIVED] = FRS_LINE_RECEIVED,
        [FRS_REPORT_COMPUTED] = FRS_LINE_COMPUTED,
        [FRS_REPORT_STORED] = FRS_LINE_DELIVERED};
    if (report->number != lines->lines[i].number || lines->lines[i].doing == IDLE)
        return;
    note_wait(lines, report->time_s);
    if (report->kind == FRS_REPORT_BROKEN)
        broken(lines, i);
    else if (report->kind == FRS_REPORT_CONNECTED)
        connected(lines, i, report->time_s);
    else
        happen(lines, i, kinds[report->kind], report->time_s);
}

static void take_reports(struct frs_endpoints *lines, int from, uint32_t line) {
    struct frs_report report;
    while (recv(from, &report, sizeof report, MSG_DONTWAIT) == (ssize_t)sizeof report)
        take_report(lines, line, &report);
}

static void take_reports_of_edge(struct frs_endpoints *lines, uint32_t edge) {
    struct frs_report report;
    while (recv(lines->supervisor->edges[edge], &report, sizeof report, MSG_DONTWAIT) ==
           (ssize_t)sizeof report) {
        if (report.kind == FRS_REPORT_TAKEN || report.kind == FRS_REPORT_CUT_OFF)
            frs_backhauls_take_report(lines->backhauls, edge, &report);
        else
            take_report(lines, report.line, &report);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static bool fill(struct frs_endpoints *lines) {
    bool any = false;
    lines->fds[0] = (struct pollfd){.fd = lines->supervisor->listener, .events = POLLIN};
    lines->fds[1] = (struct pollfd){.fd = lines->supervisor->life, .events = POLLIN};
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->lines[i];
        short wants = frs_line_end_wants(&line->end);
        lines->fds[2 + 2 * i] = (struct pollfd){.fd = wants ? line->end.connection.fd : -1, .events = wants};
        lines->fds[3 + 2 * i] = (struct pollfd){.fd = lines->supervisor->orders[i], .events = POLLIN};
        any |= line->doing != IDLE;
    }
    struct pollfd *of_edges = lines->fds + 2 + 2 * lines->n;
    for (size_t i = 0; i < lines->supervisor->n_edges; i++)
        of_edges[i] = (struct pollfd){.fd = lines->supervisor->edges[i], .events = POLLIN};
    return frs_backhauls_fill(lines->backhauls, of_edges + lines->supervisor->n_edges) || any;
}

static void look(struct frs_endpoints *lines) {
    if (lines->fds[1].revents) {
        lines->failed = true;
        frs_supervisor_last_words(lines->supervisor, lines->failure, sizeof lines->failure);
        return;
    }
    if (lines->fds[0].revents)
        accept_all(lines);
    for (uint32_t i = 0; i < lines->n; i++) {
        struct frs_line_end *end = &lines->lines[i].end;
        if (lines->fds[3 + 2 * i].revents)
            take_reports(lines, lines->supervisor->orders[i], i);
        if (lines->fds[2 + 2 * i].revents && end->connection.fd == lines->fds[2 + 2 * i].fd)
            progressed(lines, i, frs_line_end_look(end, i));
    }
    const struct pollfd *of_edges = lines->fds + 2 + 2 * lines->n;
    for (uint32_t i = 0; i < lines->supervisor->n_edges; i++)
        if (of_edges[i].revents)
            take_reports_of_edge(lines, i);
    frs_backhauls_look(lines->backhauls, of_edges + lines->supervisor->n_edges);
}

static void note_absence(struct frs_endpoints *lines, double now_s) {
    if (now_s - lines->looked_s > lines->greatest_absence_s)
        lines->greatest_absence_s = now_s - lines->looked_s;
}

/* Between two checks of its connections the server does other work, on at least one thread. Any time
 * beyond its processor time is time in which it could not run. */
static void note_pause(struct frs_endpoints *lines, double now_s) {
    double from_s = frs_larger(lines->left_s, atomic_load(&lines->supervisor->record->activity.from_s));
    if (now_s - from_s > FRS_PAUSE_S)
        frs_watchdog_note(&lines->watchdog, now_s - from_s - (frs_process_cpu_s() - lines->left_cpu_s));
}

bool frs_endpoints_next(struct frs_endpoints *lines, double until_s, struct frs_endpoint_event *event) {
    while (!lines->failed && !frs_endpoint_events_any(&lines->events)) {
        double now_s = frs_wall_s(), left_s = frs_larger(until_s - now_s, 0);
        bool any = fill(lines);
        if (any)
            note_absence(lines, now_s);
        note_pause(lines, now_s);
        struct timespec left = {.tv_nsec = (long)(1e9 * frs_watchdog_begin(&lines->watchdog, left_s))};
        int n = ppoll(lines->fds, 2 + 2 * (lines->n + lines->supervisor->n_edges), &left, NULL);
        frs_watchdog_end(&lines->watchdog);
        lines->left_s = frs_wall_s();
        lines->left_cpu_s = frs_process_cpu_s();
        lines->looked_s = any ? lines->left_s : NAN;
        if (n > 0)
            look(lines);
        if (!frs_endpoint_events_any(&lines->events) && frs_wall_s() >= until_s)
            return false;
    }
    if (lines->failed)
        return false;
    *event = frs_endpoint_events_next(&lines->events);
    return true;
}

const char *frs_endpoints_failure(const struct frs_endpoints *lines) {
    return lines->failed ? lines->failure : NULL;
}

double frs_endpoints_greatest_absence_s(const struct frs_endpoints *lines) {
    return lines->greatest_absence_s;
}
