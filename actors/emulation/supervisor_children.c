/* The processes that a supervisor starts: clients, edges and the router. */
#include "actors/emulation/client.h"
#include "actors/emulation/connection.h"
#include "actors/emulation/edge.h"
#include "actors/emulation/process.h"
#include "actors/emulation/supervisor_internal.h"
#include "actors/emulation/tun.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int enter(const struct birth *birth, uint32_t address) {
    const char *what;
    int tun = frs_tun_enter(address, birth->settings->restarts, &what);
    if (tun < 0)
        frs_supervisor_give_up(birth, what);
    return tun;
}

static int listen_at(const struct birth *birth, uint32_t address, const char *what) {
    struct sockaddr_in any = {
        .sin_family = AF_INET, .sin_port = htons(FRS_EMULATED_PORT), .sin_addr.s_addr = htonl(address)};
    int fd = frs_connection_socket();
    if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof any) || listen(fd, 2 * FRS_EMULATED_LINES))
        frs_supervisor_give_up(birth, what);
    return fd;
}

/* Returns its number to the supervisor, and 0 to the child. */
static pid_t begin(const struct birth *birth, const char *name, const char *what) {
    pid_t process = fork();
    if (process < 0)
        frs_supervisor_give_up(birth, what);
    if (process == 0)
        frs_process_begin(name);
    return process;
}

void frs_supervisor_start_client(struct birth *birth, uint32_t line) {
    birth->tuns[line] = enter(birth, FRS_LINE_ADDRESS(line));
    birth->clients[line] = begin(birth, "fedrecsim-dev", "a process for a client");
    if (birth->clients[line] > 0)
        return;
    frs_process_keep(&birth->orders[line], 1);
    frs_client_run(&(struct frs_client_settings){.orders = birth->orders[line],
        .line = line,
        .mailbox = birth->supervisor->mailboxes[line],
        .tls = birth->settings->tls,
        .activity = &birth->supervisor->record->activity,
        .pauses = &birth->supervisor->record->clients[line]});
    _exit(0);
}

void frs_supervisor_start_edge(struct birth *birth, uint32_t edge) {
    birth->edge_tuns[edge] = enter(birth, FRS_EDGE_ADDRESS(edge));
    int listener = listen_at(birth, FRS_EDGE_ADDRESS(edge), "the socket of an edge");
    birth->edge_processes[edge] = begin(birth, "fedrecsim-edge", "a process for an edge");
    if (birth->edge_processes[edge] > 0) {
        close(listener);
        return;
    }
    const int fds[] = {birth->edges[edge], listener};
    frs_process_keep(fds, 2);
    frs_edge_run(&(struct frs_edge_settings){.orders = birth->edges[edge],
        .listener = listener,
        .edge = edge,
        .mailboxes = birth->supervisor->mailboxes,
        .n_lines = birth->settings->n_lines,
        .tls = birth->settings->tls,
        .activity = &birth->supervisor->record->activity,
        .pauses = &birth->supervisor->record->edges[edge]});
    _exit(0);
}

int frs_supervisor_enter_server(struct birth *birth) {
    birth->server_tun = enter(birth, FRS_SERVER_ADDRESS);
    return listen_at(birth, FRS_SERVER_ADDRESS, "the server's socket");
}

void frs_supervisor_start_router(struct birth *birth) {
    const struct frs_supervisor_settings *settings = birth->settings;
    int fds[2 + FRS_EMULATED_LINES + FRS_EMULATED_EDGES] = {birth->router, birth->server_tun};
    size_t n_lines = settings->n_lines, n_edges = settings->n_edges;
    birth->router_process = begin(birth, "fedrecsim-net", "a process for the router");
    if (birth->router_process > 0)
        return;
    memcpy(fds + 2, birth->tuns, n_lines * sizeof *fds);
    memcpy(fds + 2 + n_lines, birth->edge_tuns, n_edges * sizeof *fds);
    frs_process_keep(fds, 2 + n_lines + n_edges);
    frs_router_run(&(struct frs_router_settings){.orders = birth->router,
        .tuns = fds + 1,
        .n_lines = n_lines,
        .n_edges = n_edges,
        .links = &settings->links,
        .record = birth->supervisor->record});
    _exit(0);
}
