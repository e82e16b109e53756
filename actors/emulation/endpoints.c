#include "actors/emulation/endpoints.h"
#include "actors/emulation/connection.h"
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
    bool tls, connected;
    bool up;         /* the last transfer was */
    uint64_t number; /* of the last order */
    struct frs_connection connection;
    uint64_t request_bytes; /* of it, that have come */
    struct frs_request request;
    const uint8_t *message;  /* down: what is sent */
    uint64_t at, n, done;    /* place in the message, length, bytes written or read */
    struct frs_buffer inbox; /* up: the message as far as it has come */
};

struct frs_endpoints {
    const struct frs_supervisor *supervisor;
    const struct frs_tls *tls;
    struct line *lines; /* [n] */
    size_t n;
    struct pollfd *fds; /* listener, life, then two for each line */
    struct frs_endpoint_event *events;
    size_t n_events, first_event, events_capacity;
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
        .fds = frs_alloc(2 + 2 * supervisor->n_lines, sizeof *lines->fds),
        .looked_s = NAN,
        .watchdog = frs_watchdog_of(&supervisor->record->activity, &supervisor->record->server),
        .left_s = frs_wall_s()};
    for (size_t i = 0; i < lines->n; i++)
        lines->lines[i].connection.fd = -1;
    return lines;
}

void frs_endpoints_destroy(struct frs_endpoints *lines) {
    if (!lines)
        return;
    for (size_t i = 0; i < lines->n; i++) {
        frs_connection_break(&lines->lines[i].connection);
        frs_buffer_fini(&lines->lines[i].inbox);
    }
    free(lines->lines);
    free(lines->fds);
    free(lines->events);
    free(lines);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void happen(
    struct frs_endpoints *lines, uint32_t line, enum frs_endpoint_event_kind kind, double time_s) {
    if (lines->first_event == lines->n_events)
        lines->first_event = lines->n_events = 0;
    lines->events =
        frs_grow(lines->events, lines->n_events + 1, &lines->events_capacity, sizeof *lines->events);
    lines->events[lines->n_events++] =
        (struct frs_endpoint_event){.kind = kind, .line = line, .time_s = time_s};
    lines->lines[line].doing = IDLE;
}

static void broken(struct frs_endpoints *lines, uint32_t line) {
    lines->lines[line].connected = false;
    frs_connection_break(&lines->lines[line].connection);
    happen(lines, line, FRS_LINE_BROKEN, frs_wall_s());
}

/* Drops the events of a line that have not been returned yet. */
static void forget_events(struct frs_endpoints *lines, uint32_t line) {
    size_t kept = lines->first_event;
    for (size_t i = lines->first_event; i < lines->n_events; i++)
        if (lines->events[i].line != line)
            lines->events[kept++] = lines->events[i];
    lines->n_events = kept;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void order(struct frs_endpoints *lines, uint32_t i, struct frs_order order) {
    order.number = ++lines->lines[i].number;
    ssize_t ignored = send(lines->supervisor->orders[i], &order, sizeof order, MSG_NOSIGNAL);
    (void)ignored; /* the supervisor reports a process that has ended */
}

void frs_endpoints_connect(struct frs_endpoints *lines, uint32_t i, bool tls) {
    struct line *line = &lines->lines[i];
    frs_connection_break(&line->connection);
    line->doing = CONNECTING;
    line->tls = tls;
    line->connected = false;
    line->request_bytes = 0;
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_CONNECT, .tls = tls});
}

bool frs_endpoints_is_connected(const struct frs_endpoints *lines, uint32_t line) {
    return lines->lines[line].connected;
}

static void write_down(struct frs_endpoints *lines, uint32_t i) {
    struct line *line = &lines->lines[i];
    while (line->done < line->n) {
        ssize_t moved = frs_connection_write(
            &line->connection, line->message + line->at + line->done, line->n - line->done);
        if (moved < 0)
            broken(lines, i);
        if (moved <= 0)
            return;
        line->done += (uint64_t)moved;
    }
}

