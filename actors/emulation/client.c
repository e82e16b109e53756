#include "actors/emulation/client.h"
#include "actors/emulation/connection.h"
#include "actors/emulation/process.h"
#include "actors/emulation/rights.h"
#include "actors/emulation/watchdog.h"
#include "sim/base/clock.h"

#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#define RANK 5 /* behind the router; all it does is move bytes */

struct client {
    int orders;
    uint32_t line;
    struct frs_mailbox *mailbox;
    const struct frs_tls *tls;
    struct frs_connection connection;
    bool busy; /* with: */
    struct frs_order order;
    uint64_t done; /* bytes of it */
};

/* A server that is gone needs no report. */
static void report(struct client *client, enum frs_report_kind kind) {
    const struct frs_report report = {.kind = kind, .number = client->order.number, .time_s = frs_wall_s()};
    ssize_t ignored = send(client->orders, &report, sizeof report, MSG_NOSIGNAL);
    (void)ignored;
    client->busy = false;
}

static void broken(struct client *client) {
    frs_connection_break(&client->connection);
    report(client, FRS_REPORT_BROKEN);
}

static void connect_on(struct client *client) {
    int greeted = frs_connection_greet(&client->connection);
    const struct frs_request request = {.number = client->order.number, .line = (uint8_t)client->line};
    if (greeted < 0)
        broken(client);
    if (greeted < 1)
        return;
    if (frs_connection_write(&client->connection, &request, sizeof request) == sizeof request)
        client->busy = false; /* the server has it, and needs no report */
    else
        broken(client);
}

/* As much as there is, or fits. */
static void move_on(struct client *client, bool up) {
    struct frs_mailbox *mailbox = client->mailbox;
    const struct frs_order *order = &client->order;
    for (ssize_t moved; client->done < order->n; client->done += (uint64_t)moved) {
        uint64_t at = order->at + client->done, left = order->n - client->done;
        moved = up ? frs_connection_write(&client->connection, mailbox->upload + at, left)
                   : frs_connection_read(&client->connection, mailbox->download + at, left);
        if (moved == 0)
            return;
        if (moved < 0) {
            broken(client);
            return;
        }
        if (!up)
            atomic_fetch_add(&mailbox->received_bytes, (uint64_t)moved);
    }
    if (up)
        client->busy = false;
    else
        report(client, FRS_REPORT_RECEIVED);
}

static void go_on(struct client *client) {
    switch (client->order.kind) {
    case FRS_ORDER_CONNECT:
        connect_on(client);
        break;
    case FRS_ORDER_RECEIVE:
        move_on(client, false);
        break;
    case FRS_ORDER_SEND:
        move_on(client, true);
        break;
    case FRS_ORDER_COMPUTE:
        if (frs_wall_s() >= client->order.until_s)
            report(client, FRS_REPORT_COMPUTED);
        break;
    case FRS_ORDER_ABORT:
        break;
    }
}

static void begin(struct client *client, const struct frs_order *order) {
    client->order = *order;
    client->done = 0;
    client->busy = true;
    if (order->kind == FRS_ORDER_CONNECT) {
        frs_connection_break(&client->connection);
        if (!frs_connection_open(&client->connection, frs_hub_address(order->hub), FRS_EMULATED_PORT,
                order->tls ? client->tls : NULL)) {
            broken(client);
            return;
        }
    }
    if (order->kind == FRS_ORDER_ABORT) {
        frs_connection_break(&client->connection);
        client->busy = false;
        return;
    }
    go_on(client);
}

/* False: the server is gone. */
static bool take_order(struct client *client) {
    struct frs_order order;
    ssize_t n = recv(client->orders, &order, sizeof order, 0);
    if (n == (ssize_t)sizeof order)
        begin(client, &order);
    return n == (ssize_t)sizeof order;
}

static struct timespec timespec_of(double left_s) {
    return (struct timespec){.tv_sec = (time_t)left_s, .tv_nsec = (long)(1e9 * (left_s - floor(left_s)))};
}

void frs_client_run(const struct frs_client_settings *settings) {
    struct client client = {.orders = settings->orders,
        .line = settings->line,
        .mailbox = settings->mailbox,
        .tls = settings->tls,
        .connection = {.fd = -1}};
    struct frs_watchdog watchdog = frs_watchdog_of(settings->activity, settings->pauses);
    frs_process_hurry(RANK);
    (void)frs_rights_drop(FRS_RIGHTS_OF_SOCKETS);
    for (;;) {
        bool computes = client.busy && client.order.kind == FRS_ORDER_COMPUTE,
             moves = client.busy && !computes && client.connection.fd >= 0;
        struct pollfd fds[] = {{.fd = client.orders, .events = POLLIN},
            {.fd = moves ? client.connection.fd : -1, .events = client.connection.wants}};
        double most_s = computes ? client.order.until_s - frs_wall_s() : INFINITY;
        struct timespec left = timespec_of(frs_watchdog_begin(&watchdog, most_s));
        ppoll(fds, 2, &left, NULL);
        if (fds[0].revents) {
            if (!take_order(&client))
                break;
        } else if (computes || fds[1].revents) {
            go_on(&client);
        }
    }
    frs_connection_break(&client.connection);
}