void frs_endpoints_send(
    struct frs_endpoints *lines, uint32_t i, bool up, const uint8_t *message, uint64_t at, uint64_t n) {
    struct line *line = &lines->lines[i];
    struct frs_mailbox *mailbox = lines->supervisor->mailboxes[i];
    line->doing = up ? SENDING_UP : SENDING_DOWN;
    line->up = up;
    line->message = message;
    line->at = at;
    line->n = n;
    line->done = 0;
    if (up) {
        memcpy(mailbox->upload + at, message + at, n);
        while (line->inbox.n < at + n)
            frs_buffer_extend(&line->inbox, at + n - line->inbox.n);
    } else {
        atomic_store(&mailbox->received_bytes, 0);
    }
    order(lines, i, (struct frs_order){.kind = up ? FRS_ORDER_SEND : FRS_ORDER_RECEIVE, .at = at, .n = n});
    if (!up)
        write_down(lines, i);
}

void frs_endpoints_compute(struct frs_endpoints *lines, uint32_t i, double until_s) {
    lines->lines[i].doing = COMPUTING;
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_COMPUTE, .until_s = until_s});
}

uint64_t frs_endpoints_received(const struct frs_endpoints *lines, uint32_t i) {
    const struct line *line = &lines->lines[i];
    return line->up ? line->done : atomic_load(&lines->supervisor->mailboxes[i]->received_bytes);
}

bool frs_endpoints_got(
    const struct frs_endpoints *lines, uint32_t i, bool up, const uint8_t *message, uint64_t n) {
    const uint8_t *got = up ? lines->lines[i].inbox.bytes : lines->supervisor->mailboxes[i]->download;
    return n == 0 || memcmp(got, message, n) == 0;
}

void frs_endpoints_abort(struct frs_endpoints *lines, uint32_t i) {
    struct line *line = &lines->lines[i];
    frs_connection_break(&line->connection);
    line->doing = IDLE;
    line->connected = false;
    forget_events(lines, i);
    order(lines, i, (struct frs_order){.kind = FRS_ORDER_ABORT});
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
        uint32_t i = ntohl(from.sin_addr.s_addr) - FRS_LINE_ADDRESS(0);
        bool awaited = i < lines->n && lines->lines[i].doing == CONNECTING;
        if (!awaited) {
            close(fd);
            continue;
        }
        struct line *line = &lines->lines[i];
        frs_connection_break(&line->connection); /* of a try before */
        line->request_bytes = 0;
        frs_connection_take(&line->connection, fd, line->tls ? lines->tls : NULL);
    }
}

/* A request of an earlier try: its connection is of no use. */
static void connect_on(struct frs_endpoints *lines, uint32_t i) {
    struct line *line = &lines->lines[i];
    int greeted = frs_connection_greet(&line->connection);
    if (greeted < 0)
        frs_connection_break(&line->connection);
    if (greeted < 1)
        return;
    ssize_t moved = frs_connection_read(&line->connection, (uint8_t *)&line->request + line->request_bytes,
        sizeof line->request - line->request_bytes);
    if (moved < 0)
        frs_connection_break(&line->connection);
    if (moved <= 0)
        return;
    line->request_bytes += (uint64_t)moved;
    if (line->request_bytes < sizeof line->request)
        return;
    if (line->request.number != line->number || line->request.line != i) {
        frs_connection_break(&line->connection);
        return;
    }
    line->connected = true;
    happen(lines, i, FRS_LINE_CONNECTED, frs_wall_s());
}

static void read_up(struct frs_endpoints *lines, uint32_t i) {
    struct line *line = &lines->lines[i];
    while (line->done < line->n) {
        ssize_t moved = frs_connection_read(
            &line->connection, line->inbox.bytes + line->at + line->done, line->n - line->done);
        if (moved < 0)
            broken(lines, i);
        if (moved <= 0)
            return;
        line->done += (uint64_t)moved;
    }
    happen(lines, i, FRS_LINE_DELIVERED, frs_wall_s());
}

static void look_at_connection(struct frs_endpoints *lines, uint32_t i) {
    switch (lines->lines[i].doing) {
    case CONNECTING:
        connect_on(lines, i);
        break;
    case SENDING_DOWN:
        write_down(lines, i);
        break;
    case SENDING_UP:
        read_up(lines, i);
        break;
    case IDLE:
    case COMPUTING:
        break;
    }
}

/* What has happened by then waits for the server that long. */
static void note_wait(struct frs_endpoints *lines, double since_s) {
    lines->greatest_absence_s = frs_larger(lines->greatest_absence_s, frs_wall_s() - since_s);
}

static void take_reports(struct frs_endpoints *lines, uint32_t i) {
    static const enum frs_endpoint_event_kind kinds[] = {[FRS_REPORT_RECEIVED] = FRS_LINE_RECEIVED,
        [FRS_REPORT_COMPUTED] = FRS_LINE_COMPUTED,
        [FRS_REPORT_BROKEN] = FRS_LINE_BROKEN};
    struct frs_report report;
    while (
        recv(lines->supervisor->orders[i], &report, sizeof report, MSG_DONTWAIT) == (ssize_t)sizeof report) {
        if (report.number != lines->lines[i].number || lines->lines[i].doing == IDLE)
            continue;
        note_wait(lines, report.time_s);
        if (report.kind == FRS_REPORT_BROKEN)
            broken(lines, i);
        else
            happen(lines, i, kinds[report.kind], report.time_s);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static short awaited(const struct line *line) {
    switch (line->doing) {
    case CONNECTING:
        return line->connection.wants;
    case SENDING_DOWN:
        if (line->done >= line->n)
            break;
        return line->connection.wants;
    case SENDING_UP:
        return POLLIN;
    case IDLE:
    case COMPUTING:
        break;
    }
    return 0;
}

static bool fill(struct frs_endpoints *lines) {
    bool any = false;
    lines->fds[0] = (struct pollfd){.fd = lines->supervisor->listener, .events = POLLIN};
    lines->fds[1] = (struct pollfd){.fd = lines->supervisor->life, .events = POLLIN};
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->lines[i];
        short events = awaited(line);
        bool looks = events && line->connection.fd >= 0;
        lines->fds[2 + 2 * i] = (struct pollfd){.fd = looks ? line->connection.fd : -1, .events = events};
        lines->fds[3 + 2 * i] = (struct pollfd){.fd = lines->supervisor->orders[i], .events = POLLIN};
        any |= line->doing != IDLE;
    }
    return any;
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
        if (lines->fds[3 + 2 * i].revents)
            take_reports(lines, i);
        if (lines->fds[2 + 2 * i].revents && lines->lines[i].connection.fd == lines->fds[2 + 2 * i].fd)
            look_at_connection(lines, i);
    }
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
    while (!lines->failed && lines->first_event == lines->n_events) {
        double now_s = frs_wall_s(), left_s = frs_larger(until_s - now_s, 0);
        bool any = fill(lines);
        if (any)
            note_absence(lines, now_s);
        note_pause(lines, now_s);
        struct timespec left = {.tv_nsec = (long)(1e9 * frs_watchdog_begin(&lines->watchdog, left_s))};
        int n = ppoll(lines->fds, 2 + 2 * lines->n, &left, NULL);
        frs_watchdog_end(&lines->watchdog);
        lines->left_s = frs_wall_s();
        lines->left_cpu_s = frs_process_cpu_s();
        lines->looked_s = any ? lines->left_s : NAN;
        if (n > 0)
            look(lines);
        if (lines->first_event == lines->n_events && frs_wall_s() >= until_s)
            return false;
    }
    if (lines->failed)
        return false;
    *event = lines->events[lines->first_event++];
    return true;
}

const char *frs_endpoints_failure(const struct frs_endpoints *lines) {
    return lines->failed ? lines->failure : NULL;
}

double frs_endpoints_greatest_absence_s(const struct frs_endpoints *lines) {
    return lines->greatest_absence_s;
}
